/** Words of a command: the ways to write one that are the same to bash, and the ways that only bash can know. */
import type { Pen } from "./Pen.ts"

/** Writes a command, or a whole script, as a word in single quotes. */
export const singleQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** Writes it as a word in double quotes. */
export const doubleQuoted = (text: string): string => `"${text.replace(/[\\"$`]/g, "\\$&")}"`

/** Writes it as a word in one of the ways to quote. */
export function quoted(pen: Pen, text: string): string {
  switch (pen.below(3)) {
    case 0:
      return singleQuoted(text)
    case 1:
      return doubleQuoted(text)
    default:
      pen.saw("quotes: $'…'")
      return `$'${text.replace(/[\\']/g, "\\$&").replaceAll("\n", "\\n")}'`
  }
}

/** Ways to write a word of letters that bash reads as the word. */
const spellings: readonly (readonly [construct: string, write: (word: string) => string])[] = [
  ["quotes: backslash", (word) => `${word[0]}\\${word.slice(1)}`],
  ["quotes: backslash", (word) => `\\${word}`],
  ["quotes: '…'", (word) => `'${word}'`],
  ["quotes: '…'", (word) => `${word[0]}'${word.slice(1)}'`],
  ['quotes: "…"', (word) => `"${word}"`],
  ['quotes: "…"', (word) => `${word.slice(0, -1)}"${word.slice(-1)}"`],
  ["quotes: empty", (word) => `${word[0]}''""${word.slice(1)}`],
  ["quotes: $'…'", (word) => `$'${word}'`],
  ["quotes: $'…'", (word) => `$'\\x${word.charCodeAt(0).toString(16)}${word.slice(1)}'`],
  ["quotes: $'…'", (word) => `$'\\${word.charCodeAt(0).toString(8)}'${word.slice(1)}`],
  ["quotes: $'…'", (word) => `${word[0]}$'\\u00${word.charCodeAt(1).toString(16)}'${word.slice(2)}`],
  ['quotes: $"…"', (word) => `$"${word}"`],
  ["quotes: joined line", (word) => `${word[0]}\\\n${word.slice(1)}`]
]

/** Writes a word, mostly plain. */
export function word(pen: Pen, text: string): string {
  if (!pen.oneIn(4) || text.length < 2) return text
  const [, write] = pen.construct(spellings)
  return write(text)
}

const args = [
  "",
  " x",
  " -v",
  " 'a b'",
  ' "danger"',
  " '$(danger)'",
  " a=b",
  " '; danger'",
  " ''",
  " \\$x",
  " $'a\\tb'"
]

/** Arguments that mean nothing, some of which look dangerous and are text. */
export const someArgs = (pen: Pen): string => (pen.oneIn(3) ? args[pen.below(args.length)]! : "")

/** A program in the place of a word, whose name only bash can know. Writes what has to stand before it, too. */
export function unknownWord(pen: Pen, program: string): { readonly before: string; readonly word: string } {
  const [, before, text] = pen.construct(unknownWords)
  pen.mayAsk()
  pen.hide()
  const name = `v${pen.fresh()}`
  const put = (template: string) =>
    template
      .replaceAll("NAME", name)
      .replaceAll("PROGRAM", program)
      .replaceAll("GLOB", `${program.slice(0, -1)}?`)
      .replaceAll("BRACKET", `[${program[0]}]${program.slice(1)}`)
  return { before: put(before), word: put(text) }
}

const unknownWords: readonly (readonly [construct: string, before: string, word: string])[] = [
  ["command word: $X", "NAME=PROGRAM; ", "$NAME"],
  ["command word: $X", "NAME=PROGRAM; ", '"$NAME"'],
  ["command word: $X", "NAME=PROGRAM; ", "${NAME}"],
  ["command word: $X", "", "${NAME:-PROGRAM}"],
  ["command word: $X", "", '"${NAME=PROGRAM}"'],
  ["command word: $X", "NAME=xPROGRAM; ", "${NAME#x}"],
  ["command word: $X", "NAME=(PROGRAM x); ", "${NAME[0]}"],
  ["command word: $X", "set -- PROGRAM; ", "$1"],
  ["command word: $X", "set -- PROGRAM x; ", '"$@"'],
  ["command word: $X", ": PROGRAM; ", "$_"],
  ["command word: $X", "read NAME <<< PROGRAM; ", "$NAME"],
  ["command word: $X", "printf -v NAME %s PROGRAM; ", "$NAME"],
  ["command word: $X", "for NAME in PROGRAM; do :; done; ", "$NAME"],
  ["command word: ${!X}", "NAME=PROGRAM; p=NAME; ", "${!p}"],
  ["command word: ${X@…}", "NAME=PROGRAM; ", "${NAME@E}"],
  ["command word: $(…)", "", "$(echo PROGRAM)"],
  ["command word: $(…)", "", '"$(printf %s PROGRAM)"'],
  ["command word: `…`", "", "`echo PROGRAM`"],
  ["command word: glob", "", "../bin/GLOB"],
  ["command word: glob", "", "../bin/BRACKET"],
  ["command word: glob", "", "../b*/PROGRAM"],
  ["command word: brace", "", "{PROGRAM,x}"],
  ["command word: brace", "", "../{bin/PROGRAM,x}"]
]
