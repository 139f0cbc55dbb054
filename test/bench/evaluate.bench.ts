/**
 * How fast a simple call is judged among 10 to 100 000 command rules, its subject read beforehand, beside the floor
 * on the same rules and calls; and how both grow. Subjects are copied right before they are asked about: as near as
 * if they had just been read, and nothing that was kept from an earlier question helps.
 */
import { evaluate, type Evaluation, type Form } from "@countersign/kernel"
import { askFloor, buildFloor, wordsOf } from "./floor.ts"
import { takeTurns } from "./measure.ts"
import { type BenchWorld, benchWorld } from "./worlds.ts"

/** What one number of rules costs. */
export interface SizeResult {
  readonly rules: number
  readonly evaluationsPerSecond: number
  readonly nanosecondsPerCall: number
  readonly floorNanosecondsPerCall: number
  /** Ours through the floor's. */
  readonly ratio: number
  /** Share of the calls that a rule decides. */
  readonly matching: number
}

export interface BenchResult {
  readonly sizes: readonly SizeResult[]
  /** Time per call at the most rules through that at the fewest. */
  readonly growth: number
  readonly floorGrowth: number
  /** Our growth through the floor's. */
  readonly ratio: number
  /** What the ratio may be. */
  readonly limit: number
}

const limit = 1.3

export interface BenchOptions {
  readonly calls?: number
  readonly rounds?: number
  readonly sizes?: readonly number[]
}

/** Measures. */
export function benchEvaluate({
  calls = 3000,
  rounds = 20,
  sizes = [10, 1000, 10_000, 100_000]
}: BenchOptions = {}): BenchResult {
  const results = sizes.map((size) => benchSize(benchWorld(size, calls, 7), size, rounds))
  const [first, last] = [results[0]!, results.at(-1)!]
  const growth = last.nanosecondsPerCall / first.nanosecondsPerCall
  const floorGrowth = last.floorNanosecondsPerCall / first.floorNanosecondsPerCall
  return { sizes: results, growth, floorGrowth, ratio: growth / floorGrowth, limit }
}

function benchSize({ calls, rules }: BenchWorld, size: number, rounds: number): SizeResult {
  const floor = buildFloor(rules)
  const ours = (from: number, to: number) => {
    const fresh = calls.slice(from, to).map(asNew)
    return () => {
      let sum = 0
      for (const call of fresh) sum += evaluate(call).outcomes.length
      return sum
    }
  }
  const its = (from: number, to: number) => {
    const words = calls.slice(from, to).map((call) => wordsOf(asNew(call)))
    return () => {
      let sum = 0
      for (const each of words) sum += askFloor(floor, each)
      return sum
    }
  }
  const contenders = [
    { name: "ours", prepare: ours },
    { name: "floor", prepare: its }
  ]
  const [our, floors] = takeTurns(contenders, { items: calls.length, slice: 50, rounds, warmUp: 8 })
  return {
    rules: size,
    evaluationsPerSecond: Math.round(1e9 / our!),
    nanosecondsPerCall: our!,
    floorNanosecondsPerCall: floors!,
    ratio: our! / floors!,
    matching: calls.filter((call) => evaluate(call).ruling.matchedRule !== undefined).length / calls.length
  }
}

const copy = (form: Form): Form => ({ ...form, words: form.words.map((word) => ({ ...word })) })

function asNew(call: Evaluation): Evaluation {
  const { command } = call.subject
  const parts = command?.parts.map((part) => ({ ...part, allow: part.allow.map(copy), ban: part.ban.map(copy) }))
  return { ...call, subject: { ...call.subject, command: command && parts && { ...command, parts } } }
}
