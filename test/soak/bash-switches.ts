/** What the kernel does about each construct of a command line, switched off one by one: the lines have to notice. */
import * as kernel from "@countersign/kernel"
import { makeJudge } from "../bash/judge.ts"
import { escapesOf, runLines, withSwitch } from "../bash/switchedOff.ts"
import { switches } from "../bash/switches.ts"
import type { SoakOptions, SoakResult } from "./Soak.ts"

export const runs = 20_000
export const small = 5_000

/** Each run is one line, judged once as it is and once for each switch. */
export async function run({ progress, runs, seed }: SoakOptions): Promise<SoakResult> {
  const tried = await runLines(seed, runs, progress)
  const counts: Record<string, number> = {}
  const violations: unknown[] = []
  const whole = escapesOf(tried, makeJudge(kernel))
  if (whole.count > 0) violations.push({ broken: "escapes with nothing switched off", ...whole })
  for (const each of switches) {
    const { count } = await withSwitch(each, (judge) => escapesOf(tried, judge))
    counts[each.name] = count
    if (count === 0) violations.push({ switch: each.name, broken: "nothing escapes" })
  }
  return { counts, violations }
}
