/**
 * One call of a tool, as an agent wants it. `readCall` makes the frozen view that every step of the
 * pipeline sees; nothing after it parses arguments again.
 */
import { Schema } from "effect"

/** A call as the host hands it in. `arguments` is any I-JSON value, or its text. */
export const ToolCall = Schema.Struct({
  sessionId: Schema.NonEmptyString,
  /** The agent that calls; the session's main agent unless the host says otherwise. */
  agentId: Schema.NonEmptyString,
  toolCallId: Schema.NonEmptyString,
  toolName: Schema.NonEmptyString,
  arguments: Schema.Unknown,
  /** The working folder: an absolute path. */
  folder: Schema.String
}).annotate({ identifier: "ToolCall" })
export type ToolCall = typeof ToolCall.Type

export { readCall, type FrozenCall } from "./readCall.ts"
