/**
 * Looks after what waits, as long as anything does: settings that changed on disk, and cases that another process
 * settled. Quick at first, slower the longer nothing happens.
 */
import { CurrentSettings, type StoreError } from "@countersign/gate"
import { Effect } from "effect"

const shortestMs = 100
const longestMs = 1000

/** Ends when nothing waits any more; what fails is logged and tried again. */
export const watch = Effect.fnUntraced(function*(options: {
  readonly waiting: () => boolean
  readonly rejudge: Effect.Effect<void, StoreError>
  /** Absent: nobody else settles cases. */
  readonly refresh: Effect.Effect<void, StoreError> | undefined
}): Effect.fn.Return<void, never, CurrentSettings> {
  const settings = yield* CurrentSettings
  let { version } = yield* settings.view()
  let pause = shortestMs
  for (;;) {
    yield* Effect.sleep(pause)
    if (!options.waiting()) return
    pause = Math.min(longestMs, pause * 1.01)
    if (options.refresh !== undefined) yield* logged(options.refresh)
    const now = (yield* settings.view()).version
    if (now === version) continue
    version = now
    pause = shortestMs
    yield* logged(options.rejudge)
  }
})

const logged = (effect: Effect.Effect<void, StoreError>) =>
  effect.pipe(Effect.catchCause((cause) => Effect.logError("what waits could not be looked after; it is tried again", cause)))
