/**
 * The gate: every call an agent makes passes here once. Four faces over one core: `decide` says what would happen,
 * `authorize` waits, `submit` and `resume` serve hosts whose run ends, `run` does all of it and executes.
 *
 * INVARIANT: the terminal is recorded before its answer is given, and a call runs only after its permit was claimed.
 */
import {
  digestOf,
  type FrozenCall,
  type GateDecision,
  ground,
  type Permit,
  readCall,
  reasonFor,
  type ToolCall
} from "@countersign/kernel"
import { Cause, Clock, Context, Deferred, Effect, Exit, Layer } from "effect"
import { type Answer, Asking, type Begun } from "./Asking.ts"
import { CurrentSettings } from "./CurrentSettings.ts"
import { type DenyResult, denyResult, DenyTexts, endingTurn } from "./DenyTexts.ts"
import { type Execution, makeExecutions } from "./Executions.ts"
import { GateOptions } from "./GateOptions.ts"
import { Hooks } from "./Hooks.ts"
import { newId } from "./Ids.ts"
import { Judge, type Judgement } from "./Judge.ts"
import { Observer } from "./Observer.ts"
import { Outbox } from "./Outbox.ts"
import { moved, pin } from "./pins.ts"
import { automaticCase, automaticEvents, outcomeRecord, permissionEvent, recordOfJudgement } from "./Recording.ts"
import type { Case } from "./store/Case.ts"
import type { OutcomeRecord } from "./store/Record.ts"
import { Store, type StoreError } from "./store/Store.ts"

/** The call may run: once, with the arguments of the permit. */
export interface Allowed {
  readonly allowed: true
  readonly decision: GateDecision
  readonly recordId: string
  readonly permit: Permit
}

/** The same call was approved already and somebody else runs it (C6): the host that asked twice about it may go on. */
export interface AllowedTwice {
  readonly allowed: true
  readonly decision: GateDecision
  readonly recordId: string
  readonly permit?: undefined
  /** The case whose outcome this call shares. */
  readonly caseId: string
}

/** The call does not run; `result` goes back to the model and the turn goes on. */
export interface Denied {
  readonly allowed: false
  readonly decision: GateDecision
  /** Absent only when the store failed and nothing could be recorded. */
  readonly recordId?: string
  readonly result: DenyResult
}

export type Authorization = Allowed | AllowedTwice | Denied

/** What `submit` and `resume` say: an answer, or the name under which to ask again. */
export type Submitted =
  | Authorization
  | { readonly allowed: "pending"; readonly id: string; readonly decision: GateDecision }

export type RunResult<A> =
  | {
      readonly status: "completed"
      readonly value: A
      readonly decision: GateDecision
      readonly recordId: string
      /** What PostToolUse hooks add. */
      readonly context: readonly string[]
    }
  | { readonly status: "failed"; readonly error: unknown; readonly decision: GateDecision; readonly recordId: string }
  | {
      readonly status: "denied"
      readonly decision: GateDecision
      readonly result: DenyResult
      readonly recordId?: string
    }

export class Gate extends Context.Service<
  Gate,
  {
    /** What would happen, S22 included. Records nothing. */
    readonly decide: (call: ToolCall) => Effect.Effect<Judgement, StoreError>
    /** Waits for the answer. The host executes what the permit holds and, if it said so, reports with `report`. */
    readonly authorize: (call: ToolCall) => Effect.Effect<Authorization>
    /** For hosts whose run ends: does not wait. */
    readonly submit: (call: ToolCall) => Effect.Effect<Submitted>
    /** Comes back for the answer of a submitted call. The first that finds it allowed gets the permit. */
    readonly resume: (id: string) => Effect.Effect<Submitted | undefined>
    /** Authorizes, claims, executes the final call, records the outcome, runs PostToolUse. */
    readonly run: <A, E, R>(
      call: ToolCall,
      execute: (call: FrozenCall) => Effect.Effect<A, E, R>
    ) => Effect.Effect<RunResult<A>, never, R>
    /** The outcome of a call that `authorize` allowed, from a host that reports outcomes. */
    readonly report: (
      permit: Permit,
      outcome: "completed" | "failed",
      error?: string
    ) => Effect.Effect<boolean, StoreError>
  }
