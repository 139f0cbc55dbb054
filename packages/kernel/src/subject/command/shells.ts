/**
 * Shells as programs: whether one runs a script from its arguments, from a file, or from standard input.
 */
import { baseName } from "../path.ts"
import type { Arg } from "./words.ts"

const posix: ReadonlySet<string> = new Set([
  "sh",
  "bash",
  "dash",
  "zsh",
  "ksh",
  "mksh",
  "ash",
  "rbash",
  "yash",
  "ksh93",
  "bash5"
])
const foreign: ReadonlySet<string> = new Set(["fish", "csh", "tcsh", "pwsh", "powershell", "nu", "xonsh", "elvish"])

/** Where a shell has its script from. */
export type ShellCall =
  /** Its arguments; undefined for a script that is not static, or in no language of ours. */
  | { readonly from: "argument"; readonly script: string | undefined }
  | { readonly from: "file" }
  | { readonly from: "stdin" }
  /** Its options have no certain reading. */
  | { readonly from: "unclear" }

const inputs = /^\/dev\/(?:stdin|fd\/|tty)|^\/proc\/(?:self|\d+)\/fd\//

/** What the command runs as a shell; undefined when it is none. */
export function shellCall(words: readonly Arg[]): ShellCall | undefined {
  const name = words[0]?.value
  if (name === undefined) return undefined
  const base = baseName(name)
  if (name === "source" || name === ".") return isInput(words[1]) ? { from: "stdin" } : undefined
  // its script runs later, by `sh`
  if (base === "at" || base === "batch")
    return words.some(({ head }) => head.startsWith("-f")) ? { from: "file" } : { from: "stdin" }
  if (foreign.has(base)) return shellOptions(words, true)
  return posix.has(base) ? shellOptions(words, false) : undefined
}

function shellOptions(words: readonly Arg[], isForeign: boolean): ShellCall {
  let command = false
  let stdin = false
  let index = 1
  for (; index < words.length; index++) {
    const { head, loose, value } = words[index]!
    if (value === undefined && (loose || head === "")) break
    if (head === "-" || head === "--") {
      index++
      break
    }
    if (head.length < 2 || (head[0] !== "-" && head[0] !== "+")) break
    if (head.startsWith("--")) {
      if (head === "--rcfile" || head === "--init-file") {
        const file = words[++index]
        if (file?.value === undefined || isInput(file)) return { from: "unclear" }
      } else if (head === "--command" || head.startsWith("--command=")) return { from: "argument", script: undefined }
      else if (!longFlags.has(head)) return { from: "unclear" }
      continue
    }
    if (value === undefined) return { from: "unclear" }
    if (head.includes("c") && head[0] === "-") command = true
    if (head.includes("s") && head[0] === "-") stdin = true
    // with `-k` any later word may be an assignment
    if (head.includes("k")) return { from: "unclear" }
    for (const letter of head.slice(1))
      if ((letter === "o" || letter === "O") && ["keyword", undefined].includes(words[++index]?.value))
        return { from: "unclear" }
  }
  const operand = words[index]
  if (command) return { from: "argument", script: isForeign ? undefined : operand?.value }
  if (stdin || operand === undefined || isInput(operand)) return { from: "stdin" }
  // an unquoted word may vanish or be an option
  return operand.value === undefined && operand.loose ? { from: "unclear" } : { from: "file" }
}

const longFlags: ReadonlySet<string> = new Set([
  "--login",
  "--norc",
  "--noprofile",
  "--posix",
  "--restricted",
  "--verbose",
  "--noediting",
  "--version",
  "--help",
  "--debugger",
  "--no-rcs"
])

/** Standard input by another name, or the output of a process. */
function isInput(word: Arg | undefined): boolean {
  if (word === undefined) return false
  if (word.value === "-" || word.spellings?.length === 0) return true
  return word.spellings?.some(({ text }) => inputs.test(text)) === true
}
