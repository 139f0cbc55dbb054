/**
 * Whole decisions on 200 realistic command lines, from the arguments to the ruling with nothing kept, beside a floor
 * that could decide them at all: parse, walk the commands, ask the trie for each.
 */
import { evaluate, presets, readCall, readSubject } from "@countersign/kernel"
import { parse } from "unbash"
import { askFloor, buildFloor, commandsOf } from "./floor.ts"
import { benchLines } from "./lines.ts"
import { takeTurns } from "./measure.ts"
import { benchPlace, benchWorld, callOf } from "./worlds.ts"

export interface CompoundResult {
  readonly rules: number
  readonly lines: number
  readonly microsecondsPerLine: number
  readonly floorMicrosecondsPerLine: number
  /** Ours through the floor's. */
  readonly ratio: number
}

export interface CompoundOptions {
  readonly rounds?: number
  readonly sizes?: readonly number[]
}

/** Measures. */
export function benchCompound({ rounds = 30, sizes = [10, 10_000] }: CompoundOptions = {}): readonly CompoundResult[] {
  return sizes.map((size) => benchSize(size, rounds))
}

function benchSize(size: number, rounds: number): CompoundResult {
  const { calls, rules } = benchWorld(size, 1, 7)
  const [like] = calls
  const floor = buildFloor(rules)
  const decide = (line: string) => {
    const read = readCall(callOf(line))
    if ("problem" in read) throw new Error(`not a call: \`${line}\``)
    return evaluate({ ...like!, subject: readSubject(read.call, {}, benchPlace, presets.default) }).outcomes.length
  }
  const naive = (line: string) => {
    let strictest = 0
    for (const words of commandsOf(parse(line))) strictest = Math.max(strictest, askFloor(floor, words))
    return strictest
  }
  const over = (run: (line: string) => number) => (from: number, to: number) => {
    const lines = benchLines.slice(from, to)
    return () => lines.reduce((sum, line) => sum + run(line), 0)
  }
  const contenders = [
    { name: "ours", prepare: over(decide) },
    { name: "floor", prepare: over(naive) }
  ]
  const turns = { items: benchLines.length, slice: 10, rounds, warmUp: 10 }
  const [ours, its] = takeTurns(contenders, turns)
  return {
    rules: size,
    lines: benchLines.length,
    microsecondsPerLine: ours! / 1000,
    floorMicrosecondsPerLine: its! / 1000,
    ratio: ours! / its!
  }
}
