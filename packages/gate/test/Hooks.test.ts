import { assert, describe, it } from "@effect/vitest"
import { type Hook, Hooks } from "@countersign/gate"
import type { FrozenCall } from "@countersign/kernel"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"

const call: FrozenCall = {
  sessionId: "s",
  agentId: "root",
  toolCallId: "c",
  toolName: "Bash",
  arguments: { command: "ls" },
  folder: "/srv"
}

const says = (name: string, answer: unknown): Hook => ({ name, run: () => Effect.succeed(answer as never) })
const before = (...hooks: readonly Hook[]) =>
  Effect.gen(function* () {
    const service = yield* Hooks
    return yield* service.before(call)
  }).pipe(Effect.provide(Hooks.layer(hooks)))

describe("Hooks", () => {
  it.effect("merge monotonically: the strictest word wins, whatever the order", () =>
    Effect.gen(function* () {
      const [allow, ask, deny] = [
        says("a", { decision: "allow" }),
        says("b", { decision: "ask" }),
        says("c", { decision: "deny" })
      ]
      assert.strictEqual((yield* before(allow, ask)).decision, "ask")
      assert.strictEqual((yield* before(deny, ask, allow)).decision, "deny")
      assert.strictEqual((yield* before(ask, deny)).hook, "c")
      assert.strictEqual((yield* before(allow)).decision, "none")
    })
  )

  it.effect("keep every rewrite and hand on the last, each hook seeing what the one before made", () =>
    Effect.gen(function* () {
      const seen: unknown[] = []
      const second: Hook = {
        name: "second",
        run: (call) => {
          seen.push(call.arguments)
          return Effect.succeed({ updatedInput: { command: "ls -l" } })
        }
      }
      const verdict = yield* before(says("first", { updatedInput: { command: "ls -a" } }), second)
      assert.deepStrictEqual(seen, [{ command: "ls -a" }])
      assert.deepStrictEqual(verdict.updatedInput, { command: "ls -l" })
      assert.deepStrictEqual(
        verdict.rewrites.map(({ hook }) => hook),
        ["first", "second"]
      )
    })
  )

  it.effect("deny when they fail, throw or answer an unknown word", () =>
    Effect.gen(function* () {
      const throws: Hook = {
        name: "t",
        run: () => {
          throw new Error("boom")
        }
      }
      for (const hook of [
        throws,
        says("u", { decision: "alow" }),
        says("n", 7),
        says("k", { decison: "deny" }),
        { name: "f", run: () => Effect.fail("no") }
      ]) {
        const verdict = yield* before(hook)
        assert.strictEqual(verdict.decision, "deny", hook.name)
        assert.include(verdict.because, `hook \`${hook.name}\` failed`)
      }
    })
  )

  it.effect("have no opinion when they fail only where that was configured, and are reported all the same", () =>
    Effect.gen(function* () {
      const verdict = yield* before({ name: "f", failing: "noOpinion", run: () => Effect.fail(new Error("down")) })
      assert.strictEqual(verdict.decision, "none")
      assert.deepStrictEqual(verdict.failures, [{ hook: "f", message: "down" }])
    })
  )

  it.effect("deny when they do not answer in time", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(before({ name: "slow", timeoutMs: 50, run: () => Effect.never }))
      yield* TestClock.adjust(60)
      const verdict = yield* Fiber.join(fiber)
      assert.strictEqual(verdict.decision, "deny")
      assert.include(verdict.because, "did not answer in time")
    })
  )
})
