/** S27 and automatic terminals: one permit, one outcome, one use of a grant. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { approval, ask, decided, ended, event, fresh, grant, refusal } from "../rows.ts"
import { approve, claimedByTheDead, failure, type Test } from "./kit.ts"

export function permits(test: Test): void {
  test("gives the only permit of an approved call once, and none of any other", (store) =>
    Effect.gen(function* () {
      const [approved, refused, waiting] = [ask(), ask(), ask()]
      yield* approve(store, approved)
      yield* store.open(refused, undefined)
      yield* store.settle(refusal(refused, yield* store.revision))
      yield* store.open(waiting, undefined)
      assert.isTrue(yield* store.claim(approved.id))
      assert.strictEqual((yield* store.cases.byId(approved.id))?.claimedBy, store.node)
      for (const row of [approved, refused, waiting]) assert.isFalse(yield* store.claim(row.id))
    }))

  test("keeps one outcome of a claimed call, with its record", (store) =>
    Effect.gen(function* () {
      const row = ask()
      yield* approve(store, row)
      assert.isFalse(yield* store.finish(row.id, ended(row)), "nobody claimed it")
      yield* store.claim(row.id)
      assert.isTrue(yield* store.finish(row.id, ended(row, { outcome: "failed", error: "boom" })))
      assert.isFalse(yield* store.finish(row.id, ended(row)))
      assert.strictEqual((yield* store.cases.byId(row.id))?.outcome, "failed")
      const outcomes = yield* store.records.list({ kind: "outcome" })
      assert.deepStrictEqual(
        outcomes.map(({ record }) => record.kind === "outcome" && record.error),
        ["boom"]
      )
    }))

  test("claims an automatic allow with its record, and joins it to no ask of the same id", (store) =>
    Effect.gen(function* () {
      const toolCallId = fresh("call")
      const automatic = () => {
        const row = ask({ toolCallId })
        const permit = { id: row.id, case: row }
        return {
          row,
          run: store.terminal({ record: decided(row, { source: "rule" }), events: [event(row.id)], permit })
        }
      }
      const [first, second] = [automatic(), automatic()]
      yield* first.run
      yield* second.run
      const row = yield* store.cases.byId(first.row.id)
      assert.deepStrictEqual([row?.status, row?.claimedBy], ["approved", store.node])
      assert.isFalse(yield* store.claim(first.row.id))
      assert.isTrue(yield* store.finish(first.row.id, ended(first.row)))
      assert.strictEqual(yield* store.records.count({ toolCallId, kind: "decision" }), 2)
      assert.deepStrictEqual(
        (yield* store.outbox.peek(10)).map(({ caseId }) => caseId),
        [first.row.id, second.row.id]
      )
      assert.strictEqual((yield* store.open(ask({ toolCallId }), undefined)).kind, "opened")
    }))

  test("records an automatic deny and leaves nothing to run", (store) =>
    Effect.gen(function* () {
      const { caseId: _, ...record } = decided(ask(), { decision: "deny", source: "rule" })
      yield* store.terminal({ record, events: [event("denied")] })
      assert.strictEqual(yield* store.records.count({ decision: "deny" }), 1)
      assert.deepStrictEqual(yield* store.cases.approvedUnclaimed, [])
      assert.deepStrictEqual(
        (yield* store.outbox.peek(10)).map(({ caseId }) => caseId),
        [undefined]
      )
    }))

  test("keeps one decision a case, whoever writes", (store) =>
    Effect.gen(function* () {
      const row = ask()
      yield* approve(store, row)
      const error = yield* failure(store.terminal({ record: decided(row), events: [event("twice")] }))
      assert.strictEqual(error._tag, "StoreError")
      assert.match(error.message, /^the store failed to record a decision: /)
      assert.strictEqual(yield* store.records.count({ caseId: row.id }), 1)
      assert.strictEqual((yield* store.outbox.peek(10)).length, 1)
    }))

  test("lists what recovery still has to run: approved, unclaimed, waited for by a dead node", (store) =>
    Effect.gen(function* () {
      const [orphan, own, claimed] = [ask(), ask({ node: store.node }), ask()]
      const [submitted, pending] = [ask({ face: "submit" }), ask()]
      for (const row of [orphan, own, claimed, submitted]) yield* approve(store, row)
      yield* store.open(pending, undefined)
      yield* store.claim(claimed.id)
      assert.deepStrictEqual(
        (yield* store.cases.approvedUnclaimed).map(({ id }) => id),
        [orphan.id]
      )
    }))

  test("sweeps nothing that a live node claimed", (store) =>
    Effect.gen(function* () {
      const row = ask()
      yield* approve(store, row)
      yield* store.claim(row.id)
      assert.deepStrictEqual(yield* store.sweepClaims((swept) => ended(swept, { outcome: "unknown" })), [])
      assert.isTrue(yield* store.finish(row.id, ended(row)))
      assert.deepStrictEqual(yield* store.cases.unknownOutcomes(), [])
    }))

  test("records an unknown outcome for what a dead node claimed, and lists it for its session", (store) =>
    Effect.gen(function* () {
      const left = [claimedByTheDead(), claimedByTheDead("s2")]
      for (const row of left) yield* store.open(row, undefined)
      const swept = yield* store.sweepClaims((row) => ended(row, { outcome: "unknown" }))
      const unknown = left.map((row) => ({ ...row, outcome: "unknown" as const }))
      assert.deepStrictEqual(swept, left)
      assert.deepStrictEqual(yield* store.cases.unknownOutcomes(), unknown)
      assert.deepStrictEqual(yield* store.cases.unknownOutcomes("s2"), unknown.slice(1))
      assert.strictEqual(yield* store.records.count({ kind: "outcome" }), 2)
      assert.isFalse(yield* store.finish(left[0]!.id, ended(left[0]!)), "a late outcome changes nothing")
      assert.deepStrictEqual(yield* store.sweepClaims((row) => ended(row)), [])
    }))

  test("takes a use of the grant that an allow stands on, and denies on a grant that is used up", (store) =>
    Effect.gen(function* () {
      const twice = grant({ uses: 2 })
      yield* store.grants.save(twice)
      const use = () => {
        const { caseId: _, ...record } = decided(ask(), { grantId: twice.id })
        return store.terminal({ record, events: [] })
      }
      const unused = yield* store.revision
      yield* use()
      assert.strictEqual((yield* store.grants.list())[0]?.uses, 1)
      assert.isAbove(yield* store.revision, unused, "who was judged on two uses is judged again")
      const row = ask()
      yield* store.open(row, undefined)
      const before = yield* store.revision
      yield* store.settle(approval(row, before, { record: decided(row, { grantId: twice.id }) }))
      assert.strictEqual((yield* store.grants.list())[0]?.uses, 0)
      assert.isAbove(yield* store.revision, before, "a grant that is used up covers nothing any more")
      const error = yield* failure(use())
      assert.strictEqual(error.message, `the store failed to record a decision: the grant \`${twice.id}\` is used up`)
      assert.strictEqual(yield* store.records.count({}), 2)
    }))

  test("counts no use for a deny, or of a grant that counts none or is kept elsewhere", (store) =>
    Effect.gen(function* () {
      const [once, always] = [grant({ uses: 1 }), grant()]
      for (const each of [once, always]) yield* store.grants.save(each)
      const before = yield* store.revision
      for (const grantId of [always.id, always.id, "elsewhere"]) {
        const { caseId: _, ...record } = decided(ask(), { grantId })
        yield* store.terminal({ record, events: [] })
      }
      const { caseId: _, ...denied } = decided(ask(), { grantId: once.id, decision: "deny" })
      yield* store.terminal({ record: denied, events: [] })
      assert.deepStrictEqual(yield* store.grants.list(), [once, always])
      assert.strictEqual(yield* store.revision, before)
    }))
}
