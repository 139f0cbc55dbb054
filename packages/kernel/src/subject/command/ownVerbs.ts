/**
 * Countersign's own program on a command line: every verb but the reading ones changes what is allowed.
 */
import { baseName } from "../path.ts"
import type { Arg } from "./words.ts"

const reading: ReadonlySet<string> = new Set(["check", "explain", "lint", "audit"])
/** Programs that stop others by name. */
const stoppers: ReadonlySet<string> = new Set(["pkill", "killall", "systemctl", "service", "launchctl"])
const runners: ReadonlySet<string> = new Set([
  "npx",
  "bunx",
  "pnpx",
  "node",
  "bun",
  "deno",
  "npm",
  "pnpm",
  "yarn",
  "tsx"
])

/** The verb of Countersign that the command runs and an agent may not; undefined when there is none. */
export function ownVerb(words: readonly Arg[]): string | undefined {
  const name = words[0]?.value
  if (name !== undefined && stoppers.has(baseName(name)) && words.some(({ text }) => /countersign/i.test(text)))
    return `${baseName(name)} countersign`
  const at = programIndex(words)
  if (at === undefined) return undefined
  const rest = words.slice(at + 1)
  // an option in front could take a reading verb for its value
  const verb = rest[0]
  if (verb?.value === "--help" || verb?.value === "--version") return undefined
  if (verb?.value !== undefined && reading.has(verb.value)) return undefined
  if (verb?.value === "agents" && rest[1]?.value === "list") return undefined
  return verb?.value === undefined ? "countersign" : `countersign ${verb.value}`
}

function programIndex(words: readonly Arg[]): number | undefined {
  const own = ({ value }: Arg) => value !== undefined && isOwn(baseName(value), value)
  const first = words[0]?.value
  if (first === undefined) return undefined
  if (!own(words[0]!) && !runners.has(baseName(first))) return undefined
  let at = words.findIndex(own)
  // `npx -p countersign countersign verb`
  while (at !== -1 && at + 1 < words.length && own(words[at + 1]!)) at++
  return at === -1 ? undefined : at
}

/** `countersign`, `countersign@1.2`, `@countersign/cli`, its main script. */
const isOwn = (base: string, path: string) =>
  /^countersign(?:\.[cm]?[jt]s)?(?:@.*)?$/.test(base) || /@countersign\/cli(?:$|[@/])/.test(path)
