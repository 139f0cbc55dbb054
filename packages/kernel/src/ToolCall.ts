/**
 * One call of a tool, as an agent wants it. `readCall` makes the frozen view that every step of the
 * pipeline sees; nothing after it parses arguments again.
 */
import { Schema } from "effect"
import { checkIJson, parseIJson, type Json, type JsonProblem } from "./Json.ts"

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

/** A call whose arguments have been read once and frozen. */
export interface FrozenCall extends ToolCall {
  readonly arguments: Json
}

/**
 * Reads and freezes a call's arguments. A string is taken as JSON text where it is one; a host that
 * means a plain string hands it in as JSON text, too.
 */
export function readCall(call: ToolCall): { readonly call: FrozenCall } | { readonly problem: JsonProblem } {
  const read = typeof call.arguments === "string" ? parseIJson(call.arguments) : checkIJson(call.arguments)
  if ("problem" in read) return read
  const { agentId, folder, sessionId, toolCallId, toolName } = call
  return { call: Object.freeze({ sessionId, agentId, toolCallId, toolName, arguments: read.value, folder }) }
}
