/** The texts of a command that rules are compared with, gathered once per call, and what only bash can know of it. */
import type { CommandSubject, Form, PartWord } from "../subject/Subject.ts"
import { joinAllBlanks, joinBlanks } from "./command.ts"

/** A text with its words. */
export interface CommandText {
  readonly text: string
  /** The words between its blanks, where they are known without looking for them. */
  readonly words: readonly PartWord[] | undefined
}

/** What a command's rules are tried on. */
export interface CommandTexts {
  /** For bans: each form of each part, each part, and the whole line; none twice. */
  readonly bans: readonly CommandText[]
  /** Forms that hold a word which only bash can know, behind the program. */
  readonly unsure: readonly (readonly PartWord[])[]
  /** Which programs run is not known: any command ban may be meant. */
  readonly opaque: boolean
  /** For exact allow rules: the whole line. */
  readonly line: CommandText
}

let asked: CommandSubject | undefined
let answer: CommandTexts | undefined

/** The texts of a command. */
export function commandTexts(command: CommandSubject): CommandTexts {
  // all questions about a call are asked one after the other
  if (asked === command && answer !== undefined) return answer
  answer = plainTexts(command) ?? gather(command)
  asked = command
  return answer
}

/** The text of a form as it was written. */
export const writtenText = (form: Form): CommandText => ({
  text: form.written,
  words: isPlain(form) ? form.words : undefined
})

const none: CommandTexts["unsure"] = []

/** Most calls: one program with plain words, of which every text is the same. */
function plainTexts({ parsed, parts, text, transparent }: CommandSubject): CommandTexts | undefined {
  const part = parts[0]
  if (parts.length !== 1 || part === undefined || !parsed || !transparent || part.unknown) return undefined
  const form = part.ban[0]
  if (part.ban.length !== 1 || form === undefined) return undefined
  if (form.written !== text || part.text !== text || !isPlain(form)) return undefined
  const only: CommandText = { text, words: form.words }
  return { bans: [only], unsure: none, opaque: false, line: only }
}

/** Whether the form's words stand for themselves, and are what lies between the blanks of its text. */
function isPlain({ plain, words, written }: Form): boolean {
  if (plain !== written || words.length === 0) return false
  let start = 0
  for (const { glob, text, value } of words) {
    if (glob || value !== text || text === "") return false
    const end = written.indexOf(" ", start)
    if ((end === -1 ? written.length : end) !== start + text.length) return false
    start += text.length + 1
  }
  return start === written.length + 1 && written.indexOf("\t") === -1 && written.indexOf("\n") === -1
}

function gather({ parsed, parts, text, transparent }: CommandSubject): CommandTexts {
  const bans: CommandText[] = []
  // most commands have few texts; a line of a thousand parts must not be slow
  let many: Set<string> | undefined
  const add = (given: string, words?: readonly PartWord[]) => {
    const text = words === undefined ? joinAllBlanks(given) : given
    if (many === undefined ? bans.some((before) => before.text === text) : many.has(text)) return
    bans.push({ text, words })
    if (bans.length > 8) (many ??= new Set(bans.map((before) => before.text))).add(text)
  }
  const unsure: (readonly PartWord[])[] = []
  let opaque = !parsed || !transparent
  for (const part of parts) {
    opaque ||= part.unknown
    for (const form of part.ban) {
      if (isPlain(form)) add(form.written, form.words)
      else {
        add(form.written)
        if (form.plain !== form.written) add(form.plain)
        if (form.words.some(({ glob, value }) => value === undefined || glob)) unsure.push(form.words)
      }
    }
    if (part.text !== part.ban[0]?.written) add(part.text.trim())
  }
  add(text.trim())
  return { bans, unsure, opaque, line: { text: joinBlanks(text).trim(), words: undefined } }
}
