/** What every Store promises, asked through its interface alone. Each test gets a store of its own. */
import { Store, type StoreError, writeRecord } from "@countersign/gate"
import type { Grant } from "@countersign/kernel"
import { assert, describe, it } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { approval, ask, decided, ended, entry, event, fresh, grant, refusal } from "./rows.ts"

type Make = () => Layer.Layer<Store, StoreError>

/** Runs all of it on the stores that `make` makes. */
export function storeContract(name: string, make: Make): void {
  const test = testOn(make)
  describe(`${name} · asks`, () => {
    asks(test)
  })
  describe(`${name} · settlement`, () => {
    settlements(test)
  })
  describe(`${name} · permits and outcomes`, () => {
    permits(test)
  })
  describe(`${name} · races`, () => {
    races(test)
  })
  describe(`${name} · what is kept`, () => {
    kept(test)
  })
}

type Test = (title: string, body: (store: Store["Service"]) => Effect.Effect<void, StoreError>) => void

const testOn =
  (make: Make): Test =>
  (title, body) =>
    it.effect(title, () => Effect.flatMap(Store, body).pipe(Effect.provide(make())))

const approve = Effect.fnUntraced(function* (store: Store["Service"], row: ReturnType<typeof ask>) {
  yield* store.open(row, undefined)
  return yield* store.settle(approval(row, yield* store.revision))
})

/** Why it failed; a success fails the test. */
const failure = <A>(effect: Effect.Effect<A, StoreError>) => Effect.orDie(Effect.flip(effect))

/** Everything that a settlement could have written. */
const world = (store: Store["Service"]) =>
  Effect.all({
    records: store.records.list({}),
    grants: store.grants.list(),
    events: store.outbox.peek(1000),
    refusal: store.refusal("s1", "Bash npm publish"),
    revision: store.revision
  })

function asks(test: Test): void {
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

function settlements(test: Test): void {
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
      for (const row of [refused, other]) yield* store.open(row, undefined)
      yield* store.settle(refusal(refused, yield* store.revision))
      yield* store.settle(approval(other, yield* store.revision, { clearsRefusal: true }))
      assert.strictEqual((yield* store.refusal("s1", "one"))?.times, 1)
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

function permits(test: Test): void {
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
      assert.strictEqual((yield* store.outbox.peek(10)).length, 2)
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

  test("takes a use of the grant that an allow stands on, and denies on a grant that is used up", (store) =>
    Effect.gen(function* () {
      const twice = grant({ uses: 2 })
      yield* store.grants.save(twice)
      const use = () => {
        const { caseId: _, ...record } = decided(ask(), { grantId: twice.id })
        return store.terminal({ record, events: [] })
      }
      yield* use()
      assert.strictEqual((yield* store.grants.list())[0]?.uses, 1)
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

function races(test: Test): void {
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

function kept(test: Test): void {
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
      assert.strictEqual((yield* store.agents.find("s2", "z-parent"))?.status, "active")
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
      const [a, b] = yield* store.outbox.peek(2)
      assert.deepStrictEqual([a?.event, b?.event], [event("a"), event("b")])
      yield* store.outbox.delivered([a!.id])
      assert.deepStrictEqual(
        (yield* store.outbox.peek(10)).map(({ event }) => event),
        [event("b"), event("c")]
      )
      yield* store.outbox.delivered([])
      assert.strictEqual((yield* store.outbox.peek(10)).length, 2)
    }))
}

const agent = (agentId: string) => ({
  agentId,
  sessionId: "s1",
  task: "",
  mode: "default" as const,
  status: "active" as const,
  createdAt: 1
})
