/** What the parts of the contract share. */
import type { Case, Store, StoreError } from "@countersign/gate"
import { Effect } from "effect"
import { approval, ask } from "../rows.ts"

/** One promise, on a store of its own. */
export type Test = (title: string, body: (store: Store["Service"]) => Effect.Effect<void, StoreError>) => void

/** Opens an ask and lets a person say yes. */
export const approve = Effect.fnUntraced(function* (store: Store["Service"], row: Case) {
  yield* store.open(row, undefined)
  return yield* store.settle(approval(row, yield* store.revision))
})

/** An approved ask whose permit a node took that is no more. */
export const claimedByTheDead = (session = "s1") =>
  ask({ session, status: "approved", decidedBy: "p1", decidedAt: 1000, claimedBy: "a-dead-node" })

/** Why it failed; a success fails the test. */
export const failure = (effect: Effect.Effect<unknown, StoreError>) => Effect.orDie(Effect.flip(effect))

/** Everything that a settlement could have written. */
export const world = (store: Store["Service"]) =>
  Effect.all({
    records: store.records.list({}),
    grants: store.grants.list(),
    events: store.outbox.peek(1000),
    refusal: store.refusal("s1", "Bash npm publish"),
    revision: store.revision
  })
