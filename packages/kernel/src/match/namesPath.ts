/**
 * Whether an allow rule that covers a write also names the protected path: the literal text of its content holds
 * the name.
 */
import { isProtected } from "../subject/protected.ts"
import type { Subject } from "../subject/Subject.ts"
import type { Question } from "./allowance.ts"
import { mayAllow } from "./command.ts"
import { type CommandEntry, findCommand } from "./commandIndex.ts"
import { type CommandText, commandTexts, writtenText } from "./commandTexts.ts"
import type { Entry } from "./entry.ts"
import { type PathEntry, pathIndex, findAllow } from "./pathIndex.ts"

/** Whether a rule that counts names it. */
export function namesPath({ chapter, who }: Question, subject: Subject, path: string): boolean {
  const name = protectedName(path)
  const accesses = subject.accesses.filter(
    (access) => access.kind !== "read" && (access.path === path || access.real === path)
  )
  const fileRules = subject.family === "command" ? chapter.ofWrites(subject) : chapter.ofCall(subject)
  const byPath = fileRules.some((group) => {
    const naming = group.paths().all.filter((entry) => names(entry, name))
    return naming.length > 0 && accesses.length > 0 && accesses.every((access) => covers(naming, access, who))
  })
  return byPath || (subject.command !== undefined && byCommand({ chapter, who }, subject, name))
}

const covers = (naming: readonly PathEntry[], access: Subject["accesses"][number], who: Question["who"]) =>
  findAllow(pathIndex(naming), access, who, undefined) !== undefined

function byCommand({ chapter, who }: Pick<Question, "chapter" | "who">, subject: Subject, name: string): boolean {
  const { command } = subject
  if (command === undefined || !command.parsed) return false
  const groups = chapter.ofCall(subject)
  const find = (text: CommandText, admits: (entry: CommandEntry) => boolean) =>
    groups.some(
      (group) =>
        findCommand(group.commands(), text, who, (entry) => names(entry, name) && admits(entry), undefined) !==
        undefined
    )
  if (find(commandTexts(command).line, ({ pattern }) => pattern.glob.length === 1 && !pattern.open)) return true
  return (
    command.transparent &&
    command.parts.some(
      (part) =>
        !part.unknown &&
        part.allow.some(
          (form) =>
            find(writtenText(form), ({ pattern }) => mayAllow(pattern, form, false)) ||
            find({ text: form.plain, words: undefined }, ({ pattern }) => mayAllow(pattern, form, true))
        )
    )
  )
}

/** Whether the literal text of a rule's content holds the name. */
function names({ rule: { content, exact } }: Entry, name: string): boolean {
  const literal = content?.toLowerCase() ?? ""
  return (exact === true ? [literal] : literal.split("*")).some((piece) => piece.includes(name))
}

/** The name in a path that makes it protected: the first one from which on it is. */
function protectedName(path: string): string {
  const segments = path.split("/")
  const last = segments.length - 1
  const at = segments.findIndex(
    (_, index) => index > 0 && isProtected(segments.slice(0, index + 1).join("/") + (index < last ? "/x" : ""))
  )
  const name = (segments[at === -1 ? last : at] ?? "").toLowerCase()
  // `.env.local` and its like are named by `.env*`
  return name.startsWith(".env") ? ".env" : name
}
