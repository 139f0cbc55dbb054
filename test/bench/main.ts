/**
 * `npm run bench`: prints the measurements beside the floor and says which reach holds; `--peers` installs other
 * policy engines apart and measures them beside us, `--json` prints JSON. Exit 1 when judging grows faster than it may.
 */
import { benchCompile } from "./compile.bench.ts"
import { benchCompound } from "./compound.bench.ts"
import { benchEvaluate } from "./evaluate.bench.ts"
import { benchGemini, benchPeers } from "./peers/measure.ts"
import { installPeers } from "./peers/install.ts"
import { reaches, render, type Report } from "./report.ts"

const has = (option: string) => process.argv.includes(option)

const simple = benchEvaluate()
const compound = benchCompound()
const compile = benchCompile()
const report: Report = { simple, compound, compile, ...(has("--peers") ? await measurePeers() : {}) }
console.log(has("--json") ? JSON.stringify({ ...report, reaches: reaches(report) }, undefined, 2) : render(report))
process.exitCode = simple.ratio <= simple.limit ? 0 : 1

async function measurePeers(): Promise<Partial<Report>> {
  const problem = installPeers()
  if (problem !== undefined) return { peersProblem: problem }
  const peers = await benchPeers(simple.sizes.map(({ rules }) => rules))
  return { peers, gemini: await benchGemini(compound.map(({ rules }) => rules)) }
}
