/** Every fault point of open, settle, claim and outcome: SIGKILL there, start again, and see what survived. */
import { deaths, tryDeath } from "../kill/harness.ts"
import type { SoakOptions, SoakResult } from "./Soak.ts"

/** One run is one place to die at; more runs than places begin again. */
export const runs = deaths.length
export const small = 10

export async function run({ progress, runs }: SoakOptions): Promise<SoakResult> {
  const counts: Record<string, number> = { died: 0, ran: 0, unknown: 0 }
  const violations: unknown[] = []
  for (let index = 0; index < runs; index++) {
    const death = deaths[index % deaths.length]!
    const { broken, died, found } = await tryDeath(death)
    counts["died"]! += Number(died)
    counts["ran"]! += found.ran
    counts["unknown"]! += Number(found.outcomes.includes("unknown"))
    if (!died) violations.push({ ...death, broken: ["the point was never passed"] })
    if (broken.length > 0) violations.push({ ...death, broken, found })
    progress(index + 1)
  }
  return { counts, violations }
}
