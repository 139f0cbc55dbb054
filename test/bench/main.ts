/** `npm run bench`: prints the measurements, with `--json` as JSON; exit 1 when judging grows faster than it may. */
import { benchEvaluate, type BenchResult } from "./evaluate.bench.ts"

const result = benchEvaluate()
console.log(process.argv.includes("--json") ? JSON.stringify(result, undefined, 2) : render(result))
process.exitCode = result.ratio <= result.limit ? 0 : 1

function render({ floorGrowth, growth, limit, ratio, sizes }: BenchResult): string {
  const count = new Intl.NumberFormat("en")
  const rows = sizes.map(({ evaluationsPerSecond, floorNanosecondsPerCall, matching, nanosecondsPerCall, rules }) =>
    [
      count.format(rules).padStart(9),
      count.format(evaluationsPerSecond).padStart(14),
      nanosecondsPerCall.toFixed(0).padStart(9),
      floorNanosecondsPerCall.toFixed(0).padStart(10),
      `${(matching * 100).toFixed(0)} %`.padStart(9)
    ].join("")
  )
  return [
    "    rules  evaluations/s  ns/call  floor ns  matching",
    ...rows,
    `growth from ${count.format(sizes[0]!.rules)} to ${count.format(sizes.at(-1)!.rules)} rules: ` +
      `${growth.toFixed(2)}, floor ${floorGrowth.toFixed(2)}, ratio ${ratio.toFixed(2)} (at most ${limit})`
  ].join("\n")
}
