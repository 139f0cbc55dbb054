/**
 * What a tool declares of itself when it is registered: what it can do, which family of rule contents
 * speaks of it, and where in its arguments the subjects lie.
 */
import { Schema } from "effect"

/** A tool's static stance: runs, needs a person, is disabled. */
export const Tier = Schema.Literals(["allow", "confirm", "deny"])
export type Tier = typeof Tier.Type

/** Which language a rule's content is written in for this tool. */
export const Family = Schema.Literals(["command", "read", "edit", "fetch"])
export type Family = typeof Family.Type

/** JSON pointers into the arguments (`*` for every member of an array) that say what the call is about. */
export const Subjects = Schema.Struct({
  command: Schema.optionalKey(Schema.String),
  paths: Schema.optionalKey(Schema.Array(Schema.String)),
  urls: Schema.optionalKey(Schema.Array(Schema.String))
})
export type Subjects = typeof Subjects.Type

/** What a tool can do. */
export const Capability = Schema.Struct({
  /** It has no side effect. */
  readOnly: Schema.optionalKey(Schema.Boolean),
  /** It must be confirmed each time; no mode or white list goes around it, a session grant does. */
  alwaysAsk: Schema.optionalKey(Schema.Boolean),
  /** It talks with the person by nature. */
  requiresUserInteraction: Schema.optionalKey(Schema.Boolean),
  tier: Schema.optionalKey(Tier),
  family: Schema.optionalKey(Family),
  subjects: Schema.optionalKey(Subjects),
  /** Other names under which rules and calls may name it. */
  aliases: Schema.optionalKey(Schema.Array(Schema.String)),
  /** Names of declared top-level parameters, which parameter rules may name. */
  parameters: Schema.optionalKey(Schema.Array(Schema.String))
}).annotate({ identifier: "Capability" })
export type Capability = typeof Capability.Type
