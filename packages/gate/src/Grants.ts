/**
 * The port to earlier consents. The default keeps them in the Store, where a settlement saves them in its own
 * transaction; without grants nothing ever matches and "remember" is ignored, as in ack.
 */
import type { Grant } from "@countersign/kernel"
import { Context, Effect, Layer } from "effect"
import { Store, type StoreError } from "./store/Store.ts"

export interface GrantQuery {
  readonly userId: string
  readonly sessionId: string
  readonly toolName: string
  /** The caller and its ancestors: an ancestor's grant covers its descendants. */
  readonly agentIds: readonly string[]
}

export class Grants extends Context.Service<
  Grants,
  {
    /** False: "remember" saves nothing. */
    readonly enabled: boolean
    /** Grants in force that may cover a call, session scope before global, newest first within a scope. */
    readonly candidates: (query: GrantQuery) => Effect.Effect<readonly Grant[], StoreError>
  }
>()("@countersign/gate/Grants") {
  static readonly layerNone = Layer.succeed(Grants, Grants.of({ enabled: false, candidates: () => Effect.succeed([]) }))

  static readonly layerStore = Layer.effect(
    Grants,
    Effect.gen(function* () {
      const store = yield* Store
      return Grants.of({ enabled: true, candidates: store.grants.candidates })
    })
  )
}
