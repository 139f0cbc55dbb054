/** Grants, agents, sessions, records and the outbox: what comes back, and in which order. */
import { writeRecord } from "@countersign/gate"
import type { Grant } from "@countersign/kernel"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { agent, ask, decided, ended, event, grant } from "../rows.ts"
import type { Test } from "./kit.ts"

export function kept(test: Test): void {
  test("offers grants that may cover a call: session before global, newest first", (store) =>
    Effect.gen(function* () {
      const of = (name: string, more: Partial<Grant>): Grant => grant({ id: name, ...more })
      const { sessionId: _, ...everywhere } = of("global", { createdAt: 9000 })
      for (const each of [
        of("old", { createdAt: 1 }),
        everywhere,
        of("new", { createdAt: 5, content: "npm:*", folder: "/srv/proj", exact: false, expiresAt: 77 }),
        of("agent", { createdAt: 3, agentId: "parent", exact: true }),
        of("other agent", { agentId: "sibling" }),
        of("other session", { sessionId: "s2" }),
        of("other user", { userId: "u2" }),
        of("other tool", { toolName: "Write" }),
        of("used up", { uses: 0 })
      ])
        yield* store.grants.save(each)
      const found = yield* store.grants.candidates({
        userId: "u1",
        sessionId: "s1",
        toolName: "Bash",
        agentIds: ["child", "parent", "root"]
      })
      assert.deepStrictEqual(
        found.map(({ id }) => id),
        ["new", "agent", "old", "global"]
      )
      assert.deepStrictEqual(
        found[0],
        of("new", { createdAt: 5, content: "npm:*", folder: "/srv/proj", exact: false, expiresAt: 77 })
      )
      assert.deepStrictEqual<unknown>(found[3], everywhere)
    }))

  test("forgets a revoked grant, and lists those of a user or a session", (store) =>
    Effect.gen(function* () {
      const [mine, yours] = [grant(), grant({ userId: "u2", sessionId: "s2" })]
      for (const each of [mine, yours]) yield* store.grants.save(each)
      assert.deepStrictEqual(yield* store.grants.list({ userId: "u2" }), [yours])
      assert.deepStrictEqual(yield* store.grants.list({ sessionId: "s1" }), [mine])
      assert.isTrue(yield* store.grants.revoke(mine.id))
      assert.isFalse(yield* store.grants.revoke(mine.id))
      assert.deepStrictEqual(yield* store.grants.list(), [yours])
    }))

  test("puts grants of the same moment in one order, and lists all oldest first", (store) =>
    Effect.gen(function* () {
      const made = ["b", "c", "a"].map((id) => grant({ id, createdAt: 7 }))
      const oldest = grant({ id: "d", createdAt: 1 })
      for (const each of [...made, oldest]) yield* store.grants.save(each)
      const names = (found: readonly { readonly id: string }[]) => found.map(({ id }) => id)
      const query = { userId: "u1", sessionId: "s1", toolName: "Bash", agentIds: ["root"] }
      assert.deepStrictEqual(names(yield* store.grants.candidates(query)), ["c", "b", "a", "d"])
      assert.deepStrictEqual(names(yield* store.grants.list()), ["d", "a", "b", "c"])
    }))

  test("never uses up a grant that counts no uses", (store) =>
    Effect.gen(function* () {
      const always = grant()
      yield* store.grants.save(always)
      for (const _ of [1, 2]) assert.isTrue(yield* store.grants.use(always.id))
      assert.deepStrictEqual(yield* store.grants.list(), [always])
    }))

  test("keeps agents with bounds and rules, parents before children", (store) =>
    Effect.gen(function* () {
      const parent = { ...agent("z-parent"), bounds: { tools: ["Bash"] }, rules: { deny: ["Bash(rm:*)"] } }
      const child = { ...agent("a-child"), parentId: "z-parent" }
      assert.isTrue(yield* store.agents.insert(parent))
      assert.isTrue(yield* store.agents.insert(child))
      assert.isTrue(yield* store.agents.insert({ ...agent("z-parent"), sessionId: "s2" }))
      assert.deepStrictEqual(yield* store.agents.list("s1"), [parent, child])
      assert.strictEqual((yield* store.agents.list()).length, 3)
      assert.deepStrictEqual(yield* store.agents.find("s1", "a-child"), child)
      assert.isUndefined(yield* store.agents.find("s3", "a-child"))
      assert.isTrue(yield* store.agents.setMode("s1", "a-child", "readOnly"))
      assert.isTrue(yield* store.agents.end("s1", "a-child", "revoked"))
      assert.isFalse(yield* store.agents.end("s1", "a-child", "settled"))
      assert.isFalse(yield* store.agents.setMode("s1", "a-child", "yolo"))
      const after = yield* store.agents.find("s1", "a-child")
      assert.deepStrictEqual([after?.mode, after?.status], ["readOnly", "revoked"])
      assert.isTrue(yield* store.agents.setMode("s1", "z-parent", "dontAsk"))
      assert.isTrue(yield* store.agents.end("s1", "z-parent", "settled"))
      const namesake = { ...agent("z-parent"), sessionId: "s2" }
      assert.deepStrictEqual(yield* store.agents.find("s2", "z-parent"), namesake)
    }))

  test("keeps cancels and freezes apart, and a freeze of everything over all sessions", (store) =>
    Effect.gen(function* () {
      const state = (id: string) => Effect.all([store.sessions.isCanceled(id), store.sessions.isFrozen(id)])
      assert.deepStrictEqual(yield* state("s1"), [false, false])
      yield* store.sessions.setCanceled("s1", true)
      yield* store.sessions.setFrozen("s2", true)
      assert.deepStrictEqual(
        [yield* state("s1"), yield* state("s2")],
        [
          [true, false],
          [false, true]
        ]
      )
      yield* store.sessions.setFrozen("s1", true)
      yield* store.sessions.setCanceled("s1", false)
      assert.deepStrictEqual(yield* state("s1"), [false, true])
      yield* store.sessions.setFrozen("s1", false)
      yield* store.sessions.setFrozen(undefined, true)
      assert.deepStrictEqual(
        [yield* state("s1"), yield* state("s3")],
        [
          [false, true],
          [false, true]
        ]
      )
      yield* store.sessions.setFrozen(undefined, false)
      assert.deepStrictEqual(
        [yield* state("s1"), yield* state("s2")],
        [
          [false, false],
          [false, true]
        ]
      )
    }))

  test("finds records by each of their names, newest first, word for word", (store) =>
    Effect.gen(function* () {
      const rows = [ask(), ask({ agent: "child" }), ask({ session: "s2" })]
      const records = rows.map((row) => decided(row))
      records.push(decided(ask(), { decision: "deny", toolName: "Write" }))
      for (const record of records) yield* store.terminal({ record, events: [] })
      const outcome = ended(ask())
      yield* store.terminal({
        record: decided(ask({ id: outcome.caseId })),
        events: [],
        permit: { id: outcome.caseId, case: ask() }
      })
      yield* store.finish(outcome.caseId, outcome)
      const everything = yield* store.records.list({})
      assert.deepStrictEqual(
        everything.map(({ record }) => record.id).slice(2),
        records.map(({ id }) => id).toReversed()
      )
      assert.deepStrictEqual(everything[0]?.record, outcome)
      for (const { record, text } of everything) assert.strictEqual(text, writeRecord(record))
      const [first, child, elsewhere, denied] = records
      const ids = (query: Parameters<typeof store.records.list>[0]) =>
        Effect.map(store.records.list(query), (found) => found.map(({ record }) => record.id))
      assert.deepStrictEqual(yield* ids({ id: first!.id }), [first!.id])
      assert.deepStrictEqual(yield* ids({ agentId: "child" }), [child!.id])
      assert.deepStrictEqual(yield* ids({ sessionId: "s2" }), [elsewhere!.id])
      assert.deepStrictEqual(yield* ids({ toolName: "Write", sessionId: "s1" }), [denied!.id])
      assert.deepStrictEqual(yield* ids({ decision: "deny" }), [denied!.id])
      assert.deepStrictEqual(yield* ids({ toolCallId: child!.toolCallId }), [child!.id])
      assert.deepStrictEqual(yield* ids({ caseId: elsewhere!.caseId! }), [elsewhere!.id])
      assert.deepStrictEqual(yield* ids({ kind: "outcome" }), [outcome.id])
      assert.deepStrictEqual(yield* ids({ limit: 2, offset: 3 }), [elsewhere!.id, child!.id])
      assert.deepStrictEqual(yield* ids({ sessionId: "s2", decision: "deny" }), [])
      assert.strictEqual(yield* store.records.count({ sessionId: "s1", kind: "decision" }), 4)
    }))

  test("hands events out oldest first, until they are delivered", (store) =>
    Effect.gen(function* () {
      const { caseId: _, ...record } = decided(ask())
      yield* store.terminal({ record, events: ["a", "b", "c"].map(event) })
      const first = yield* store.outbox.peek(2)
      assert.deepStrictEqual(
        first.map(({ event }) => event),
        [event("a"), event("b")]
      )
      yield* store.outbox.delivered([first[0]!.id])
      assert.deepStrictEqual(
        (yield* store.outbox.peek(10)).map(({ event }) => event),
        [event("b"), event("c")]
      )
      yield* store.outbox.delivered([])
      assert.strictEqual((yield* store.outbox.peek(10)).length, 2)
    }))
}
