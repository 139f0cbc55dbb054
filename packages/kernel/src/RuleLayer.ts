/** The four layers that rules come from, in the order in which equally strict matches are attributed. */
import { Schema } from "effect"

export const RuleLayerName = Schema.Literals(["policy", "user", "projectLocal", "projectShared"])
export type RuleLayerName = typeof RuleLayerName.Type

/** The layer's word in a rule id: both project layers are `project`. */
export const layerInRuleId = (layer: RuleLayerName): "policy" | "user" | "project" =>
  layer === "policy" || layer === "user" ? layer : "project"
