import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { errorWord, type DeskError } from "../src/DeskError.ts"
import { ack, base, open, textOf, turn, until } from "./stage.ts"

const decideError = (error: { readonly _tag: string }) => errorWord[error._tag as DeskError["_tag"]]

describe("the desk, while the run is alive", () => {
  it.effect("A02 a call of tier confirm waits, is shown once, and no terminal is told yet", () =>
    Effect.gen(function* () {
      const stage = yield* open({ ...ack, tiers: { delete_note: "confirm" } })
      yield* stage.begin({ toolName: "delete_note", toolCallId: "c1", arguments: { id: "n1" } })
      yield* stage.shown()
      assert.deepStrictEqual(stage.statuses("c1"), ["pending"])
      assert.deepStrictEqual(stage.permissions(), [])
      assert.deepStrictEqual(stage.ran, [])
      yield* stage.close
    })
  )

  it.effect("A31 approve: path live, the tool runs once, no PermissionEvent", () =>
    Effect.gen(function* () {
      const stage = yield* open({ ...ack, tiers: { delete_note: "confirm" } })
      const fiber = yield* stage.begin({ toolName: "delete_note", toolCallId: "c1" })
      yield* stage.shown()
      const decided = yield* stage.desk.decide({
        sessionId: "s1",
        confirmationId: "c1",
        approved: true,
        decidedBy: "p1"
      })
      assert.deepStrictEqual(decided, { path: "live", outcome: "approved" })
      assert.strictEqual((yield* Fiber.join(fiber)).status, "completed")
      assert.strictEqual(stage.ran.length, 1)
      assert.deepStrictEqual(stage.statuses("c1"), ["pending", "approved"])
      const last = stage.events.filter(({ kind }) => kind === "confirmation").at(-1)
      assert(last?.kind === "confirmation")
      assert.strictEqual(last.event.value.decidedBy, "p1")
      assert.deepStrictEqual(stage.permissions(), [])
      assert.deepStrictEqual(yield* stage.desk.pending("s1"), [])
      yield* stage.close
    })
  )

  it.effect("A32 A33 refuse: nothing runs, the model is told so, who decided is the gateway's user by default", () =>
    Effect.gen(function* () {
      const stage = yield* open({ ...ack, tiers: { x: "confirm" } })
      const fiber = yield* stage.begin({ toolName: "x", toolCallId: "c1" })
      yield* stage.shown()
      yield* stage.desk.decide({ sessionId: "s1", confirmationId: "c1", approved: false, reason: "not today" })
      const result = yield* Fiber.join(fiber)
      assert.strictEqual(result.status, "denied")
      assert.include(textOf(result), "not today")
      assert.include(textOf(result), "Do not retry")
      assert.deepStrictEqual(stage.ran, [])
      assert.deepStrictEqual(stage.statuses("c1"), ["pending", "denied"])
      assert.deepStrictEqual(stage.permissions(), [])
      const [record] = yield* stage.store.records.list({ toolCallId: "c1", kind: "decision" })
      assert(record?.record.kind === "decision")
      assert.strictEqual(record.record.decidedBy, "u1")
      assert.strictEqual(record.record.source, "user")
      yield* stage.close
    })
  )

  it.effect("A34 the first of two answers wins, the other is told not-found", () =>
    Effect.gen(function* () {
      const stage = yield* open({ ...ack, tiers: { x: "confirm" } })
      const fiber = yield* stage.begin({ toolName: "x", toolCallId: "c1" })
      yield* stage.shown()
      const answers = yield* Effect.all(
        [true, false].map((approved) =>
          Effect.result(stage.desk.decide({ sessionId: "s1", confirmationId: "c1", approved }))
        ),
        { concurrency: "unbounded" }
      )
      const [won, lost] = [
        answers.filter(({ _tag }) => _tag === "Success"),
        answers.filter(({ _tag }) => _tag === "Failure")
      ]
      assert.strictEqual(won.length, 1)
      assert(lost[0]?._tag === "Failure")
      assert.strictEqual(decideError(lost[0].failure), "not-found")
      assert.strictEqual(lost[0].failure.message, "ack: confirmation not found")
      const result = yield* Fiber.join(fiber)
      assert(won[0]?._tag === "Success")
      assert.strictEqual(result.status === "completed", won[0].success.outcome === "approved")
      assert.strictEqual(stage.ran.length, result.status === "completed" ? 1 : 0)
      yield* stage.close
    })
  )

  it.effect("A35 A36 a repeated answer, an unknown confirmation and an unknown session are not found", () =>
    Effect.gen(function* () {
      const stage = yield* open({ ...ack, tiers: { x: "confirm" } })
      yield* stage.begin({ toolName: "x", toolCallId: "c1" })
      yield* stage.shown()
      yield* stage.desk.decide({ sessionId: "s1", confirmationId: "c1", approved: true })
      for (const [sessionId, confirmationId] of [
        ["s1", "c1"],
        ["s1", "nope"],
        ["nope", "c1"]
      ] as const) {
        const error = yield* stage.desk.decide({ sessionId, confirmationId, approved: true }).pipe(Effect.flip)
        assert.strictEqual(decideError(error), "not-found")
      }
      yield* stage.close
    })
  )

  it.effect("A37 A39 cancelling the run ends it: basis canceled, nothing pending, no later answer", () =>
    Effect.gen(function* () {
      const stage = yield* open({ ...ack, tiers: { x: "confirm" } })
      const fiber = yield* stage.begin({ toolName: "x", toolCallId: "c1" })
      yield* stage.shown()
      yield* Fiber.interrupt(fiber)
      yield* until(
        Effect.sync(() => stage.permissions()),
        (events) => events.length === 1
      )
      const [event] = stage.permissions()
      assert.strictEqual(event?.allowed, false)
      assert.strictEqual(event?.basis, "canceled")
      assert.deepStrictEqual(yield* stage.desk.pending("s1"), [])
      const error = yield* stage.desk
        .decide({ sessionId: "s1", confirmationId: "c1", approved: true })
        .pipe(Effect.flip)
      assert.strictEqual(decideError(error), "not-found")
      assert.deepStrictEqual(stage.ran, [])
      yield* stage.close
    })
  )

  it.effect("A38 the time runs out: basis canceled, rule ask.expired, and nobody is said to have refused", () =>
    Effect.gen(function* () {
      const stage = yield* open({ ...ack, tiers: { x: "confirm" }, askTimeoutMs: 100 })
      const fiber = yield* stage.begin({ toolName: "x", toolCallId: "c1" })
      yield* stage.shown()
      yield* TestClock.adjust(100)
      const result = yield* Fiber.join(fiber)
      assert(result.status === "denied")
      assert.strictEqual(result.decision.ruleId, "ask.expired")
      assert.include(result.result.text, "ran out")
      assert.include(result.result.text, "nobody refused")
      assert.deepStrictEqual(stage.statuses("c1"), ["pending", "expired"])
      assert.strictEqual(stage.permissions()[0]?.basis, "canceled")
      yield* stage.close
    })
  )

  it.effect("A41 the same call twice: the second joins the first, and it runs once", () =>
    Effect.gen(function* () {
      const stage = yield* open({ ...ack, tiers: { x: "confirm" } })
      const first = yield* stage.begin({ toolName: "x", toolCallId: "c1", arguments: { a: 1 } })
      yield* stage.shown()
      const second = yield* stage.begin({ toolName: "x", toolCallId: "c1", arguments: { a: 1 } })
      const other = yield* stage.run({ toolName: "x", toolCallId: "c1", arguments: { a: 2 } })
      assert.strictEqual(other.decision.ruleId, "ask.duplicate")
      yield* turn
      yield* stage.desk.decide({ sessionId: "s1", confirmationId: "c1", approved: true })
      assert.strictEqual((yield* Fiber.join(first)).status, "completed")
      yield* Fiber.join(second)
      assert.strictEqual(stage.ran.length, 1)
      const late = yield* stage.run({ toolName: "x", toolCallId: "c1", arguments: { a: 1 } })
      assert.strictEqual(late.decision.ruleId, "ask.duplicate")
      assert.strictEqual(stage.ran.length, 1)
      assert.deepStrictEqual(stage.statuses("c1"), ["pending", "approved"])
      yield* stage.close
    })
  )

  it.effect("A29 A30 a payload holds ack's keys, and what is not there is left out", () =>
    Effect.gen(function* () {
      const stage = yield* open({ ...ack, tiers: { x: "confirm" } })
      yield* stage.begin({ toolName: "x", toolCallId: "c1" })
      const [item] = yield* stage.shown()
      const { live, ...payload } = item!
      assert.strictEqual(live, true)
      assert.deepStrictEqual(Object.keys(payload).sort(), [
        "confirmationId",
        "createdAt",
        "sessionId",
        "status",
        "toolCallId",
        "toolName"
      ])
      yield* stage.begin({ toolName: "x", toolCallId: "c2", arguments: { id: "n" } })
      const second = (yield* stage.shown(2)).find(({ confirmationId }) => confirmationId === "c2")
      assert.deepStrictEqual(JSON.parse(JSON.stringify(second?.arguments)), { id: "n" })
      yield* stage.close
    })
  )

  it.effect("U10 an answer to something else than what was shown is refused, and the call still waits", () =>
    Effect.gen(function* () {
      const stage = yield* open({ ...base, tiers: { x: "confirm" } })
      yield* stage.begin({ toolName: "x", toolCallId: "c1" })
      const [item] = yield* stage.shown()
      const answer = { sessionId: "s1", confirmationId: "c1", approved: true }
      const error = yield* stage.desk.decide({ ...answer, digest: "0".repeat(64) }).pipe(Effect.flip)
      assert.strictEqual(decideError(error), "digest-mismatch")
      assert.strictEqual((yield* stage.desk.pending("s1")).length, 1)
      yield* stage.desk.decide({ ...answer, digest: item!.gate!.digest })
      yield* stage.close
    })
  )

  it.effect("U11 whoever answers in the tick of the event is heard", () =>
    Effect.gen(function* () {
      const stage = yield* open({ ...ack, tiers: { x: "confirm" } })
      for (let round = 0; round < 50; round++) {
        const id = `tick-${round}`
        const fiber = yield* stage.begin({ toolName: "x", toolCallId: id })
        yield* until(
          stage.desk.decide({ sessionId: "s1", confirmationId: id, approved: true }).pipe(Effect.result),
          ({ _tag }) => _tag === "Success"
        )
        assert.strictEqual((yield* Fiber.join(fiber)).status, "completed")
      }
      yield* stage.close
    })
  )

  it.effect("S26 a ban that came in between wins over the yes", () =>
    Effect.gen(function* () {
      const stage = yield* open({ ...base, tiers: { x: "confirm" } })
      const fiber = yield* stage.begin({ toolName: "x", toolCallId: "c1" })
      yield* stage.shown()
      yield* stage.store.sessions.setFrozen("s1", true)
      const decided = yield* stage.desk.decide({ sessionId: "s1", confirmationId: "c1", approved: true })
      assert.deepStrictEqual(decided, { path: "live", outcome: "denied", ruleId: "session.frozen" })
      assert.strictEqual((yield* Fiber.join(fiber)).decision.ruleId, "session.frozen")
      assert.deepStrictEqual(stage.permissions(), [])
      assert.deepStrictEqual(stage.ran, [])
      yield* stage.close
    })
  )

  it.effect("edits by the person are judged anew, run as edited, and both digests are on record", () =>
    Effect.gen(function* () {
      const stage = yield* open({ ...base, settings: { user: { permissions: { deny: ["Bash(rm:*)"] } } } })
      const fiber = yield* stage.begin({ toolName: "Bash", toolCallId: "c1", arguments: { command: "npm publish" } })
      const [item] = yield* stage.shown()
      const answer = { sessionId: "s1", confirmationId: "c1", approved: true, decidedBy: "p1" }
      yield* stage.desk.decide({ ...answer, updatedInput: { command: "npm publish --dry-run" } })
      yield* Fiber.join(fiber)
      assert.deepStrictEqual(
        stage.ran.map(({ arguments: args }) => JSON.parse(JSON.stringify(args))),
        [{ command: "npm publish --dry-run" }]
      )
      const [stored] = yield* stage.store.records.list({ toolCallId: "c1", kind: "decision" })
      assert(stored?.record.kind === "decision")
      assert.strictEqual(stored.record.shownDigest, item!.gate!.digest)
      assert.notStrictEqual(stored.record.digest, item!.gate!.digest)

      const banned = yield* stage.begin({ toolName: "Bash", toolCallId: "c2", arguments: { command: "npm run lint" } })
      yield* stage.shown()
      yield* stage.desk.decide({ ...answer, confirmationId: "c2", updatedInput: { command: "rm -rf ./x" } })
      const result = yield* Fiber.join(banned)
      assert.strictEqual(result.decision.matchedRule, "Bash(rm:*)")
      assert.strictEqual(result.status, "denied")
      assert.strictEqual(stage.ran.length, 1)
      yield* stage.close
    })
  )

  it.effect("an agent can't answer, and an unknown scope or no answer is refused", () =>
    Effect.gen(function* () {
      const stage = yield* open({ ...base, tiers: { x: "confirm" } })
      yield* stage.begin({ toolName: "x", toolCallId: "c1" })
      yield* stage.shown()
      const answer = { sessionId: "s1", confirmationId: "c1", approved: true }
      const agent = yield* stage.desk
        .decide({ ...answer, principal: { id: "root", kind: "agent", roles: [] } })
        .pipe(Effect.flip)
      assert.strictEqual(decideError(agent), "forbidden")
      const scope = yield* stage.desk.decide({ ...answer, remember: "forever" }).pipe(Effect.flip)
      assert.strictEqual(decideError(scope), "invalid-arguments")
      const word = yield* stage.desk.decide({ ...answer, approved: "yes" as never }).pipe(Effect.flip)
      assert.strictEqual(decideError(word), "invalid-arguments")
      assert.strictEqual((yield* stage.desk.pending("s1")).length, 1)
      yield* stage.close
    })
  )
})
