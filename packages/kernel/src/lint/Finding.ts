/** What `lint` says: something in a settings file that its author may not have meant, and a call that shows it. */
import type { PermissionDecision } from "../GateDecision.ts"
import type { Json } from "../Json.ts"
import type { Behavior } from "../Rule.ts"
import type { RuleLayerName } from "../RuleLayer.ts"

/**
 * `noEffect` never speaks, `hardlyEver` almost never; `shadowed` lies under a stricter rule, `contradicted` is the
 * opposite of another layer's; `covered` adds nothing to a wider rule; `broad` and `noWordBoundary` reach further than
 * they look; `pair` lets what it runs be edited.
 */
export type FindingKind =
  | "noEffect"
  | "hardlyEver"
  | "shadowed"
  | "contradicted"
  | "covered"
  | "broad"
  | "noWordBoundary"
  | "pair"

/** A place in a settings file, from 1. */
export interface SettingsPlace {
  readonly layer: RuleLayerName
  readonly file?: string
  readonly line: number
  readonly column: number
}

/** A call, and what all settings together say of it: judged, not claimed. */
export interface LintExample {
  readonly tool: string
  readonly input: Json
  /** Whether the finding's own rule speaks of it; what decides may be another. */
  readonly speaks: boolean
  readonly decision: PermissionDecision
  readonly ruleId: string
  readonly matchedRule?: string
  readonly sourceLayer?: RuleLayerName
}

/** A finding. The JSON shape only grows. */
export interface Finding extends SettingsPlace {
  readonly kind: FindingKind
  /** The rule as it is written; for a setting that is none, its name. */
  readonly rule: string
  readonly behavior: Behavior
  /** Lower case, no final period, input in backticks. */
  readonly message: string
  /** Calls that show it, in the order in which they would be made; empty where no call can show it. */
  readonly examples: readonly LintExample[]
  /** The other rule that it is about. */
  readonly other?: SettingsPlace & { readonly rule: string; readonly behavior: Behavior }
}
