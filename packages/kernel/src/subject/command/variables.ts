/**
 * What a line assigns to its variables, wherever it does so. A variable's possible values are all those that the
 * line gives it; one that is given anything else is unknown.
 */
import { forEachChild, type Command, type ParsedScript, type SyntaxNode, type Word } from "unbash"
import { isCut, isJoined } from "./cut.ts"
import { type Known, readWord } from "./words.ts"

/** The assignments of one script. */
export interface Variables {
  /** Words assigned to each name; undefined when something else is assigned to it, too. */
  readonly words: ReadonlyMap<string, readonly Word[] | undefined>
  /** Something in the script may assign any variable. */
  readonly opaque: boolean
}

/** Commands that may assign whatever their text says. */
const opaqueCommands: ReadonlySet<string> = new Set(["eval", "source", ".", "trap", "alias", "builtin", "command"])
/** Commands whose words name variables that they set. */
const setters: ReadonlySet<string> = new Set([
  "read",
  "mapfile",
  "readarray",
  "getopts",
  "printf",
  "unset",
  "wait",
  "let"
])

/** Collects all assignments of a script, nested ones included. */
export function collectVariables(script: ParsedScript): Variables {
  const words = new Map<string, Word[] | undefined>()
  let opaque = false

  const assign = (name: string, word: Word | undefined) => {
    const known = words.has(name) ? words.get(name) : []
    if (word !== undefined) known?.push(word)
    words.set(name, word === undefined ? undefined : known)
  }

  const visit = (node: SyntaxNode): void => {
    switch (node.type) {
      case "CommandExpansion":
      case "ProcessSubstitution":
      case "ArithmeticCommandExpansion":
        node.script?.commands.forEach(visit)
        return
      case "Assignment":
        assign(
          node.name,
          node.append === true || node.index !== undefined || node.value.type === "ArrayValue" ? undefined : node.value
        )
        break
      case "For":
        for (const word of node.wordlist ?? [undefined]) assign(node.name.value, word)
        break
      case "Select":
        assign(node.name.value, undefined)
        break
      case "Function":
        opaque = true
        break
      case "FileDescriptorVariable":
        assign(node.name, undefined)
        break
      case "HereDoc":
        opaque ||= isJoined(node)
        break
      case "ParameterExpansion":
        opaque ||= isCut(node)
        if (node.operation?.type === "Default" && node.operation.operator.endsWith("="))
          assign(node.parameter, undefined)
        break
      case "ArithmeticWord":
        for (const name of node.value.match(/[A-Za-z_][A-Za-z0-9_]*/g) ?? []) assign(name, undefined)
        break
      case "Command":
        command(node)
        break
      default:
        break
    }
    forEachChild(node, visit)
  }

  const command = ({ args, name }: Command) => {
    if (name === undefined) return
    if (name.parts !== undefined || opaqueCommands.has(name.value)) opaque = true
    if (
      (name.value === "declare" || name.value === "typeset" || name.value === "local") &&
      args.some(({ text }) => /^-\w*n/.test(text))
    )
      opaque = true
    if (!setters.has(name.value)) return
    for (const arg of args)
      if (arg.type === "Word")
        for (const each of arg.value.match(/[A-Za-z_][A-Za-z0-9_]*/g) ?? []) assign(each, undefined)
  }

  script.commands.forEach(visit)
  return { words, opaque }
}

/** Text values of a variable, its words read with what is known; undefined when only bash can know. */
export function valuesOf(variables: Variables, name: string, known: Known): readonly string[] | undefined {
  const words = variables.opaque ? undefined : variables.words.get(name)
  if (words === undefined) return undefined
  const values = new Set<string>()
  for (const word of words) {
    const { spellings } = readWord(word, known)
    if (spellings === undefined || spellings.some(({ glob }) => glob)) return undefined
    for (const { text } of spellings) values.add(text)
    if (values.size > 16) return undefined
  }
  return [...values]
}
