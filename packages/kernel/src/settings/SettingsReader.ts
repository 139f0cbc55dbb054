/**
 * A settings text as a tree whose every node knows its place: members with duplicates told apart, and the list
 * of problems, each at its line and column. What the members mean is `parseSettings`' business.
 */
import { getNodeValue, parseTree, printParseErrorCode, type Node, type ParseError } from "jsonc-parser"
import type { SettingsFile, SettingsProblem } from "../Settings.ts"
import { meant, nearest } from "./nearest.ts"

/** A member of an object, under the known name it stands for. */
export interface Member {
  readonly key: string
  readonly node: Node
  readonly value: Node
  /** A name given twice, or one that is only near a known one: it may tighten and nothing else. */
  readonly doubtful: boolean
}

/** The problems of one file and how to say them. */
export interface SettingsReader {
  readonly problems: SettingsProblem[]
  /** The root, if the text is an object. */
  readonly root: Node | undefined
  readonly error: (at: Node, message: string) => void
  readonly warn: (at: Node, message: string) => void
  /** The members of an object. An unknown name is an error; a known one near to it stands in for it, as doubtful. */
  readonly members: (node: Node, known: readonly string[], what: string) => readonly Member[]
}

/** Reads a file's text. Without a root the file is broken, and the problems say why. */
export function readSettingsText(file: SettingsFile): SettingsReader {
  const { layer, text } = file
  const problems: SettingsProblem[] = []
  const place = placesIn(text ?? "")
  const say = (severity: "error" | "warning", offset: number, message: string) => {
    problems.push({
      severity,
      layer,
      ...(file.file === undefined ? {} : { file: file.file }),
      ...place(offset),
      message
    })
  }
  const error = (at: Node, message: string) => say("error", at.offset, message)
  const warn = (at: Node, message: string) => say("warning", at.offset, message)

  const members = (node: Node, known: readonly string[], what: string): readonly Member[] =>
    membersOf(node).flatMap(({ key, node, twice, value }) => {
      if (twice) error(node, `${what} holds \`${key}\` twice`)
      if (known.includes(key)) return [{ key, node, value, doubtful: twice }]
      error(node, `unknown key \`${key}\` in ${what}, ${meant(key, known)}`)
      const near = nearest(key, known)
      return near === undefined ? [] : [{ key: near, node, value, doubtful: true }]
    })

  for (const note of file.notes ?? []) say("warning", 0, note)
  return { problems, root: rootOf(file, say), error, warn, members }
}

/** An object's members as they stand, names that were given before marked. */
export function membersOf(node: Node): readonly { key: string; node: Node; value: Node; twice: boolean }[] {
  const seen = new Set<string>()
  return (node.children ?? []).flatMap((property) => {
    const [name, value] = property.children ?? []
    if (name === undefined || value === undefined) return []
    const key = String(name.value)
    const twice = seen.has(key)
    seen.add(key)
    return [{ key, node: name, value, twice }]
  })
}

/** The value that a node stands for. */
export const valueOf = (node: Node): unknown => getNodeValue(node)

/** The text of a node that is a text. */
export const textOf = (node: Node): string | undefined => (node.type === "string" ? String(node.value) : undefined)

function rootOf(
  { text, unreadable = "the file can't be read" }: SettingsFile,
  say: (severity: "error", offset: number, message: string) => void
): Node | undefined {
  if (text === undefined) {
    say("error", 0, unreadable)
    return undefined
  }
  const read = parseBounded(text.startsWith("\uFEFF") ? ` ${text.slice(1)}` : text)
  if ("tooDeep" in read) {
    say("error", 0, "the file is nested too deeply")
    return undefined
  }
  for (const { error, offset } of read.errors.slice(0, maxErrors))
    say("error", offset, `not JSON: ${wordsFor[printParseErrorCode(error)] ?? "something else is expected"}`)
  if (read.errors.length > 0) return undefined
  if (read.root?.type === "object") return read.root
  say("error", read.root?.offset ?? 0, "the file holds no object")
  return undefined
}

function parseBounded(
  text: string
): { readonly root: Node | undefined; readonly errors: ParseError[] } | { readonly tooDeep: true } {
  const errors: ParseError[] = []
  try {
    return { root: parseTree(text, errors, { allowTrailingComma: true }), errors }
  } catch (thrown) {
    // the parser is recursive: a hostile file ends its stack
    if (thrown instanceof RangeError) return { tooDeep: true }
    throw thrown
  }
}

/** One slip makes the parser stumble on and on; the first places say enough. */
const maxErrors = 5

/** What would be right, for each way in which a text is not JSON. */
const wordsFor: Readonly<Record<string, string>> = {
  InvalidSymbol: "an unknown word; a text stands in double quotes",
  InvalidNumberFormat: "a number that is none",
  PropertyNameExpected: "a name in double quotes is expected",
  ValueExpected: "a value is expected",
  ColonExpected: "a `:` is expected",
  CommaExpected: "a `,` is expected",
  CloseBraceExpected: "a closing `}` is expected",
  CloseBracketExpected: "a closing `]` is expected",
  EndOfFileExpected: "nothing may stand behind the closing `}`",
  InvalidCommentToken: "a comment begins with `//` or `/*`",
  UnexpectedEndOfComment: "a comment is never closed, `*/` is expected",
  UnexpectedEndOfString: 'a text is never closed, `"` is expected on the same line',
  UnexpectedEndOfNumber: "a number ends too early",
  InvalidUnicode: "four hexadecimal digits are expected behind `\\u`",
  InvalidEscapeCharacter: "an unknown escape; a backslash itself is written `\\\\`",
  InvalidCharacter: "a character that a text may hold as an escape only"
}

/** Line and column of an offset, both from 1. */
function placesIn(text: string): (offset: number) => { readonly line: number; readonly column: number } {
  const starts = [0]
  for (let index = text.indexOf("\n"); index !== -1; index = text.indexOf("\n", index + 1)) starts.push(index + 1)
  return (offset) => {
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (starts[middle]! <= offset) low = middle
      else high = middle - 1
    }
    return { line: low + 1, column: offset - starts[low]! + 1 }
  }
}
