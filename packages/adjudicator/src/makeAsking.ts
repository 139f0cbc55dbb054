/** The gate's side of the desk: begin, wait, look. The last that waits and is interrupted cancels the case. */
import { Asking, type Case, Store, type StoreError } from "@countersign/gate"
import { Deferred, Effect } from "effect"
import type { Course } from "./Course.ts"
import type { makeOpening } from "./Opening.ts"
import type { Settlement } from "./Settlement.ts"
import type { Waiters } from "./Waiters.ts"

/** `close`: from now on nobody's end settles anything; who waits is interrupted. */
export const makeAsking = Effect.fnUntraced(function* (given: {
  readonly waiters: Waiters
  readonly settlement: Settlement
  readonly course: Course
  readonly orphans: Set<string>
  readonly begin: (row: Case) => Effect.Effect<void>
  readonly open: Effect.Success<ReturnType<typeof makeOpening>>
}) {
  const { begin, course, open, orphans, settlement, waiters } = given
  const store = yield* Store
  let closing = false

  const giveUp = (caseId: string): Effect.Effect<void> =>
    Effect.suspend(() => {
      if (closing || !waiters.leave(caseId)) return Effect.void
      return store.cases.byId(caseId).pipe(
        Effect.flatMap((row) =>
          row === undefined ? Effect.void : Effect.asVoid(course.endAlone(row, "ask.canceled"))
        ),
        Effect.catch((error) => Effect.logError("a cancelled ask could not be ended; it stays pending", error))
      )
    })

  const asking = Asking.of({
    available: true,

    begin: Effect.fn("Desk.begin")((judgement, face) => {
      let caseId: string | undefined
      const opening = Effect.gen(function* () {
        const opening = yield* open(judgement, face)
        if (!("row" in opening)) return opening.begun
        caseId = opening.row.id
        // the same call comes again after its process died: from now on somebody waits for it
        const adopted = orphans.delete(caseId)
        if (opening.fresh || adopted) yield* begin(opening.row)
        return opening.begun
      })
      return Effect.uninterruptible(opening).pipe(
        // an interruption that came meanwhile acts here, before anybody waits
        Effect.onInterrupt(() => (caseId === undefined || face !== "run" ? Effect.void : giveUp(caseId)))
      )
    }),

    wait: Effect.fn("Desk.wait")((caseId: string) => {
      const waiting = Effect.gen(function* () {
        const waiter = waiters.find(caseId)
        // it may have ended between the opening and now
        const row = yield* store.cases.byId(caseId)
        const stored = row === undefined ? undefined : yield* settlement.stored(row)
        if (stored === undefined) {
          return waiter === undefined
            ? yield* Effect.die(new Error("nobody registered to wait for this case"))
            : yield* Deferred.await(waiter.answer)
        }
        waiters.leave(caseId)
        return waiter?.digest === stored.digest ? { ...stored, call: waiter.call } : stored
      })
      return waiting.pipe(Effect.onInterrupt(() => giveUp(caseId)))
    }),

    answerOf: Effect.fnUntraced(function* (
      caseId: string
    ): Effect.fn.Return<Effect.Success<ReturnType<Settlement["stored"]>>, StoreError> {
      const row = yield* store.cases.byId(caseId)
      return row === undefined ? undefined : yield* settlement.stored(row)
    })
  })

  const close = Effect.suspend(() => {
    closing = true
    return Effect.forEach(waiters.ids(), (id) => Deferred.interrupt(waiters.find(id)!.answer), { discard: true })
  })

  return { asking, close }
})
