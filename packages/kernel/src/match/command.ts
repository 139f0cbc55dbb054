/**
 * Command contents: exact, `prefix:*`, and `*` for any characters, compared with a part's text. Which texts a part
 * has, and when a star rule may count for it, is `commandTexts.ts`' and
 * `allowance.ts`' business.
 */
import type { Form, PartWord } from "../subject/Subject.ts"
import { type Glob, globMatches } from "./glob.ts"

/** A content, compiled. */
export interface CommandPattern {
  /** The content, blanks made one: what options are named in. */
  readonly text: string
  /** The pieces between stars; one piece and no `open`: exact. */
  readonly glob: Glob
  /** Matches also when white space and anything follows: `prefix:*` and a trailing ` *`. */
  readonly open: boolean
  /** Several pieces, with the open end written out. */
  readonly opened: Glob
  /** Length of the literal text of whole words that it begins with. */
  readonly literal: number
}

/** Compiles a content. Blanks inside quotes count as they are in an allow rule; in a ban they are all one blank. */
export function commandPattern(content: string, allows: boolean, exact: boolean, malformed: boolean): CommandPattern {
  const text = (allows ? joinBlanks(content) : joinAllBlanks(content)).trim()
  // whatever begins like what can be read of it, an end that means "anything" left out
  if (malformed) return pattern(text, [...cut(text.replace(/(?::\*?| \*)$/, "")), ""], false)
  if (exact) return pattern(text, [text], false)
  const prefix = text.endsWith(":*") ? text.slice(0, -2) : text.endsWith(" *") ? text.slice(0, -2) : undefined
  // a ban of nothing in particular is one of everything
  if (prefix === "" && !allows) return pattern(text, ["", ""], false)
  return pattern(text, cut((prefix ?? text).trimEnd()), prefix !== undefined)
}

/** Whether it is compared character by character. */
export const isExact = ({ glob, open }: CommandPattern) => glob.length === 1 && !open

/** Whether the whole text matches; its blanks have to be joined as the pattern's are. */
export function commandMatches({ glob, open, opened }: CommandPattern, text: string): boolean {
  if (globMatches(glob, text)) return true
  if (!open) return false
  return glob.length > 1 ? globMatches(opened, text) : text.startsWith(glob[0]!) && text[glob[0]!.length] === " "
}

/**
 * Whether an allow rule that matches this text of a form may count for it: an exact one always, one with a star
 * only if its literal beginning names the program that is launched, and its text the options that write or run.
 */
export function mayAllow(pattern: CommandPattern, form: Form, plain: boolean): boolean {
  if (isExact(pattern)) return true
  if (form.literalWords > 0 && pattern.literal < lengthOf(form.words, form.literalWords, plain)) return false
  return form.mustName.every((name) => names(pattern.text, name))
}

/** Runs of blanks and tabs outside quotes made one blank; several lines, which may hold a heredoc, stay as they are. */
export function joinBlanks(text: string): string {
  if (text.indexOf("\n") !== -1 || (text.indexOf("\t") === -1 && !hasTwoBlanks(text))) return text
  let joined = ""
  let quote = ""
  for (let index = 0; index < text.length; index++) {
    const char = text[index]!
    if (char === "\\" && quote !== "'") {
      joined += text.slice(index, index + 2)
      index++
    } else if (quote === "" && (char === " " || char === "\t")) {
      if (!joined.endsWith(" ") || joined.endsWith("\\ ")) joined += " "
    } else {
      if (char === quote) quote = ""
      else if (quote === "" && (char === "'" || char === '"')) quote = char
      joined += char
    }
  }
  // a quote that is never closed is none: then every run is one blank
  return quote === "" ? joined : joinAllBlanks(text)
}

/** Runs of blanks, tabs and line breaks made one blank, wherever they stand. */
export function joinAllBlanks(text: string): string {
  const joined = text.indexOf("\t") === -1 && text.indexOf("\n") === -1 && !hasTwoBlanks(text)
  return joined ? text : text.replace(/[ \t\n]+/g, " ")
}

/** Whether two blanks stand side by side. Looking for one character at a time is what engines are fast at. */
function hasTwoBlanks(text: string): boolean {
  for (let at = text.indexOf(" "); at !== -1; at = text.indexOf(" ", at + 1)) {
    if (text.charCodeAt(at + 1) === 32) return true
  }
  return false
}

function pattern(text: string, glob: Glob, open: boolean): CommandPattern {
  const head = glob[0]!
  const whole = glob.length === 1 ? head.length : Math.max(0, head.lastIndexOf(" "))
  const opened = open && glob.length > 1 ? [...glob.slice(0, -1), `${glob.at(-1)!} `, ""] : glob
  return { text, glob, open, opened, literal: whole }
}

/** At every star; the star of a `:*` that does not end the content is plain text. */
function cut(text: string): Glob {
  const pieces: string[] = []
  let from = 0
  for (let at = text.indexOf("*"); at !== -1; at = text.indexOf("*", at + 1)) {
    if (text[at - 1] === ":") continue
    pieces.push(text.slice(from, at))
    from = at + 1
  }
  return [...pieces, text.slice(from)]
}

/** Length of the first words of a form's text. */
function lengthOf(words: readonly PartWord[], count: number, plain: boolean): number {
  let length = Math.min(count, words.length) - 1
  for (const { text, value } of words.slice(0, count)) length += (plain ? (value ?? text) : text).length
  return length
}

/** Whether a rule's text holds an option as a word of its own, with a value or without. */
function names(text: string, option: string): boolean {
  if (!option.startsWith("-")) return text.includes(option)
  for (let at = text.indexOf(option); at !== -1; at = text.indexOf(option, at + 1)) {
    const before = text[at - 1]
    const after = text[at + option.length]
    const ends = after === undefined || after === " " || after === "=" || after === "*" || after === ":"
    // a short option may have its value glued on
    if ((before === undefined || before === " " || before === "*") && (ends || option.length === 2)) return true
  }
  return false
}
