/**
 * Command rules in a trie on the literal words they begin with, so that a question costs as much as the words of
 * the text, however many rules there are. What goes on with a star, or with part of a word, hangs at the last whole
 * word before it, by a whole word behind the star if there is one.
 */
import type { Behavior } from "../Rule.ts"
import type { Who } from "../RuleSet.ts"
import type { PartWord } from "../subject/Subject.ts"
import { type CommandPattern, commandMatches, isExact } from "./command.ts"
import type { CommandText } from "./commandTexts.ts"
import { type CommandTrie, type Leaves, leavesOf, newTrie, type Node, nodeFor, wayOf, wordAt } from "./commandTrie.ts"
import { counts, type Entry } from "./entry.ts"
import { globMatches } from "./glob.ts"

/** A command rule. */
export interface CommandEntry extends Entry {
  readonly pattern: CommandPattern
  /** The content could also be one of this parameter: it is no command's where the tool declares it. */
  readonly parameter: string | undefined
}

/** The command rules of one behaviour. */
export interface CommandIndex {
  readonly trie: CommandTrie
  readonly behavior: Behavior
}

/** Whether an entry may be taken for the question at hand. */
export type Admits = (entry: CommandEntry) => boolean

const anyEntry: Admits = () => true

/** Admits what is a command's for a tool that declares these parameters: a content that is one of them is none. */
export const commandsOf = (declared: readonly string[]): Admits =>
  declared.length === 0 ? anyEntry : ({ parameter }) => parameter === undefined || !declared.includes(parameter)

/** Puts entries of one behaviour, sorted by rank, into a trie: their own, or one that they share with others. */
export function commandIndex(
  entries: readonly CommandEntry[],
  behavior: Behavior,
  trie: CommandTrie = newTrie()
): CommandIndex {
  for (const entry of entries) insert(trie, behavior, entry)
  return { trie, behavior }
}

/** The entry that matches the text, counts and is admitted, before the best so far; else the best so far. */
export function findCommand(
  { behavior, trie }: CommandIndex,
  given: CommandText,
  who: Who,
  admits: Admits,
  best: CommandEntry | undefined
): CommandEntry | undefined {
  const { complete, length, nodes, starts } = wayOf(trie, given)
  let found = best
  for (let index = 0; index < length; index++) {
    const leaves = leavesOf(nodes[index]!, behavior)
    if (leaves === undefined || (found !== undefined && found.rank <= leaves.least)) return found
    if (leaves.prefix !== undefined && index > 0) found = first(leaves.prefix, who, admits, found)
    if (complete && index === length - 1) {
      if (leaves.exact !== undefined) found = first(leaves.exact, who, admits, found)
    } else if (leaves.star !== undefined || leaves.starAndWord !== undefined || leaves.beginnings !== undefined) {
      found = behindWords(leaves, given.text, starts[index]!, who, admits, found)
    }
  }
  return found
}

/** The entry whose content is the text itself, counts and is admitted, before the best so far; else the best so far. */
export function findExact(
  { behavior, trie }: CommandIndex,
  given: CommandText,
  who: Who,
  admits: Admits,
  best: CommandEntry | undefined
): CommandEntry | undefined {
  const { complete, length, nodes } = wayOf(trie, given)
  const exact = complete ? leavesOf(nodes[length - 1]!, behavior)?.exact : undefined
  return exact === undefined ? best : first(exact, who, admits, best)
}

/** The first entry of all, by rank. */
export function anyCommand(
  { behavior, trie }: CommandIndex,
  who: Who,
  admits: Admits,
  best: CommandEntry | undefined
): CommandEntry | undefined {
  return least(trie.root, behavior, who, admits, best, everything)
}

/**
 * The entry that could match if the unknown words among these were other ones: an unknown word behind the program
 * stands where the rule has a literal word. Words past the rule's literal beginning raise nothing.
 */
export function findPossible(
  { behavior, trie }: CommandIndex,
  words: readonly PartWord[],
  who: Who,
  admits: Admits,
  best: CommandEntry | undefined
): CommandEntry | undefined {
  let { root: node } = trie
  for (const word of words) {
    if (word.value === undefined || word.glob) {
      const fits = fitter(word)
      // a program that is a pattern may be any rule's; behind it the rules that go on with a literal word
      return least(node, behavior, who, admits, best, fits, true)
    }
    const next = node.words?.get(word.value)
    if (next === undefined) return best
    node = next
  }
  return best
}

function insert(trie: CommandTrie, behavior: Behavior, entry: CommandEntry): void {
  const { glob } = entry.pattern
  const head = glob[0]!
  const whole = glob.length === 1
  const last = whole ? head.length : head.lastIndexOf(" ")
  const words = last > 0 || whole ? head.slice(0, last).split(" ") : []
  const leaves = nodeFor(trie, words, behavior, entry.rank)
  const beginning = whole ? "" : head.slice(last + 1)
  if (isExact(entry.pattern)) leaves.exact = append(leaves.exact, entry)
  else if (whole) leaves.prefix = append(leaves.prefix, entry)
  else if (beginning === "") insertStar(leaves, entry)
  else {
    leaves.beginnings ??= new Map()
    let byText = leaves.beginnings.get(beginning.length)
    if (byText === undefined) leaves.beginnings.set(beginning.length, (byText = new Map()))
    byText.set(beginning, append(byText.get(beginning), entry))
  }
}

