/** A host's functions may answer with a value, a promise or an effect; this makes an effect of all three. */
import { Effect } from "effect"

/** Calls a host's function; what it throws becomes the failure. */
export const fromHost = <A>(
  call: (signal: AbortSignal) => A | Promise<A> | Effect.Effect<A, unknown>
): Effect.Effect<A, unknown> =>
  Effect.tryPromise({ try: async (signal) => call(signal), catch: (error) => error }).pipe(
    Effect.flatMap((answer) =>
      Effect.isEffect(answer) ? (answer as Effect.Effect<A, unknown>) : Effect.succeed(answer as A)
    )
  )
