/** What allows a call as a whole: every part, file and host of it has to be covered, none may be left. */
import type { Allowance, Who } from "../RuleSet.ts"
import type { Access, CommandSubject, Form, Part, Subject } from "../subject/Subject.ts"
import type { Chapter } from "./chapter.ts"
import { isExact, mayAllow } from "./command.ts"
import { type CommandEntry, commandsOf, findCommand, findExact } from "./commandIndex.ts"
import { type CommandText, type CommandTexts, commandTexts, writtenText } from "./commandTexts.ts"
import { counts, earlier, type Entry, firstCounting } from "./entry.ts"
import { fieldsMatch } from "./fields.ts"
import type { Group } from "./group.ts"
import { parameterMatches } from "./parameters.ts"
import { findAllow } from "./pathIndex.ts"
import { findUrl } from "./urlIndex.ts"

/** What the allow rules are asked with. */
export interface Question {
  readonly chapter: Chapter
  readonly who: Who
  /** Edits and plain file commands inside the workspace count as allowed. */
  readonly acceptEdits: boolean
  /** Commands that are known to read only need no rule. */
  readonly readOnlyTable: boolean
  /** Whether the access lies in the workspace. */
  readonly isInside: (access: Access, subject: Subject) => boolean
}

/**
 * Whether leave for every call of a tool is enough for this one: a command has to parse, to ask for nobody, and to
 * write no file by a redirect.
 */
export const leaveSuffices = ({ accesses, command }: Subject): boolean =>
  command === undefined ||
  (command.parsed &&
    command.parts.every(({ asks }) => asks === undefined) &&
    accesses.every(({ kind, redirect }) => !redirect || kind === "read"))

/** What covers one part of a call: a rule, the mode, or nothing that is needed. */
type Cover = Entry | "acceptEdits" | "nothing needed"

/** What allows the call. */
export function findAllowance(question: Question, subject: Subject): Allowance | undefined {
  const { acceptEdits, chapter, who } = question
  const groups = chapter.ofCall(subject)
  let bare: Entry | undefined
  for (const group of groups) bare = firstCounting(group.bare, who, bare)
  if (subject.family === "command")
    return subject.command && ofCommand(question, subject, subject.command, groups, bare)
  const rule = earlier(bare, ofTool(question, subject, groups, bare))
  if (rule !== undefined) return { by: "rule", rule: rule.rule }
  return acceptEdits && subject.acceptEdits ? { by: "acceptEdits" } : undefined
}

/** The rule that covers all of a call which runs no command; the parts may each have their own. */
function ofTool(
  { acceptEdits, chapter, who }: Question,
  subject: Subject,
  groups: readonly Group[],
  bare: Entry | undefined
): Entry | undefined {
  switch (subject.family) {
    case "read":
    case "edit":
      // what acceptEdits covers needs no rule, yet one that is there is named
      return coverAll(subject.accesses, bare, acceptEdits && subject.acceptEdits, (access) =>
        groups.reduce<Entry | undefined>((best, group) => findAllow(group.paths(), access, who, best), undefined)
      )
    case "fetch":
      return coverAll(subject.urls, bare, false, (url) =>
        groups.reduce<Entry | undefined>((best, group) => findUrl(group.urls(), url, who, best), undefined)
      )
    case "command":
      return undefined
    case undefined:
      return chapter.empty ? undefined : ofFields(subject, who, groups)
  }
}

function ofFields(subject: Subject, who: Who, groups: readonly Group[]): Entry | undefined {
  let best: Entry | undefined
  for (const group of groups) {
    // INVARIANT: only declared parameters allow, else an agent could add one to match
    for (const entry of group.parameters(undefined)) {
      if (
        subject.declared.includes(entry.pattern.name) &&
        counts(entry, who) &&
        parameterMatches(entry.pattern, subject)
      )
        best = earlier(best, entry)
    }
    for (const entry of group.fields()) {
      if (counts(entry, who) && fieldsMatch(entry.pattern, subject.fields)) best = earlier(best, entry)
    }
  }
  return best
}

function coverAll<Item>(
  items: readonly Item[],
  bare: Entry | undefined,
  otherwise: boolean,
  find: (item: Item) => Entry | undefined
): Entry | undefined {
  let best: Entry | undefined
  for (const item of items) {
    const found = earlier(find(item), bare)
    if (found === undefined && !otherwise) return undefined
    best = earlier(best, found)
  }
  return best
}

