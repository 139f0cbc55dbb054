/** What would notice if two neighbouring steps changed places: the order examples, and the reference. */
import { type Step, walk } from "@countersign/kernel"
import { disagreement } from "./compare.ts"
import { handMade } from "./handMade.ts"
import { holds, orderExamples } from "./order.ts"
import { smallWorld } from "./smallWorld.ts"

/** The list with the step at that index and the next one in each other's place. */
export function swapped<A>(list: readonly A[], index: number): readonly A[] {
  return [...list.slice(0, index), ...list.slice(index, index + 2).reverse(), ...list.slice(index + 2)]
}

/** The names of the tests that go red for this list of steps: broken examples, and the first world that differs. */
export function redTests(list: readonly Step[], worlds: number): readonly string[] {
  const examples = orderExamples
    .filter((example) => !holds(example, list))
    .map(({ first, means, second }) => `${first} before ${second}: ${means}`)
  for (let seed = 0; seed < worlds; seed++) {
    const found = disagreement(seed, smallWorld(seed, "abstract"), handMade, (input) => walk(list, input, false).ruling)
    if (found !== undefined) return [...examples, `agrees with the reference (seed ${seed})`]
  }
  return examples
}
