import { assert, describe, it } from "@effect/vitest"
import { StateKey } from "@countersign/gate"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import type { PendingItem } from "../src/Desk.ts"
import type { HostOptions } from "../src/host/HostOptions.ts"
import { Parent } from "../src/Parent.ts"
import { scriptedParent } from "../src/testing/ScriptedParent.ts"
import { base, databaseFile, open, textOf, turn, until } from "./stage.ts"

/** root → C → G, ready to call. */
const family = Effect.fnUntraced(function* (options: HostOptions) {
  const stage = yield* open({ ...base, tiers: { delete_note: "confirm" }, ...options })
  yield* stage.agents.open({ sessionId: "s1" })
  const spawn = (parentId: string, agentId: string, task: string) =>
    stage.agents.spawn({ sessionId: "s1", parentId, agentId, task }, stage.gate.authorize)
  yield* spawn("root", "C", "tidy notes")
  yield* spawn("C", "G", "find duplicates")
  return stage
})

const says = (verdict: "endorse" | "escalate" | "reject", reason: string) => scriptedParent([{ verdict, reason }])
const chainOf = (item: PendingItem | undefined) => (item?.gate?.chain ?? []) as readonly object[]
const record = (stage: Effect.Success<ReturnType<typeof open>>, toolCallId: string) =>
  stage.store.records.list({ toolCallId, kind: "decision" }).pipe(
    Effect.map(([found]) => {
      assert(found?.record.kind === "decision")
      return found.record
    })
  )

