/**
 * Carries committed events to those who watch: first the session's pointer, which ack's clients read, then the
 * observer. In order; at least once across a crash; what could not be delivered is tried again at the next flush.
 */
import { Context, Effect, Layer } from "effect"
import { GateOptions } from "./GateOptions.ts"
import { Observer } from "./Observer.ts"
import { followPointer } from "./Pointer.ts"
import { Sessions } from "./Sessions.ts"
import { type OutboxRow, Store } from "./store/Store.ts"

const batch = 256

/** How long an observer is waited for. */
const patienceMs = 10_000

export class Outbox extends Context.Service<
  Outbox,
  {
    /** Delivers what is committed. Never fails: whoever watches changes nothing. */
    readonly flush: Effect.Effect<void>
  }
>()("@countersign/gate/Outbox") {
  static readonly layer = Layer.effect(
    Outbox,
    Effect.gen(function* () {
      const store = yield* Store
      const sessions = yield* Sessions
      const observer = yield* Observer
      const options = yield* GateOptions
      const state = { delivering: false, again: false }

      const deliver = Effect.fnUntraced(function* ({ event }: OutboxRow) {
        if (event.kind === "confirmation") {
          const { sessionId } = event.event.value
          const session = { app: options.app, userId: options.userOf(sessionId), sessionId }
          const followed = yield* Effect.result(followPointer(sessions, session, event.event.value))
          if (followed._tag === "Failure") {
            yield* Effect.logError("the session's pointer could not follow; it is tried again", followed.failure)
            return false
          }
        }
        yield* Effect.suspend(() => observer.observe(event)).pipe(
          // one that hangs must not keep others from hearing, nor those who wait from being woken
          Effect.interruptible,
          Effect.timeout(patienceMs),
          Effect.catchCause((cause) => Effect.logWarning("an observer failed; nothing changes by it", cause))
        )
        return true
      })

      const drain = Effect.gen(function* () {
        do {
          state.again = false
          const rows = yield* store.outbox.peek(batch)
          const delivered: number[] = []
          for (const row of rows) if (yield* deliver(row)) delivered.push(row.id)
          if (delivered.length > 0) yield* store.outbox.delivered(delivered)
          if (rows.length === batch && delivered.length > 0) state.again = true
        } while (state.again)
      })

      return Outbox.of({
        flush: Effect.suspend(() => {
          // an observer may answer what it is shown and wait for that: whoever comes while events are
          // delivered leaves its own to the one who delivers
          if (state.delivering) {
            state.again = true
            return Effect.void
          }
          state.delivering = true
          return drain.pipe(
            Effect.catchCause((cause) => Effect.logError("the outbox could not be read; its events wait", cause)),
            Effect.ensuring(Effect.sync(() => void (state.delivering = false))),
            // an observer's IO must not die with the call that it watches
            Effect.uninterruptible
          )
        })
      })
    })
  )
}
