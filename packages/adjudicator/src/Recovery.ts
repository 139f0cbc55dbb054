/**
 * What becomes of an ask whose run is gone. An approved call is claimed and run here, once, by the tool as it is at
 * this moment; its result or the refusal goes into the session's history. When no orphan of the session is left, one
 * continuation run begins, and nobody waits for its end.
 */
import {
  type Case,
  denyResult,
  DenyTexts,
  GateOptions,
  type HistoryMessage,
  newId,
  outcomeRecord,
  Sessions,
  Store,
  type StoreError
} from "@countersign/gate"
import type { FrozenCall, GateDecision } from "@countersign/kernel"
import { Cause, Clock, Effect, Exit, Fiber, type Scope } from "effect"
import { NotBound, RunActive } from "./DeskError.ts"
import type { ResumeRunner, ToolResolver } from "./Runner.ts"
import type { Ended } from "./Settlement.ts"

export interface Recovery {
  readonly bind: (runner: ResumeRunner) => Effect.Effect<void>
  /** Fails unless a continuation could begin; asked before anything is settled. */
  readonly ready: (sessionId: string) => Effect.Effect<void, NotBound | RunActive>
  /** Settles an orphan by `settle`, does what follows from it, and begins the continuation if it was the last. */
  readonly settling: <E>(
    sessionId: string,
    settle: Effect.Effect<Ended | undefined, E>
  ) => Effect.Effect<Ended | undefined, E | StoreError>
  /** Runs an approved call that was never claimed because its process died in between. */
  readonly run: (row: Case) => Effect.Effect<void, StoreError>
}

/** Makes recovery over the services in reach; `isOrphan` says which pending cases nobody waits for. */
export const makeRecovery = Effect.fnUntraced(function* (options: {
  readonly resolver: ToolResolver | undefined
  readonly runner: ResumeRunner | undefined
  readonly isOrphan: (row: Case) => boolean
  readonly scope: Scope.Scope
}) {
  const store = yield* Store
  const sessions = yield* Sessions
  const texts = yield* DenyTexts
  const gate = yield* GateOptions
  const { isOrphan, resolver, scope } = options
  let runner = options.runner
  /** Recoveries under way, by session: the last of them begins the continuation. */
  const underWay = new Map<string, { count: number; changed: boolean }>()

  const ready: Recovery["ready"] = Effect.fnUntraced(function* (sessionId) {
    if (runner === undefined) return yield* new NotBound()
    if (runner.ready === undefined) return
    yield* runner
      .ready(sessionId)
      .pipe(Effect.catchCause((cause) => Effect.fail(new RunActive({ cause: Cause.squash(cause) }))))
  })

  const append = (call: FrozenCall, message: Pick<HistoryMessage, "content" | "isError">) => {
    const { sessionId, toolCallId } = call
    const session = { app: gate.app, userId: gate.userOf(sessionId), sessionId }
    return sessions
      .append(session, { role: "tool", toolCallId, ...message })
      .pipe(
        Effect.catch((error) =>
          Effect.logError(`the history of \`${sessionId}\` lacks what became of \`${toolCallId}\``, error)
        )
      )
  }

  const refuse = (row: Case, decision: GateDecision) =>
    append(row.call, { content: denyResult(row.call, decision, texts, row.answerReason).text, isError: true })

  /** The tool of this moment, run with exactly the call that was approved. */
  const call = Effect.fnUntraced(function* (approved: FrozenCall) {
    if (resolver === undefined) return yield* Effect.fail(new Error("no tools are bound to recover with"))
    const tool = (yield* resolver).get(approved.toolName)
    if (tool === undefined) return yield* Effect.fail(new Error("there is no such tool any more"))
    return yield* Effect.suspend(() => tool(approved.arguments, approved))
  })

  const runOnce = Effect.fnUntraced(function* (row: Case) {
    if (!(yield* store.claim(row.id))) return
    const exit = yield* Effect.exit(call(row.call))
    const error = Exit.isFailure(exit) ? words(exit.cause) : undefined
    const record = outcomeRecord(row, {
      id: yield* newId,
      at: yield* Clock.currentTimeMillis,
      node: store.node,
      outcome: error === undefined ? "completed" : "failed",
      ...(error === undefined ? {} : { error })
    })
    yield* store.finish(row.id, record)
    if (Exit.isSuccess(exit)) yield* append(row.call, { content: exit.value ?? null })
    else yield* append(row.call, { content: texts.Unavailable(row.call.toolName, error!), isError: true })
  })

  const follow = ({ answer, row }: Ended) =>
    answer.decision.decision === "allow" ? runOnce({ ...row, call: answer.call }) : refuse(row, answer.decision)

  const goOn = Effect.fnUntraced(function* (sessionId: string): Effect.fn.Return<void, StoreError> {
    if (yield* store.sessions.isCanceled(sessionId)) return
    if ((yield* store.cases.pending(sessionId)).some(isOrphan)) return
    if (runner === undefined) {
      yield* Effect.logWarning(`no resume runner is bound; the session \`${sessionId}\` does not go on by itself`)
      return
    }
    const { run } = runner
    yield* Effect.suspend(() => run({ sessionId, userId: gate.userOf(sessionId) })).pipe(
      Effect.catchCause((cause) => Effect.logError(`the continuation of \`${sessionId}\` failed`, cause)),
      // the answer returns once the run has begun, however long it takes
      Effect.forkIn(scope, { startImmediately: true })
    )
  })

  /** Counts what is under way; `done` says whether anything became of an orphan. */
  const counted = <A, E>(sessionId: string, effect: Effect.Effect<A, E>, done: (value: A) => boolean) =>
    Effect.suspend(() => {
      const session = underWay.get(sessionId) ?? { count: 0, changed: false }
      underWay.set(sessionId, session)
      session.count++
      return effect.pipe(
        Effect.tap((value) => Effect.sync(() => void (session.changed ||= done(value)))),
        Effect.onExit(() =>
          Effect.suspend(() => {
            session.count--
            if (session.count > 0) return Effect.void
            underWay.delete(sessionId)
            return session.changed ? goOn(sessionId) : Effect.void
          }).pipe(Effect.catch((error) => Effect.logError(`the session \`${sessionId}\` could not go on`, error)))
        )
      )
    })

  return {
    bind: (bound) => Effect.sync(() => void (runner = bound)),
    ready,
    // forked: what was settled is followed up even if whoever answered is gone by then
    settling: (sessionId, settle) =>
      counted(
        sessionId,
        settle.pipe(Effect.tap((ended) => (ended === undefined ? Effect.void : follow(ended)))),
        (ended) => ended !== undefined
      ).pipe(Effect.forkIn(scope), Effect.flatMap(Fiber.join)),
    run: (row) => counted(row.call.sessionId, runOnce(row), () => true)
  } satisfies Recovery
})

function words(cause: Cause.Cause<unknown>): string {
  const error = Cause.squash(cause)
  return error instanceof Error ? error.message : String(error)
}
