/** The bench's report: its tables, and which reach holds. */
import type { CompileResult } from "./compile.bench.ts"
import type { CompoundResult } from "./compound.bench.ts"
import type { BenchResult } from "./evaluate.bench.ts"
import type { PeerResult, PeerTime } from "./peers/measure.ts"

export interface Report {
  readonly simple: BenchResult
  readonly compound: readonly CompoundResult[]
  readonly compile: CompileResult
  readonly peers?: readonly PeerResult[]
  readonly gemini?: PeerResult
  /** Why there are no peers. */
  readonly peersProblem?: string
}

/** What is reached for, and what came out. */
export interface Reach {
  readonly name: string
  readonly value: number
  readonly most: number
  readonly holds: boolean
}

/** Every reach with its outcome. */
export function reaches({ compile, compound, simple }: Report): readonly Reach[] {
  const reach = (name: string, value: number, most: number) => ({ name, value, most, holds: value <= most })
  return [
    ...simple.sizes.map(({ ratio, rules }) => reach(`simple call, ${count(rules)} rules, through the floor`, ratio, 3)),
    ...compound.map(({ ratio, rules }) => reach(`compound line, ${count(rules)} rules, through the floor`, ratio, 2)),
    reach(`compiling ${count(compile.rules)} rules, through the trie's build`, compile.ratio, 3),
    reach(`memory of ${count(compile.rules)} rules, MiB`, compile.mebibytes, 100)
  ]
}

/** The report as text. */
export function render(report: Report): string {
  const { compile, compound, gemini, peers = [], peersProblem, simple } = report
  const { floorGrowth, growth, limit, ratio, sizes } = simple
  const peerTimes = (rules: number) => peers.map((peer) => peerTime(timeFor(peer, rules)))
  return [
    "simple calls, the subject given: time per call, medians",
    ...table([
      ["rules", "ours", "floor", "ratio", "a second", "matching", ...peers.map(({ name }) => name)],
      ...sizes.map((size) => [
        count(size.rules),
        duration(size.nanosecondsPerCall),
        duration(size.floorNanosecondsPerCall),
        size.ratio.toFixed(2),
        count(size.evaluationsPerSecond),
        `${(size.matching * 100).toFixed(0)} %`,
        ...peerTimes(size.rules)
      ])
    ]),
    `growth from ${count(sizes[0]!.rules)} to ${count(sizes.at(-1)!.rules)} rules: ` +
      `${growth.toFixed(2)}, floor ${floorGrowth.toFixed(2)}, ratio ${ratio.toFixed(2)} (at most ${limit})`,
    "",
    `${compound[0]!.lines} realistic lines, whole decisions: time per line, medians`,
    ...table([
      ["rules", "ours", "floor", "ratio", ...(gemini === undefined ? [] : [gemini.name])],
      ...compound.map((each) => [
        count(each.rules),
        duration(each.microsecondsPerLine * 1000),
        duration(each.floorMicrosecondsPerLine * 1000),
        each.ratio.toFixed(2),
        ...(gemini === undefined ? [] : [peerTime(timeFor(gemini, each.rules))])
      ])
    ]),
    ...(gemini === undefined ? [] : [`the shell parser of ${gemini.name} alone: ${peerTime(timeFor(gemini, 0))}`]),
    "",
    `compiling ${count(compile.rules)} rules: ${compile.milliseconds.toFixed(0)} ms, ` +
      `the trie ${compile.floorMilliseconds.toFixed(0)} ms, ratio ${compile.ratio.toFixed(2)}; ` +
      `${compile.mebibytes.toFixed(0)} MiB`,
    ...(peersProblem === undefined ? [] : ["", `no peers: ${peersProblem}`]),
    "",
    ...reaches(report).map(
      ({ holds, most, name, value }) => `${holds ? "holds " : "missed"}  ${name}: ${value.toFixed(2)}, at most ${most}`
    )
  ].join("\n")
}

const count = (value: number) => new Intl.NumberFormat("en").format(value)

function duration(nanoseconds: number): string {
  if (nanoseconds < 10_000) return `${nanoseconds.toFixed(0)} ns`
  return nanoseconds < 10_000_000 ? `${(nanoseconds / 1000).toFixed(1)} µs` : `${(nanoseconds / 1e6).toFixed(1)} ms`
}

const timeFor = ({ simple }: PeerResult, rules: number) => simple.find(([size]) => size === rules)?.[1]

function peerTime(time: PeerTime | undefined): string {
  if (time === undefined) return "-"
  return "problem" in time ? time.problem : duration(time.nanoseconds)
}

/** Columns aligned to the right. */
function table(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) => row.map((cell, column) => cell.padStart(widths[column]! + 2)).join(""))
}