function insertStar(leaves: Leaves, entry: CommandEntry): void {
  const word = wordBehindStar(entry.pattern)
  if (word === undefined) leaves.star = append(leaves.star, entry)
  else {
    leaves.starAndWord ??= new Map()
    leaves.starAndWord.set(word, append(leaves.starAndWord.get(word), entry))
  }
}

function append(list: CommandEntry[] | undefined, entry: CommandEntry): CommandEntry[] {
  if (list === undefined) return [entry]
  list.push(entry)
  return list
}

/** The longest whole word that every matching text holds behind the first star. */
function wordBehindStar({ glob }: CommandPattern): string | undefined {
  const last = glob.length - 1
  const whole = glob.slice(1).flatMap((piece, index) => piece.split(" ").slice(1, index + 1 === last ? undefined : -1))
  return whole.filter((word) => word !== "").toSorted((one, other) => other.length - one.length)[0]
}

/** What goes on at a node with a star, or with part of a word and a star. */
function behindWords(
  { beginnings, star, starAndWord }: Leaves,
  text: string,
  start: number,
  who: Who,
  admits: Admits,
  best: CommandEntry | undefined
): CommandEntry | undefined {
  let found = best
  if (star !== undefined) found = firstMatch(star, text, who, admits, found)
  if (starAndWord !== undefined) found = behindStar(starAndWord, text, start, who, admits, found)
  if (beginnings === undefined) return found
  const word = wordAt(text, start)
  for (const [length, byText] of beginnings) {
    const list = length <= word.length ? byText.get(word.slice(0, length)) : undefined
    if (list !== undefined) found = firstMatch(list, text, who, admits, found)
  }
  return found
}

function behindStar(
  byWord: ReadonlyMap<string, readonly CommandEntry[]>,
  text: string,
  from: number,
  who: Who,
  admits: Admits,
  best: CommandEntry | undefined
): CommandEntry | undefined {
  let found = best
  for (let start = from; ;) {
    const end = text.indexOf(" ", start)
    const list = byWord.get(end === -1 ? text.slice(start) : text.slice(start, end))
    if (list !== undefined) found = firstMatch(list, text, who, admits, found)
    if (end === -1) return found
    start = end + 1
  }
}

function first(
  list: readonly CommandEntry[],
  who: Who,
  admits: Admits,
  best: CommandEntry | undefined
): CommandEntry | undefined {
  for (const entry of list) {
    if (best !== undefined && entry.rank >= best.rank) return best
    if (counts(entry, who) && admits(entry)) return entry
  }
  return best
}

function firstMatch(
  list: readonly CommandEntry[],
  text: string,
  who: Who,
  admits: Admits,
  best: CommandEntry | undefined
): CommandEntry | undefined {
  for (const entry of list) {
    if (best !== undefined && entry.rank >= best.rank) return best
    if (commandMatches(entry.pattern, text) && counts(entry, who) && admits(entry)) return entry
  }
  return best
}

/** Whether a word that is not known may be this literal one, or begin with this beginning of one. */
type Fits = (literal: string, beginning: boolean) => boolean
const everything: Fits = () => true

/** The least entry below a node through words that fit; of the node itself only when it is asked for. */
function least(
  start: Node,
  behavior: Behavior,
  who: Who,
  admits: Admits,
  best: CommandEntry | undefined,
  fits: Fits,
  below = false
): CommandEntry | undefined {
  let found = best
  const todo: Node[] = []
  const look = (node: Node, fitting: Fits, own: boolean) => {
    const leaves = leavesOf(node, behavior)
    if (leaves === undefined || (found !== undefined && found.rank <= leaves.least)) return
    for (const list of own ? [leaves.exact, leaves.prefix, leaves.star, ...(leaves.starAndWord?.values() ?? [])] : []) {
      if (list !== undefined) found = first(list, who, admits, found)
    }
    for (const byText of leaves.beginnings?.values() ?? []) {
      for (const [text, list] of byText) if (fitting(text, true)) found = first(list, who, admits, found)
    }
    for (const [word, next] of node.words ?? []) if (fitting(word, false)) todo.push(next)
  }
  look(start, fits, !below)
  for (let node = todo.pop(); node !== undefined; node = todo.pop()) look(node, everything, true)
  return found
}

/** What a word that only bash can know may turn out to be: what begins as it surely begins, what its glob can name. */
function fitter({ glob, text, value }: PartWord): Fits {
  const named = value ?? (glob && plainGlob.test(text) ? text : undefined)
  if (named !== undefined) {
    if (/[{}]/.test(named)) return everything
    const pattern = named.split(/\[[^\]]*\]|[?*]/)
    return (literal, beginning) => globMatches(pattern, literal) || (beginning && compatible(pattern[0]!, literal))
  }
  const sure = /^[A-Za-z0-9_.,:+@%/=-]*/.exec(text)![0]
  return (literal, beginning) => literal.startsWith(sure) || (beginning && sure.startsWith(literal))
}

/** Nothing in it but what stands for itself and what the shell puts file names in for. */
const plainGlob = /^[A-Za-z0-9_.,:+@%/=*?[\]-]*$/

const compatible = (one: string, other: string) => one.startsWith(other) || other.startsWith(one)
