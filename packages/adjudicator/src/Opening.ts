/**
 * S23: an ask becomes a case, or ends at once: as a duplicate, as refused too often, as one too many, or because it
 * could not be stored. The waiter is registered first, the row comes next, then the session's pointer; only after that
 * may anybody see it.
 */
import {
  automaticEvents,
  type Begun,
  type Case,
  confirmationIdOf,
  confirmationPayload,
  CurrentSettings,
  followPointer,
  GateOptions,
  Grants,
  type Judgement,
  newId,
  Outbox,
  recordOfJudgement,
  Sessions,
  Store,
  type StoreError
} from "@countersign/gate"
import { digestOf, type GateDecision, ground, reasonFor } from "@countersign/kernel"
import { Clock, Effect } from "effect"
import { offersFor } from "./Offers.ts"
import { type Settlement, terminal } from "./Settlement.ts"
import type { Waiters } from "./Waiters.ts"

/** What opening led to; a fresh case still has to be walked and shown. */
export type Opening =
  | { readonly begun: Exclude<Begun, { kind: "open" }> }
  | { readonly begun: Extract<Begun, { kind: "open" }>; readonly row: Case; readonly fresh: boolean }

/** Makes the opening over the services in reach. */
export const makeOpening = Effect.fnUntraced(function* (waiters: Waiters, settlement: Settlement) {
  const store = yield* Store
  const sessions = yield* Sessions
  const settings = yield* CurrentSettings
  const outbox = yield* Outbox
  const grants = yield* Grants
  const options = yield* GateOptions

  const draft = Effect.fnUntraced(function* (judgement: Judgement, face: Case["face"]) {
    const { call, decision, held, lineage, original, refusedBefore, subject, userId } = judgement
    const createdAt = yield* Clock.currentTimeMillis
    const offered = grants.enabled ? offersFor(judgement, yield* settings.view(), options.preset) : []
    return {
      id: yield* newId,
      app: options.app,
      confirmationId: confirmationIdOf(call, lineage.length <= 1),
      userId,
      call,
      ...(original === undefined ? {} : { original }),
      digest: digestOf(call),
      decision,
      askKind: judgement.askKind ?? "forced",
      stage: "adjudicating",
      status: "pending",
      held,
      lineage: lineage.map(({ agentId, task }) => ({ agentId, task })),
      chain: [],
      key: subject?.key ?? "",
      ...(refusedBefore === undefined ? {} : { refusedBefore }),
      offered,
      face,
      node: store.node,
      createdAt,
      ...(options.askTimeoutMs === undefined ? {} : { expiresAt: createdAt + options.askTimeoutMs })
    } satisfies Case
  })

  /** Ends an ask that became no case of its own: an automatic terminal. */
  const end = Effect.fnUntraced(function* (
    judgement: Judgement,
    ruleId: string
  ): Effect.fn.Return<Opening, StoreError> {
    const { call, refusedBefore } = judgement
    const { basis, source } = ground(ruleId)
    const decision: GateDecision = {
      decision: "deny",
      source,
      ruleId,
      ...(basis === undefined ? {} : { basis }),
      reason: reasonFor(ruleId, call.toolName),
      ...(ruleId === "ask.refused" && refusedBefore?.reason !== undefined ? { because: refusedBefore.reason } : {})
    }
    const recordId = yield* newId
    const at = yield* Clock.currentTimeMillis
    yield* store.terminal({
      record: recordOfJudgement(
        { ...judgement, decision },
        { id: recordId, at, node: store.node, decision, digest: digestOf(call) }
      ),
      events: automaticEvents(call, decision)
    })
    yield* outbox.flush
    return { begun: { kind: "ended", decision, recordId } }
  })

  /** A second time the same call: C6. */
  const again = Effect.fnUntraced(function* (
    judgement: Judgement,
    earlier: Case
  ): Effect.fn.Return<Opening, StoreError> {
    // what was approved in another app of the same database was approved to that app
    if (earlier.app !== options.app || earlier.digest !== digestOf(judgement.call))
      return yield* end(judgement, "ask.duplicate")
    const open = { begun: { kind: "open", caseId: earlier.id, joined: true }, row: earlier, fresh: false } as const
    if (earlier.status === "pending") return open
    if (earlier.status !== "approved") return yield* end(judgement, "ask.duplicate")
    // what was handed over has no outcome that anybody reported
    const reported = earlier.outcome !== undefined && earlier.outcome !== "handed-over"
    if (reported) return yield* end(judgement, "ask.duplicate")
    // approved, and nobody took the permit: whoever comes takes it
    if (earlier.claimedBy === undefined) return open
    return earlier.claimedBy === store.node
      ? { begun: { kind: "duplicate", caseId: earlier.id } }
      : yield* end(judgement, "ask.duplicate")
  })

  /** The third identical ask: two refusals, or one and a card that waits with it. */
  const refusedTooOften = Effect.fnUntraced(function* ({ call, refusedBefore, subject }: Judgement) {
    if (refusedBefore === undefined) return false
    if (refusedBefore.times >= 2) return true
    const pending = yield* store.cases.pending(call.sessionId)
    return pending.some(
      (row) =>
        row.key === subject?.key &&
        row.refusedBefore !== undefined &&
        !(row.call.agentId === call.agentId && row.call.toolCallId === call.toolCallId)
    )
  })

  return Effect.fnUntraced(function* (judgement: Judgement, face: Case["face"]): Effect.fn.Return<Opening, StoreError> {
    const row = yield* draft(judgement, face)
    const { sessionId } = row.call
    if (yield* refusedTooOften(judgement)) return yield* end(judgement, "ask.refused")
    // INVARIANT: the waiter is there before the row can be seen by anybody who answers
    if (face === "run") waiters.join(row.id, row.call, row.digest)
    const opened = yield* store
      .open(row, options.preset.maxPending)
      .pipe(Effect.tapCause(() => Effect.sync(() => waiters.leave(row.id))))
    if (opened.kind !== "opened") waiters.leave(row.id)
    if (opened.kind === "tooMany") return yield* end(judgement, "ask.tooMany")
    if (opened.kind !== "opened") {
      const joined = yield* again(judgement, opened.case)
      if ("row" in joined && joined.row.status === "pending" && face === "run")
        waiters.join(joined.row.id, row.call, row.digest)
      return joined
    }
    const session = { app: options.app, userId: options.userOf(sessionId), sessionId }
    const pointed = yield* Effect.result(followPointer(sessions, session, confirmationPayload(row, options)))
    if (pointed._tag === "Success") return { begun: { kind: "open", caseId: row.id, joined: false }, row, fresh: true }
    yield* Effect.logError("the session's pointer could not be stored; the call is denied", pointed.failure)
    waiters.leave(row.id)
    const decision = terminal(row, "store.failed", "deny", { reason: reasonFor("store.failed", row.call.toolName) })
    const ended = yield* settlement.alone(row.id, "canceled", decision)
    const stored =
      ended?.answer ??
      (yield* store.cases
        .byId(row.id)
        .pipe(Effect.flatMap((found) => (found === undefined ? Effect.succeed(undefined) : settlement.stored(found)))))
    if (stored === undefined)
      return yield* Effect.die(new Error("a case that was opened is neither pending nor settled"))
    return { begun: { kind: "ended", decision: stored.decision, recordId: stored.recordId } }
  })
})
