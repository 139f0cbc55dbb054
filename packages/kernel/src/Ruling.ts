/** What the deterministic part of the pipeline says of a call. The gate makes a `GateDecision` of it. */
import { Schema } from "effect"
import { Basis, DecisionSource, PermissionDecision } from "./GateDecision.ts"
import { RuleLayerName } from "./RuleLayer.ts"

/**
 * The kinds of ask, strictest first (`pipeline.md` 5): which of them it is says what may satisfy it.
 * `interaction` and `forced` are equally strict.
 */
export const AskKind = Schema.Literals(["interaction", "forced", "alwaysAsk", "rule", "tier", "fallback"])
export type AskKind = typeof AskKind.Type

/** One step's word on the call, for `explain`. */
export const TraceEntry = Schema.Struct({
  step: Schema.String,
  agentId: Schema.String,
  /** Absent: the step had nothing to say. */
  ruleId: Schema.optionalKey(Schema.String),
  effect: Schema.Literals(["pass", "forced", "endorsed", "allow", "ask", "deny"])
})
export type TraceEntry = typeof TraceEntry.Type

export const Ruling = Schema.Struct({
  decision: PermissionDecision,
  ruleId: Schema.String,
  source: DecisionSource,
  basis: Schema.optionalKey(Basis),
  matchedRule: Schema.optionalKey(Schema.String),
  sourceLayer: Schema.optionalKey(RuleLayerName),
  /** Always there, in plain words. */
  reason: Schema.String,
  because: Schema.optionalKey(Schema.String),
  /** The agent of the lineage that this outcome is attributed to. */
  agentId: Schema.String,
  ask: Schema.optionalKey(AskKind),
  /** The grant that satisfied it. */
  grantId: Schema.optionalKey(Schema.String),
  trace: Schema.optionalKey(Schema.Array(TraceEntry))
}).annotate({ identifier: "Ruling" })
export type Ruling = typeof Ruling.Type
