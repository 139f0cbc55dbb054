import { assert, describe, it } from "@effect/vitest"
import { evaluate } from "@countersign/kernel"
import { benchEvaluate } from "./evaluate.bench.ts"
import { askFloor, buildFloor, wordsOf } from "./floor.ts"
import { benchWorld } from "./worlds.ts"

describe("the bench", () => {
  it("asks for calls of which a third match, and measures each size", () => {
    const { ratio, sizes } = benchEvaluate({ calls: 60, rounds: 3, sizes: [10, 200] })
    assert.deepStrictEqual(
      sizes.map(({ matching, rules }) => [rules, matching]),
      [
        [10, 1 / 3],
        [200, 1 / 3]
      ]
    )
    assert.isTrue(Number.isFinite(ratio) && ratio > 0)
  })

  it("has a floor that finds a rule wherever a matching rule begins with literal words", () => {
    const { calls, rules } = benchWorld(500, 300, 3)
    const floor = buildFloor(rules)
    let found = 0
    for (const call of calls) {
      const { matchedRule } = evaluate(call).ruling
      // the beginning of a word before a star is no word to the floor
      if (matchedRule === undefined || matchedRule.includes("-*")) continue
      found++
      assert.isAbove(askFloor(floor, wordsOf(call)), 0, matchedRule)
    }
    assert.isAbove(found, 50)
  })
})
