import { assert, describe, it } from "@effect/vitest"
import { Sessions, SessionsError, Store, StoreError } from "@countersign/gate"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import type { Desk } from "../src/Desk.ts"
import { database } from "../src/host/database.ts"
import { ack, base, databaseFile, open, textOf, turn, until } from "./stage.ts"

/** The usual storage with some verbs replaced. */
const withStore = (change: (store: Store["Service"]) => Partial<Store["Service"]>) =>
  Layer.effect(
    Store,
    Effect.map(Store, (store) => Store.of({ ...store, ...change(store) }))
  ).pipe(Layer.provideMerge(database()))

describe("what fails, fails closed", () => {
  it.effect("A40 the pointer can't be stored: denied, basis persist-failed, nobody waits and nothing is pending", () =>
    Effect.gen(function* () {
      const failing = Layer.effect(
        Sessions,
        Effect.map(Sessions, (sessions) =>
          Sessions.of({
            ...sessions,
            compareAndSet: () =>
              Effect.fail(new SessionsError({ operation: "write a session's state", cause: new Error("disk full") }))
          })
        )
      ).pipe(Layer.provideMerge(database()))
      const stage = yield* open({ ...ack, tiers: { x: "confirm" } }, { storage: failing })
      const result = yield* stage.run({ toolName: "x", toolCallId: "c1" })
      assert.strictEqual(result.decision.basis, "persist-failed")
      assert.include(textOf(result), "could not be stored")
      assert.deepStrictEqual(
        stage.permissions().map(({ allowed, basis }) => [allowed, basis]),
        [[false, "persist-failed"]]
      )
      assert.deepStrictEqual(stage.statuses("c1"), [])
      assert.deepStrictEqual(yield* stage.store.cases.pending(), [])
      assert.strictEqual(yield* stage.store.records.count({ toolCallId: "c1" }), 1)
      yield* stage.close
    })
  )

  it.effect("the row can't be stored: denied, and the observer hears of it", () =>
    Effect.gen(function* () {
      const storage = withStore(() => ({
        open: () => Effect.fail(new StoreError({ operation: "open an ask", cause: new Error("locked") }))
      }))
      const stage = yield* open({ ...ack, tiers: { x: "confirm" } }, { storage })
      assert.strictEqual((yield* stage.run({ toolName: "x", toolCallId: "c1" })).decision.ruleId, "store.failed")
      assert.deepStrictEqual(
        stage.permissions().map(({ basis }) => basis),
        ["persist-failed"]
      )
      yield* stage.close
    })
  )

  it.effect("the settlement can't be stored: the answer fails, nobody is woken, the call still waits", () =>
    Effect.gen(function* () {
      let broken = true
      const storage = withStore((store) => ({
        settle: (settlement) =>
          broken
            ? Effect.fail(new StoreError({ operation: "settle", cause: new Error("locked") }))
            : store.settle(settlement)
      }))
      const stage = yield* open({ ...ack, tiers: { x: "confirm" } }, { storage })
      const fiber = yield* stage.begin({ toolName: "x", toolCallId: "c1" })
      yield* stage.shown()
      const answer = { sessionId: "s1", confirmationId: "c1", approved: true }
      assert.strictEqual((yield* stage.desk.decide(answer).pipe(Effect.flip))._tag, "StoreError")
      assert.deepStrictEqual([(yield* stage.desk.pending("s1")).length, stage.ran.length], [1, 0])
      broken = false
      yield* stage.desk.decide(answer)
      assert.strictEqual((yield* Fiber.join(fiber)).status, "completed")
      yield* stage.close
    })
  )

  it.effect("the world moved between judging and settling: it is judged again, and the ban that came wins", () =>
    Effect.gen(function* () {
      let before: Effect.Effect<void, StoreError> = Effect.void
      const storage = withStore((store) => ({
        settle: (settlement) =>
          Effect.suspend(() => {
            const first = before
            before = Effect.void
            return first.pipe(Effect.andThen(store.settle(settlement)))
          })
      }))
      const stage = yield* open({ ...ack, tiers: { x: "confirm" } }, { storage })
      yield* stage.begin({ toolName: "x", toolCallId: "c1" })
      yield* stage.shown()
      before = stage.store.sessions.setFrozen("s1", true)
      const decided = yield* stage.desk.decide({ sessionId: "s1", confirmationId: "c1", approved: true })
      assert.strictEqual(decided.ruleId, "session.frozen")
      assert.strictEqual(stage.ran.length, 0)
      yield* stage.close
    })
  )

  it.effect("too many calls that wait: the next is denied, not queued", () =>
    Effect.gen(function* () {
      const stage = yield* open(base)
      for (let index = 0; index < 32; index++)
        yield* stage.begin({ toolName: "x", toolCallId: `c${index}`, arguments: { index } })
      yield* stage.shown(32)
      const result = yield* stage.run({ toolName: "x", toolCallId: "more" })
      assert.strictEqual(result.decision.ruleId, "ask.tooMany")
      assert.strictEqual(stage.permissions().length, 1)
      yield* stage.close
    })
  )

  it.effect("A44 an observer that throws changes nothing", () =>
    Effect.gen(function* () {
      const stage = yield* open({
        ...ack,
        tiers: { x: "confirm" },
        observer: () => {
          throw new Error("no")
        }
      })
      const fiber = yield* stage.begin({ toolName: "x", toolCallId: "c1" })
      yield* stage.shown()
      yield* stage.desk.decide({ sessionId: "s1", confirmationId: "c1", approved: true })
      assert.strictEqual((yield* Fiber.join(fiber)).status, "completed")
      yield* stage.close
    })
  )
})

