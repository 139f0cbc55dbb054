/** The digest that binds an approval to exactly one call: what a person saw is what runs. */
import { createHash } from "node:crypto"
import { canonicalize } from "./Json.ts"
import type { FrozenCall } from "./ToolCall.ts"

/** SHA-256, in hex, over the RFC 8785 text of session, agent, tool, arguments and folder. */
export function digestOf(call: FrozenCall): string {
  const { agentId, arguments: args, folder, sessionId, toolName } = call
  return createHash("sha256")
    .update(canonicalize({ agentId, arguments: args, folder, sessionId, toolName }))
    .digest("hex")
}
