/**
 * What gives later words another meaning: aliases, functions, variables that bash, its loader or programs obey.
 */
import { readArguments } from "./options.ts"
import type { Arg } from "./words.ts"

const names: ReadonlySet<string> = new Set([
  "BASH_ALIASES",
  "BASH_CMDS",
  "BASH_ENV",
  "ENV",
  "BASH_FUNC",
  "PROMPT_COMMAND",
  "PS0",
  "PS1",
  "PS2",
  "PS4",
  "IFS",
  "PATH",
  "CDPATH",
  "HOME",
  "SHELLOPTS",
  "BASHOPTS",
  "EDITOR",
  "VISUAL",
  "NODE_OPTIONS",
  "JAVA_TOOL_OPTIONS",
  "GLOBIGNORE",
  "EXECIGNORE",
  "POSIXLY_CORRECT",
  "SHELL"
])
const prefixes = ["LD_", "DYLD_", "GIT_", "PYTHON", "PERL", "RUBY", "LESS", "BASH_FUNC_"]

/** Whether an assignment to the variable changes what later words do. */
export const redefines = (variable: string) =>
  names.has(variable) || variable.endsWith("PAGER") || prefixes.some((prefix) => variable.startsWith(prefix))

const harmless: ReadonlySet<string> = new Set(["LANG", "TZ", "NO_COLOR", "FORCE_COLOR", "NODE_ENV", "CI"])

/** Whether `NAME=value` may stand before a command, or be exported, without a rule of its own. */
export function isHarmlessAssignment({ value }: Arg): boolean {
  if (value === undefined) return false
  const equals = value.indexOf("=")
  const name = value.slice(0, equals)
  return (harmless.has(name) || name.startsWith("LC_")) && !value.includes("/")
}

const declarers: ReadonlySet<string> = new Set(["export", "declare", "typeset", "local", "readonly"])
const signals = /^(?:SIG)?(?:DEBUG|RETURN)$/i

/** Whether the command, by its own words, redefines what later words mean. */
export function redefinesWords(words: readonly Arg[]): boolean {
  const name = words[0]?.value
  const rest = words.slice(1)
  if (name === undefined) return false
  // a name that is a reference to another one may be any
  if (declarers.has(name)) return rest.some((arg) => /^-[A-Za-z]*n/.test(arg.head) || mayRedefine(arg))
  if (name === "printf") return rest.some(({ head }, at) => head.startsWith("-v") && mayRedefine(rest[at + 1]))
  if (assigners.has(name)) return rest.some(mayRedefine)
  if (name === "alias")
    return rest.some(({ text }) => text.includes("=")) || rest.some(({ value }) => value === undefined)
  if (name === "hash") return rest.some(({ head, loose }) => head.startsWith("-p") || loose)
  if (name === "enable" || name === "eval" || name === "source" || name === ".") return rest.length > 0
  if (name === "trap") return rest.slice(1).some(({ value }) => value === undefined || signals.test(value))
  if (name === "shopt")
    return readArguments(rest, { short: "" }).operands.some(
      ({ value }) => value === undefined || shellOptions.has(value)
    )
  if (name === "set")
    return rest.some(({ value }) => value === undefined || value === "keyword" || /^-[A-Za-z]*k/.test(value))
  return false
}

const shellOptions: ReadonlySet<string> = new Set([
  "expand_aliases",
  "extdebug",
  "sourcepath",
  "checkhash",
  "lastpipe",
  "keyword"
])

const assigners: ReadonlySet<string> = new Set(["read", "mapfile", "readarray", "unset", "getopts"])

/** Whether the variable that a word names, or assigns to, may be one that counts. */
function mayRedefine(arg: Arg | undefined): boolean {
  if (arg === undefined) return false
  const { text, value } = arg
  const [name] = /^[A-Za-z_]\w*(?=$|\+?=|\[)/.exec(value ?? text) ?? []
  if (name !== undefined) return redefines(name)
  return value === undefined
}
