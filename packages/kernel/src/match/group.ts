/**
 * All rules of one behaviour that name the same tool. In which language their contents are written depends on the
 * family of the tool that is called, so that each index is made when a call first asks for it.
 */
import type { Family } from "../Capability.ts"
import type { Behavior, Rule } from "../Rule.ts"
import type { RuleLayerName } from "../RuleLayer.ts"
import type { Dialect } from "../Settings.ts"
import { commandPattern } from "./command.ts"
import type { CommandTrie } from "./commandTrie.ts"
import { type CommandEntry, type CommandIndex, commandIndex } from "./commandIndex.ts"
import type { Entry } from "./entry.ts"
import { type FieldPattern, fieldPattern } from "./fields.ts"
import { type ParameterPattern, parameterPattern } from "./parameters.ts"
import { type PathPlace, pathPattern } from "./path.ts"
import { type PathEntry, type PathIndex, pathIndex } from "./pathIndex.ts"
import { type UrlEntry, type UrlIndex, urlIndex } from "./urlIndex.ts"
import { urlPattern } from "./url.ts"
import { withoutEffect } from "./withoutEffect.ts"

/** Where rules are compiled. */
export interface RulePlace extends PathPlace {
  readonly dialectOf: (layer: RuleLayerName) => Dialect
}

/** A rule whose content may be one of a parameter. */
export interface ParameterEntry extends Entry {
  readonly pattern: ParameterPattern
}

/** A rule in permgate's language. */
export interface FieldEntry extends Entry {
  readonly pattern: FieldPattern
}

/** The rules of one tool; every list is sorted by rank. */
export interface Group {
  readonly tool: string
  /** Rules for every call of the tool. */
  readonly bare: readonly Entry[]
  readonly commands: () => CommandIndex
  readonly paths: () => PathIndex
  readonly urls: () => UrlIndex
  readonly fields: () => readonly FieldEntry[]
  /** Those that can speak of a parameter of a tool of that family. */
  readonly parameters: (family: Family | undefined) => readonly ParameterEntry[]
}

/**
 * Makes a group of entries sorted by rank, all of one behaviour. Without families every content is permgate's, where
 * each has an effect. The groups of one tool may share a trie.
 */
export function makeGroup(
  tool: string,
  behavior: Behavior,
  entries: readonly Entry[],
  place: RulePlace,
  families: boolean,
  trie?: CommandTrie
): Group {
  const bare: Entry[] = []
  const contents: Entry[] = []
  for (const entry of entries) {
    const { content, malformed } = entry.rule
    if (content === undefined || (malformed === true && content.trim() === "")) bare.push(entry)
    else if (!families || behavior !== "allow" || withoutEffect(entry.rule) === undefined) contents.push(entry)
  }
  const parameters = (isOne: (content: string) => boolean) =>
    once(() => contents.filter((entry) => isOne(contentOf(entry))).flatMap(parameterEntry))
  const ofCommand = parameters((content) => !content.endsWith(":*"))
  const ofFetch = parameters((content) => !content.startsWith("domain:") && !content.includes("://"))
  const ofOthers = parameters(() => true)
  return {
    tool,
    bare,
    commands: once(() => commandIndex(contents.map(commandEntry), behavior, trie)),
    paths: once(() => pathIndex(contents.map((entry) => pathEntry(entry, place)))),
    urls: once(() => urlIndex(contents.flatMap(urlEntry))),
    fields: once(() => contents.map((entry) => ({ ...entry, pattern: fieldPattern(entry.rule, contentOf(entry)) }))),
    parameters: (family) => (family === "command" ? ofCommand() : family === "fetch" ? ofFetch() : ofOthers())
  }
}

const contentOf = ({ rule }: Entry) => rule.content ?? ""
const allowed = ({ behavior }: Rule) => behavior === "allow"
const isExact = ({ exact }: Rule) => exact === true
const isCut = ({ malformed }: Rule) => malformed === true

function commandEntry({ always, rank, rule }: Entry): CommandEntry {
  const { content = "" } = rule
  const pattern = commandPattern(content, allowed(rule), isExact(rule), isCut(rule))
  const parameter = content.endsWith(":*") ? undefined : parameterPattern(content, isExact(rule), isCut(rule))?.name
  return { rule, rank, always, pattern, parameter }
}

function pathEntry({ always, rank, rule }: Entry, place: RulePlace): PathEntry {
  const { behavior, content = "", layer } = rule
  const reading = { behavior, dialect: place.dialectOf(layer), exact: isExact(rule), malformed: isCut(rule) }
  return { rule, rank, always, pattern: pathPattern(content, reading, place) }
}

function urlEntry({ always, rank, rule }: Entry): readonly UrlEntry[] {
  const { content = "" } = rule
  const pattern = urlPattern(content, rule.behavior, isExact(rule), isCut(rule))
  return pattern === undefined ? [] : [{ rule, rank, always, pattern }]
}

function parameterEntry({ always, rank, rule }: Entry): readonly ParameterEntry[] {
  const { content = "" } = rule
  const pattern = parameterPattern(content, isExact(rule), isCut(rule))
  return pattern === undefined ? [] : [{ rule, rank, always, pattern }]
}

function once<Value>(make: () => Value): () => Value {
  let made: Value | undefined
  return () => (made ??= make())
}
