/**
 * An agent's hard limits, compiled: each kind is a list that every tool, file, command part and host of a call has
 * to be on.
 */
import type { Bounds } from "./Bounds.ts"
import type { Place } from "./compileRules.ts"
import { makeChapter } from "./match/chapter.ts"
import { mayAllow } from "./match/command.ts"
import { type CommandEntry, findCommand } from "./match/commandIndex.ts"
import { type CommandText, commandTexts, writtenText } from "./match/commandTexts.ts"
import { rankRules } from "./match/entry.ts"
import { makeGroup, type Group } from "./match/group.ts"
import { findAllow } from "./match/pathIndex.ts"
import { findUrl } from "./match/urlIndex.ts"
import type { Preset } from "./Preset.ts"
import type { Rule } from "./Rule.ts"
import type { CompiledBounds, Who } from "./RuleSet.ts"
import type { CommandSubject, Part, Subject } from "./subject/Subject.ts"

/** Compiles bounds for a place. An absent kind sets no limit, a kind that a call does not have is not asked for. */
export function compileBounds({ commands, hosts, paths, tools }: Bounds, place: Place, preset: Preset): CompiledBounds {
  const native: Place = { ...place, dialectOf: () => "native" }
  const listed = tools && makeChapter("allow", rankRules(tools.map((tool) => ruleOf(tool))), native, preset.families)
  const list = (contents: readonly string[], tool: string) =>
    makeGroup(tool, "allow", rankRules(contents.map((content) => ruleOf(tool, content))), native, true)
  const byPath = paths && list(paths, "Edit")
  const byCommand = commands && list(commands, "Bash")
  const byHost = hosts && list(hosts.map(hostContent), "WebFetch")
  return {
    inside: (subject) =>
      (listed === undefined || listed.ofCall(subject).length > 0) &&
      (byPath === undefined || holdsPaths(byPath, subject)) &&
      (byCommand === undefined || subject.command === undefined || holdsCommand(byCommand, subject.command)) &&
      (byHost === undefined ||
        isBare(byHost) ||
        subject.urls.every((url) => findUrl(byHost.urls(), url, anybody, undefined) !== undefined))
  }
}

/** Bounds know no agents, modes or times. */
const anybody: Who = { agentId: "", mode: "default", now: 0 }

const isBare = ({ bare }: Group) => bare.length > 0

function ruleOf(tool: string, content?: string): Rule {
  const text = content === undefined ? tool : `${tool}(${content})`
  return {
    text,
    behavior: "allow",
    layer: "user",
    tool,
    ...(content === undefined || content === "*" ? {} : { content })
  }
}

/** A bare host means exactly that host. */
const hostContent = (host: string) =>
  host === "*" || host.startsWith("domain:") || host.includes("://") ? host : `domain:${host}`

function holdsPaths(group: Group, subject: Subject): boolean {
  if (isBare(group)) return true
  // a tool without a family hides which files it touches; its fields are what is known of it
  return subject.accesses.every((access) => findAllow(group.paths(), access, anybody, undefined) !== undefined)
}

function holdsCommand(group: Group, command: CommandSubject): boolean {
  if (isBare(group)) return true
  const index = group.commands()
  const find = (text: CommandText, admits: (entry: CommandEntry) => boolean) =>
    findCommand(index, text, anybody, admits, undefined) !== undefined
  if (!command.parsed) return false
  if (find(commandTexts(command).line, ({ pattern }) => pattern.glob.length === 1 && !pattern.open)) return true
  const holdsPart = (part: Part) =>
    part.free ||
    (!part.unknown &&
      part.allow.some(
        (form) =>
          find(writtenText(form), ({ pattern }) => mayAllow(pattern, form, false)) ||
          find({ text: form.plain, words: undefined }, ({ pattern }) => mayAllow(pattern, form, true))
      ))
  return command.transparent && command.parts.every(holdsPart)
}
