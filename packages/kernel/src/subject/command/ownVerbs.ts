/**
 * Countersign's own program on a command line: every verb but the reading ones changes what is allowed.
 */
import { baseName } from "../path.ts"
import type { Arg } from "./words.ts"

const reading: ReadonlySet<string> = new Set(["check", "explain", "lint", "audit"])
const runners: ReadonlySet<string> = new Set(["npx", "bunx", "pnpx", "node", "bun", "deno", "npm", "pnpm", "yarn", "tsx"])

/** The verb of Countersign that the command runs and an agent may not; undefined when there is none. */
export function ownVerb(words: readonly Arg[]): string | undefined {
  const at = programIndex(words)
  if (at === undefined) return undefined
  const rest = words.slice(at + 1)
  const verb = rest.find(({ head }) => !head.startsWith("-"))
  // `--help` and `--version` alone only print
  if (verb === undefined) return rest.length > 0 && rest.every(({ value }) => value === "--help" || value === "--version") ? undefined : "countersign"
  if (verb.value !== undefined && reading.has(verb.value)) return undefined
  if (verb.value === "agents" && rest[rest.indexOf(verb) + 1]?.value === "list") return undefined
  return verb.value === undefined ? "countersign" : `countersign ${verb.value}`
}

function programIndex(words: readonly Arg[]): number | undefined {
  const name = words[0]?.value
  if (name === undefined) return undefined
  const base = baseName(name)
  if (isOwn(base, name)) return 0
  if (!runners.has(base)) return undefined
  const at = words.findIndex(({ value }, index) => index > 0 && value !== undefined && isOwn(baseName(value), value))
  return at === -1 ? undefined : at
}

/** `countersign`, `countersign@1.2`, `@countersign/cli`, its main script. */
const isOwn = (base: string, path: string) =>
  /^countersign(?:\.[cm]?[jt]s)?(?:@.*)?$/.test(base) || /@countersign\/cli(?:$|[@/])/.test(path)
