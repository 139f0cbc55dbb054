/**
 * Words of a command: what is static in them after quote removal, and what only bash can know. A value is never
 * taken from the parser's `value` alone, which reads `"$X"` and `'$X'` alike.
 */
import type { Assignment, ParameterOperation, Word, WordPart } from "unbash"
import type { PartWord } from "../Subject.ts"

/** One of the texts a word can have. */
export interface Spelling {
  readonly text: string
  /** Unquoted glob characters stand in it. */
  readonly glob: boolean
}

/** A word of a command with all that is known of it. */
export interface Arg extends PartWord {
  /** Its possible texts with known variables filled in, for paths; undefined when only bash can know them. */
  readonly spellings: readonly Spelling[] | undefined
  /** The static text it begins with. */
  readonly head: string
  /** It may turn into an option, or into several words: an unquoted expansion, a glob or brace at its beginning. */
  readonly loose: boolean
  /** Its text if all that is unknown in it were empty; undefined for a static word. */
  readonly emptied: string | undefined
}

/** What is known of variables and home where a word stands. */
export interface Known {
  /** The values a variable can have; undefined when only bash can know. */
  readonly lookup: (name: string) => readonly string[] | undefined
  /** Undefined when `HOME` is assigned. */
  readonly home: string | undefined
}

/** Nothing is known of any variable. */
export const knowsNothing: Known = { lookup: () => undefined, home: undefined }

/** More spellings than this are as good as unknown. */
const maxSpellings = 16

/** Reads a word. */
export function readWord(word: Word, known: Known): Arg {
  const reading = newReading()
  const { parts, text, value } = word
  if (parts === undefined) addBare(reading, text, value, false, known)
  else {
    parts.forEach((part, index) => {
      if (index === 0 && part.type === "Literal") addBare(reading, part.text, part.value, parts.length > 1, known)
      else addPart(reading, part, false, known)
    })
  }
  return finish(reading, text)
}

/** Reads an assignment as the word it is written as. */
export function readAssignment(assignment: Assignment, known: Known): Arg {
  if (assignment.value.type === "ArrayValue" || assignment.index !== undefined) {
    return {
      text: assignment.text,
      value: undefined,
      glob: false,
      spellings: undefined,
      head: "",
      loose: false,
      emptied: ""
    }
  }
  const value = assignment.value.text.includes(":~") ? { ...appended, loose: false } : readWord(assignment.value, known)
  const before = `${assignment.name}${assignment.append === true ? "+=" : "="}`
  return {
    text: assignment.text,
    // an assignment's value is neither split nor globbed, so that a glob is plain text there
    value: value.value === undefined ? undefined : before + value.value,
    glob: false,
    spellings: value.spellings?.map(({ glob, text }) => ({ text: before + text, glob })),
    head: before + value.head,
    loose: false,
    emptied: value.emptied === undefined ? undefined : before + value.emptied
  }
}

/** A word that stands for what a launcher appends or puts in for `{}`. */
export const appended: Arg = {
  text: "{}",
  value: undefined,
  glob: false,
  spellings: undefined,
  head: "",
  loose: true,
  emptied: ""
}

/** A static word. */
export const literal = (text: string): Arg => ({
  text,
  value: text,
  glob: false,
  spellings: [{ text, glob: false }],
  head: text,
  loose: false,
  emptied: undefined
})

/** The word without its first `count` static characters: the value of `--name=value` or `-nvalue`. */
export function without(arg: Arg, count: number): Arg {
  return {
    text: arg.text,
    value: arg.value?.slice(count),
    glob: arg.glob,
    spellings: arg.spellings?.map(({ glob, text }) => ({ text: text.slice(count), glob })),
    head: arg.head.slice(count),
    loose: false,
    emptied: arg.emptied?.slice(count)
  }
}

interface Reading {
  value: string | undefined
  spellings: readonly Spelling[] | undefined
  glob: boolean
  loose: boolean
  /** Undefined as long as all is static. */
  emptied: string | undefined
  head: string
  headEnded: boolean
}

const newReading = (): Reading => ({
  value: "",
  spellings: [{ text: "", glob: false }],
  glob: false,
  loose: false,
  emptied: undefined,
  head: "",
  headEnded: false
})

function finish(reading: Reading, text: string): Arg {
  const nul = reading.value?.includes("\0") === true
  return {
    text,
    // bash cuts a word off at a NUL, and the parser does not
    value: nul ? undefined : reading.value,
    glob: reading.glob,
    spellings: nul ? undefined : reading.spellings,
    head: reading.head,
    loose: reading.loose,
    emptied: reading.emptied
  }
}

