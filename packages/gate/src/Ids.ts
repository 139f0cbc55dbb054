/** Where ids are made: unguessable, sorted by time. Replaced in tests that need to name them beforehand. */
import { Context, Effect } from "effect"
import { SecureRandom } from "effect/crypto"

export const Ids = Context.Reference<() => string>("@countersign/gate/Ids", {
  defaultValue: () => () => SecureRandom.uuidV7Unsafe()
})

/** A fresh id. */
export const newId: Effect.Effect<string> = Effect.map(Ids, (make) => make())
