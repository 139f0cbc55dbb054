/** Where a gate keeps what must outlive it: a file, or (absent) this process's memory, by the same code. */
import { openDatabase, Sessions, sessionsOver, Store, storeOver } from "@countersign/gate"
import { Context, Effect, Layer } from "effect"

/**
 * The Store and the session store on one connection: on two, one would block the thread that the other needs to finish
 * its transaction.
 */
export const database = (file = ":memory:") =>
  Layer.effectContext(
    Effect.gen(function* () {
      const db = yield* openDatabase(file)
      return Context.make(Store, yield* storeOver(db, file)).pipe(Context.add(Sessions, sessionsOver(db)))
    })
  )
