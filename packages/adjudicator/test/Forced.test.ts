import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { ack, open } from "./stage.ts"

const source = (verdict: string, name?: string) => ({ consult: () => verdict, ...(name === undefined ? {} : { name }) })

describe("policy sources and the desk (preset ack)", () => {
  it.effect("A13 a forced confirm on an allow tier is a card", () =>
    Effect.gen(function* () {
      const stage = yield* open({ ...ack, tiers: { x: "allow" }, sources: [source("confirm")] })
      yield* stage.begin({ toolName: "x" })
      yield* stage.shown()
      assert.deepStrictEqual(stage.permissions(), [])
      yield* stage.close
    })
  )

  it.effect("A14 A28 a grant does not satisfy a forced confirm, and none is made by it", () =>
    Effect.gen(function* () {
      const stage = yield* open({ ...ack, tiers: { x: "confirm" }, sources: [source("confirm")] })
      yield* stage.store.grants.save({ id: "g", userId: "u1", toolName: "x", createdBy: "p1", createdAt: 0 })
      const fiber = yield* stage.begin({ toolName: "x", toolCallId: "c1" })
      yield* stage.shown()
      const decided = yield* stage.desk.decide({
        sessionId: "s1",
        confirmationId: "c1",
        approved: true,
        remember: "global"
      })
      assert.strictEqual(decided.remembered, null)
      yield* Fiber.join(fiber)
      yield* stage.begin({ toolName: "x", toolCallId: "c2" })
      yield* stage.shown()
      yield* stage.close
    })
  )

  it.effect("A15 A17 forced beats an endorsement; without any verdict the tier asks", () =>
    Effect.gen(function* () {
      const forced = yield* open({
        ...ack,
        tiers: { x: "confirm" },
        sources: [source("allow", "p1"), source("confirm", "p2")]
      })
      yield* forced.begin({ toolName: "x" })
      yield* forced.shown()
      yield* forced.close
      const silent = yield* open({ ...ack, tiers: { x: "confirm" }, sources: [source("abstain"), source("abstain")] })
      yield* silent.begin({ toolName: "x" })
      yield* silent.shown()
      yield* silent.close
    })
  )

  it.effect("A16 a deny beats all other verdicts", () =>
    Effect.gen(function* () {
      const stage = yield* open({
        ...ack,
        sources: [source("confirm", "p1"), source("allow", "p2"), source("deny", "p3")]
      })
      const result = yield* stage.run({ toolName: "x" })
      assert.strictEqual(result.status, "denied")
      assert.strictEqual(result.decision.basis, "verdict")
      assert.strictEqual(stage.permissions()[0]?.source, "p3")
      yield* stage.close
    })
  )

  it.effect("A18 U16 a source that fails or says an unknown word forces a person", () =>
    Effect.gen(function* () {
      for (const consult of [
        () => {
          throw new Error("unreachable")
        },
        () => "maybe"
      ]) {
        const stage = yield* open({ ...ack, tiers: { x: "allow" }, sources: [{ name: "risk", consult }] })
        yield* stage.begin({ toolName: "x" })
        yield* stage.shown()
        yield* stage.close
      }
    })
  )

  it.effect("A20 each call is consulted on, with its ids and arguments", () =>
    Effect.gen(function* () {
      const seen: unknown[] = []
      const stage = yield* open({
        ...ack,
        sources: [
          {
            consult: ({ arguments: args, sessionId, toolCallId, toolName }) => {
              seen.push([sessionId, toolCallId, toolName, JSON.stringify(args)])
              return "abstain"
            }
          }
        ]
      })
      yield* stage.run({ toolName: "x", toolCallId: "c1", arguments: { a: 1 } })
      yield* stage.run({ toolName: "x", toolCallId: "c2", arguments: { a: 1 } })
      assert.deepStrictEqual(seen, [
        ["s1", "c1", "x", `{"a":1}`],
        ["s1", "c2", "x", `{"a":1}`]
      ])
      yield* stage.close
    })
  )
})
