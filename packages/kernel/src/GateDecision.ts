/**
 * What the gate says of a call, with its source and reason: what a host acts on, a person is shown and the
 * record keeps. Structurally compatible with the rule engine's types, and free of imports from it.
 */
import { Schema } from "effect"
import { AdjudicationChainEntry } from "./AdjudicationChainEntry.ts"

export const PermissionDecision = Schema.Literals(["allow", "ask", "deny"])
export type PermissionDecision = typeof PermissionDecision.Type

/** Who decided. */
export const DecisionSource = Schema.Literals([
  "rule",
  "user",
  "mode",
  "policy",
  "hook",
  "builtin",
  "classifier",
  "adjudicator"
])
export type DecisionSource = typeof DecisionSource.Type

/** The ground of a terminal: ack's seven words, and the six that the union adds. */
export const Basis = Schema.Literals([
  "tier",
  "verdict",
  "endorsement",
  "grant",
  "duplicate",
  "canceled",
  "persist-failed",
  "rule",
  "mode",
  "hook",
  "builtin",
  "classifier",
  "adjudication"
])
export type Basis = typeof Basis.Type

/** The chain of responsibility of a child's ask. */
export const Adjudication = Schema.Struct({
  /** Nearest parent first. */
  chain: Schema.Array(AdjudicationChainEntry),
  childAgentId: Schema.String,
  childDescription: Schema.String,
  /** True only if every entry endorses. Either way it is no approval. */
  endorsed: Schema.Boolean
}).annotate({ identifier: "Adjudication" })
export type Adjudication = typeof Adjudication.Type

export const GateDecision = Schema.Struct({
  decision: PermissionDecision,
  source: DecisionSource,
  /** The text of the rule that matched, byte for byte; absent when no rule did. */
  matchedRule: Schema.optionalKey(Schema.String),
  /** Only on deny and on classifier asks. Never enters a `tool.permission.*` event. */
  reason: Schema.optionalKey(Schema.String),
  /** The layer of `matchedRule`. */
  sourceLayer: Schema.optionalKey(Schema.Literals(["policy", "user", "projectLocal", "projectShared"])),
  /** Arguments that a hook put in the place of the call's: what is shown and what runs. */
  updatedArgs: Schema.optionalKey(Schema.Json),
  /** Present only where the ask of a child rose through its parents. */
  adjudication: Schema.optionalKey(Adjudication),
  /** The classifier's opinion: audit only, never read again. */
  classifierAdjudication: Schema.optionalKey(AdjudicationChainEntry),
  ruleId: Schema.String,
  basis: Schema.optionalKey(Basis),
  /** The rule's, hook's or source's own words. */
  because: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "GateDecision" })
export type GateDecision = typeof GateDecision.Type