describe("a child's ask climbs", () => {
  it.effect("G20 the main agent's own ask has no adjudication", () =>
    Effect.gen(function* () {
      const root = says("endorse", "x")
      const stage = yield* family({ parents: { root: root.parent } })
      yield* stage.begin({ toolName: "delete_note", toolCallId: "c1" })
      const [item] = yield* stage.shown()
      assert.notProperty(item?.gate, "chain")
      assert.notProperty(item?.gate?.decision, "adjudication")
      assert.strictEqual(root.questions.length, 0)
      yield* stage.close
    })
  )

  it.effect("G21 G23 endorsed by its parent it is shown with the chain, and runs only after the person's yes", () =>
    Effect.gen(function* () {
      const root = says("endorse", "task needs it")
      const stage = yield* family({ parents: { root: root.parent } })
      const fiber = yield* stage.begin({
        toolName: "delete_note",
        toolCallId: "c1",
        agentId: "C",
        arguments: { id: "n1" }
      })
      const [item] = yield* stage.shown()
      assert.strictEqual(item?.confirmationId, "C/c1")
      const chain = item?.gate?.chain as readonly Record<string, unknown>[]
      assert.strictEqual(chain.length, 1)
      assert.deepInclude(chain[0], {
        verdict: "endorse",
        reason: "task needs it",
        adjudicatorId: "root",
        subjectAgentId: "C"
      })
      assert.strictEqual(item?.gate?.childAgentId, "C")
      assert.strictEqual(item?.gate?.childDescription, "tidy notes")
      assert.strictEqual(item?.gate?.endorsed, true)
      assert.deepStrictEqual(stage.ran, [])
      const card = yield* stage.desk.card("s1", "C/c1")
      assert.include(card?.text, "parent root vouches for C's delete_note because task needs it")
      assert.include(card?.text, "for the task: tidy notes")
      yield* stage.desk.decide({ sessionId: "s1", confirmationId: "C/c1", approved: true })
      yield* Fiber.join(fiber)
      assert.strictEqual(stage.ran.length, 1)
      assert.strictEqual((yield* record(stage, "c1")).endorsed, true)
      assert.strictEqual(root.questions[0]?.childDescription, "tidy notes")
      yield* stage.close
    })
  )

  it.effect("G22 escalated it is shown with endorsed false", () =>
    Effect.gen(function* () {
      const stage = yield* family({ parents: { root: says("escalate", "not mine to say").parent } })
      yield* stage.begin({ toolName: "delete_note", toolCallId: "c1", agentId: "C" })
      const [item] = yield* stage.shown()
      assert.strictEqual(item?.gate?.endorsed, false)
      yield* stage.close
    })
  )

  it.effect("G24 rejected it ends without a dialog; the reason reaches the model", () =>
    Effect.gen(function* () {
      const stage = yield* family({ parents: { root: says("reject", "nobody asked for that").parent } })
      const result = yield* stage.run({ toolName: "delete_note", toolCallId: "c1", agentId: "C" })
      assert.strictEqual(result.decision.ruleId, "adjudication.reject")
      assert.strictEqual(result.decision.basis, "adjudication")
      assert.include(textOf(result), "nobody asked for that")
      assert.deepStrictEqual(stage.statuses("C/c1"), [])
      assert.strictEqual(stage.permissions().at(-1)?.basis, "adjudication")
      assert.strictEqual((yield* record(stage, "c1")).adjudicationChain?.[0]?.verdict, "reject")
      assert.deepStrictEqual(yield* stage.desk.pending("s1"), [])
      assert.strictEqual(yield* stage.sessions.get({ app: "ack", userId: "u1", sessionId: "s1" }, StateKey), undefined)
      yield* stage.close
    })
  )

  it.effect("G25 two levels: nearest parent first", () =>
    Effect.gen(function* () {
      const stage = yield* family({
        parents: { C: says("endorse", "yes").parent, root: says("escalate", "hm").parent }
      })
      yield* stage.begin({ toolName: "delete_note", toolCallId: "c1", agentId: "G" })
      const [item] = yield* stage.shown()
      const chain = item?.gate?.chain as readonly { readonly adjudicatorId: string }[]
      assert.deepStrictEqual(
        chain.map(({ adjudicatorId }) => adjudicatorId),
        ["C", "root"]
      )
      assert.strictEqual(item?.gate?.childAgentId, "G")
      assert.strictEqual(item?.gate?.endorsed, false)
      yield* stage.close
    })
  )

  it.effect("G26 a reject in the middle ends it; the person is never asked", () =>
    Effect.gen(function* () {
      const stage = yield* family({ parents: { C: says("endorse", "yes").parent, root: says("reject", "no").parent } })
      const result = yield* stage.run({ toolName: "delete_note", toolCallId: "c1", agentId: "G" })
      assert.strictEqual(result.decision.ruleId, "adjudication.reject")
      const chain = (yield* record(stage, "c1")).adjudicationChain
      assert.deepStrictEqual(
        chain?.map(({ verdict }) => verdict),
        ["endorse", "reject"]
      )
      assert.deepStrictEqual(stage.statuses("G/c1"), [])
      yield* stage.close
    })
  )

  it.effect("G27 the classifier's entry comes first", () =>
    Effect.gen(function* () {
      const stage = yield* family({
        parents: { C: says("endorse", "yes").parent, root: says("escalate", "hm").parent },
        classifier: { id: "guard", consult: () => ({ verdict: "dangerous", reason: "it deletes" }) }
      })
      const fiber = yield* stage.begin({ toolName: "delete_note", toolCallId: "c1", agentId: "G" })
      yield* stage.shown()
      yield* stage.desk.decide({ sessionId: "s1", confirmationId: "G/c1", approved: false })
      assert.include(textOf(yield* Fiber.join(fiber)), "it deletes")
      const chain = (yield* record(stage, "c1")).adjudicationChain
      assert.deepStrictEqual(
        chain?.map(({ adjudicatorId }) => adjudicatorId),
        ["guard", "C", "root"]
      )
      yield* stage.close
    })
  )

  it.effect("U04 a parent that fails, says nonsense or an unknown word escalates", () =>
    Effect.gen(function* () {
      const failures: readonly [unknown, string][] = [
        [scriptedParent([{ throws: "no network" }]).parent, "no network"],
        [scriptedParent([{ says: { verdict: "approve", reason: "ok" } }]).parent, "unknown word approve"],
        [scriptedParent([{ says: "{broken" }]).parent, "not an answer"],
        [scriptedParent([{ says: { verdict: "endorse" } }]).parent, "not an answer"]
      ]
      for (const [parent, failure] of failures) {
        const stage = yield* family({ parents: { root: parent as Parent } })
        yield* stage.begin({ toolName: "delete_note", toolCallId: "c1", agentId: "C" })
        const [item] = yield* stage.shown()
        const [entry] = (item?.gate?.chain ?? []) as readonly { readonly verdict: string; readonly failure: string }[]
        assert.deepInclude(entry, { verdict: "escalate", failure })
        assert.strictEqual(item?.gate?.endorsed, false)
        yield* stage.close
      }
    })
  )

  it.effect("U04 a parent that hangs escalates when its time is up; one that is not bound at once", () =>
    Effect.gen(function* () {
      const stage = yield* family({ parents: { C: scriptedParent([{ hangs: true }], { timeoutMs: 1000 }).parent } })
      yield* stage.begin({ toolName: "delete_note", toolCallId: "c1", agentId: "G" })
      yield* until(stage.store.cases.pending("s1"), (rows) => rows.length === 1)
      yield* turn
      assert.deepStrictEqual(yield* stage.desk.pending("s1"), [])
      // no card was shown yet, so there is nothing that could be answered
      const early = yield* stage.desk
        .decide({ sessionId: "s1", confirmationId: "G/c1", approved: true })
        .pipe(Effect.flip)
      assert.strictEqual(early._tag, "NotFound")
      yield* TestClock.adjust(1000)
      const [item] = yield* stage.shown()
      const chain = item?.gate?.chain as readonly { readonly failure: string }[]
      assert.deepStrictEqual(
        chain.map(({ failure }) => failure),
        ["timeout", "not_bound"]
      )
      yield* stage.close
    })
  )

  it.effect("U05 a spent budget consults nobody, and a restart refills nothing", () =>
    Effect.gen(function* () {
      const database = databaseFile()
      const root = says("endorse", "fine")
      const options: HostOptions = {
        ...base,
        database,
        tiers: { x: "confirm" },
        bounds: { budget: 1 },
        parents: { root: root.parent }
      }
      const stage = yield* open(options)
      yield* stage.agents.open({ sessionId: "s1" })
      yield* stage.agents.spawn({ sessionId: "s1", parentId: "root", agentId: "C", task: "t" }, stage.gate.authorize)
      yield* stage.begin({ toolName: "x", toolCallId: "c1", agentId: "C" })
      yield* stage.shown()
      yield* stage.desk.decide({ sessionId: "s1", confirmationId: "C/c1", approved: true })
      yield* stage.begin({ toolName: "x", toolCallId: "c2", agentId: "C" })
      const [second] = yield* stage.shown()
      assert.deepInclude(chainOf(second)[0], { verdict: "escalate", failure: "budget_exceeded" })
      yield* stage.close
      const after = yield* open(options)
      yield* after.begin({ toolName: "x", toolCallId: "c3", agentId: "C" })
      yield* after.shown(2)
      assert.strictEqual(root.questions.length, 1)
      yield* after.close
    })
  )

  it.effect("U06 a forced confirm of a child: parents first, then the person", () =>
    Effect.gen(function* () {
      const root = says("endorse", "fine")
      const stage = yield* family({
        parents: { root: root.parent },
        sources: [{ consult: ({ toolName }) => (toolName === "read_note" ? "confirm" : "abstain") }]
      })
      yield* stage.begin({ toolName: "read_note", toolCallId: "c1", agentId: "C" })
      const [item] = yield* stage.shown()
      assert.deepStrictEqual(item?.gate?.offered, [])
      assert.strictEqual(root.questions.length, 1)
      yield* stage.close
    })
  )

  it.effect("U07 a banned tool of a child asks no parent", () =>
    Effect.gen(function* () {
      const root = says("endorse", "fine")
      const stage = yield* family({ parents: { root: root.parent }, tiers: { drop_db: "deny" } })
      assert.strictEqual((yield* stage.run({ toolName: "drop_db", agentId: "C" })).decision.ruleId, "tier.deny")
      assert.strictEqual(root.questions.length, 0)
      yield* stage.close
    })
  )

  it.effect("U08 cancelled while a parent thinks: basis canceled, the chain so far is kept", () =>
    Effect.gen(function* () {
      const stage = yield* family({
        parents: { C: says("endorse", "yes").parent, root: scriptedParent([{ hangs: true }]).parent }
      })
      const fiber = yield* stage.begin({ toolName: "delete_note", toolCallId: "c1", agentId: "G" })
      yield* until(stage.store.cases.pending("s1"), ([row]) => row?.chain.length === 1)
      yield* stage.desk.cancel("s1", "C")
      const result = yield* Fiber.join(fiber)
      assert.strictEqual(result.decision.basis, "canceled")
      assert.deepStrictEqual(
        (yield* record(stage, "c1")).adjudicationChain?.map(({ adjudicatorId }) => adjudicatorId),
        ["C"]
      )
      yield* stage.close
    })
  )

  it.effect("U09 a parent that is settled or revoked stops its waiting child", () =>
    Effect.gen(function* () {
      for (const end of ["settle", "revoke"] as const) {
        const stage = yield* family({})
        const fiber = yield* stage.begin({ toolName: "delete_note", toolCallId: "c1", agentId: "G" })
        yield* stage.shown()
        yield* stage.agents[end]("s1", "C")
        assert.strictEqual((yield* Fiber.join(fiber)).decision.ruleId, "ask.canceled")
        assert.strictEqual((yield* stage.run({ toolName: "read_note", agentId: "G" })).decision.ruleId, "agent.revoked")
        assert.deepStrictEqual(stage.ran, [])
        yield* stage.close
      }
    })
  )

  it.effect("a task profile rejects, endorses or passes up, and names its rule", () =>
    Effect.gen(function* () {
      const profile = Parent.profile({ reject: ["Bash(git push --force:*)"], endorse: ["Bash(git push:*)"] })
      const stage = yield* family({ parents: { root: profile } })
      const bash = (command: string) => ({ toolName: "Bash", arguments: { command }, agentId: "C" })
      const rejected = yield* stage.run(bash("git push --force origin main"))
      assert.strictEqual(rejected.decision.ruleId, "adjudication.reject")
      assert.include(textOf(rejected), "Bash(git push --force:")
      yield* stage.begin({ ...bash("git push origin main"), toolCallId: "e" })
      const [endorsed] = yield* stage.shown()
      assert.strictEqual(endorsed?.gate?.endorsed, true)
      yield* stage.begin({ ...bash("npm publish"), toolCallId: "u" })
      const up = (yield* stage.shown(2)).find(({ confirmationId }) => confirmationId === "C/u")
      assert.strictEqual(up?.gate?.endorsed, false)
      yield* stage.close
      const wide = yield* family({ parents: { root: Parent.profile({ reject: ["Bash(rm:*)"], endorse: ["Bash"] }) } })
      yield* wide.begin({ ...bash("$X -rf build"), toolCallId: "m" })
      const [maybe] = yield* wide.shown()
      assert.deepInclude(chainOf(maybe)[0], { verdict: "escalate", reason: "its task may rule this out: Bash(rm:)" })
      yield* wide.close
    })
  )
})