>()("@countersign/gate/Gate") {
  static readonly layer = Layer.effect(
    Gate,
    Effect.gen(function* () {
      const judge = yield* Judge
      const asking = yield* Asking
      const store = yield* Store
      const settings = yield* CurrentSettings
      const hooks = yield* Hooks
      const outbox = yield* Outbox
      const observer = yield* Observer
      const options = yield* GateOptions
      const texts = yield* DenyTexts
      const executions = makeExecutions<RunResult<unknown>>()

      const deny = (call: FrozenCall, decision: GateDecision, recordId?: string, answerReason?: string): Denied => ({
        allowed: false,
        decision,
        ...(recordId === undefined ? {} : { recordId }),
        result: denyResult(call, decision, texts, answerReason)
      })

      /** S22: an ask that nobody can answer is a deny. */
      const attended = (judgement: Judgement): Judgement => {
        if (judgement.decision.decision !== "ask") return judgement
        if (judgement.askers.some(({ mode }) => mode === "dontAsk")) return unattended(judgement, "mode.dontAsk")
        return asking.available ? judgement : unattended(judgement, "ask.nobody")
      }

      const judged = (call: ToolCall) => judge.judge(call).pipe(Effect.map(attended))

      /** Records an automatic terminal and, on allow, claims it; only then is the answer given. */
      const conclude = Effect.fnUntraced(function* (judgement: Judgement, shadow: boolean) {
        const { call, decision, policySource } = judgement
        const [id, permitId, at] = [yield* newId, yield* newId, yield* Clock.currentTimeMillis]
        const passes = decision.decision === "allow" || shadow
        const digest = digestOf(call)
        const record = recordOfJudgement(judgement, {
          id,
          at,
          node: store.node,
          decision: shadow && decision.decision === "ask" ? { ...decision, decision: "allow" } : decision,
          digest,
          ...(passes ? { permitId } : {}),
          ...(shadow ? { shadow } : {})
        })
        yield* store.terminal({
          record,
          events: automaticEvents(call, decision, policySource),
          ...(passes
            ? {
                permit: { id: permitId, case: automaticCase(judgement, options.app, permitId, digest, at, store.node) }
              }
            : {})
        })
        yield* outbox.flush
        if (!passes) {
          const denied = deny(call, decision, id)
          return judgement.unconsulted === undefined ? denied : { ...denied, result: endingTurn(denied.result) }
        }
        const permit = { id: permitId, call, digest, pinned: pin(judgement.subject) }
        return { allowed: true, decision, recordId: id, permit } satisfies Allowed
      })

      /** What an answer becomes for whoever waited: the permit goes to the first that claims it. */
      const redeem = Effect.fnUntraced(function* (answer: Answer, judgement: Judgement | undefined) {
        if (answer.decision.decision !== "allow") {
          const row = yield* store.cases.byId(answer.caseId)
          return deny(answer.call, answer.decision, answer.recordId, row?.answerReason)
        }
        if (yield* store.claim(answer.caseId)) {
          const pinned = judgement !== undefined && answer.call === judgement.call ? pin(judgement.subject) : []
          const permit = { id: answer.caseId, call: answer.call, digest: answer.digest, pinned }
          return { allowed: true, decision: answer.decision, recordId: answer.recordId, permit } satisfies Allowed
        }
        return undefined
      })

      /** The same call again, whose permit is taken: an automatic terminal of its own, and no second permit. */
      const again = Effect.fnUntraced(function* (
        judgement: Judgement,
        caseId: string,
        shares: Shares
      ): Effect.fn.Return<Authorization, StoreError> {
        const { call } = judgement
        const passes = shares(caseId)
        const decision = passes ? allowedAs("user.duplicate") : deniedAs("ask.duplicate", call)
        const [id, at] = [yield* newId, yield* Clock.currentTimeMillis]
        yield* store.terminal({
          record: recordOfJudgement(
            { ...judgement, decision },
            { id, at, node: store.node, decision, digest: digestOf(call) }
          ),
          events: automaticEvents(call, decision)
        })
        yield* outbox.flush
        return passes ? { allowed: true, decision, recordId: id, caseId } : deny(call, decision, id)
      })

      /** A store that fails never means allow, and the observer still hears of it; `settled`: of its one terminal it did. */
      const failClosed =
        (call: ToolCall, settled = false) =>
        (error: StoreError) =>
          Effect.gen(function* () {
            yield* Effect.logError(`the call \`${call.toolCallId}\` is denied: ${error.message}`, error)
            const decision = deniedAs("store.failed", call)
            const read = readCall(call)
            const frozen: FrozenCall = "call" in read ? read.call : { ...call, arguments: null }
            if (settled) return deny(frozen, decision)
            yield* Effect.suspend(() => observer.observe(permissionEvent(frozen, decision))).pipe(
              Effect.catchCause((cause) => Effect.logWarning("an observer failed; nothing changes by it", cause)),
              // an observer's IO must not die with the call that it watches
              Effect.uninterruptible
            )
            return deny(frozen, decision)
          })

      const begin = Effect.fnUntraced(function* (
        call: ToolCall,
        face: Case["face"]
      ): Effect.fn.Return<
        | { readonly ended: Authorization }
        | { readonly judgement: Judgement; readonly begun: Exclude<Begun, { kind: "ended" }> },
        StoreError
      > {
        const judgement = yield* judged(call)
        const shadow = !options.enforce && judgement.decision.decision !== "allow" && canShadow(judgement.decision)
        if (judgement.decision.decision !== "ask" || shadow) return { ended: yield* conclude(judgement, shadow) }
        const begun = yield* asking.begin(judgement, face)
        if (begun.kind === "ended") return { ended: deny(judgement.call, begun.decision, begun.recordId) }
        return { judgement, begun }
      })

      const settle = Effect.fnUntraced(function* (
        call: ToolCall,
        shares: Shares
      ): Effect.fn.Return<Authorization, StoreError> {
        const start = yield* begin(call, "run")
        if ("ended" in start) return start.ended
        const { begun, judgement } = start
        if (begun.kind === "open") {
          const answer = yield* asking.wait(begun.caseId)
          const redeemed = yield* redeem(answer, judgement).pipe(Effect.catch(failClosed(call, true)))
          if (redeemed !== undefined) return redeemed
        }
        return yield* again(judgement, begun.caseId, shares)
      })

      /** Who runs nothing itself ends the record with the claim, unless the host reports outcomes. */
      const handOver = Effect.fnUntraced(function* (answer: Authorization) {
        if (!answer.allowed || answer.permit === undefined || options.hostReportsOutcomes) return answer
        yield* finish(answer.permit, "handed-over")
        return answer
      })

      const finish = Effect.fnUntraced(function* (permit: Permit, outcome: OutcomeRecord["outcome"], error?: string) {
        const record = outcomeRecord(permit, {
          id: yield* newId,
          at: yield* Clock.currentTimeMillis,
          node: store.node,
          outcome,
          ...(error === undefined ? {} : { error })
        })
        return yield* store.finish(permit.id, record)
      })

      const authorize = Effect.fn("Gate.authorize")((call: ToolCall): Effect.Effect<Authorization> =>
        settle(call, asksTwice).pipe(Effect.flatMap(handOver), Effect.catch(failClosed(call)))
      )

      const submit = Effect.fn("Gate.submit")((call: ToolCall): Effect.Effect<Submitted> =>
        Effect.gen(function* () {
          const start = yield* begin(call, "submit")
          if ("ended" in start) return yield* handOver(start.ended)
          const { begun, judgement } = start
          if (begun.kind === "open") {
            const answer = yield* asking.answerOf(begun.caseId)
            if (answer === undefined)
              return { allowed: "pending", id: begun.caseId, decision: judgement.decision } as const
            const redeemed = yield* redeem(answer, judgement).pipe(Effect.catch(failClosed(call, true)))
            if (redeemed !== undefined) return yield* handOver(redeemed)
          }
          return yield* again(judgement, begun.caseId, asksTwice)
        }).pipe(Effect.catch(failClosed(call)))
      )

      const resume = Effect.fn("Gate.resume")((id: string): Effect.Effect<Submitted | undefined> =>
        Effect.gen(function* () {
          const row = yield* store.cases.byId(id)
          if (row === undefined) return undefined
          const answer = yield* asking.answerOf(id)
          if (answer === undefined) return { allowed: "pending", id, decision: row.decision } as const
          const redeemed = yield* redeem(answer, undefined)
          if (redeemed !== undefined) return yield* handOver(redeemed)
          return deny(answer.call, deniedAs("ask.duplicate", answer.call))
        }).pipe(
          Effect.catch((error) =>
            failClosed({ sessionId: "", agentId: "", toolCallId: id, toolName: "", arguments: null, folder: "" })(error)
          )
        )
      )

      const execute = Effect.fnUntraced(function* <A, E, R>(
        allowed: Allowed,
        body: (call: FrozenCall) => Effect.Effect<A, E, R>
      ): Effect.fn.Return<RunResult<A>, never, R> {
        const { decision, permit, recordId } = allowed
        const view = yield* settings.view()
        const gone = moved(permit.pinned, view.surroundings(permit.call.folder).files)
        if (gone !== undefined) {
          const why = `\`${gone}\` leads elsewhere than when the call was judged; make the call again`
          yield* Effect.ignore(finish(permit, "failed", why))
          return {
            status: "denied",
            decision,
            recordId,
            result: { ...denyResult(permit.call, decision, texts), reason: why, text: why }
          }
        }
        const exit = yield* Effect.exit(Effect.suspend(() => body(permit.call))).pipe(
          // an interrupted call has an outcome, too
          Effect.onInterrupt(() => Effect.ignore(finish(permit, "failed", "interrupted")))
        )
        if (Exit.isFailure(exit)) {
          const error = Cause.squash(exit.cause)
          yield* outcomeOf(permit, "failed", error instanceof Error ? error.message : String(error))
          return { status: "failed", error, decision, recordId }
        }
        yield* outcomeOf(permit, "completed")
        const context = yield* hooks.after(permit.call, exit.value)
        return { status: "completed", value: exit.value, decision, recordId, context }
      })

      /** The call has run; if its outcome can't be stored it will be `unknown`, and is never run again by itself. */
      const outcomeOf = (permit: Permit, outcome: "completed" | "failed", error?: string) =>
        finish(permit, outcome, error).pipe(
          Effect.catch((failure) =>
            Effect.logError(`the outcome of \`${permit.call.toolCallId}\` could not be stored`, failure)
          )
        )

      const runShared = Effect.fnUntraced(function* <A, E, R>(
        call: ToolCall,
        body: (call: FrozenCall) => Effect.Effect<A, E, R>,
        execution: Execution<RunResult<unknown>>
      ): Effect.fn.Return<RunResult<A>, never, R> {
        const answer = yield* settle(call, (caseId) => execution.of(caseId) !== undefined).pipe(
          Effect.catch(failClosed(call))
        )
        if (!answer.allowed) return { status: "denied", ...withoutAllowed(answer) }
        if (answer.permit === undefined) return (yield* Deferred.await(execution.of(answer.caseId)!)) as RunResult<A>
        const outcome = execution.begin(answer.permit.id)
        return yield* execute(answer, body).pipe(Effect.onExit((exit) => Deferred.done(outcome, exit)))
      })

      const run = Effect.fn("Gate.run")(function* <A, E, R>(
        call: ToolCall,
        body: (call: FrozenCall) => Effect.Effect<A, E, R>
      ): Effect.fn.Return<RunResult<A>, never, R> {
        const execution = executions.join(call)
        return yield* runShared(call, body, execution).pipe(Effect.ensuring(Effect.sync(execution.leave)))
      })

      return Gate.of({
        decide: (call) => judged(call),
        authorize,
        submit,
        resume,
        run,
        report: (permit, outcome, error) => finish(permit, outcome, error)
      })
    })
  )
}

