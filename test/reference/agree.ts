/** Kernel and reference compared over many worlds, for the long runs. */
import type { Evaluation } from "@countersign/kernel"
import type { SoakOptions, SoakResult } from "../soak/Soak.ts"
import { disagreement } from "./compare.ts"
import { referenceEvaluate } from "./evaluate.ts"
import { type Kind, smallWorld } from "./smallWorld.ts"
import type { World } from "./World.ts"

/** So many disagreements are enough to see what is wrong. */
const enough = 100

/** Compares that many worlds from a seed on; the counts are the grounds on which the reference ended. */
export function agree(
  kind: Kind,
  build: (world: World) => Evaluation,
  { progress, runs, seed }: SoakOptions
): SoakResult {
  const counts: Record<string, number> = {}
  const violations: unknown[] = []
  for (let done = 0; done < runs && violations.length < enough; done++) {
    const world = smallWorld(seed + done, kind)
    const { ruleId } = referenceEvaluate(world)
    counts[ruleId] = (counts[ruleId] ?? 0) + 1
    const found = disagreement(seed + done, world, build)
    if (found !== undefined) violations.push(found)
    if (done % 50_000 === 0) progress(done)
  }
  progress(runs)
  return { counts: sorted(counts), violations }
}

const sorted = (counts: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.entries(counts).sort(([one], [other]) => (one < other ? -1 : 1)))
