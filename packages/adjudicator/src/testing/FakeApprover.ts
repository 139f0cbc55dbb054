/** A person at the desk who answers whatever is shown, by a function. */
import type { GateEvent } from "@countersign/gate"
import { Effect } from "effect"
import type { Decided, DecideError, Desk, DeskAnswer } from "../Desk.ts"

/** What the person says of a card; undefined leaves it pending. */
export type Opinion = (
  event: Extract<GateEvent, { readonly kind: "confirmation" }>["event"]["value"]
) => Omit<DeskAnswer, "sessionId" | "confirmationId"> | undefined

/** Answers everything that is pending now, oldest first; gives what became of each answer. */
export const answerAll = Effect.fnUntraced(function* (
  desk: Desk["Service"],
  opinion: Opinion
): Effect.fn.Return<readonly Decided[], DecideError> {
  const decided: Decided[] = []
  for (const card of yield* desk.pending()) {
    const answer = opinion(card)
    if (answer === undefined) continue
    const { confirmationId, gate, sessionId } = card
    const digest = gate === undefined ? {} : { digest: gate.digest }
    decided.push(yield* desk.decide({ ...digest, ...answer, sessionId, confirmationId }))
  }
  return decided
})
