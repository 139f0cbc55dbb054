/**
 * The course of a case in this process, from the row to its end: the walk through the parents, the card, the host's
 * dialog, the deadline. All of it runs in the background of whoever waits, and stops when the case is settled.
 */
import {
  type Case,
  confirmationEvent,
  GateOptions,
  Outbox,
  requestedEvent,
  Store,
  type StoreError
} from "@countersign/gate"
import { reasonFor } from "@countersign/kernel"
import { Cause, Clock, Effect, FiberMap, type Scope } from "effect"
import { Adjudicator } from "./Adjudicator.ts"
import { cardOf } from "./Card.ts"
import { DeskOptions } from "./DeskOptions.ts"
import { type DialogAnswer, readDialogAnswer } from "./HostDialog.ts"
import type { Recovery } from "./Recovery.ts"
import { type Ended, type Settlement, terminal } from "./Settlement.ts"

/** The part of a case's course that ends it; it is not stopped by that end. */
export type Within = "walk" | "deadline" | "dialog"

/** How a case ends without a person. */
export type EndedAlone = "ask.canceled" | "ask.expired" | "ask.nobody" | "adjudication.reject"

export interface Course {
  /** From where the row stands: walks, shows, minds the deadline. Returns at once. */
  readonly begin: (row: Case) => Effect.Effect<void>
  /** Ends the case through `settle` and stops what still runs for it; an orphan is recovered along with it. */
  readonly end: (
    row: Pick<Case, "id" | "call">,
    settle: Effect.Effect<Ended | undefined, StoreError>,
    within?: Within
  ) => Effect.Effect<Ended | undefined, StoreError>
  /** Ends it as an automatic terminal. */
  readonly endAlone: (
    row: Case,
    ruleId: EndedAlone,
    words?: string,
    within?: Within
  ) => Effect.Effect<Ended | undefined, StoreError>
}

/** Makes the course over the services in reach; `answer` takes what the host's dialog said. */
export const makeCourse = Effect.fnUntraced(function* (given: {
  readonly settlement: Settlement
  readonly recovery: Recovery
  readonly orphans: Set<string>
  readonly answer: (row: Case, answer: DialogAnswer) => Effect.Effect<void>
}): Effect.fn.Return<Course, never, Store | Outbox | Adjudicator | Scope.Scope> {
  const { answer, orphans, recovery, settlement } = given
  const store = yield* Store
  const outbox = yield* Outbox
  const adjudicator = yield* Adjudicator
  const gate = yield* GateOptions
  const { dialog } = yield* DeskOptions
  const running: Readonly<Record<Within, FiberMap.FiberMap<string>>> = {
    walk: yield* FiberMap.make<string>(),
    deadline: yield* FiberMap.make<string>(),
    dialog: yield* FiberMap.make<string>()
  }

  const end: Course["end"] = Effect.fnUntraced(function* (row, settle, within) {
    const ended = orphans.has(row.id) ? yield* recovery.settling(row.call.sessionId, settle) : yield* settle
    if (ended === undefined) return undefined
    orphans.delete(row.id)
    for (const part of ["walk", "deadline", "dialog"] as const) {
      if (part !== within) yield* FiberMap.remove(running[part], row.id)
    }
    return ended
  })

  const endAlone: Course["endAlone"] = Effect.fnUntraced(function* (row, ruleId, words, within) {
    const newest = (yield* store.cases.byId(row.id)) ?? row
    const said = newest.decision.reason
    const reason = words ?? `${reasonFor(ruleId, row.call.toolName)}${said === undefined ? "" : `; ${said}`}`
    return yield* end(
      row,
      settlement.alone(row.id, statuses[ruleId], terminal(newest, ruleId, "deny", { reason })),
      within
    )
  })

  /** S24 and S25: the parents, then the card. */
  const present = Effect.fnUntraced(function* (row: Case): Effect.fn.Return<void, StoreError> {
    const walked = yield* adjudicator.walk(row)
    if (walked.kind === "settled") return
    if (walked.kind === "rejected") {
      const { adjudicatorId, reason } = walked.entry
      const said = `${adjudicatorId} says: ${reason || "nothing more"}`
      const words = `${reasonFor("adjudication.reject", row.call.toolName)}; ${said}`
      yield* endAlone(row, "adjudication.reject", words, "walk")
      return
    }
    const { adjudication } = walked
    const decision = adjudication === undefined ? row.decision : { ...row.decision, adjudication }
    const shown: Case = { ...row, decision, stage: "asking", chain: adjudication?.chain ?? row.chain }
    const events = [requestedEvent(row.call), confirmationEvent(shown, gate)]
    if (!(yield* settlement.unshown(store.show(row.id, decision, events)))) return
    yield* outbox.flush
    yield* converse(shown)
  })

  const converse = Effect.fnUntraced(function* (row: Case) {
    if (dialog === undefined) return
    const asked = Effect.suspend(() => dialog.ask(row.call, cardOf(row, gate), row.decision)).pipe(
      Effect.matchCauseEffect({
        onSuccess: (said) => {
          const understood = readDialogAnswer(said)
          if (understood !== undefined) return answer(row, understood)
          return Effect.logWarning("the host's dialog gave an answer that isn't understood; the call goes on waiting")
        },
        onFailure: (cause) => {
          if (Cause.hasInterruptsOnly(cause)) return Effect.interrupt
          if (dialog.beside) return Effect.logError("the host's dialog failed; the call waits at the desk", cause)
          const words = `${reasonFor("ask.nobody", row.call.toolName)}: ${message(cause)}`
          return endAlone(row, "ask.nobody", words, "dialog").pipe(Effect.asVoid)
        }
      })
    )
    yield* inBackground("dialog", row, asked)
  })

  const begin: Course["begin"] = Effect.fnUntraced(function* (row) {
    yield* inBackground("walk", row, row.stage === "adjudicating" ? present(row) : converse(row))
    if (row.expiresAt === undefined) return
    const left = row.expiresAt - (yield* Clock.currentTimeMillis)
    yield* inBackground(
      "deadline",
      row,
      Effect.sleep(Math.max(0, left)).pipe(Effect.andThen(endAlone(row, "ask.expired", undefined, "deadline")))
    )
  })

  const inBackground = <A>(part: Within, row: Case, effect: Effect.Effect<A, StoreError>) =>
    effect.pipe(
      Effect.catchCause((cause) =>
        Cause.hasInterruptsOnly(cause)
          ? Effect.void
          : Effect.logError(
              `the ${part} of \`${row.confirmationId}\` failed; the case stays pending in the store`,
              cause
            )
      ),
      (safe) => FiberMap.run(running[part], row.id, safe),
      Effect.asVoid
    )

  return { begin, end, endAlone }
})

const statuses = {
  "ask.canceled": "canceled",
  "ask.expired": "expired",
  "ask.nobody": "denied",
  "adjudication.reject": "denied"
} as const satisfies Record<EndedAlone, Exclude<Case["status"], "pending">>

function message(cause: Cause.Cause<unknown>): string {
  const error = Cause.squash(cause)
  return error instanceof Error ? error.message : String(error)
}
