/**
 * Looks after what waits, as long as anything does: settings that changed on disk, grants, agents and freezes that
 * another process changed, and cases that it settled. Quick at first, slower the longer nothing happens.
 */
import { CurrentSettings, Store, type StoreError } from "@countersign/gate"
import { Effect } from "effect"

const shortestMs = 100
const longestMs = 1000

/** Ends when nothing waits any more; what fails is logged and tried again. */
export const watch = Effect.fnUntraced(function* (options: {
  readonly waiting: () => boolean
  readonly rejudge: Effect.Effect<void, StoreError>
  /** Absent: nobody else settles cases. */
  readonly refresh: Effect.Effect<void, StoreError> | undefined
}): Effect.fn.Return<void, never, CurrentSettings | Store> {
  const settings = yield* CurrentSettings
  const store = yield* Store
  const world = Effect.gen(function* () {
    const { version } = yield* settings.view()
    return `${version}/${yield* store.revision}`
  }).pipe(Effect.catch((error) => Effect.logError("what waits could not be looked after; it is tried again", error)))
  let before = yield* world
  let pause = shortestMs
  for (;;) {
    yield* Effect.sleep(pause)
    if (!options.waiting()) return
    pause = Math.min(longestMs, pause * 1.01)
    if (options.refresh !== undefined) yield* logged(options.refresh)
    const now = yield* world
    if (now === before) continue
    before = now
    pause = shortestMs
    yield* logged(options.rejudge)
  }
})

const logged = (effect: Effect.Effect<void, StoreError>) =>
  effect.pipe(
    Effect.catchCause((cause) => Effect.logError("what waits could not be looked after; it is tried again", cause))
  )
