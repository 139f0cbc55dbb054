/** An agent and its ancestors, as the registry knows them; nearest first, the session's main agent last. */
import { Schema } from "effect"
import { Bounds } from "./Bounds.ts"
import { Mode } from "./Mode.ts"

export const Ancestor = Schema.Struct({
  agentId: Schema.NonEmptyString,
  /** What it was spawned for; empty for the main agent. */
  task: Schema.String,
  mode: Mode,
  bounds: Schema.optionalKey(Bounds),
  /** Rules given at its spawn: they hold for it and all below it. They can only deny or ask. */
  rules: Schema.optionalKey(
    Schema.Struct({
      deny: Schema.optionalKey(Schema.Array(Schema.String)),
      ask: Schema.optionalKey(Schema.Array(Schema.String))
    })
  )
})
export type Ancestor = typeof Ancestor.Type

/** Never empty: the caller itself comes first. */
export const Lineage = Schema.NonEmptyArray(Ancestor).annotate({ identifier: "Lineage" })
export type Lineage = typeof Lineage.Type
