/** A million small worlds: kernel and reference say the same of each. */
import { disagreement } from "../reference/compare.ts"
import { referenceEvaluate } from "../reference/evaluate.ts"
import { handMade } from "../reference/handMade.ts"
import { smallWorld } from "../reference/smallWorld.ts"
import type { SoakOptions, SoakResult } from "./Soak.ts"

export const runs = 1_000_000
export const small = 20_000

/** So many disagreements are enough to see what is wrong. */
const enough = 100

/** Each run is one world; the counts are the grounds on which the reference ended. */
export async function run({ progress, runs, seed }: SoakOptions): Promise<SoakResult> {
  const counts: Record<string, number> = {}
  const violations: unknown[] = []
  for (let done = 0; done < runs && violations.length < enough; done++) {
    const world = smallWorld(seed + done, "abstract")
    const { ruleId } = referenceEvaluate(world)
    counts[ruleId] = (counts[ruleId] ?? 0) + 1
    const found = disagreement(seed + done, world, handMade)
    if (found !== undefined) violations.push(found)
    if (done % 50_000 === 0) progress(done)
  }
  return { counts: sorted(counts), violations }
}

const sorted = (counts: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.entries(counts).sort(([one], [other]) => (one < other ? -1 : 1)))
