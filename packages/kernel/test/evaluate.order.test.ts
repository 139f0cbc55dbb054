/** The order of the steps is load-bearing: each pair of neighbours has an example that only this order satisfies. */
import { steps } from "@countersign/kernel"
import { assert, describe, it } from "@effect/vitest"
import { holds, observed, orderExamples } from "../../../test/reference/order.ts"
import { swapped } from "../../../test/reference/swap.ts"

describe("the order of the steps", () => {
  for (const example of orderExamples) {
    it(`${example.first} before ${example.second}: ${example.means}`, () => {
      assert.deepStrictEqual(observed(example, steps), example.expected)
    })
  }

  it("has an example for each pair of neighbours", () => {
    const pairs = orderExamples.map(({ first, second }) => `${first} ${second}`)
    assert.deepStrictEqual(
      pairs,
      steps.slice(1).map(({ id }, index) => `${steps[index]!.id} ${id}`)
    )
  })

  it("has no example that the swapped order satisfies, too", () => {
    const blind = orderExamples.filter((example, index) => holds(example, swapped(steps, index)))
    assert.deepStrictEqual(
      blind.map(({ first, second }) => `${first} ${second}`),
      []
    )
  })

  it("looks at the trace only where no outcome can differ", () => {
    const byTrace = orderExamples
      .filter(({ expected }) => "trace" in expected)
      .map(({ first, second }) => `${first} ${second}`)
    assert.deepStrictEqual(byTrace, ["S1.hookForced S2.floor", "S5.denyRule S5b.possibleBan"])
  })
})
