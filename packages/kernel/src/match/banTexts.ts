/** What bans are tried on, gathered once per call: every text of a command, and what only bash can know of it. */
import type { CommandSubject, PartWord, Subject } from "../subject/Subject.ts"
import { joinAllBlanks } from "./command.ts"

/** What bans are tried on. */
export interface BanTexts {
  /** Each form of each part, each part, and the whole line; none twice. */
  readonly texts: readonly string[]
  /** Forms that hold a word which only bash can know, behind the program. */
  readonly unsure: readonly (readonly PartWord[])[]
  /** Which programs run is not known: any command ban may be meant. */
  readonly opaque: boolean
}

const nothing: BanTexts = { texts: [], unsure: [], opaque: false }
const gathered = new WeakMap<CommandSubject, BanTexts>()

/** The texts of the call's command. */
export function banTexts({ command }: Subject): BanTexts {
  if (command === undefined) return nothing
  const before = gathered.get(command)
  if (before !== undefined) return before
  const texts = gather(command)
  gathered.set(command, texts)
  return texts
}

function gather({ parsed, parts, text, transparent }: CommandSubject): BanTexts {
  const texts: string[] = []
  // most commands have one or two texts; a line of a thousand parts must not be slow
  let many: Set<string> | undefined
  const add = (given: string) => {
    const text = joinAllBlanks(given)
    if (many === undefined ? texts.includes(text) : many.has(text)) return
    texts.push(text)
    if (texts.length > 8) (many ??= new Set(texts)).add(text)
  }
  const unsure: (readonly PartWord[])[] = []
  let opaque = !parsed || !transparent
  for (const part of parts) {
    opaque ||= part.unknown
    for (const form of part.ban) {
      add(form.written)
      add(form.plain)
      if (form.words.some(({ glob, value }) => value === undefined || glob)) unsure.push(form.words)
    }
    add(part.text.trim())
  }
  add(text.trim())
  return { texts, unsure, opaque }
}
