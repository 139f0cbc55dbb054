/** Asks: opened once a call, grown while they wait, shown, taken over. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { approval, ask, decided, entry, event, fresh } from "../rows.ts"
import { approve, type Test } from "./kit.ts"

export function asks(test: Test): void {
  test("gives an ask back as it was opened", (store) =>
    Effect.gen(function* () {
      const row = ask({
        agent: "child",
        original: { command: "npm run publish" },
        held: { hookForced: { because: "friday" }, preapproved: "x" },
        lineage: [
          { agentId: "child", task: "release" },
          { agentId: "root", task: "" }
        ],
        offered: [{ scope: "session", text: "Bash(npm publish)", grant: { userId: "u1", toolName: "Bash" } }],
        refusedBefore: { sessionId: "s1", key: "k", agentId: "child", by: "p1", at: 1, times: 2 },
        face: "submit",
        expiresAt: 99
      })
      assert.deepStrictEqual(yield* store.open(row, undefined), { kind: "opened" })
      assert.deepStrictEqual(yield* store.cases.byId(row.id), row)
      assert.deepStrictEqual(yield* store.cases.byConfirmation("s1", row.confirmationId), row)
      assert.deepStrictEqual(yield* store.cases.pending("s1"), [row])
      assert.deepStrictEqual(yield* store.cases.pending("s2"), [])
      assert.isUndefined(yield* store.cases.byConfirmation("s2", row.confirmationId))
    }))

  test("joins the same call while it waits, and tells how it ended afterwards (C6)", (store) =>
    Effect.gen(function* () {
      const row = ask()
      yield* store.open(row, undefined)
      const again = { ...ask({ toolCallId: row.call.toolCallId }), digest: "another" }
      const joined = yield* store.open(again, undefined)
      assert.deepStrictEqual(joined, { kind: "pending", case: row })
      yield* store.settle(approval(row, yield* store.revision))
      const late = yield* store.open(again, undefined)
      assert(late.kind === "settled")
      assert.deepStrictEqual([late.case.id, late.case.status, late.case.decidedBy], [row.id, "approved", "p1"])
      assert.isUndefined(yield* store.cases.byId(again.id))
    }))

  test("tells calls of other agents and sessions with the same id apart", (store) =>
    Effect.gen(function* () {
      const toolCallId = fresh("call")
      for (const where of [{}, { agent: "child" }, { session: "s2" }]) {
        assert.strictEqual((yield* store.open(ask({ toolCallId, ...where }), undefined)).kind, "opened")
      }
    }))

  test("refuses what is too many for an agent or its session, and frees the place with the settlement", (store) =>
    Effect.gen(function* () {
      const limits = { agent: 2, session: 3 }
      const open = (agent: string, session = "s1") => {
        const row = ask({ agent, session })
        return Effect.map(store.open(row, limits), ({ kind }) => ({ row, kind }))
      }
      const first = yield* open("a")
      assert.strictEqual((yield* open("a")).kind, "opened")
      const tooMany = yield* open("a")
      assert.strictEqual(tooMany.kind, "tooMany")
      assert.isUndefined(yield* store.cases.byId(tooMany.row.id))
      assert.strictEqual((yield* open("b")).kind, "opened")
      assert.strictEqual((yield* open("c")).kind, "tooMany")
      assert.strictEqual((yield* open("a", "s2")).kind, "opened")
      yield* store.settle(approval(first.row, yield* store.revision))
      assert.strictEqual((yield* open("a")).kind, "opened")
    }))

  test("keeps parents' entries in their order, and shows the ask with its events", (store) =>
    Effect.gen(function* () {
      const row = ask()
      yield* store.open(row, undefined)
      assert.isTrue(yield* store.appendEntry(row.id, entry("a")))
      assert.isTrue(yield* store.appendEntry(row.id, entry("b")))
      const decision = { ...row.decision, reason: "shown" }
      assert.isTrue(yield* store.show(row.id, decision, [event("one"), event("two")]))
      const shown = yield* store.cases.byId(row.id)
      assert.deepStrictEqual(shown, { ...row, chain: [entry("a"), entry("b")], stage: "asking", decision })
      const events = yield* store.outbox.peek(10)
      assert.deepStrictEqual(
        events.map(({ event, caseId }) => ({ event, caseId })),
        [
          { event: event("one"), caseId: row.id },
          { event: event("two"), caseId: row.id }
        ]
      )
    }))

  test("changes nothing of an ask that is over, or that never was", (store) =>
    Effect.gen(function* () {
      const row = ask()
      yield* approve(store, row)
      const before = yield* store.cases.byId(row.id)
      const events = yield* store.outbox.peek(10)
      for (const id of [row.id, "nothing"]) {
        assert.isFalse(yield* store.appendEntry(id, entry("late")))
        assert.isFalse(yield* store.show(id, row.decision, [event("late")]))
        assert.isFalse(yield* store.takeOver(id))
      }
      assert.deepStrictEqual(yield* store.cases.byId(row.id), before)
      assert.deepStrictEqual(yield* store.outbox.peek(10), events)
    }))

  test("lists what waits oldest first, in one order where they are of the same moment", (store) =>
    Effect.gen(function* () {
      const at = (id: string, session: string, createdAt: number) => ask({ id, session, createdAt })
      const rows = [at("d", "s1", 9), at("c", "s2", 5), at("b", "s1", 5), at("a", "s1", 7)]
      for (const row of rows) yield* store.open(row, undefined)
      const names = (found: readonly { readonly id: string }[]) => found.map(({ id }) => id)
      assert.deepStrictEqual(names(yield* store.cases.pending()), ["b", "c", "a", "d"])
      assert.deepStrictEqual(names(yield* store.cases.pending("s1")), ["b", "a", "d"])
    }))

  test("finds the newest ask of a wire id, and no automatic allow", (store) =>
    Effect.gen(function* () {
      const [older, newer] = [ask({ confirmationId: "x", createdAt: 1 }), ask({ confirmationId: "x", createdAt: 2 })]
      for (const row of [newer, older]) yield* store.open(row, undefined)
      const automatic = ask({ confirmationId: "x", createdAt: 3 })
      const permit = { id: automatic.id, case: automatic }
      yield* store.terminal({ record: decided(automatic), events: [], permit })
      assert.deepStrictEqual(yield* store.cases.byConfirmation("s1", "x"), newer)
    }))

  test("takes nothing over that is settled meanwhile", (store) =>
    Effect.gen(function* () {
      const row = ask()
      yield* store.open(row, undefined)
      const settle = store.settle(approval(row, yield* store.revision))
      const both = yield* Effect.all([store.takeOver(row.id), settle], { concurrency: "unbounded" })
      assert.deepStrictEqual(both, [false, "settled"])
      assert.strictEqual((yield* store.cases.byId(row.id))?.node, row.node)
    }))

  test("lets this node take over what a dead one left, and only that", (store) =>
    Effect.gen(function* () {
      const [orphan, own] = [ask(), ask({ node: store.node })]
      yield* store.open(orphan, undefined)
      yield* store.open(own, undefined)
      assert.isTrue(yield* store.isAlive(store.node))
      assert.isFalse(yield* store.isAlive("a-dead-node"))
      assert.isTrue(yield* store.takeOver(orphan.id))
      assert.strictEqual((yield* store.cases.byId(orphan.id))?.node, store.node)
      assert.isTrue(yield* store.takeOver(own.id))
    }))
}
