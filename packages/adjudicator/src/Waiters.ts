/**
 * Those who wait in this process for the answer to a case. A waiter is there before anybody can see the case, so that
 * an answer in the very tick of the event finds it.
 */
import type { Answer } from "@countersign/gate"
import type { FrozenCall } from "@countersign/kernel"
import { Deferred, Effect } from "effect"

/** One case that is waited for. */
export interface Waiter {
  readonly answer: Deferred.Deferred<Answer>
  /** The frozen call as it was judged: whoever wakes is handed this very object. */
  readonly call: FrozenCall
  readonly digest: string
  /** How many wait; the case is cancelled when the last of them gives up. */
  count: number
}

export interface Waiters {
  /** Adds one that waits; the first makes the waiter. */
  readonly join: (caseId: string, call: FrozenCall, digest: string) => Waiter
  /** One gives up; true if nobody waits any more. */
  readonly leave: (caseId: string) => boolean
  readonly find: (caseId: string) => Waiter | undefined
  readonly ids: () => readonly string[]
  /** Wakes all who wait for the case; unless the person edited it, they get the very call object that was judged. */
  readonly wake: (answer: Answer, edited: boolean) => void
}

/** An empty register. */
export function makeWaiters(): Waiters {
  const waiters = new Map<string, Waiter>()
  return {
    join: (caseId, call, digest) => {
      const found = waiters.get(caseId)
      if (found !== undefined) {
        found.count++
        return found
      }
      const made: Waiter = { answer: Deferred.makeUnsafe<Answer>(), call, digest, count: 1 }
      waiters.set(caseId, made)
      return made
    },
    leave: (caseId) => {
      const found = waiters.get(caseId)
      if (found === undefined) return false
      found.count--
      if (found.count > 0) return false
      waiters.delete(caseId)
      return true
    },
    find: (caseId) => waiters.get(caseId),
    ids: () => Array.from(waiters.keys()),
    wake: (answer, edited) => {
      const found = waiters.get(answer.caseId)
      if (found === undefined) return
      waiters.delete(answer.caseId)
      Deferred.doneUnsafe(found.answer, Effect.succeed(edited ? answer : { ...answer, call: found.call }))
    }
  }
}
