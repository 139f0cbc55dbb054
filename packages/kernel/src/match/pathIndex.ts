/**
 * Path rules by a whole literal name that every path of theirs holds, so that a path asks only the rules of its own
 * names. What has no such name is compared one by one.
 */
import type { Who } from "../RuleSet.ts"
import type { Access } from "../subject/Subject.ts"
import { counts, type Entry } from "./entry.ts"
import { allows, bans, mayBan, mayName, type PathPattern, segmentOf } from "./path.ts"

/** A path rule. */
export interface PathEntry extends Entry {
  readonly pattern: PathPattern
}

export interface PathIndex {
  /** All, by rank. */
  readonly all: readonly PathEntry[]
  readonly byName: ReadonlyMap<string, readonly PathEntry[]>
  readonly rest: readonly PathEntry[]
  readonly ignoreCase: boolean
}

/** Builds the index over entries sorted by rank. */
export function pathIndex(entries: readonly PathEntry[]): PathIndex {
  const byName = new Map<string, PathEntry[]>()
  const rest: PathEntry[] = []
  for (const entry of entries) {
    const names = new Set(entry.pattern.globs.map(segmentOf))
    for (const folder of entry.pattern.folders) names.add(folder.split("/").findLast((name) => name !== ""))
    for (const name of names) {
      const list = name === undefined ? rest : byName.get(name)
      if (list === undefined) byName.set(name!, [entry])
      else list.push(entry)
    }
  }
  return { all: entries, byName, rest, ignoreCase: entries.some(({ pattern }) => pattern.ignoreCase) }
}

/** The ban that surely speaks of the access, before the best so far; else the best so far. */
export const findBan = (index: PathIndex, access: Access, who: Who, best: Entry | undefined): Entry | undefined =>
  find(index, access, who, bans, best)

/** The allow rule that covers the access, before the best so far; else the best so far. */
export const findAllow = (index: PathIndex, access: Access, who: Who, best: Entry | undefined): Entry | undefined =>
  find(index, access, who, allows, best)

/** The ban that may speak of the access, before the best so far; else the best so far. */
export function findPossibleBan(
  { all, ignoreCase }: PathIndex,
  access: Access,
  who: Who,
  best: Entry | undefined
): Entry | undefined {
  if (all.length === 0) return best
  const named = mayName(access, ignoreCase)
  if (named?.length === 0) return best
  for (const entry of all) {
    if (best !== undefined && entry.rank >= best.rank) return best
    if (counts(entry, who) && mayBan(entry.pattern, named)) return entry
  }
  return best
}

type Test = (pattern: PathPattern, access: Access) => boolean

function find(
  { byName, ignoreCase, rest }: PathIndex,
  access: Access,
  who: Who,
  test: Test,
  best: Entry | undefined
): Entry | undefined {
  let found = first(rest, access, who, test, best)
  if (byName.size === 0) return found
  for (const path of [access.path, access.real === access.path ? undefined : access.real]) {
    if (path === undefined) continue
    const text = ignoreCase ? path.toLowerCase() : path
    for (let start = 1; start <= text.length;) {
      const end = text.indexOf("/", start)
      const list = byName.get(end === -1 ? text.slice(start) : text.slice(start, end))
      if (list !== undefined) found = first(list, access, who, test, found)
      if (end === -1) break
      start = end + 1
    }
  }
  return found
}

function first(
  list: readonly PathEntry[],
  access: Access,
  who: Who,
  test: Test,
  best: Entry | undefined
): Entry | undefined {
  for (const entry of list) {
    if (best !== undefined && entry.rank >= best.rank) return best
    if (counts(entry, who) && test(entry.pattern, access)) return entry
  }
  return best
}
