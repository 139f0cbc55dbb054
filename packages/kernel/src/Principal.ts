/** Who asks, who answers, who changes. It comes from a credential or a handle, never from a body. */
import { Schema } from "effect"

export const Principal = Schema.Struct({
  id: Schema.NonEmptyString,
  kind: Schema.Literals(["person", "agent", "host", "service"]),
  roles: Schema.Array(Schema.String)
}).annotate({ identifier: "Principal" })
export type Principal = typeof Principal.Type
