/** A hundred at once: one wins, and nothing of the others is kept. */
import type { StoreError } from "@countersign/gate"
import { assert } from "@effect/vitest"
import { Effect, Result } from "effect"
import { approval, ask, decided, ended, entry, event, fresh, grant } from "../rows.ts"
import { approve, claimedByTheDead, world, type Test } from "./kit.ts"

export function races(test: Test): void {
  const crowd = Array.from({ length: 100 }, (_, index) => index)
  const all = <A>(run: (index: number) => Effect.Effect<A, StoreError>) =>
    Effect.all(crowd.map(run), { concurrency: "unbounded" })
  const count = <A>(results: readonly A[], wanted: A) => results.filter((result) => result === wanted).length

  test("settles a case once, however many try, and keeps nothing of the losers", (store) =>
    Effect.gen(function* () {
      const row = ask()
      yield* store.open(row, undefined)
      const revision = yield* store.revision
      const results = yield* all((index) =>
        store.settle(
          approval(row, revision, { decidedBy: `p${index}`, record: decided(row, { decidedBy: `p${index}` }) })
        )
      )
      assert.deepStrictEqual([count(results, "settled"), count(results, "lost")], [1, 99])
      const winner = `p${results.indexOf("settled")}`
      assert.strictEqual((yield* store.cases.byId(row.id))?.decidedBy, winner)
      const { events, records } = yield* world(store)
      assert.deepStrictEqual(
        records.map(({ record }) => record.kind === "decision" && record.decidedBy),
        [winner]
      )
      assert.strictEqual(events.length, 1)
    }))

  test("saves the winner's grant alone", (store) =>
    Effect.gen(function* () {
      const row = ask()
      yield* store.open(row, undefined)
      const revision = yield* store.revision
      const grants = crowd.map(() => grant())
      const results = yield* all((index) => store.settle(approval(row, revision, { grant: grants[index]! })))
      // the winner's grant moves the world, so the others are told to judge again
      assert.deepStrictEqual([count(results, "settled"), count(results, "moved")], [1, 99])
      assert.deepStrictEqual(yield* store.grants.list(), [grants[results.indexOf("settled")]!])
    }))

  test("gives a permit once", (store) =>
    Effect.gen(function* () {
      const row = ask()
      yield* approve(store, row)
      assert.strictEqual(count(yield* all(() => store.claim(row.id)), true), 1)
    }))

  test("keeps one outcome", (store) =>
    Effect.gen(function* () {
      const row = ask()
      yield* approve(store, row)
      yield* store.claim(row.id)
      assert.strictEqual(count(yield* all(() => store.finish(row.id, ended(row))), true), 1)
      assert.strictEqual(yield* store.records.count({ kind: "outcome" }), 1)
    }))

  test("sweeps a dead node's claim once", (store) =>
    Effect.gen(function* () {
      const row = claimedByTheDead()
      yield* store.open(row, undefined)
      const results = yield* all(() => store.sweepClaims((swept) => ended(swept, { outcome: "unknown" })))
      assert.deepStrictEqual(results.flat(), [row])
      assert.strictEqual(yield* store.records.count({ kind: "outcome" }), 1)
    }))

  test("allows no more calls on a grant than it has uses, and records no others", (store) =>
    Effect.gen(function* () {
      const ten = grant({ uses: 10 })
      yield* store.grants.save(ten)
      const results = yield* all(() => {
        const row = ask()
        const terminal = { record: decided(row, { grantId: ten.id }), events: [event(row.id)] }
        return Effect.result(store.terminal({ ...terminal, permit: { id: row.id, case: row } }))
      })
      assert.strictEqual(results.filter(Result.isSuccess).length, 10)
      assert.strictEqual(yield* store.records.count({}), 10)
      assert.strictEqual((yield* store.outbox.peek(1000)).length, 10)
    }))

  test("takes no more uses of a grant than it has", (store) =>
    Effect.gen(function* () {
      const ten = grant({ uses: 10 })
      yield* store.grants.save(ten)
      assert.strictEqual(count(yield* all(() => store.grants.use(ten.id)), true), 10)
      assert.strictEqual((yield* store.grants.list())[0]?.uses, 0)
    }))

  test("opens a call once, and joins the others to it", (store) =>
    Effect.gen(function* () {
      const toolCallId = fresh("call")
      const results = yield* all(() => store.open(ask({ toolCallId }), undefined))
      const kinds = results.map(({ kind }) => kind)
      assert.deepStrictEqual([count(kinds, "opened"), count(kinds, "pending")], [1, 99])
      assert.strictEqual((yield* store.cases.pending()).length, 1)
    }))

  test("lets no more wait than the limit", (store) =>
    Effect.gen(function* () {
      const results = yield* all(() => store.open(ask(), { agent: 7, session: 100 }))
      assert.strictEqual(results.filter(({ kind }) => kind === "opened").length, 7)
    }))

  test("loses no parent's entry", (store) =>
    Effect.gen(function* () {
      const row = ask()
      yield* store.open(row, undefined)
      yield* all((index) => store.appendEntry(row.id, entry(`p${index}`)))
      const chain = (yield* store.cases.byId(row.id))?.chain ?? []
      assert.strictEqual(new Set(chain.map(({ adjudicatorId }) => adjudicatorId)).size, 100)
    }))

  test("counts every change of the world", (store) =>
    Effect.gen(function* () {
      const before = yield* store.revision
      yield* all(() => store.grants.save(grant()))
      assert.strictEqual(yield* store.revision, before + 100)
    }))
}
