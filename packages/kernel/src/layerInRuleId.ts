/** The words for the layers, without any schema: their order and how rule ids name them. */

/** The layers, in the order in which equally strict matches are attributed. */
export const layerNames = ["policy", "user", "projectLocal", "projectShared"] as const

/** The layer's word in a rule id: both project layers are `project`. */
export const layerInRuleId = (layer: (typeof layerNames)[number]): "policy" | "user" | "project" =>
  layer === "policy" || layer === "user" ? layer : "project"
