/**
 * Runs one of the long runs in `test/soak` and writes what it came to into `docs/evidence`. It ends with 1 where a
 * promise was broken, and names the runs there are where it is given none.
 *
 * `npm run -s soak -- <name> [--seed N] [--runs N | --small]`; `--lines` is another word for `--runs`.
 */
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { cpus } from "node:os"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import type { Soak } from "../test/soak/Soak.ts"

const house = new URL("../", import.meta.url)
const shown = 20

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: "string", default: "1" },
    runs: { type: "string" },
    lines: { type: "string" },
    small: { type: "boolean", default: false }
  }
})
const names = readdirSync(new URL("test/soak/", house))
  .filter((file) => /^[a-z].*\.ts$/.test(file))
  .map((file) => file.slice(0, -3))

const [name] = positionals
if (name === undefined) for (const each of names) console.log(each)
else if (!names.includes(name))
  fail(`unknown soak \`${name}\`; there are ${names.map((each) => `\`${each}\``).join(", ")}`)
else await soak(name)

async function soak(name: string): Promise<void> {
  const chosen = (await import(new URL(`test/soak/${name}.ts`, house).href)) as Soak
  const seed = whole("seed", values.seed)
  const given = values.runs ?? values.lines
  const runs = given === undefined ? (values.small ? chosen.small : chosen.runs) : whole("runs", given)
  const started = Date.now()
  const progress = (done: number) => process.stderr.write(`\r${name}: ${done} of ${runs}, ${seconds(started)} s `)

  const { counts, violations } = await chosen.run({ seed, runs, progress })

  process.stderr.write("\n")
  const evidence = {
    name,
    seed,
    commit: commit(),
    date: new Date().toISOString(),
    runs,
    counts,
    violations,
    seconds: seconds(started),
    node: process.version,
    cores: cpus().length
  }
  const file = new URL(`docs/evidence/${name}.json`, house)
  mkdirSync(new URL(".", file), { recursive: true })
  writeFileSync(file, `${JSON.stringify(evidence, null, 2)}\n`)
  console.log(`${name}: ${runs} runs from seed ${seed} in ${evidence.seconds} s, ${violations.length} violations`)
  for (const violation of violations.slice(0, shown)) console.log(JSON.stringify(violation))
  if (violations.length > 0) process.exitCode = 1
}

function whole(option: string, text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < 0) fail(`\`--${option}\` is a whole number from 0 up, not \`${text}\``)
  return value
}

/** The commit that was run, marked where the tree differs from it; `unknown` outside a repository. */
function commit(): string {
  if (!existsSync(new URL(".git", house))) return "unknown"
  const git = (...args: readonly string[]) =>
    execFileSync("git", args, { cwd: fileURLToPath(house), encoding: "utf8" }).trim()
  return git("status", "--porcelain", "--untracked-files=no") === ""
    ? git("rev-parse", "HEAD")
    : `${git("rev-parse", "HEAD")}+changes`
}

function fail(message: string): never {
  console.error(message)
  process.exit(2)
}

function seconds(since: number): number {
  return Math.round((Date.now() - since) / 100) / 10
}
