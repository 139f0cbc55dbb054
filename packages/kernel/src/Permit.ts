/** The right to run one call once, with exactly these arguments. */
import { Schema } from "effect"
import { ToolCall } from "./ToolCall.ts"

export const Permit = Schema.Struct({
  /** Names the claim; used up by running. */
  id: Schema.String,
  /** The final call: what was judged and shown is what runs. */
  call: Schema.Struct({ ...ToolCall.fields, arguments: Schema.Json }),
  /** SHA-256, in hex, of the call's canonical text. */
  digest: Schema.String,
  /** Real paths and script hashes that must still hold just before the call runs. */
  pinned: Schema.Array(
    Schema.Struct({ path: Schema.String, real: Schema.String, sha256: Schema.optionalKey(Schema.String) })
  )
}).annotate({ identifier: "Permit" })
export type Permit = typeof Permit.Type
