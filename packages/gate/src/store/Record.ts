/**
 * The record: one JSON text a decision and one an outcome, with a fixed key order, written once and never
 * re-serialised. Query columns are generated from it, so they can't disagree with it.
 */
import { AdjudicationChainEntry, Basis, DecisionSource, GateDecision } from "@countersign/kernel"
import { Schema } from "effect"

const optional = Schema.optionalKey

/** The one record of a call's terminal decision. Keys stand in this order in the text. */
export const DecisionRecord = Schema.Struct({
  v: Schema.Literal(1),
  kind: Schema.Literal("decision"),
  id: Schema.String,
  /** Milliseconds since the epoch. */
  at: Schema.Number,
  userId: Schema.String,
  sessionId: Schema.String,
  agentId: Schema.String,
  toolCallId: Schema.String,
  toolName: Schema.String,
  folder: Schema.String,
  arguments: Schema.Json,
  /** SHA-256 in hex over the canonical call. */
  digest: Schema.String,
  /** Terminal: allow or deny. */
  decision: Schema.Literals(["allow", "deny"]),
  source: DecisionSource,
  ruleId: Schema.String,
  basis: optional(Basis),
  matchedRule: optional(Schema.String),
  sourceLayer: optional(Schema.String),
  reason: optional(Schema.String),
  because: optional(Schema.String),
  /** Name of the effective policy source. */
  policySource: optional(Schema.String),
  /** With `enforce: false`: what it would have been; the call ran. */
  shadow: optional(Schema.Boolean),
  /** Caller first. */
  lineage: Schema.Array(Schema.Struct({ agentId: Schema.String, task: Schema.String, mode: optional(Schema.String) })),
  /** The arguments before hooks and the person changed them. */
  original: optional(Schema.Json),
  rewrites: optional(Schema.Array(Schema.Struct({ hook: Schema.String, arguments: Schema.Json }))),
  /** The digest of what the person was shown, when they edited it. */
  shownDigest: optional(Schema.String),
  /** The ask that a person was shown, as it was shown. */
  asked: optional(GateDecision),
  /** Classifier first, then parents, nearest first. */
  adjudicationChain: optional(Schema.Array(AdjudicationChainEntry)),
  endorsed: optional(Schema.Boolean),
  decidedBy: optional(Schema.String),
  answerReason: optional(Schema.String),
  /** The grant that satisfied it. */
  grantId: optional(Schema.String),
  /** The grant that the person's answer made. */
  savedGrantId: optional(Schema.String),
  refusedBefore: optional(Schema.Json),
  /** The case it settled; also the id of the permit of an allow. */
  caseId: optional(Schema.String),
  confirmationId: optional(Schema.String),
  askedAt: optional(Schema.Number),
  /** Names the settings it was judged on. */
  settings: Schema.String,
  node: Schema.String
}).annotate({ identifier: "DecisionRecord" })
export type DecisionRecord = typeof DecisionRecord.Type

/** How an allowed call ended. */
export const OutcomeRecord = Schema.Struct({
  v: Schema.Literal(1),
  kind: Schema.Literal("outcome"),
  id: Schema.String,
  at: Schema.Number,
  sessionId: Schema.String,
  agentId: Schema.String,
  toolCallId: Schema.String,
  toolName: Schema.String,
  /** The permit that was used up. */
  caseId: Schema.String,
  outcome: Schema.Literals(["completed", "failed", "unknown", "handed-over"]),
  error: optional(Schema.String),
  node: Schema.String
}).annotate({ identifier: "OutcomeRecord" })
export type OutcomeRecord = typeof OutcomeRecord.Type

export type LedgerRecord = DecisionRecord | OutcomeRecord

const order = {
  decision: Object.keys(DecisionRecord.fields),
  outcome: Object.keys(OutcomeRecord.fields)
}

/** The text of a record: keys in the order above, absent ones left out. */
export function writeRecord(record: LedgerRecord): string {
  const all = record as unknown as Readonly<Record<string, unknown>>
  return JSON.stringify(
    Object.fromEntries(order[record.kind].filter((key) => all[key] !== undefined).map((key) => [key, all[key]]))
  )
}
