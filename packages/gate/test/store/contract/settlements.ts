/** S26: all of a settlement or nothing of it, on the newest world. */
import type { Store, StoreError } from "@countersign/gate"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { agent, approval, ask, decided, event, grant, refusal } from "../rows.ts"
import { approve, world, type Test } from "./kit.ts"

export function settlements(test: Test): void {
  test("writes all of a yes at once", (store) =>
    Effect.gen(function* () {
      const row = ask()
      const consent = grant()
      yield* store.open(row, undefined)
      const revision = yield* store.revision
      const record = decided(row, { savedGrantId: consent.id })
      const settlement = approval(row, revision, { grant: consent, record, answerReason: "go on" })
      assert.strictEqual(yield* store.settle(settlement), "settled")
      const after = yield* store.cases.byId(row.id)
      assert.deepStrictEqual(after, {
        ...row,
        status: "approved",
        decidedBy: "p1",
        decidedAt: 1000,
        answerReason: "go on"
      })
      const { events, grants, records, ...rest } = yield* world(store)
      assert.deepStrictEqual(grants, [consent])
      assert.deepStrictEqual(
        records.map(({ record }) => record),
        [record]
      )
      assert.deepStrictEqual(
        events.map(({ caseId, event }) => ({ caseId, event })),
        [{ caseId: row.id, event: event(`settled ${row.id}`) }]
      )
      assert.isAbove(rest.revision, revision, "a grant changes the world")
    }))

  test("leaves the revision where it is when a settlement changes nothing for others", (store) =>
    Effect.gen(function* () {
      const revision = yield* store.revision
      assert.strictEqual(yield* approve(store, ask()), "settled")
      assert.strictEqual(yield* store.revision, revision)
    }))

  test("keeps the call as the person edited it", (store) =>
    Effect.gen(function* () {
      const row = ask()
      yield* store.open(row, undefined)
      const edited = { call: { ...row.call, arguments: { command: "npm publish --dry-run" } }, digest: "d2" }
      yield* store.settle(approval(row, yield* store.revision, { edited }))
      const after = yield* store.cases.byId(row.id)
      assert.deepStrictEqual([after?.call, after?.digest], [edited.call, edited.digest])
    }))

  const changes: readonly (readonly [string, (store: Store["Service"]) => Effect.Effect<unknown, StoreError>])[] = [
    ["a saved grant", (store) => store.grants.save(grant())],
    ["a new agent", (store) => store.agents.insert(agent("late"))],
    ["a freeze", (store) => store.sessions.setFrozen("s9", true)],
    ["a freeze of everything", (store) => store.sessions.setFrozen(undefined, true)],
    ["a cancelled session", (store) => store.sessions.setCanceled("s9", true)],
    ["a mode", (store) => Effect.andThen(store.agents.insert(agent("m")), store.agents.setMode("s1", "m", "yolo"))],
    [
      "an agent's end",
      (store) => Effect.andThen(store.agents.insert(agent("e")), store.agents.end("s1", "e", "revoked"))
    ]
  ]
  for (const [what, change] of changes) {
    test(`is told that the world moved by ${what}, and writes nothing`, (store) =>
      Effect.gen(function* () {
        const row = ask()
        yield* store.open(row, undefined)
        const judgedOn = yield* store.revision
        yield* change(store)
        const before = yield* world(store)
        assert.isAbove(before.revision, judgedOn)
        const stale = refusal(row, judgedOn)
        assert.strictEqual(yield* store.settle({ ...stale, grant: grant() }), "moved")
        assert.deepStrictEqual(yield* world(store), before)
        assert.deepStrictEqual(yield* store.cases.byId(row.id), row)
        assert.strictEqual(yield* store.settle(approval(row, yield* store.revision)), "settled")
      }))
  }

  test("is told that the world moved when it was judged on a world that is not there (any more)", (store) =>
    Effect.gen(function* () {
      const row = ask()
      yield* store.open(row, undefined)
      const before = yield* world(store)
      assert.strictEqual(yield* store.settle(approval(row, before.revision + 1)), "moved")
      assert.deepStrictEqual(yield* world(store), before)
    }))

  test("moves the revision by no change that changed nothing", (store) =>
    Effect.gen(function* () {
      yield* store.agents.insert(agent("a"))
      yield* store.agents.end("s1", "a", "settled")
      const before = yield* store.revision
      assert.isFalse(yield* store.agents.insert(agent("a")))
      assert.isFalse(yield* store.agents.setMode("s1", "a", "yolo"))
      assert.isFalse(yield* store.agents.end("s1", "a", "revoked"))
      assert.isFalse(yield* store.grants.revoke("nothing"))
      assert.isFalse(yield* store.grants.use("nothing"))
      assert.strictEqual(yield* store.revision, before)
    }))

  test("counts a subject's refusals for the session, keeps the latest words, and forgets them after a yes", (store) =>
    Effect.gen(function* () {
      const [first, second, third] = [ask(), ask({ agent: "child" }), ask()]
      for (const row of [first, second, third]) yield* store.open(row, undefined)
      yield* store.settle(refusal(first, yield* store.revision, { reason: "no" }))
      const revision = yield* store.revision
      yield* store.settle(refusal(second, revision, { at: 1500, by: "p2" }))
      assert.isAbove(yield* store.revision, revision, "a refusal changes the world")
      assert.deepStrictEqual(yield* store.refusal("s1", first.key), {
        sessionId: "s1",
        key: first.key,
        agentId: "child",
        by: "p2",
        at: 1500,
        times: 2
      })
      assert.isUndefined(yield* store.refusal("s2", first.key))
      assert.isUndefined(yield* store.refusal("s1", "another subject"))
      const known = yield* store.revision
      yield* store.settle(approval(third, known, { clearsRefusal: true }))
      assert.isUndefined(yield* store.refusal("s1", first.key))
      assert.isAbove(yield* store.revision, known)
    }))

  test("moves the revision by no yes that takes no refusal away", (store) =>
    Effect.gen(function* () {
      const row = ask()
      yield* store.open(row, undefined)
      const before = yield* store.revision
      assert.strictEqual(yield* store.settle(approval(row, before, { clearsRefusal: true })), "settled")
      assert.strictEqual(yield* store.revision, before)
    }))

  test("takes away the refusal of the subject that was approved, and no other", (store) =>
    Effect.gen(function* () {
      const [refused, other] = [ask({ key: "one" }), ask({ key: "two" })]
      const [elsewhere, here] = [ask({ key: "two", session: "s2" }), ask({ key: "two" })]
      for (const row of [refused, other, elsewhere, here]) yield* store.open(row, undefined)
      for (const row of [refused, elsewhere, here]) yield* store.settle(refusal(row, yield* store.revision))
      yield* store.settle(approval(other, yield* store.revision, { clearsRefusal: true }))
      assert.strictEqual((yield* store.refusal("s1", "one"))?.times, 1)
      assert.strictEqual((yield* store.refusal("s2", "two"))?.times, 1)
      assert.isUndefined(yield* store.refusal("s1", "two"))
    }))

  test("is lost for a case that is over or never was", (store) =>
    Effect.gen(function* () {
      const row = ask()
      yield* approve(store, row)
      const before = yield* world(store)
      for (const late of [row, ask()]) {
        const settlement = refusal(late, before.revision)
        assert.strictEqual(yield* store.settle({ ...settlement, grant: grant() }), "lost")
      }
      assert.deepStrictEqual(yield* world(store), before)
      assert.strictEqual((yield* store.cases.byId(row.id))?.status, "approved")
    }))
}
