/**
 * Tools that run a program of a project or a package: `npx x`, `poetry run x`. A rule on the tool covers what it
 * runs; bans and the floor look at the program all the same.
 */
import { baseName } from "../path.ts"
import type { Arg } from "./words.ts"

/** By tool: the sub-commands that run a program; none where the tool itself does. */
const runners: Readonly<Record<string, readonly string[]>> = {
  npx: [],
  pnpx: [],
  bunx: [],
  uvx: [],
  npm: ["exec", "x"],
  pnpm: ["exec", "dlx"],
  yarn: ["exec", "dlx", "run"],
  bun: ["x", "run"],
  bundle: ["exec"],
  poetry: ["run"],
  pdm: ["run"],
  rye: ["run"],
  hatch: ["run"],
  uv: ["run"],
  pipx: ["run"],
  pipenv: ["run"],
  conda: ["run"],
  mise: ["exec", "x"],
  asdf: ["exec"],
  dotenv: [],
  "cross-env": []
}

/** What the command may run, from each word on that may be the program. */
export function programsRun(words: readonly Arg[]): readonly (readonly Arg[])[] {
  const tool = baseName(words[0]?.value ?? "")
  const verbs = Object.hasOwn(runners, tool) ? runners[tool]! : undefined
  if (verbs === undefined) return []
  const verb = verbs.length === 0 ? 0 : words.findIndex(({ value }) => value !== undefined && verbs.includes(value))
  if (verb === -1) return []
  const programs: (readonly Arg[])[] = []
  for (let index = verb + 1; index < words.length && programs.length < 4; index++) {
    const { head } = words[index]!
    const option = head.startsWith("-")
    if (!option) programs.push(words.slice(index))
    // the word behind an option may be its value, so that the program comes later
    const after = words[index - 1]!.head
    if (!option && !(after.startsWith("-") && !after.includes("=") && after !== "--") && !/^\w+=/.test(head)) break
  }
  return programs
}

/** The shell script that `npx -c` and `npm exec -c` run; an empty list where there is none. */
export function scriptsRun(words: readonly Arg[]): readonly (string | undefined)[] {
  const tool = baseName(words[0]?.value ?? "")
  if (tool !== "npx" && !(tool === "npm" && words.some(({ value }) => value === "exec" || value === "x"))) return []
  const at = words.findIndex(({ head }) => head === "-c" || head === "--call" || head.startsWith("--call="))
  if (at === -1) return []
  const { head, value } = words[at]!
  return [head.startsWith("--call=") ? value?.slice("--call=".length) : words[at + 1]?.value]
}
