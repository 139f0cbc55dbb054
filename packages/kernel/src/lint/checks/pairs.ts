/**
 * Rules that pair badly: one allows to run what another allows to edit, so that together they allow anything. Each is
 * shown by both calls, one after the other.
 */
import type { Bench } from "../Bench.ts"
import type { Finding } from "../Finding.ts"
import { findingOf } from "../findingOf.ts"
import type { Item } from "../places.ts"
import { callOf, samplesOf } from "../samples.ts"
import { interpreters } from "../../suggest/launchers.ts"

/** Finds them; what is broad by itself already is left out. */
export function badPairs(items: readonly Item[], bench: Bench, broad: ReadonlySet<Item["rule"]>): readonly Finding[] {
  const editing = items.filter(
    ({ list, rule }) => list !== "tools" && rule.behavior === "allow" && bench.capabilityOf(rule.tool).family === "edit"
  )
  if (editing.length === 0) return []
  return items.flatMap((item) => {
    const { list, rule } = item
    if (list !== "permissions" || rule.behavior !== "allow" || broad.has(rule)) return []
    return bench.capabilityOf(rule.tool).family === "command" ? pair(item, editing, bench) : []
  })
}

function pair(item: Item, editing: readonly Item[], bench: Bench): readonly Finding[] {
  const run = samplesOf(item.rule, bench).find(
    (call) => bench.speaks(item.rule, call) && bench.judge(call).decision === "allow"
  )
  const words =
    run &&
    bench
      .subjectOf(run)
      .command?.parts[0]?.allow.at(-1)
      ?.words.map(({ value }) => value ?? "")
  const file = words && fileRun(words)
  if (run === undefined || file === undefined) return []
  for (const other of editing) {
    const edit = callOf(other.rule.tool, file, bench.capabilityOf(other.rule.tool))
    if (!bench.speaks(other.rule, edit) || bench.judge(edit).decision !== "allow") continue
    const both = `\`${item.rule.text}\` runs what \`${file}\` says, and \`${other.rule.text}\` allows changing it`
    const message = `${both}: together they allow any command; deny or ask for edits of \`${file}\``
    return [
      findingOf(item, "pair", message, [bench.exampleOf(item.rule, edit), bench.exampleOf(item.rule, run)], other)
    ]
  }
  return []
}

const projectScripts: ReadonlySet<string> = new Set(["npm", "pnpm", "yarn", "bun"])
const scriptVerbs: ReadonlySet<string> = new Set(["run", "run-script", "test", "t", "start", "build", "lint"])

/** The file of the project that decides what the command does. */
function fileRun(words: readonly string[]): string | undefined {
  const [program = "", ...rest] = words
  const operand = rest.find((word) => !word.startsWith("-"))
  if (program === "make" || program === "gmake") {
    const named = rest.indexOf("-f")
    return named === -1 ? (rest.includes("-C") ? undefined : "Makefile") : rest[named + 1]
  }
  if (projectScripts.has(program)) return scriptVerbs.has(operand ?? "") ? "package.json" : undefined
  if (interpreters.has(program))
    return operand !== undefined && /[./]/.test(operand) && operand === rest[0] ? operand : undefined
  // a program of the project itself, by its path
  return /^(\.\/|[\w-]+\/)/.test(program) ? program : undefined
}
