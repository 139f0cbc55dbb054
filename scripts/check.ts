/**
 * Everything that is checked without running a test, one line a step: types, lint, the arrows of the house, format.
 * All steps run, so that one look shows all that is wrong.
 *
 *     node scripts/check.ts [STEP …]      of the current folder, all steps or these; exits 1 if one fails
 */
import { spawnSync } from "node:child_process"
import { join } from "node:path"

interface Step {
  readonly name: string
  /** A program of `node_modules/.bin`, or a script that Node runs. */
  readonly run: readonly [program: string, ...args: string[]]
}

const steps: readonly Step[] = [
  { name: "types", run: ["tsc", "-b"] },
  { name: "lint", run: ["oxlint"] },
  { name: "imports", run: ["node", join(import.meta.dirname, "imports.ts")] },
  { name: "format", run: ["oxfmt", "--check"] }
]

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !steps.some((step) => step.name === name))
if (unknown.length > 0) {
  throw new Error(`unknown step \`${unknown.join(", ")}\`; there are ${steps.map(({ name }) => name).join(", ")}`)
}

for (const { name, run } of steps) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const started = performance.now()
  const [program, ...args] = run
  const { error, status, stderr, stdout } = spawnSync(program, args, {
    encoding: "utf8",
    env: withTools(),
    maxBuffer: 1e8
  })
  const passed = error === undefined && status === 0
  console.log(`${passed ? "ok  " : "FAIL"} ${name.padEnd(8)} ${((performance.now() - started) / 1000).toFixed(1)} s`)
  if (passed) continue
  console.log(error === undefined ? `${stdout}${stderr}`.trimEnd() : error.message)
  process.exitCode = 1
}

// the pinned Node and tools, also when this was started by hand
function withTools(): NodeJS.ProcessEnv {
  return { ...process.env, PATH: `${join(import.meta.dirname, "../node_modules/.bin")}:${process.env["PATH"] ?? ""}` }
}