describe("a card that opens is closed", () => {
  it.effect("also if the case is cancelled while it is being shown", () =>
    Effect.gen(function* () {
      const shown = yield* Deferred.make<void>()
      let cancel: Effect.Effect<void, StoreError> = Effect.void
      let canceled: Fiber.Fiber<void, StoreError> | undefined
      const storage = withStore((store) => ({
        show: (...args) =>
          Effect.gen(function* () {
            // somebody reads the case before it is shown, and comes to settle it after
            canceled = yield* Effect.forkDetach(cancel, { startImmediately: true })
            for (let turns = 0; turns < 10; turns++) yield* turn
            const result = yield* store.show(...args)
            yield* Deferred.succeed(shown, undefined)
            return result
          }),
        settle: (settlement) => Deferred.await(shown).pipe(Effect.andThen(store.settle(settlement)))
      }))
      const stage = yield* open({ ...ack, tiers: { x: "confirm" } }, { storage })
      cancel = stage.desk.cancel("s1")
      const fiber = yield* stage.begin({ toolName: "x", toolCallId: "c1" })
      assert.strictEqual((yield* Fiber.join(fiber)).decision.ruleId, "ask.canceled")
      yield* Fiber.join(canceled!)
      assert.deepStrictEqual(stage.statuses("c1"), ["pending", "canceled"])
      yield* stage.close
    })
  )
})