/** Whether somebody who makes a call again, whose permit is taken, gets what became of it. */
type Shares = (caseId: string) => boolean

/** A face that runs nothing itself: its host asks twice about one execution, and has one permit. */
const asksTwice: Shares = () => true

/** An ask that ends here because nobody can answer it; what the classifier said of it goes along. */
function unattended(judgement: Judgement, ruleId: "mode.dontAsk" | "ask.nobody"): Judgement {
  const { call, decision, failedSource } = judgement
  const own =
    failedSource === undefined
      ? reasonFor(ruleId, call.toolName)
      : `policy source \`${failedSource}\` failed and nobody can be asked`
  return {
    ...judgement,
    decision: {
      ...decision,
      decision: "deny",
      ...grounded(ruleId),
      reason: decision.reason === undefined ? own : `${own}; ${decision.reason}`
    }
  }
}

const grounded = (ruleId: string) => {
  const { basis, source } = ground(ruleId)
  return { ruleId, source, ...(basis && { basis }) }
}

const allowedAs = (ruleId: string): GateDecision => ({ decision: "allow", ...grounded(ruleId) })

const deniedAs = (ruleId: string, { toolName }: { readonly toolName: string }): GateDecision => ({
  decision: "deny",
  ...grounded(ruleId),
  reason: reasonFor(ruleId, toolName)
})

/** Shadow mode blocks nothing but the floor, and calls that can't be made at all. */
const canShadow = ({ ruleId }: GateDecision) =>
  !ruleId.startsWith("floor.") && !["call.invalid", "tool.unknown", "agent.unknown"].includes(ruleId)

const withoutAllowed = ({ decision, recordId, result }: Denied) => ({
  decision,
  result,
  ...(recordId === undefined ? {} : { recordId })
})
