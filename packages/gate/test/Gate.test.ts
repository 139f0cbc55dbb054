import { assert, describe, it } from "@effect/vitest"
import { Gate, type GateEvent, Store } from "@countersign/gate"
import { Deferred, Effect, Fiber } from "effect"
import { call, gateWith } from "./kit.ts"

const rules = { permissions: { allow: ["Bash(git status:*)", "Bash(make:*)"], deny: ["Bash(rm:*)"] } }

describe("Gate", () => {
  it.effect("runs an allowed call once, with one decision and one outcome in the record", () =>
    Effect.gen(function* () {
      const gate = yield* Gate
      const store = yield* Store
      let ran = 0
      const result = yield* gate.run(call("Bash", { command: "git status" }), () => Effect.sync(() => ++ran))
      assert.strictEqual(result.status, "completed")
      assert.strictEqual(ran, 1)
      const records = yield* store.records.list({})
      assert.deepStrictEqual(
        records.map(({ record }) => record.kind),
        ["outcome", "decision"]
      )
      assert.strictEqual(result.decision.matchedRule, "Bash(git status:*)")
    }).pipe(Effect.provide(gateWith({ user: rules })))
  )

  it.effect("stops a denied call, tells the model why, and records it", () =>
    Effect.gen(function* () {
      const gate = yield* Gate
      const store = yield* Store
      const result = yield* gate.run(call("Bash", { command: "git status && rm -rf build" }), () => Effect.die("ran"))
      assert(result.status === "denied")
      assert.strictEqual(result.result.isError, true)
      assert.strictEqual(result.result.retry, false)
      assert.include(result.result.text, "Do not retry")
      const [record] = yield* store.records.list({})
      assert(record?.record.kind === "decision")
      assert.strictEqual(record.record.decision, "deny")
      assert.strictEqual(record.record.matchedRule, "Bash(rm:*)")
    }).pipe(Effect.provide(gateWith({ user: rules })))
  )

  it.effect("denies an ask that nobody can answer (S22), and says so", () =>
    Effect.gen(function* () {
      const gate = yield* Gate
      const answer = yield* gate.authorize(call("Bash", { command: "npm publish" }))
      assert(!answer.allowed)
      assert.strictEqual(answer.decision.ruleId, "ask.nobody")
    }).pipe(Effect.provide(gateWith()))
  )

  it.effect("names a failing policy source when nobody can be asked (C12)", () =>
    Effect.gen(function* () {
      const gate = yield* Gate
      const answer = yield* gate.authorize(call("Bash", { command: "git status" }))
      assert(!answer.allowed)
      assert.strictEqual(answer.decision.reason, "policy source `risk` failed and nobody can be asked")
    }).pipe(
      Effect.provide(
        gateWith({
          user: rules,
          sources: [{ name: "risk", consult: () => Effect.fail(new Error("down")) }]
        })
      )
    )
  )

  it.effect("runs what a hook made of the call, and bans what the agent really asked for", () =>
    Effect.gen(function* () {
      const gate = yield* Gate
      const ran = yield* gate.run(call("Bash", { command: "make all" }), (final) => Effect.succeed(final.arguments))
      assert(ran.status === "completed")
      assert.deepStrictEqual(ran.value, { command: "git status" })
      assert.deepStrictEqual(ran.decision.updatedArgs, { command: "git status" })
      const laundered = yield* gate.run(call("Bash", { command: "rm -rf build" }), () => Effect.die("ran"))
      assert.strictEqual(laundered.status, "denied")
      assert.strictEqual(laundered.decision.source, "rule")
    }).pipe(
      Effect.provide(
        gateWith({
          user: rules,
          hooks: [{ name: "rewrite", run: () => Effect.succeed({ updatedInput: { command: "git status" } }) }]
        })
      )
    )
  )

  it.effect("records a failing tool as failed, an interrupted one too", () =>
    Effect.gen(function* () {
      const gate = yield* Gate
      const store = yield* Store
      const failed = yield* gate.run(call("Bash", { command: "make" }), () => Effect.fail(new Error("exit 2")))
      assert(failed.status === "failed")
      const started = yield* Deferred.make<void>()
      const body = () => Effect.andThen(Deferred.succeed(started, undefined), Effect.never)
      const fiber = yield* Effect.forkChild(gate.run(call("Bash", { command: "make" }), body))
      yield* Deferred.await(started)
      yield* Fiber.interrupt(fiber)
      const outcomes = yield* store.records.list({ kind: "outcome" })
      assert.deepStrictEqual(
        outcomes.map(({ record }) => record.kind === "outcome" && [record.outcome, record.error]),
        [
          ["failed", "interrupted"],
          ["failed", "exit 2"]
        ]
      )
    }).pipe(Effect.provide(gateWith({ user: rules })))
  )

  it.effect("gives every call exactly one automatic terminal and its two events", () => {
    const events: GateEvent[] = []
    return Effect.gen(function* () {
      const gate = yield* Gate
      yield* gate.authorize(call("Bash", { command: "git status" }))
      yield* gate.authorize(call("Bash", { command: "rm x" }))
      yield* gate.authorize(call("Bash", '{"command":"ls","command":"rm x"}'))
      assert.deepStrictEqual(
        events.map((event) => (event.kind === "permission" ? [event.event.allowed, event.event.ruleId] : event.kind)),
        ["tool", [true, "rule.user.allow"], "tool", [false, "rule.user.deny"], "tool", [false, "call.invalid"]]
      )
    }).pipe(Effect.provide(gateWith({ user: rules, observe: (event) => events.push(event) })))
  })

  it.effect("lets the classifier tighten an ask, with its reason, and never loosen outside its radius", () =>
    Effect.gen(function* () {
      const gate = yield* Gate
      const answer = yield* gate.authorize(call("Bash", { command: "npm publish" }))
      assert(!answer.allowed)
      assert.strictEqual(answer.decision.source, "classifier")
      assert.include(answer.result.text, "publishes")
    }).pipe(
      Effect.provide(
        gateWith({
          classifier: {
            id: "static",
            rejectEffect: "deny",
            consult: () => Effect.succeed({ verdict: "dangerous", reason: "publishes a package" })
          }
        })
      )
    )
  )

  it.effect("runs what a rule would deny when it only watches, and says what it would have done", () =>
    Effect.gen(function* () {
      const gate = yield* Gate
      const store = yield* Store
      const ran = yield* gate.run(call("Bash", { command: "rm -rf build" }), () => Effect.succeed("ran"))
      assert.strictEqual(ran.status, "completed")
      const [decision] = yield* store.records.list({ kind: "decision" })
      assert(decision?.record.kind === "decision")
      assert.deepStrictEqual([decision.record.decision, decision.record.shadow], ["deny", true])
      const floor = yield* gate.run(call("Bash", { command: "rm -rf /" }), () => Effect.die("ran"))
      assert.strictEqual(floor.status, "denied")
    }).pipe(Effect.provide(gateWith({ user: rules, options: { enforce: false } })))
  )
})
