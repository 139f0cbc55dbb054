/** All rules of one behaviour, by the tool they name: which of them speak of a call, and of a file it touches. */
import type { Behavior, Rule } from "../Rule.ts"
import type { Subject } from "../subject/Subject.ts"
import { type CommandTrie, newTrie } from "./commandTrie.ts"
import type { Entry } from "./entry.ts"
import type { Glob } from "./glob.ts"
import { globMatches } from "./glob.ts"
import { type Group, makeGroup, type RulePlace } from "./group.ts"
import { globSpeaksOf, isServerGlob, isToolGlob, toolGlob, toolsThatSpeak } from "./tool.ts"

export interface Chapter {
  readonly behavior: Behavior
  /** No rule at all. */
  readonly empty: boolean
  /** The groups that speak of the call by its tool. */
  readonly ofCall: (subject: Subject) => readonly Group[]
  /** The groups that speak of files which the call reads, or writes and removes, whatever its tool is. */
  readonly ofReads: (subject: Subject) => readonly Group[]
  readonly ofWrites: (subject: Subject) => readonly Group[]
}

/** The tries of tools that several chapters put their command rules into. */
export type SharedTries = Map<string, CommandTrie>

/** Makes the chapter of a behaviour from entries sorted by rank. */
export function makeChapter(
  behavior: Behavior,
  all: readonly Entry[],
  place: RulePlace,
  families: boolean,
  tries: SharedTries = new Map()
): Chapter {
  const literal = new Map<string, Group>()
  const globs: { readonly glob: Glob; readonly group: Group }[] = []
  const entries = all.filter(({ rule }) => rule.behavior === behavior && !isVoid(rule))
  for (const [tool, list] of Map.groupBy(entries, ({ rule }) => rule.tool)) {
    let trie = tries.get(tool)
    if (trie === undefined) tries.set(tool, (trie = newTrie()))
    const group = makeGroup(tool, behavior, list, place, families, trie)
    if (isToolGlob(tool)) globs.push({ glob: toolGlob(tool), group })
    else literal.set(tool, group)
  }

  const named = (tools: readonly string[]): readonly Group[] => {
    const found = tools.flatMap((tool) => literal.get(tool) ?? [])
    // a ban's glob that covers a file tool speaks of files as the tool itself would
    return [
      ...found,
      ...globs.filter(({ glob }) => tools.some((tool) => globMatches(glob, tool))).map(({ group }) => group)
    ]
  }
  const banned = behavior === "deny" ? ["Read"] : []
  const reads = families ? named(["Read"]) : []
  const writes = families ? named(["Edit", "Write", ...banned]) : []
  const writesByEdit = families ? named(["Edit", ...banned]) : []

  const known = new Map<
    string,
    { readonly names: readonly string[]; readonly family: string | undefined; readonly groups: readonly Group[] }
  >()
  const ofCall = (subject: Subject): readonly Group[] => {
    const { family, names, toolName } = subject
    const before = known.get(toolName)
    if (before !== undefined && before.family === family && sameNames(before.names, names)) return before.groups
    const found = toolsThatSpeak(subject, behavior, families).flatMap((tool) => literal.get(tool) ?? [])
    const groups = [...found, ...globs.filter(({ glob }) => globSpeaksOf(glob, subject)).map(({ group }) => group)]
    if (known.size >= maxKnown) known.clear()
    known.set(toolName, { names, family, groups })
    return groups
  }

  return {
    behavior,
    empty: entries.length === 0,
    ofCall,
    ofReads: () => reads,
    // `Write` is one tool of the family: a rule for it says nothing of its sisters' calls
    ofWrites: ({ family }) => (family === "edit" ? writesByEdit : writes)
  }
}

/** More tools than this nobody has; names are the agents' to choose. */
const maxKnown = 4096

/** An allow rule whose glob counts for nothing. */
const isVoid = ({ behavior, tool }: Rule) => behavior === "allow" && isToolGlob(tool) && !isServerGlob(tool)

function sameNames(one: readonly string[], other: readonly string[]): boolean {
  if (one === other) return true
  if (one.length !== other.length) return false
  for (let index = 0; index < one.length; index++) if (one[index] !== other[index]) return false
  return true
}
