/**
 * S26: how a case ends. The call is judged again on the newest settings, then one transaction settles it; only after it
 * has committed are events delivered and waiters woken. Whoever comes second writes nothing.
 */
import {
  type Answer,
  automaticEvents,
  type Case,
  confirmationEvent,
  confirmationPayload,
  CurrentSettings,
  decidedEvent,
  followPointer,
  GateOptions,
  type GateEvent,
  Grants,
  Judge,
  newId,
  type Offer,
  Outbox,
  recordOfCase,
  Sessions,
  type Settlement as StoredSettlement,
  Store,
  type StoreError
} from "@countersign/gate"
import { digestOf, type FrozenCall, type GateDecision, ground } from "@countersign/kernel"
import { Clock, Effect, Semaphore } from "effect"
import { offersFor, pickOffer, type Remember } from "./Offers.ts"
import type { Waiters } from "./Waiters.ts"

/** A person's answer, as far as settling needs it. */
export interface PersonsAnswer {
  readonly approved: boolean
  readonly decidedBy: string
  readonly reason?: string
  readonly remember?: Remember
  /** The call with the arguments that the person put in. */
  readonly edited?: FrozenCall
}

/** A case that this process settled. */
export interface Ended {
  readonly row: Case
  readonly answer: Answer
  /** The grant that the answer made. */
  readonly saved?: Offer
}

/** How a case is to end, and on what it was judged. */
interface Ending extends Pick<StoredSettlement, "status" | "revision" | "edited" | "refusal"> {
  readonly decision: GateDecision
  readonly settings: string
  /** A person's answer: it gives no PermissionEvent. */
  readonly person?: PersonsAnswer
  readonly saves?: Offer
  readonly policySource?: string
}

export interface Settlement {
  /** Settles by a person's answer; undefined if the case is not pending (any more). */
  readonly byPerson: (
    caseId: string,
    answer: PersonsAnswer,
    options: { readonly consultPolicies: boolean }
  ) => Effect.Effect<Ended | undefined, StoreError>
  /** Settles without a person: an automatic terminal. */
  readonly alone: (
    caseId: string,
    status: Ending["status"],
    decision: GateDecision
  ) => Effect.Effect<Ended | undefined, StoreError>
  /** Judges a pending case again: a deny ends it, and so does a rule or grant that allows this very call. */
  readonly again: (
    caseId: string,
    options: { readonly releases: boolean }
  ) => Effect.Effect<Ended | undefined, StoreError>
  /** Showing and settling what was not shown keep out of each other's way: each card that opens is closed. */
  readonly unshown: <A, E>(effect: Effect.Effect<A, E>) => Effect.Effect<A, E>
  /** The answer of a settled case, as it is stored. */
  readonly stored: (row: Case) => Effect.Effect<Answer | undefined, StoreError>
}

/** A terminal decision of a case, with what the ask carried along. */
export function terminal(
  row: Case,
  ruleId: string,
  decision: "allow" | "deny",
  words?: Partial<GateDecision>
): GateDecision {
  const { basis, source } = ground(ruleId)
  return { decision, source, ruleId, ...(basis === undefined ? {} : { basis }), ...words, ...carried(row) }
}

const carried = ({ decision: { adjudication, classifierAdjudication, updatedArgs } }: Case): Partial<GateDecision> => ({
  ...(updatedArgs === undefined ? {} : { updatedArgs }),
  ...(adjudication === undefined ? {} : { adjudication }),
  ...(classifierAdjudication === undefined ? {} : { classifierAdjudication })
})

