import { assert, describe, it } from "@effect/vitest"
import { type PolicySource, PolicySources } from "@countersign/gate"
import type { FrozenCall } from "@countersign/kernel"
import { Effect } from "effect"

const call: FrozenCall = { sessionId: "s", agentId: "root", toolCallId: "c", toolName: "x", arguments: {}, folder: "/" }

const consult = (...sources: readonly PolicySource[]) =>
  Effect.gen(function* () {
    const service = yield* PolicySources
    return yield* service.consult(call)
  }).pipe(Effect.provide(PolicySources.layer(sources)))

const source = (name: string | undefined, answer: string): PolicySource => ({
  ...(name === undefined ? {} : { name }),
  consult: () => Effect.succeed(answer)
})

describe("PolicySources", () => {
  it.effect("combine by strictness and name the first source that gave the verdict", () =>
    Effect.gen(function* () {
      const table: readonly (readonly [
        readonly (readonly [string | undefined, string])[],
        string,
        string | undefined
      ])[] = [
        [[["a", "abstain"]], "abstain", "a"],
        [
          [
            ["a", "allow"],
            ["b", "allow"]
          ],
          "allow",
          "a"
        ],
        [
          [
            ["a", "allow"],
            ["b", "confirm"]
          ],
          "confirm",
          "b"
        ],
        [
          [
            ["a", "confirm"],
            ["b", "allow"],
            ["c", "deny"],
            ["d", "deny"]
          ],
          "deny",
          "c"
        ],
        [
          [
            [undefined, "deny"],
            ["n", "allow"]
          ],
          "deny",
          undefined
        ]
      ]
      for (const [sources, verdict, name] of table) {
        const combined = yield* consult(...sources.map(([name, answer]) => source(name, answer)))
        assert.strictEqual(combined.verdict, verdict)
        if (verdict !== "abstain") assert.strictEqual(combined.source, name)
      }
    })
  )

  it.effect("force a person when a source fails, throws, or answers an unknown word", () =>
    Effect.gen(function* () {
      const throws: PolicySource = {
        name: "t",
        consult: () => {
          throw new Error("boom")
        }
      }
      const fails: PolicySource = { name: "f", consult: () => Effect.fail(new Error("down")) }
      for (const bad of [throws, fails, source("u", "alow")]) {
        const combined = yield* consult(source("ok", "allow"), bad)
        assert.strictEqual(combined.verdict, "confirm")
        assert.strictEqual(combined.failed, bad.name)
      }
    })
  )

  it.effect("are asked named first, anonymous after, until one denies", () =>
    Effect.gen(function* () {
      const order: string[] = []
      const noting = (name: string | undefined, answer: string): PolicySource => ({
        ...source(name, answer),
        consult: () => {
          order.push(name ?? "anonymous")
          return Effect.succeed(answer)
        }
      })
      yield* consult(noting(undefined, "abstain"), noting("n1", "abstain"), noting("n2", "allow"))
      assert.deepStrictEqual(order, ["n1", "n2", "anonymous"])
      order.length = 0
      yield* consult(noting(undefined, "abstain"), noting("n1", "deny"))
      assert.deepStrictEqual(order, ["n1"])
    })
  )
})
