/** URL rules by the host they are for, or below which they reach; those with stars inside are compared one by one. */
import type { Who } from "../RuleSet.ts"
import { counts, type Entry } from "./entry.ts"
import { hostKey, readUrl, type UrlParts, type UrlPattern, urlMatches } from "./url.ts"

/** A URL rule. */
export interface UrlEntry extends Entry {
  readonly pattern: UrlPattern
}

export interface UrlIndex {
  readonly all: readonly UrlEntry[]
  readonly exact: ReadonlyMap<string, readonly UrlEntry[]>
  readonly below: ReadonlyMap<string, readonly UrlEntry[]>
  readonly rest: readonly UrlEntry[]
  /** The most labels that a host of `below` has. */
  readonly depth: number
}

/** Builds the index over entries sorted by rank. */
export function urlIndex(entries: readonly UrlEntry[]): UrlIndex {
  const exact = new Map<string, UrlEntry[]>()
  const below = new Map<string, UrlEntry[]>()
  const rest: UrlEntry[] = []
  for (const entry of entries) {
    const key = hostKey(entry.pattern)
    if (key.exact !== undefined) add(exact, key.exact, entry)
    else if (key.below !== undefined) add(below, key.below, entry)
    else rest.push(entry)
  }
  const depth = [...below.keys()].reduce((most, host) => Math.max(most, host.split(".").length), 0)
  return { all: entries, exact, below, rest, depth }
}

/** The rule that speaks of the URL, before the best so far; else the best so far. What is no URL matches none. */
export function findUrl(
  { below, depth, exact, rest }: UrlIndex,
  given: string,
  who: Who,
  best: Entry | undefined
): Entry | undefined {
  const url = readUrl(given)
  if (url === undefined) return best
  let found = first(rest, url, who, best)
  const same = exact.get(url.host)
  if (same !== undefined) found = first(same, url, who, found)
  // from the end on, and no longer than rules are: a host of a thousand labels must not be slow
  let dot = url.host.lastIndexOf(".")
  for (let labels = 1; labels <= depth && dot > 0; labels++) {
    const list = below.get(url.host.slice(dot + 1))
    if (list !== undefined) found = first(list, url, who, found)
    dot = url.host.lastIndexOf(".", dot - 1)
  }
  return found
}

/** A ban that may speak of the URL: of what is no URL any may. */
export function findPossibleUrl(
  { all }: UrlIndex,
  given: string,
  who: Who,
  best: Entry | undefined
): Entry | undefined {
  if (URL.canParse(given)) return best
  for (const entry of all) {
    if (best !== undefined && entry.rank >= best.rank) return best
    if (counts(entry, who)) return entry
  }
  return best
}

function first(list: readonly UrlEntry[], url: UrlParts, who: Who, best: Entry | undefined): Entry | undefined {
  for (const entry of list) {
    if (best !== undefined && entry.rank >= best.rank) return best
    if (urlMatches(entry.pattern, url) && counts(entry, who)) return entry
  }
  return best
}

function add(map: Map<string, UrlEntry[]>, key: string, entry: UrlEntry): void {
  const list = map.get(key)
  if (list === undefined) map.set(key, [entry])
  else list.push(entry)
}
