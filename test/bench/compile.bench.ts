/** What it costs to compile many rules, until the first call has been judged by them, beside the floor's trie. */
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { compileRules, evaluate, presets } from "@countersign/kernel"
import { buildFloor } from "./floor.ts"
import { median, time } from "./measure.ts"
import { benchPlace, benchWorld } from "./worlds.ts"

export interface CompileResult {
  readonly rules: number
  readonly milliseconds: number
  readonly floorMilliseconds: number
  /** Ours through the floor's. */
  readonly ratio: number
  /** What stays in memory, the rules themselves left out. */
  readonly mebibytes: number
}

/** Measures. */
export function benchCompile({ rounds = 7, rules: count = 100_000 } = {}): CompileResult {
  const { calls, rules } = benchWorld(count, 1, 7)
  const compile = () => {
    const compiled = compileRules({ rules }, benchPlace, presets.default)
    // indexes are made when a call first asks for them
    evaluate({ ...calls[0]!, rules: compiled })
    return compiled
  }
  const ours: number[] = []
  const floors: number[] = []
  for (let round = 0; round < rounds; round++) {
    floors.push(time(() => buildFloor(rules).strictness))
    ours.push(time(() => (compile().disallowed(calls[0]!.subject) ? 1 : 0)))
  }
  const before = used()
  const kept = compile()
  const mebibytes = (used() - before) / 2 ** 20
  // INVARIANT: what is weighed is still held
  if (kept.disallowed(calls[0]!.subject)) throw new Error("the bench disallowed a tool")
  const [milliseconds, floorMilliseconds] = [median(ours) / 1e6, median(floors) / 1e6]
  return { rules: count, milliseconds, floorMilliseconds, ratio: milliseconds / floorMilliseconds, mebibytes }
}

/** Bytes in use once what nobody holds is gone. */
function used(): number {
  setFlagsFromString("--expose-gc")
  const collect = runInNewContext("gc") as () => void
  collect()
  collect()
  return process.memoryUsage().heapUsed
}
