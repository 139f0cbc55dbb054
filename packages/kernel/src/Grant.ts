/** A person's earlier consent: to a tool, or to one content of it, for a session, an agent's subtree, or everywhere. */
import { Schema } from "effect"

export const Grant = Schema.Struct({
  id: Schema.String,
  userId: Schema.String,
  /** Present: counts in this session only. Absent: in all sessions of the user. */
  sessionId: Schema.optionalKey(Schema.String),
  /** Present: counts for this agent and its descendants only. */
  agentId: Schema.optionalKey(Schema.String),
  toolName: Schema.String,
  /** A rule content; absent = every call of the tool. */
  content: Schema.optionalKey(Schema.String),
  /** `content` is plain text and not a pattern: exactly this call. */
  exact: Schema.optionalKey(Schema.Boolean),
  /** Counts only when the call's working folder is this one. */
  folder: Schema.optionalKey(Schema.String),
  /** How often it may still be used. */
  uses: Schema.optionalKey(Schema.Int),
  /** Milliseconds since the epoch. */
  expiresAt: Schema.optionalKey(Schema.Number),
  createdBy: Schema.String,
  /** Milliseconds since the epoch. */
  createdAt: Schema.Number
}).annotate({ identifier: "Grant" })
export type Grant = typeof Grant.Type