function ofCommand(
  question: Question,
  subject: Subject,
  command: CommandSubject,
  groups: readonly Group[],
  bare: Entry | undefined
): Allowance | undefined {
  if (!command.parsed) return undefined
  const texts = commandTexts(command)
  const line = exactLine(question, subject, texts.line, groups)
  const covers: Covers = { best: undefined, edits: false }
  const covered =
    coverParts(question, subject, command, texts, groups, bare, covers) && coverRedirects(question, subject, covers)
  // a line without parts runs nothing; a rule for every call speaks of it all the same
  if (!covers.edits) covers.best ??= bare
  const rule = earlier(line, covered ? covers.best : undefined)
  if (rule !== undefined) return { by: "rule", rule: rule.rule }
  return covered && covers.edits ? { by: "acceptEdits" } : undefined
}

/** What has covered a line so far. */
interface Covers {
  best: Entry | undefined
  edits: boolean
}

function coverParts(
  question: Question,
  subject: Subject,
  command: CommandSubject,
  texts: CommandTexts,
  groups: readonly Group[],
  bare: Entry | undefined,
  covers: Covers
): boolean {
  for (let index = 0; index < command.parts.length; index++) {
    if (!add(covers, ofPart(question, subject, command, texts, index, groups, bare))) return false
  }
  return true
}

function coverRedirects(question: Question, subject: Subject, covers: Covers): boolean {
  for (const access of subject.accesses) if (!add(covers, ofRedirect(question, subject, access))) return false
  return true
}

function add(covers: Covers, cover: Cover | undefined): boolean {
  if (cover === "acceptEdits") covers.edits = true
  else if (typeof cover === "object") covers.best = earlier(covers.best, cover)
  return cover !== undefined
}

/** An exact rule for the whole line, redirects and all. */
function exactLine(
  { who }: Question,
  subject: Subject,
  line: CommandText,
  groups: readonly Group[]
): CommandEntry | undefined {
  const admits = commandsOf(subject.declared)
  let best: CommandEntry | undefined
  for (const group of groups) best = findExact(group.commands(), line, who, admits, best)
  return best
}

function ofPart(
  question: Question,
  subject: Subject,
  command: CommandSubject,
  texts: CommandTexts,
  index: number,
  groups: readonly Group[],
  bare: Entry | undefined
): Cover | undefined {
  const part = command.parts[index]!
  if (part.asks !== undefined) return byRule(question.who, subject, part, texts, groups, true)
  if (part.unknown || !command.transparent) return bare
  const rule = earlier(byRule(question.who, subject, part, texts, groups, false), bare)
  if (rule !== undefined) return rule
  if (part.free) return "nothing needed"
  const inside = () => subject.accesses.every((access) => access.part !== index || question.isInside(access, subject))
  if (question.readOnlyTable && part.readOnly && inside()) return "nothing needed"
  return question.acceptEdits && part.fileCommand && subject.protectedWrites.length === 0 && inside()
    ? "acceptEdits"
    : undefined
}

/** The rule that covers the part by one of its forms. */
function byRule(
  who: Who,
  subject: Subject,
  part: Part,
  { line }: CommandTexts,
  groups: readonly Group[],
  exactly: boolean
): CommandEntry | undefined {
  let best: CommandEntry | undefined
  for (const form of part.allow) {
    const written = form.written === line.text ? line : writtenText(form)
    best = byText(who, subject, form, written, false, groups, exactly, best)
    if (form.plain === form.written || hidesProgram(form.words.slice(0, Math.max(1, form.literalWords)))) continue
    best = byText(who, subject, form, { text: form.plain, words: undefined }, true, groups, exactly, best)
  }
  return best
}

function byText(
  who: Who,
  subject: Subject,
  form: Form,
  text: CommandText,
  plain: boolean,
  groups: readonly Group[],
  exactly: boolean,
  before: CommandEntry | undefined
): CommandEntry | undefined {
  const isCommand = commandsOf(subject.declared)
  const admits = (entry: CommandEntry) =>
    isCommand(entry) && (exactly ? isExact(entry.pattern) : mayAllow(entry.pattern, form, plain))
  let best = before
  for (const group of groups) best = findCommand(group.commands(), text, who, admits, best)
  return best
}

/** A program's name that holds a blank would read as another program with an argument. */
const hidesProgram = (words: Part["allow"][number]["words"]) =>
  words.some(({ value }) => value !== undefined && /\s/.test(value))

/** A write by a redirect needs what an edit of that path would need; what programs read and write does not. */
function ofRedirect(
  { acceptEdits, chapter, isInside, who }: Question,
  subject: Subject,
  access: Access
): Cover | undefined {
  if (!access.redirect || access.kind === "read") return "nothing needed"
  let best: Entry | undefined
  for (const group of chapter.ofWrites(subject))
    best = findAllow(group.paths(), access, who, firstCounting(group.bare, who, best))
  if (best !== undefined) return best
  const mode = acceptEdits && !access.glob && subject.protectedWrites.length === 0 && isInside(access, subject)
  return mode ? "acceptEdits" : undefined
}
