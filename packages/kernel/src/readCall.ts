/** A call's way in: its arguments are read once as I-JSON and frozen, and nothing after it parses them again. */
import { checkIJson, parseIJson, type Json, type JsonProblem } from "./Json.ts"
import type { ToolCall } from "./ToolCall.ts"

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
