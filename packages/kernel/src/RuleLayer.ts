/** The four layers that rules come from, in the order in which equally strict matches are attributed. */
import { Schema } from "effect"
import { layerNames } from "./layerInRuleId.ts"

export const RuleLayerName = Schema.Literals(layerNames)
export type RuleLayerName = (typeof layerNames)[number]

export { layerInRuleId } from "./layerInRuleId.ts"