/** The unquoted beginning of a word: a tilde stands at its very beginning, or behind `name=`. */
function addBare(reading: Reading, text: string, value: string, more: boolean, known: Known): void {
  if (!text.includes("~")) return addStatic(reading, value)
  const equals = assigns.exec(text)
  if (text.startsWith("~")) addTilde(reading, value, more, known)
  else if (equals === null) addStatic(reading, value)
  else {
    addStatic(reading, text.slice(0, equals[0].length))
    const rest = value.slice(equals[0].length)
    if (text.includes(":~")) addUnknown(reading, rest)
    else if (rest.startsWith("~") && text[equals[0].length] === "~") addTilde(reading, rest, more, known)
    else addStatic(reading, rest)
  }
}

const assigns = /^[A-Za-z_]\w*\+?=/

/** `~` and `~/x` are home's; `~user` and `~+` only bash can know, and whether a quote behind `~` spoils it. */
function addTilde(reading: Reading, value: string, more: boolean, known: Known): void {
  const own = value.startsWith("~/") || (value === "~" && !more)
  if (known.home !== undefined && own) addStatic(reading, known.home + value.slice(1))
  else addUnknown(reading, value)
}

function addPart(reading: Reading, part: WordPart, quoted: boolean, known: Known): void {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
    case "AnsiCQuoted":
      return addStatic(reading, part.value)
    case "DoubleQuoted":
    case "LocaleString":
      return part.parts.forEach((child) => addPart(reading, child, true, known))
    case "Glob":
      return addPattern(reading, part.text)
    case "ExtendedGlob":
    case "BraceExpansion":
      // a star stands for whatever it yields, as long as that stays within one segment of a path
      return part.text.includes("/") || part.text.includes("..")
        ? addUnknown(reading, "", true)
        : addPattern(reading, "*")
    case "SimpleExpansion":
      return addVariable(reading, part.text.slice(1), quoted, known)
    case "ParameterExpansion":
      return part.prefix === undefined && part.index === undefined && part.operation === undefined
        ? addVariable(reading, part.parameter, quoted, known)
        : addExpansion(reading, quoted, ifUnset(part.operation))
    case "ProcessSubstitution":
      // a pipe of the shell's own: no file, so that it has no spelling at all
      reading.spellings = []
      return endValue(reading, "")
    case "ArithmeticExpansion":
      return addUnknown(reading, "")
    default:
      return addExpansion(reading, quoted)
  }
}

function addStatic(reading: Reading, text: string): void {
  if (reading.value !== undefined) reading.value += text
  if (reading.emptied !== undefined) reading.emptied += text
  if (!reading.headEnded) reading.head += text
  reading.spellings = reading.spellings?.map((spelling) => ({ text: spelling.text + text, glob: spelling.glob }))
}

function addPattern(reading: Reading, pattern: string): void {
  if (reading.head === "" && !reading.headEnded) reading.loose = true
  reading.glob = true
  endValue(reading, pattern)
  reading.spellings = reading.spellings?.map(({ text }) => ({ text: text + pattern, glob: true }))
}

function addVariable(reading: Reading, name: string, quoted: boolean, known: Known): void {
  const values = known.lookup(name)
  const usable = values !== undefined && values.length > 0 && (quoted || values.every(isOneWord))
  if (!usable) return addExpansion(reading, quoted)
  // the command's own words stay as written: only paths are looked up
  endValue(reading, values.length === 1 ? values[0]! : "")
  const product = reading.spellings?.flatMap(({ glob, text }) => values.map((value) => ({ text: text + value, glob })))
  reading.spellings = product !== undefined && product.length <= maxSpellings ? product : undefined
  if (reading.head === "" && values.some((value) => value.startsWith("-"))) reading.loose = true
}

function addExpansion(reading: Reading, quoted: boolean, emptied = ""): void {
  if (!quoted) reading.loose = true
  addUnknown(reading, emptied)
}

/** What an expansion of a variable that is not set yields: `${x:-default}`; something for `${x:?}`, which stops. */
function ifUnset(operation: ParameterOperation | undefined): string {
  if (operation?.type !== "Default") return ""
  if (operation.operator.endsWith("?")) return "?"
  const { text, value } = operation.operand
  return operation.operator.endsWith("+") || text.includes("$") ? "" : value
}

function addUnknown(reading: Reading, emptied: string, loose = false): void {
  if (loose && reading.head === "") reading.loose = true
  endValue(reading, emptied)
  reading.spellings = undefined
}

function endValue(reading: Reading, emptied: string): void {
  reading.emptied = (reading.emptied ?? reading.value ?? "") + emptied
  reading.value = undefined
  reading.headEnded = true
}

/** Neither split into words nor expanded as a pattern when it stands unquoted. */
function isOneWord(value: string): boolean {
  if (value === "") return false
  for (let index = 0; index < value.length; index++) if (" \t\n*?[".includes(value[index]!)) return false
  return true
}
