/**
 * One line of a settings file: a tool, a content, and the few conditions under which it counts.
 * Rules know nothing of each other; `RuleSet` decides which of them speaks.
 */
import { Schema } from "effect"
import { Mode } from "./Mode.ts"
import { RuleLayerName } from "./RuleLayer.ts"

export const Behavior = Schema.Literals(["allow", "ask", "deny"])
export type Behavior = typeof Behavior.Type

/** A rule, read: `Tool` or `Tool(content)`, and where it stands. */
export const Rule = Schema.Struct({
  /** The text as it was written; goes into decisions and events byte for byte. */
  text: Schema.String,
  behavior: Behavior,
  layer: RuleLayerName,
  /** The tool's name, or a pattern with `*`. */
  tool: Schema.String,
  /** Absent = every call of the tool (`Tool(*)` is `Tool`). */
  content: Schema.optionalKey(Schema.String),
  /** `*` and `:*` in the content are plain text. */
  exact: Schema.optionalKey(Schema.Boolean),
  /** A malformed deny or ask rule acts on what could be read: its content is a prefix up to the fault. */
  malformed: Schema.optionalKey(Schema.Boolean),
  /** The author's words, shown to person and model. */
  reason: Schema.optionalKey(Schema.String),
  agents: Schema.optionalKey(Schema.Array(Schema.String)),
  modes: Schema.optionalKey(Schema.Array(Mode)),
  /** Milliseconds since the epoch. */
  expiresAt: Schema.optionalKey(Schema.Number)
}).annotate({ identifier: "Rule" })
export type Rule = typeof Rule.Type
