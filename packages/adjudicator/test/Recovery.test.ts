import { assert, describe, it } from "@effect/vitest"
import { type Case, defaultTexts, type HistoryMessage, recordOfCase, StateKey, Store } from "@countersign/gate"
import { Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { type DeskError, errorWord } from "../src/DeskError.ts"
import { database } from "../src/host/database.ts"
import type { HostOptions } from "../src/host/HostOptions.ts"
import { scriptedParent } from "../src/testing/ScriptedParent.ts"
import { ack, base, databaseFile, folder, open, textOf, until } from "./stage.ts"

/** A host that notes what recovery ran and which sessions it continued. */
function host(more: HostOptions = {}) {
  const ran: unknown[] = []
  const resumed: string[] = []
  const options: HostOptions = {
    ...ack,
    database: databaseFile(),
    tiers: { x: "confirm" },
    resume: { run: ({ sessionId }) => void resumed.push(sessionId) },
    resolver: () => ({
      x: (args) => {
        ran.push(JSON.parse(JSON.stringify(args)))
        return "done"
      }
    }),
    ...more
  }
  return { ran, resumed, options }
}

/** A process that dies while calls wait. */
const orphaned = Effect.fnUntraced(function* (options: HostOptions, ids: readonly string[] = ["c1"]) {
  const before = yield* open(options)
  for (const id of ids) yield* before.begin({ toolName: "x", toolCallId: id, arguments: { id } })
  const items = yield* before.shown(ids.length)
  yield* before.close
  return items
})

const told = (line: HistoryMessage | undefined) => (typeof line?.content === "string" ? line.content : "")
const session = { app: "ack", userId: "u1", sessionId: "s1" }
const answer = (confirmationId: string, approved: boolean) => ({
  sessionId: "s1",
  confirmationId,
  approved,
  decidedBy: "p1"
})

describe("after a restart", () => {
  it.effect("A45 A46 the ask is there as it was, not live; beside one that is", () =>
    Effect.gen(function* () {
      const { options } = host()
      const [item] = yield* orphaned(options)
      const after = yield* open(options)
      assert.deepStrictEqual(JSON.parse(JSON.stringify(yield* after.desk.pending("s1"))), [
        JSON.parse(JSON.stringify({ ...item, live: false }))
      ])
      yield* after.begin({ toolName: "x", toolCallId: "c2" })
      const items = yield* after.shown(2)
      assert.deepStrictEqual(
        items.map(({ confirmationId, live }) => [confirmationId, live]),
        [
          ["c1", false],
          ["c2", true]
        ]
      )
      yield* after.close
    })
  )

  it.effect("an orderly shutdown settles nothing", () =>
    Effect.gen(function* () {
      const { options } = host()
      yield* orphaned(options)
      const after = yield* open(options)
      assert.strictEqual(yield* after.store.records.count({ toolCallId: "c1" }), 0)
      yield* after.close
    })
  )

  it.effect("A47 approved: the gateway runs it once, its result is in the history, one continuation begins", () =>
    Effect.gen(function* () {
      const { options, ran, resumed } = host()
      yield* orphaned(options)
      const after = yield* open(options)
      const decided = yield* after.desk.decide(answer("c1", true))
      assert.deepStrictEqual(decided, { path: "recovery", outcome: "approved" })
      assert.deepStrictEqual(ran, [{ id: "c1" }])
      assert.deepStrictEqual(resumed, ["s1"])
      assert.deepStrictEqual(yield* after.sessions.history(session), [
        { role: "tool", toolCallId: "c1", content: "done" }
      ])
      assert.deepStrictEqual(after.permissions(), [])
      assert.strictEqual(yield* after.sessions.get(session, StateKey), undefined)
      const [outcome] = yield* after.store.records.list({ toolCallId: "c1", kind: "outcome" })
      assert(outcome?.record.kind === "outcome")
      assert.strictEqual(outcome.record.outcome, "completed")
      const again = yield* after.desk.decide(answer("c1", true)).pipe(Effect.flip)
      assert.strictEqual(errorWord[again._tag as DeskError["_tag"]], "not-found")
      assert.strictEqual(ran.length, 1)
      yield* after.close
    })
  )

  it.effect("A48 refused: not run, the same words as live, and the session goes on", () =>
    Effect.gen(function* () {
      const { options, ran, resumed } = host()
      yield* orphaned(options)
      const after = yield* open(options)
      assert.deepStrictEqual(yield* after.desk.decide(answer("c1", false)), { path: "recovery", outcome: "denied" })
      const live = yield* after.begin({ toolName: "x", toolCallId: "c2", arguments: { id: "c2" } })
      yield* after.shown(1)
      yield* after.desk.decide(answer("c2", false))
      const words = textOf(yield* Fiber.join(live))
      assert.deepStrictEqual(yield* after.sessions.history(session), [
        { role: "tool", toolCallId: "c1", content: words, isError: true }
      ])
      assert.deepStrictEqual([ran, resumed], [[], ["s1"]])
      yield* after.close
    })
  )

  it.effect("A49 A50 A51 a tool that is unknown, unresolved or fails becomes unavailable", () =>
    Effect.gen(function* () {
      const throwing = () => {
        throw new Error("disk full")
      }
      for (const [resolver, detail] of [
        [() => ({}), "no such tool"],
        [undefined, "no such tool"],
        [() => ({ x: throwing }), "disk full"],
        [throwing, "disk full"]
      ] as const) {
        const { resolver: _, ...options } = host().options
        const given: HostOptions = resolver === undefined ? options : { ...options, resolver }
        yield* orphaned(given)
        const after = yield* open(given)
        yield* after.desk.decide(answer("c1", true))
        const [line] = yield* after.sessions.history(session)
        assert.strictEqual(line?.isError, true)
        assert.include(told(line), detail)
        assert.include(told(line), defaultTexts.Unavailable("x", "").split("unavailable")[0]!)
        yield* after.close
      }
    })
  )

  it.effect("A52 the tools are those of the moment of the answer", () =>
    Effect.gen(function* () {
      let tools: Record<string, () => string> = { x: () => "old" }
      const { options } = host({ resolver: () => tools })
      yield* orphaned(options)
      const after = yield* open(options)
      tools = { x: () => "new" }
      yield* after.desk.decide(answer("c1", true))
      assert.strictEqual((yield* after.sessions.history(session))[0]?.content, "new")
      yield* after.close
    })
  )

  it.effect("A53 A54 without a runner an orphan can't be answered and stays; nothing is no runner", () =>
    Effect.gen(function* () {
      const {
        options: { resume, ...options },
        ran
      } = host()
      yield* orphaned(options)
      const after = yield* open(options)
      const unbound = yield* after.desk.decide(answer("c1", true)).pipe(Effect.flip)
      assert.strictEqual(unbound.message, "ack: resume runner not bound")
      assert.strictEqual((yield* after.desk.pending("s1")).length, 1)
      yield* after.desk.bind(null).pipe(Effect.flip)
      yield* after.desk.bind({ run: () => Effect.void })
      yield* after.desk.decide(answer("c1", true))
      assert.strictEqual(ran.length, 1)
      assert.isDefined(resume)
      yield* after.close
    })
  )

  it.effect("A55 a busy session refuses the answer with the framework's own error inside, and nothing is settled", () =>
    Effect.gen(function* () {
      const conflict = new Error("run r1 is active")
      let busy = true
      const { options, resumed } = host()
      const given: HostOptions = {
        ...options,
        resume: {
          run: ({ sessionId }) => void resumed.push(sessionId),
          ready: () => {
            if (busy) throw conflict
          }
        }
      }
      yield* orphaned(given)
      const after = yield* open(given)
      const error = yield* after.desk.decide(answer("c1", true)).pipe(Effect.flip)
      assert.strictEqual(error.message, "ack: run active on session")
      assert(error._tag === "RunActive")
      assert.strictEqual(error.cause, conflict)
      busy = false
      yield* after.desk.decide(answer("c1", true))
      assert.deepStrictEqual(resumed, ["s1"])
      yield* after.close
    })
  )

  it.effect("A56 the answer does not wait for the continuation", () =>
    Effect.gen(function* () {
      const { options } = host({ resume: { run: () => new Promise<never>(() => {}) } })
      yield* orphaned(options)
      const after = yield* open(options)
      assert.strictEqual((yield* after.desk.decide(answer("c1", true))).path, "recovery")
      yield* after.close
    })
  )

  it.effect("A57 what the continuation calls is under the gate as ever", () =>
    Effect.gen(function* () {
      const { options } = host()
      yield* orphaned(options)
      const after = yield* open(options)
      yield* after.desk.decide(answer("c1", true))
      yield* after.begin({ toolName: "x", toolCallId: "next" })
      yield* after.shown(1)
      yield* after.close
    })
  )

  it.effect("one continuation begins when no orphan of the session is left", () =>
    Effect.gen(function* () {
      const { options, ran, resumed } = host()
      yield* orphaned(options, ["c1", "c2", "c3"])
      const after = yield* open(options)
      yield* after.desk.decide(answer("c1", true))
      assert.deepStrictEqual(resumed, [])
      yield* Effect.all([after.desk.decide(answer("c2", true)), after.desk.decide(answer("c3", false))], {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(resumed, ["s1"])
      assert.deepStrictEqual(ran, [{ id: "c1" }, { id: "c2" }])
      yield* after.close
    })
  )

  it.effect("the continuation waits until the last result is in the history", () =>
    Effect.gen(function* () {
      let release = () => {}
      const slow = new Promise<void>((resolve) => (release = resolve))
      const { options, resumed } = host({
        resolver: () => ({ x: (args) => ((args as { readonly id: string }).id === "c1" ? slow : "quick") })
      })
      yield* orphaned(options, ["c1", "c2"])
      const after = yield* open(options)
      const first = yield* Effect.forkChild(after.desk.decide(answer("c1", true)), { startImmediately: true })
      yield* after.shown(1)
      yield* after.desk.decide(answer("c2", true))
      assert.deepStrictEqual(resumed, [])
      release()
      yield* Fiber.join(first)
      assert.deepStrictEqual(resumed, ["s1"])
      assert.strictEqual((yield* after.sessions.history(session)).length, 2)
      yield* after.close
    })
  )

  it.effect("a permit that somebody else took is not run a second time", () =>
    Effect.gen(function* () {
      const { options, ran } = host()
      yield* orphaned(options)
      const storage = Layer.effect(
        Store,
        Effect.map(Store, (store) => Store.of({ ...store, claim: () => Effect.succeed(false) }))
      ).pipe(Layer.provideMerge(database(options.database)))
      const after = yield* open(options, { storage })
      yield* after.desk.decide(answer("c1", true))
      assert.deepStrictEqual(ran, [])
      yield* after.close
    })
  )

  it.effect("an orphan that ends without a person is told in the history", () =>
    Effect.gen(function* () {
      const { options, resumed } = host({ askTimeoutMs: 1000 })
      yield* orphaned(options)
      const after = yield* open(options)
      yield* TestClock.adjust(1000)
      yield* until(after.sessions.history(session), (lines) => lines.length === 1)
      const [line] = yield* after.sessions.history(session)
      assert.include(told(line), "ran out")
      yield* until(
        Effect.sync(() => resumed.length),
        (count) => count === 1
      )
      yield* after.close
    })
  )

  it.effect("the same call again is waited for: it is live and the gateway does not run it", () =>
    Effect.gen(function* () {
      const { options, ran, resumed } = host()
      yield* orphaned(options)
      const after = yield* open(options)
      const fiber = yield* after.begin({ toolName: "x", toolCallId: "c1", arguments: { id: "c1" } })
      yield* until(after.desk.pending("s1"), ([item]) => item?.live === true)
      assert.strictEqual((yield* after.desk.decide(answer("c1", true))).path, "live")
      assert.strictEqual((yield* Fiber.join(fiber)).status, "completed")
      assert.deepStrictEqual([ran, resumed, after.ran.length], [[], [], 1])
      yield* after.close
    })
  )

  it.effect("a pointer that an older ack left is listed, and becomes a case when it is answered", () =>
    Effect.gen(function* () {
      const { options, ran } = host()
      const stage = yield* open(options)
      const payload = {
        confirmationId: "old",
        toolCallId: "old",
        toolName: "x",
        arguments: { id: "o" },
        sessionId: "s1",
        status: "pending",
        createdAt: 5
      }
      yield* stage.sessions.compareAndSet(session, StateKey, undefined, { old: payload })
      assert.deepStrictEqual(yield* stage.desk.pending("s1"), [{ ...payload, live: false } as never])
      assert.strictEqual((yield* stage.desk.decide(answer("old", true))).path, "recovery")
      assert.deepStrictEqual(ran, [{ id: "o" }])
      assert.deepStrictEqual(yield* stage.desk.pending("s1"), [])
      yield* stage.close
    })
  )

  it.effect("U12 the chain outlives the process; the walk goes on at the parent that had not spoken", () =>
    Effect.gen(function* () {
      const c = scriptedParent([{ verdict: "endorse", reason: "first" }])
      const options: HostOptions = { ...base, database: databaseFile(), tiers: { x: "confirm" } }
      const before = yield* open({
        ...options,
        parents: { C: c.parent, root: scriptedParent([{ hangs: true }]).parent }
      })
      yield* before.agents.open({ sessionId: "s1" })
      yield* before.agents.spawn(
        { sessionId: "s1", parentId: "root", agentId: "C", task: "tidy" },
        before.gate.authorize
      )
      yield* before.agents.spawn({ sessionId: "s1", parentId: "C", agentId: "G", task: "look" }, before.gate.authorize)
      yield* before.begin({ toolName: "x", toolCallId: "c1", agentId: "G" })
      yield* until(before.store.cases.pending("s1"), ([row]) => row?.chain.length === 1)
      yield* before.close
      const after = yield* open({
        ...options,
        parents: { C: c.parent, root: scriptedParent([{ verdict: "escalate", reason: "second" }]).parent }
      })
      const [item] = yield* after.shown(1)
      const chain = item?.gate?.chain as readonly { readonly reason: string }[]
      assert.deepStrictEqual(
        chain.map(({ reason }) => reason),
        ["first", "second"]
      )
      assert.strictEqual(c.questions.length, 1)
      assert.deepStrictEqual([item?.gate?.childAgentId, item?.gate?.childDescription, item?.live], ["G", "look", false])
      yield* after.close
      const third = yield* open(options)
      const [kept] = yield* third.desk.pending("s1")
      assert.deepStrictEqual(kept?.gate?.chain, item?.gate?.chain)
      yield* third.close
    })
  )

  it.effect("U13 a ban that came in between wins over the yes; policy sources are asked anew", () =>
    Effect.gen(function* () {
      const { options, ran } = host()
      yield* orphaned(options)
      const after = yield* open({ ...options, tiers: { x: "deny" } })
      assert.deepStrictEqual(yield* after.desk.decide(answer("c1", true)), {
        path: "recovery",
        outcome: "denied",
        ruleId: "tier.deny"
      })
      assert.deepStrictEqual(ran, [])
      assert.include(told((yield* after.sessions.history(session))[0]), "disabled")
      yield* after.close

      const second = host()
      yield* orphaned(second.options)
      const strict = yield* open({ ...second.options, sources: [{ name: "risk", consult: () => "deny" }] })
      assert.strictEqual((yield* strict.desk.decide(answer("c1", true))).ruleId, "policy.deny")
      assert.deepStrictEqual(second.ran, [])
      yield* strict.close
    })
  )

  it.effect("U22 claimed and never ended: the outcome is unknown, and it is not run again", () =>
    Effect.gen(function* () {
      const { options, ran } = host()
      const before = yield* open(options)
      const never = yield* Effect.forkDetach(
        before.gate.run(before.call({ toolName: "x", toolCallId: "c1" }), () => Effect.never)
      )
      yield* before.shown()
      yield* before.desk.decide(answer("c1", true))
      yield* until(before.store.cases.byConfirmation("s1", "c1"), (row) => row?.claimedBy !== undefined)
      yield* before.close
      const after = yield* open(options)
      const [row] = yield* after.store.cases.unknownOutcomes("s1")
      assert.strictEqual(row?.confirmationId, "c1")
      assert.deepStrictEqual(ran, [])
      assert.strictEqual((yield* after.run({ toolName: "x", toolCallId: "c1" })).decision.ruleId, "ask.duplicate")
      assert.deepStrictEqual(yield* after.desk.pending("s1"), [])
      yield* after.close
      assert.isDefined(never)
    })
  )

  it.effect("approved, and dead before the claim: it runs at the next start, once", () =>
    Effect.gen(function* () {
      const { options, ran, resumed } = host()
      yield* orphaned(options)
      const second = yield* open({ ...options })
      // the answer is stored by the Store's verbs alone, as if the process died right after it
      const row = (yield* second.store.cases.byConfirmation("s1", "c1"))!
      const record = settledRecord(row, second.store)
      yield* second.store.settle({
        caseId: row.id,
        status: "approved",
        record,
        revision: yield* second.store.revision,
        events: [],
        decidedBy: "p1"
      })
      yield* second.close
      const third = yield* open(options)
      yield* until(
        Effect.sync(() => ran.length),
        (count) => count === 1
      )
      yield* until(
        Effect.sync(() => resumed.length),
        (count) => count === 1
      )
      yield* third.close
      const fourth = yield* open(options)
      assert.strictEqual(ran.length, 1)
      yield* fourth.close
    })
  )
})

describe("submit, for hosts whose run ends", () => {
  it.effect("an answer settles it live, the host comes back for the permit, once", () =>
    Effect.gen(function* () {
      const { options, ran, resumed } = host()
      const stage = yield* open(options)
      const submitted = yield* stage.gate.submit(stage.call({ toolName: "x", toolCallId: "c1" }))
      assert(submitted.allowed === "pending")
      yield* stage.shown()
      assert.strictEqual((yield* stage.gate.resume(submitted.id))?.allowed, "pending")
      assert.strictEqual((yield* stage.desk.decide(answer("c1", true))).path, "live")
      assert.strictEqual((yield* stage.gate.resume(submitted.id))?.allowed, true)
      assert.strictEqual((yield* stage.gate.resume(submitted.id))?.allowed, false)
      assert.deepStrictEqual([ran, resumed], [[], []])
      yield* stage.close
    })
  )

  it.effect("over a restart too", () =>
    Effect.gen(function* () {
      const { options } = host()
      const before = yield* open(options)
      const submitted = yield* before.gate.submit(before.call({ toolName: "x", toolCallId: "c1" }))
      assert(submitted.allowed === "pending")
      yield* before.shown()
      yield* before.close
      const after = yield* open(options)
      assert.strictEqual((yield* after.desk.decide(answer("c1", true))).path, "live")
      assert.strictEqual((yield* after.gate.resume(submitted.id))?.allowed, true)
      yield* after.close
    })
  )
})

function settledRecord(row: Case, store: Store["Service"]) {
  const decision = { decision: "allow", source: "user", ruleId: "user.approved" } as const
  return recordOfCase(
    row,
    { id: "by-hand", at: 1, node: store.node, decision, digest: row.digest, decidedBy: "p1" },
    row.call,
    folder
  )
}
