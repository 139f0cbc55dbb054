/**
 * Command rules in a trie on the literal words they begin with, so that a question costs as much as the words of
 * the text, however many rules there are. What goes on with a star, or with part of a word, hangs at the last whole
 * word before it, by a whole word behind the star if there is one.
 */
import type { PartWord } from "../subject/Subject.ts"
import type { Who } from "../RuleSet.ts"
import { type CommandPattern, commandMatches, isExact } from "./command.ts"
import { counts, type Entry } from "./entry.ts"
import { globMatches } from "./glob.ts"

/** A command rule. */
export interface CommandEntry extends Entry {
  readonly pattern: CommandPattern
  /** The content could also be one of this parameter: it is no command's where the tool declares it. */
  readonly parameter: string | undefined
}

/** A node of the trie: what is known of rules that begin with the words on the way to it. Lists are sorted by rank. */
interface Node {
  words: Map<string, Node> | undefined
  /** The text ends here. */
  exact: CommandEntry[] | undefined
  /** The text ends here, or goes on after a blank: nothing is left to compare. */
  prefix: CommandEntry[] | undefined
  /** A star stands here: the whole pattern has to be compared. */
  star: CommandEntry[] | undefined
  /** A star stands here, and the text holds this word further on. */
  starAndWord: Map<string, CommandEntry[]> | undefined
  /** The next word begins so, then comes a star: by the length of that beginning. */
  beginnings: Map<number, Map<string, CommandEntry[]>> | undefined
  /** The smallest rank at or below this node. */
  least: number
}

export interface CommandIndex {
  readonly root: Node
  readonly size: number
}

/** Whether an entry may be taken for the question at hand. */
export type Admits = (entry: CommandEntry) => boolean

/** Builds the index over entries sorted by rank. */
export function commandIndex(entries: readonly CommandEntry[]): CommandIndex {
  const root = newNode()
  for (const entry of entries) insert(root, entry)
  return { root, size: entries.length }
}

/** The entry that matches the text, counts and is admitted, before the best so far; else the best so far. */
export function findCommand(
  { root }: CommandIndex,
  text: string,
  who: Who,
  admits: Admits,
  best: CommandEntry | undefined
): CommandEntry | undefined {
  let node = root
  let start = 0
  let found = best
  for (;;) {
    if (node.star !== undefined) found = firstMatch(node.star, text, who, admits, found)
    if (node.starAndWord !== undefined) found = behindStar(node.starAndWord, text, start, who, admits, found)
    const end = text.indexOf(" ", start)
    const word = end === -1 ? text.slice(start) : text.slice(start, end)
    if (node.beginnings !== undefined) {
      for (const [length, byText] of node.beginnings) {
        const list = length <= word.length ? byText.get(word.slice(0, length)) : undefined
        if (list !== undefined) found = firstMatch(list, text, who, admits, found)
      }
    }
    const next = node.words?.get(word)
    if (next === undefined) return found
    node = next
    if (node.prefix !== undefined) found = first(node.prefix, who, admits, found)
    if (end === -1) return node.exact === undefined ? found : first(node.exact, who, admits, found)
    start = end + 1
  }
}

/** The first entry of all, by rank. */
export function anyCommand(
  { root }: CommandIndex,
  who: Who,
  admits: Admits,
  best: CommandEntry | undefined
): CommandEntry | undefined {
  return least(root, who, admits, best, everything)
}

/**
 * The entry that could match if the unknown words among these were other ones: an unknown word behind the program
 * stands where the rule has a literal word. Words past the rule's literal beginning raise nothing.
 */
export function findPossible(
  { root }: CommandIndex,
  words: readonly PartWord[],
  who: Who,
  admits: Admits,
  best: CommandEntry | undefined
): CommandEntry | undefined {
  let node = root
  for (let index = 0; index < words.length; index++) {
    const word = words[index]!
    if (word.value === undefined || word.glob) {
      const fits = fitter(word)
      // a program that is a pattern may be any rule's; behind it the rules that go on with a literal word
      return least(node, who, admits, best, fits, true)
    }
    const next = node.words?.get(word.value)
    if (next === undefined) return best
    node = next
  }
  return best
}

function newNode(): Node {
  return {
    words: undefined,
    exact: undefined,
    prefix: undefined,
    star: undefined,
    starAndWord: undefined,
    beginnings: undefined,
    least: Infinity
  }
}

function insert(root: Node, entry: CommandEntry): void {
  const { glob } = entry.pattern
  const head = glob[0]!
  const whole = glob.length === 1
  const last = whole ? head.length : head.lastIndexOf(" ")
  let node = root
  node.least = Math.min(node.least, entry.rank)
  if (last > 0 || whole) {
    for (const word of head.slice(0, last).split(" ")) {
      node.words ??= new Map()
      let next = node.words.get(word)
      if (next === undefined) node.words.set(word, (next = newNode()))
      node = next
      node.least = Math.min(node.least, entry.rank)
    }
  }
  const beginning = whole ? "" : head.slice(last + 1)
  if (isExact(entry.pattern)) (node.exact ??= []).push(entry)
  else if (whole) (node.prefix ??= []).push(entry)
  else if (beginning === "") insertStar(node, entry)
  else {
    node.beginnings ??= new Map()
    let byText = node.beginnings.get(beginning.length)
    if (byText === undefined) node.beginnings.set(beginning.length, (byText = new Map()))
    const list = byText.get(beginning)
    if (list === undefined) byText.set(beginning, [entry])
    else list.push(entry)
  }
}

function insertStar(node: Node, entry: CommandEntry): void {
  const word = wordBehindStar(entry.pattern)
  if (word === undefined) (node.star ??= []).push(entry)
  else {
    node.starAndWord ??= new Map()
    const list = node.starAndWord.get(word)
    if (list === undefined) node.starAndWord.set(word, [entry])
    else list.push(entry)
  }
}

/** The longest whole word that every matching text holds behind the first star. */
function wordBehindStar({ glob }: CommandPattern): string | undefined {
  const last = glob.length - 1
  const whole = glob.slice(1).flatMap((piece, index) => piece.split(" ").slice(1, index + 1 === last ? undefined : -1))
  return whole.filter((word) => word !== "").toSorted((one, other) => other.length - one.length)[0]
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
  who: Who,
  admits: Admits,
  best: CommandEntry | undefined,
  fits: Fits,
  below = false
): CommandEntry | undefined {
  let found = best
  const todo: Node[] = []
  const look = (node: Node, fitting: Fits, own: boolean) => {
    for (const list of own ? [node.exact, node.prefix, node.star, ...(node.starAndWord?.values() ?? [])] : []) {
      if (list !== undefined) found = first(list, who, admits, found)
    }
    for (const byText of node.beginnings?.values() ?? []) {
      for (const [text, list] of byText) if (fitting(text, true)) found = first(list, who, admits, found)
    }
    for (const [word, next] of node.words ?? []) if (fitting(word, false)) todo.push(next)
  }
  look(start, fits, !below)
  for (let node = todo.pop(); node !== undefined; node = todo.pop()) {
    if (found === undefined || node.least < found.rank) look(node, everything, true)
  }
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