/** Makes the settlement over the services in reach. */
export const makeSettlement = Effect.fnUntraced(function* (waiters: Waiters) {
  const judge = yield* Judge
  const store = yield* Store
  const outbox = yield* Outbox
  const sessions = yield* Sessions
  const grants = yield* Grants
  const settings = yield* CurrentSettings
  const options = yield* GateOptions

  /** Runs `decide` on the newest row until what it was decided on still holds when it is written. */
  const settle = (caseId: string, decide: (row: Case) => Effect.Effect<Ending | undefined, StoreError>) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        for (;;) {
          const row = yield* restore(store.cases.byId(caseId))
          if (row === undefined || row.status !== "pending") return undefined
          const ending = yield* restore(decide(row))
          if (ending === undefined) return undefined
          const written = yield* row.stage === "asking" ? write(row, ending) : unshown(writeUnshown(row, ending))
          if (written === "lost") return undefined
          if (written === "moved") continue
          // INVARIANT: committed; from here on nothing may keep the waiter from being woken
          yield* outbox.flush
          if (row.stage === "adjudicating") yield* dropPointer(row)
          waiters.wake(written.answer, ending.edited !== undefined)
          return written
        }
      })
    )

  const oneAtATime = Semaphore.makeUnsafe(1)
  const unshown: Settlement["unshown"] = (effect) => oneAtATime.withPermit(effect)

  /** What was not shown has no card to close; if it was shown meanwhile, it is settled as one that was. */
  const writeUnshown = Effect.fnUntraced(function* (row: Case, ending: Ending) {
    const { stage } = (yield* store.cases.byId(row.id)) ?? row
    return stage === row.stage ? yield* write(row, ending) : ("moved" as const)
  })

  const write = Effect.fnUntraced(function* (
    row: Case,
    ending: Ending
  ): Effect.fn.Return<Ended | "lost" | "moved", StoreError> {
    const { decision, edited, person, policySource, refusal, revision, saves, status } = ending
    const at = yield* Clock.currentTimeMillis
    const recordId = yield* newId
    const grant =
      saves === undefined || person === undefined
        ? undefined
        : { ...saves.grant, id: yield* newId, createdBy: person.decidedBy, createdAt: at }
    const call = edited?.call ?? row.call
    const digest = edited?.digest ?? row.digest
    const personal =
      person === undefined
        ? {}
        : {
            decidedBy: person.decidedBy,
            ...(person.reason === undefined ? {} : { answerReason: person.reason })
          }
    const record = recordOfCase(
      row,
      {
        id: recordId,
        at,
        node: store.node,
        decision,
        digest,
        ...personal,
        ...(grant === undefined ? {} : { savedGrantId: grant.id }),
        ...(edited === undefined ? {} : { shownDigest: row.digest })
      },
      call,
      ending.settings
    )
    const after: Case = { ...row, status, call, digest, decidedAt: at, ...personal }
    const events: readonly GateEvent[] = [
      // what was never shown has no card to close
      ...(row.stage === "asking" ? [confirmationEvent(after, options)] : []),
      ...(person === undefined ? automaticEvents(call, decision, policySource) : [decidedEvent(call, decision)])
    ]
    const settled = yield* store.settle({
      caseId: row.id,
      status,
      record,
      revision,
      events,
      ...personal,
      ...(edited === undefined ? {} : { edited }),
      ...(grant === undefined ? {} : { grant }),
      ...(refusal === undefined ? {} : { refusal }),
      ...(person !== undefined && status === "approved" ? { clearsRefusal: true } : {})
    })
    if (settled !== "settled") return settled
    const answer: Answer = { caseId: row.id, decision, recordId, call, digest }
    return { row: after, answer, ...(saves === undefined ? {} : { saved: saves }) }
  })

  /** The row decides what is pending; a pointer that stays behind is only looked at where there is no row. */
  const dropPointer = (row: Case) => {
    const { sessionId } = row.call
    const session = { app: options.app, userId: options.userOf(sessionId), sessionId }
    return followPointer(sessions, session, { ...confirmationPayload(row, options), status: "canceled" }).pipe(
      Effect.catch((error) => Effect.logWarning("the session's pointer could not be removed", error))
    )
  }

  const byPerson: Settlement["byPerson"] = (caseId, answer, { consultPolicies }) =>
    settle(caseId, (row) =>
      Effect.gen(function* () {
        const { approved, decidedBy, edited, reason, remember } = answer
        const words = row.decision.reason ?? reason
        const because = words === undefined ? {} : { reason: words }
        if (!approved) {
          const { version } = yield* settings.view()
          const refusal = options.preset.stickyRefusals
            ? {
                sessionId: row.call.sessionId,
                key: row.key,
                agentId: row.call.agentId,
                by: decidedBy,
                at: yield* Clock.currentTimeMillis,
                ...(reason === undefined ? {} : { reason })
              }
            : undefined
          return {
            status: "denied",
            decision: terminal(row, "user.denied", "deny", because),
            settings: version,
            revision: yield* store.revision,
            person: answer,
            ...(refusal === undefined ? {} : { refusal })
          } satisfies Ending
        }
        const judged = yield* judge.again(row, { consultPolicies, ...(edited === undefined ? {} : { edited }) })
        const base = {
          settings: judged.settings,
          revision: judged.revision,
          person: answer,
          ...(edited === undefined ? {} : { edited: { call: edited, digest: digestOf(edited) } })
        }
        // a deny wins over the yes
        if (judged.decision.decision === "deny") {
          return { ...base, status: "denied", decision: { ...judged.decision, ...carried(row) } } satisfies Ending
        }
        const { adjudication } = row.decision
        const changed =
          edited === undefined
            ? {}
            : {
                updatedArgs: edited.arguments,
                // what the parents did not see they did not endorse
                ...(adjudication === undefined ? {} : { adjudication: { ...adjudication, endorsed: false } })
              }
        const saves =
          remember === undefined || !grants.enabled
            ? undefined
            : pickOffer(yield* offered(row, judged, edited), remember)
        return {
          ...base,
          status: "approved",
          decision: { ...terminal(row, "user.approved", "allow"), ...changed },
          ...(saves === undefined ? {} : { saves })
        } satisfies Ending
      })
    )

  /** What was offered and could be had still; for an edited call, what its own card would offer. */
  const offered = Effect.fnUntraced(function* (
    row: Case,
    judged: Parameters<typeof offersFor>[0],
    edited: FrozenCall | undefined
  ) {
    const now = offersFor(
      { ...judged, askKind: row.askKind, lineage: row.lineage },
      yield* settings.view(),
      options.preset
    )
    return edited === undefined
      ? row.offered.filter(({ scope, text }) => now.some((offer) => offer.scope === scope && offer.text === text))
      : now
  })

  const alone: Settlement["alone"] = (caseId, status, decision) =>
    settle(caseId, () =>
      Effect.gen(function* () {
        const { version } = yield* settings.view()
        return { status, decision, settings: version, revision: yield* store.revision }
      })
    )

  const again: Settlement["again"] = (caseId, { releases }) =>
    settle(caseId, (row) =>
      Effect.gen(function* () {
        const judged = yield* judge.again(row, { consultPolicies: false })
        const { decision } = judged
        if (decision.decision === "ask" || (decision.decision === "allow" && !(releases && isRelease(decision))))
          return undefined
        return {
          status: decision.decision === "deny" ? ("denied" as const) : ("approved" as const),
          decision: { ...decision, ...carried(row) },
          settings: judged.settings,
          revision: judged.revision,
          ...(judged.policySource === undefined ? {} : { policySource: judged.policySource })
        }
      })
    )

  const stored: Settlement["stored"] = Effect.fnUntraced(function* (row) {
    if (row.status === "pending") return undefined
    const [found] = yield* store.records.list({ caseId: row.id, kind: "decision", limit: 1 })
    if (found === undefined || found.record.kind !== "decision") return undefined
    const { basis, because, decision, id, matchedRule, reason, ruleId, source, sourceLayer } = found.record
    return {
      caseId: row.id,
      recordId: id,
      call: row.call,
      digest: row.digest,
      decision: {
        decision,
        source,
        ruleId,
        ...(basis === undefined ? {} : { basis }),
        ...(matchedRule === undefined ? {} : { matchedRule }),
        ...(sourceLayer === undefined ? {} : { sourceLayer: sourceLayer as NonNullable<GateDecision["sourceLayer"]> }),
        ...(reason === undefined ? {} : { reason }),
        ...(because === undefined ? {} : { because }),
        ...carried(row)
      }
    }
  })

  return { byPerson, alone, again, stored, unshown } satisfies Settlement
})

/** A rule or a grant that matches this very call; never a mode. */
const isRelease = ({ matchedRule, ruleId, source }: GateDecision) =>
  (source === "rule" && matchedRule !== undefined) || ruleId === "rule.session.allow" || ruleId === "rule.global.allow"
