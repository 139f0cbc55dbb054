/**
 * Swaps each pair of neighbours in the kernel's list of steps and prints which tests go red for it. A swap that no
 * test notices is an order that nothing holds: then it ends with 1.
 */
import { steps } from "@countersign/kernel"
import { redTests, swapped } from "../test/reference/swap.ts"

const worlds = 20_000

const unswapped = redTests(steps, worlds)
for (const test of unswapped) console.log(`RED without any swap: ${test}`)

let green = 0
for (let index = 0; index < steps.length - 1; index++) {
  const red = redTests(swapped(steps, index), worlds)
  if (red.length === 0) green++
  console.log(`${steps[index]!.id} <-> ${steps[index + 1]!.id}`)
  for (const line of red.length === 0 ? ["STAYS GREEN"] : red) console.log(`  ${line}`)
}
console.log(`${steps.length - 1} swaps, ${green} stay green`)
process.exitCode = green > 0 || unswapped.length > 0 ? 1 : 0
