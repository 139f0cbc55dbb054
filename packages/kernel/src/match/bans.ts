/** Deny and ask rules against a call: what surely speaks of it, and what may. One part, file or host is enough. */
import type { Who } from "../RuleSet.ts"
import type { Access, Subject } from "../subject/Subject.ts"
import type { Chapter } from "./chapter.ts"
import { anyCommand, type CommandEntry, commandsOf, findCommand, findPossible } from "./commandIndex.ts"
import { commandTexts } from "./commandTexts.ts"
import { counts, type Entry, firstCounting } from "./entry.ts"
import { fieldsMatch } from "./fields.ts"
import type { Group } from "./group.ts"
import { parameterMatches } from "./parameters.ts"
import { findBan, findPossibleBan } from "./pathIndex.ts"
import { findPossibleUrl, findUrl } from "./urlIndex.ts"

/** The rule that speaks of the call and comes first in attribution. */
export function findBanRule(chapter: Chapter, subject: Subject, who: Who): Entry | undefined {
  if (chapter.empty) return undefined
  let best: Entry | undefined
  for (const group of chapter.ofCall(subject)) {
    best = firstCounting(group.bare, who, best)
    best = byParameter(group, subject, who, byContent(group, subject, who, best))
  }
  for (const access of subject.accesses) {
    for (const group of ofAccess(chapter, subject, access)) {
      best = findBan(group.paths(), access, who, firstCounting(group.bare, who, best))
    }
  }
  return best
}

/** The rule that may speak of the call, as far as anybody can know, and comes first in attribution. */
export function findPossibleRule(chapter: Chapter, subject: Subject, who: Who): Entry | undefined {
  if (chapter.empty) return undefined
  let best: Entry | undefined
  for (const group of chapter.ofCall(subject)) best = possibly(group, subject, who, best)
  for (const access of subject.accesses) {
    if (!isUnsure(access)) continue
    for (const group of ofAccess(chapter, subject, access)) best = findPossibleBan(group.paths(), access, who, best)
  }
  return best
}

function byContent(group: Group, subject: Subject, who: Who, best: Entry | undefined): Entry | undefined {
  switch (subject.family) {
    case "command": {
      if (subject.command === undefined) return best
      const { bans } = commandTexts(subject.command)
      const index = group.commands()
      const admits = commandsOf(subject.declared)
      let found = best as CommandEntry | undefined
      for (const text of bans) found = findCommand(index, text, who, admits, found)
      return found
    }
    case "read":
    case "edit":
      return subject.accesses.reduce((found, access) => findBan(group.paths(), access, who, found), best)
    case "fetch":
      return subject.urls.reduce((found, url) => findUrl(group.urls(), url, who, found), best)
    case undefined:
      return firstOf(group.fields(), who, best, ({ pattern }) => fieldsMatch(pattern, subject.fields))
  }
}

function byParameter(group: Group, subject: Subject, who: Who, best: Entry | undefined): Entry | undefined {
  if (subject.parameters.size === 0) return best
  const declared = subject.family !== "command" ? undefined : subject.declared
  return firstOf(
    group.parameters(subject.family),
    who,
    best,
    ({ pattern }) => (declared === undefined || declared.includes(pattern.name)) && parameterMatches(pattern, subject)
  )
}

function possibly(group: Group, subject: Subject, who: Who, best: Entry | undefined): Entry | undefined {
  switch (subject.family) {
    case "command": {
      if (subject.command === undefined) return best
      const { opaque, unsure } = commandTexts(subject.command)
      if (!opaque && unsure.length === 0) return best
      const admits = commandsOf(subject.declared)
      const found = best as CommandEntry | undefined
      if (opaque) return anyCommand(group.commands(), who, admits, found)
      return unsure.reduce((before, words) => findPossible(group.commands(), words, who, admits, before), found)
    }
    case "read":
    case "edit":
      return subject.accesses.reduce((found, access) => findPossibleBan(group.paths(), access, who, found), best)
    case "fetch":
      return subject.urls.reduce((found, url) => findPossibleUrl(group.urls(), url, who, found), best)
    case undefined:
      return best
  }
}

const ofAccess = (chapter: Chapter, subject: Subject, { kind }: Access) =>
  kind === "read" ? chapter.ofReads(subject) : chapter.ofWrites(subject)

const isUnsure = ({ glob, path, whole }: Access) => path === undefined || glob || whole

function firstOf<E extends Entry>(
  list: readonly E[],
  who: Who,
  best: Entry | undefined,
  test: (entry: E) => boolean
): Entry | undefined {
  for (const entry of list) {
    if (best !== undefined && entry.rank >= best.rank) return best
    if (counts(entry, who) && test(entry)) return entry
  }
  return best
}
