/**
 * Hard limits given to an agent at its spawn. Each kind is a list of tool names or of rule contents read
 * as allow rules; a kind that is absent sets no limit, a kind that a call does not have is not asked for.
 */
import { Schema } from "effect"

export const Bounds = Schema.Struct({
  tools: Schema.optionalKey(Schema.Array(Schema.String)),
  paths: Schema.optionalKey(Schema.Array(Schema.String)),
  commands: Schema.optionalKey(Schema.Array(Schema.String)),
  hosts: Schema.optionalKey(Schema.Array(Schema.String)),
  /** How many classifier and parent consultations its calls may cost. */
  budget: Schema.optionalKey(Schema.Int),
  /** How many levels it may spawn below itself. */
  depth: Schema.optionalKey(Schema.Int)
}).annotate({ identifier: "Bounds" })
export type Bounds = typeof Bounds.Type
