/**
 * Command lines from a seed, run by the real bash in an empty folder of stubs and judged by the kernel: nothing
 * escapes, and what is static and allowed is not asked for.
 */
import * as kernel from "@countersign/kernel"
import { makeJudge } from "../bash/judge.ts"
import { tryLines } from "../bash/trial.ts"
import type { SoakOptions, SoakResult } from "./Soak.ts"

export const runs = 200_000
export const small = 5_000

/** More than this share of the lines that have to pass may not be asked for. */
const mostNeedless = 0.005
/** Fewer lines than this share with a construct prove little of it. */
const leastConstruct = 0.002
/** Fewer lines than this share that ran what is forbidden prove little at all. */
const leastRan = 0.2

/** Each run is one line. */
export async function run({ progress, runs, seed }: SoakOptions): Promise<SoakResult> {
  const { asks, constructs, violations, ...totals } = await tryLines(seed, runs, makeJudge(kernel), progress)
  const broken: unknown[] = [...violations]
  if (totals.needless > totals.mustPass * mostNeedless) broken.push({ breach: "too many needless asks", asks })
  if (totals.ran < totals.lines * leastRan) broken.push({ breach: "too few lines that ran what is forbidden" })
  for (const [construct, count] of Object.entries(constructs)) {
    if (runs >= small && count < totals.lines * leastConstruct) broken.push({ breach: "too rare", construct, count })
  }
  return { counts: { ...totals, ...constructs }, violations: broken }
}