describe("many at once", () => {
  it.effect(
    "U11 whoever answers in the very tick in which it is shown is heard, 1000 times",
    () =>
      Effect.gen(function* () {
        const at: { desk?: Desk["Service"] } = {}
        const answers: Promise<unknown>[] = []
        const stage = yield* open({
          ...ack,
          tiers: { x: "confirm" },
          observer: ({ event, kind }) => {
            if (kind !== "confirmation" || event.value.status !== "pending") return
            const { confirmationId, sessionId } = event.value
            answers.push(Effect.runPromise(at.desk!.decide({ sessionId, confirmationId, approved: true })))
          }
        })
        at.desk = stage.desk
        for (let round = 0; round < 1000; round++) {
          const result = yield* stage.run({ toolName: "x", toolCallId: `t${round}`, sessionId: `s${round % 7}` })
          assert.strictEqual(result.status, "completed")
        }
        yield* Effect.promise(() => Promise.all(answers))
        assert.strictEqual(stage.ran.length, 1000)
        yield* stage.close
      }),
    60_000
  )

  it.effect(
    "A42 A43 A68 one terminal a call: events and answers together are all calls, and no waiter is lost",
    () =>
      Effect.gen(function* () {
        const at: { desk?: Desk["Service"] } = {}
        const decided: string[] = []
        const stage = yield* open({
          ...ack,
          tiers: { ask: "confirm", no: "deny" },
          observer: ({ event, kind }) => {
            if (kind !== "confirmation" || event.value.status !== "pending") return
            const { confirmationId, sessionId } = event.value
            const approved = confirmationId.length % 2 === 0
            void Effect.runPromise(at.desk!.decide({ sessionId, confirmationId, approved })).then(() =>
              decided.push(`${sessionId}/${confirmationId}`)
            )
          }
        })
        at.desk = stage.desk
        const names = ["ask", "no", "yes"]
        const calls = Array.from({ length: 300 }, (_, index) =>
          stage.run({
            toolName: names[index % 3]!,
            sessionId: `s${index % 50}`,
            toolCallId: `c${index}`
          })
        )
        const results = yield* Effect.all(calls, { concurrency: "unbounded" })
        yield* turn
        const told = stage.permissions().map(({ call }) => `${call.sessionId}/${call.toolCallId}`)
        assert.strictEqual(told.length + decided.length, 300)
        assert.strictEqual(new Set([...told, ...decided]).size, 300)
        assert.deepStrictEqual([...new Set(stage.permissions().map(({ basis }) => basis))], ["tier"])
        assert.strictEqual(results.filter(({ status }) => status === "completed").length, stage.ran.length)
        assert.deepStrictEqual(yield* stage.desk.pending(), [])
        yield* stage.close
      }),
    60_000
  )
})

describe("two processes on one database", () => {
  it.effect("an answer given in one reaches the call that waits in the other", () =>
    Effect.gen(function* () {
      const options = { ...base, database: databaseFile(), tiers: { x: "confirm" } }
      const [one, other] = [yield* open(options), yield* open(options)]
      const fiber = yield* one.begin({ toolName: "x", toolCallId: "c1" })
      const [item] = yield* other.shown()
      assert.strictEqual(item?.live, true)
      assert.strictEqual(
        (yield* other.desk.decide({ sessionId: "s1", confirmationId: "c1", approved: true })).path,
        "live"
      )
      for (let round = 0; round < 20; round++) {
        yield* TestClock.adjust(200)
        yield* turn
      }
      assert.strictEqual((yield* Fiber.join(fiber)).status, "completed")
      assert.deepStrictEqual([one.ran.length, other.ran.length], [1, 0])
      yield* one.close
      yield* other.close
    })
  )

  it.effect("U25 a freeze in one denies what waits in the other", () =>
    Effect.gen(function* () {
      const options = { ...base, database: databaseFile(), tiers: { x: "confirm" } }
      const [one, other] = [yield* open(options), yield* open(options)]
      const fiber = yield* one.begin({ toolName: "x", toolCallId: "c1" })
      yield* other.shown()
      yield* other.store.sessions.setFrozen(undefined, true)
      for (let round = 0; round < 20; round++) {
        yield* TestClock.adjust(200)
        yield* turn
      }
      assert.strictEqual((yield* Fiber.join(fiber)).decision.ruleId, "session.frozen")
      yield* one.close
      yield* other.close
    })
  )

  it.effect("of two answers in two processes one wins", () =>
    Effect.gen(function* () {
      const options = { ...base, database: databaseFile(), tiers: { x: "confirm" } }
      const [one, other] = [yield* open(options), yield* open(options)]
      yield* one.begin({ toolName: "x", toolCallId: "c1" })
      yield* other.shown()
      const answer = { sessionId: "s1", confirmationId: "c1" }
      assert.strictEqual((yield* other.desk.decide({ ...answer, approved: false })).outcome, "denied")
      assert.strictEqual((yield* one.desk.decide({ ...answer, approved: true }).pipe(Effect.flip))._tag, "NotFound")
      yield* until(one.store.records.count({ toolCallId: "c1", kind: "decision" }), (count) => count === 1)
      yield* one.close
      yield* other.close
    })
  )
})
