/**
 * How fast a call is judged among 10, 1 000 and 100 000 command rules, its subject read beforehand, and how that
 * grows beside the growth of the floor on the same rules and calls. Medians over rounds in which all take turns.
 */
import { evaluate, type Evaluation } from "@countersign/kernel"
import { askFloor, buildFloor, wordsOf } from "./floor.ts"
import { benchWorld } from "./worlds.ts"

/** What one number of rules costs. */
export interface SizeResult {
  readonly rules: number
  readonly evaluationsPerSecond: number
  readonly nanosecondsPerCall: number
  readonly floorNanosecondsPerCall: number
  /** Share of the calls that a rule decides. */
  readonly matching: number
}

export interface BenchResult {
  readonly sizes: readonly SizeResult[]
  /** Time per call at the most rules through that at the fewest. */
  readonly growth: number
  readonly floorGrowth: number
  /** Ours through the floor's. */
  readonly ratio: number
  /** What the ratio may be. */
  readonly limit: number
}

const limit = 1.3

/** Measures. */
export function benchEvaluate({
  calls = 3000,
  rounds = 41,
  sizes = [10, 1000, 100_000]
}: {
  readonly calls?: number
  readonly rounds?: number
  readonly sizes?: readonly number[]
} = {}): BenchResult {
  const worlds = sizes.map((size) => {
    const world = benchWorld(size, calls, 7)
    const floor = buildFloor(world.rules)
    return {
      size,
      calls: world.calls,
      floor,
      words: world.calls.map(wordsOf),
      ours: [] as number[],
      floors: [] as number[]
    }
  })
  for (let round = 0; round < rounds + warmUp; round++) {
    for (const { calls, floor, floors, ours, words } of worlds) {
      const fresh = calls.map(asNew)
      const our = perCall(calls.length, () => sumOf(fresh))
      const its = perCall(words.length, () => words.reduce((sum, each) => sum + askFloor(floor, each), 0))
      if (round < warmUp) continue
      ours.push(our)
      floors.push(its)
    }
  }
  const results = worlds.map(({ calls, floors, ours, size }): SizeResult => {
    const nanoseconds = median(ours)
    return {
      rules: size,
      evaluationsPerSecond: Math.round(1e9 / nanoseconds),
      nanosecondsPerCall: nanoseconds,
      floorNanosecondsPerCall: median(floors),
      matching: calls.filter((call) => evaluate(call).ruling.matchedRule !== undefined).length / calls.length
    }
  })
  const [first, last] = [results[0]!, results.at(-1)!]
  const growth = last.nanosecondsPerCall / first.nanosecondsPerCall
  const floorGrowth = last.floorNanosecondsPerCall / first.floorNanosecondsPerCall
  return { sizes: results, growth, floorGrowth, ratio: growth / floorGrowth, limit }
}

/** Rounds that are not counted: the compiler is still at work. */
const warmUp = 8

/** What is kept per command between questions about the same call must not be kept between rounds. */
const asNew = (call: Evaluation): Evaluation => ({
  ...call,
  subject: { ...call.subject, command: call.subject.command && { ...call.subject.command } }
})

function sumOf(calls: readonly Evaluation[]): number {
  let sum = 0
  for (const call of calls) sum += evaluate(call).outcomes.length
  return sum
}

function perCall(count: number, run: () => number): number {
  const start = process.hrtime.bigint()
  const sum = run()
  const spent = Number(process.hrtime.bigint() - start)
  // the sum is looked at so that nothing is optimised away
  if (!Number.isFinite(sum)) throw new Error("the bench counted nothing")
  return spent / count
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[sorted.length >> 1]!
}
