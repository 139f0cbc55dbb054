/**
 * Text that bash evaluates a second time: arithmetic, subscripts, `-v` and their like run a `$(…)` that a variable
 * holds. Where a line has such a place and text that looks like it, nothing in it can be told for certain.
 */
import type { SyntaxNode } from "unbash"
import type { Arg } from "./words.ts"

const numeric: ReadonlySet<string> = new Set(["-eq", "-ne", "-lt", "-le", "-gt", "-ge"])
const evaluators: ReadonlySet<string> = new Set(["let", "unset", "read", "mapfile", "readarray", "getopts"])

/** Variables that the shell takes for numbers whatever they are given. */
const integers: ReadonlySet<string> = new Set([
  "RANDOM",
  "SRANDOM",
  "SECONDS",
  "LINENO",
  "OPTIND",
  "HISTCMD",
  "EPOCHSECONDS",
  "BASHPID",
  "PPID"
])

/** Whether the node is a place where bash evaluates text twice. */
export function evaluatesTwice(node: SyntaxNode): boolean {
  switch (node.type) {
    case "ArithmeticExpansion":
    case "ArithmeticCommand":
    case "ArithmeticFor":
    case "Slice":
    case "Unknown":
      return true
    case "Assignment":
      return node.index !== undefined || integers.has(node.name)
    case "ArrayValue":
      return node.elements.some(({ text }) => text.startsWith("["))
    case "For":
    case "Select":
      return integers.has(node.name.value)
    case "ParameterExpansion":
      return node.prefix === "!" || (node.index !== undefined && node.index.text !== "@" && node.index.text !== "*")
    case "Transform":
      return node.operand.text.includes("P") || node.operand.value.includes("P")
    case "TestUnary":
      return node.operator === "-v" || node.operator === "-R"
    case "TestBinary":
      return numeric.has(node.operator)
    default:
      return false
  }
}

/** Whether the command evaluates one of its words a second time. */
export function commandEvaluatesTwice(words: readonly Arg[]): boolean {
  const name = words[0]?.value
  if (name === undefined) return false
  if (evaluators.has(name)) return true
  const rest = words.slice(1)
  if (name === "printf" || name === "test" || name === "[") return rest.some(({ head }) => head.startsWith("-v"))
  if (name === "compgen" || name === "complete") return rest.some(({ head, loose }) => head.startsWith("-W") || loose)
  if (name === "wait") return rest.some(({ head }) => head.startsWith("-p"))
  if (["declare", "typeset", "local", "export", "readonly"].includes(name)) {
    return rest.some(
      ({ head, text, value }) =>
        /^[-+][A-Za-z]*[inaA]/.test(head) ||
        text.includes("[") ||
        // a name that only bash can know may be an element's, and a text in brackets becomes an array
        (value === undefined ? !/^[A-Za-z_]\w*\+?=\(/.test(text) : value.includes("=("))
    )
  }
  return false
}

/** Whether literal text could be a substitution when it is evaluated, or a piece of one. */
export function looksEvaluable(text: string): boolean {
  if (text.includes("`")) return true
  for (let at = text.indexOf("$"); at !== -1; at = text.indexOf("$", at + 1)) {
    const next = text[at + 1]
    if (next === "(" || next === "{" || next === "[") return true
  }
  return false
}
