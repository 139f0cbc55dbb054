/** One judgement on the way from a child's ask to the person: a parent's, or the classifier's. Pure audit. */
import { Schema } from "effect"

export const AdjudicationChainEntry = Schema.Struct({
  kind: Schema.Literals(["parent", "classifier"]),
  verdict: Schema.Literals(["endorse", "escalate", "reject"]),
  /** Somebody's words: cut and cleaned by `cleanReason`, shown as "X says: …". */
  reason: Schema.String,
  adjudicatorId: Schema.String,
  subjectAgentId: Schema.String,
  toolName: Schema.String,
  /** Milliseconds since the epoch. */
  at: Schema.Number,
  model: Schema.optionalKey(Schema.String),
  usage: Schema.optionalKey(Schema.Struct({ inputTokens: Schema.Number, outputTokens: Schema.Number })),
  /** Why no judgement came, when none did: `not_bound`, `timeout`, `budget_exceeded`, an error's text. */
  failure: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "AdjudicationChainEntry" })
export type AdjudicationChainEntry = typeof AdjudicationChainEntry.Type

/** What a person is shown of somebody's words: at most 500 characters, no markup, control or bidirectional characters. */
export function cleanReason(words: string): string {
  const plain = words
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ")
    .replace(/[<>`*_#[\]|~]/g, "")
    .replace(/ {2,}/g, " ")
    .trim()
  const characters = Array.from(plain)
  return characters.length > 500 ? `${characters.slice(0, 499).join("")}…` : plain
}
