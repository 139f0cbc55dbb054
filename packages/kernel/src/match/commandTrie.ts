/**
 * The trie under the command rules of a tool, of all behaviours together: its nodes are the literal words that rules
 * begin with. The way of one text through it is walked once and kept for the next question about the same text.
 */
import type { Behavior } from "../Rule.ts"
import type { CommandText } from "./commandTexts.ts"
import type { CommandEntry } from "./commandIndex.ts"

/** What the rules of one behaviour are at a node. Lists are sorted by rank. */
export interface Leaves {
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

/** What is known of rules that begin with the words on the way to it. */
export interface Node {
  words: Map<string, Node> | undefined
  /** Of each behaviour; undefined: there is no rule of it at or below this node. */
  deny: Leaves | undefined
  ask: Leaves | undefined
  allow: Leaves | undefined
}

/** The way of a text through the trie: the nodes it meets, and where in the text the word behind each begins. */
export interface Way {
  readonly nodes: Node[]
  readonly starts: number[]
  /** How many nodes of the list count. */
  length: number
  /** The last node is where the text ends. */
  complete: boolean
}

/** The trie, with the way of the text that was asked for last. */
export interface CommandTrie {
  readonly root: Node
  readonly way: Way
  walked: string | undefined
}

/** An empty trie. */
export const newTrie = (): CommandTrie => ({
  root: newNode(),
  way: { nodes: [], starts: [], length: 0, complete: false },
  walked: undefined
})

/** The leaves of a behaviour at a node. */
export const leavesOf = (node: Node, behavior: Behavior): Leaves | undefined =>
  behavior === "deny" ? node.deny : behavior === "ask" ? node.ask : node.allow

/** The node at the end of these words, made where there is none; the rank counts on the whole way. */
export function nodeFor(trie: CommandTrie, words: readonly string[], behavior: Behavior, rank: number): Leaves {
  // INVARIANT: a way that was walked before knows nothing of what is put in now
  trie.walked = undefined
  let node = trie.root
  let leaves = leavesFor(node, behavior, rank)
  for (const word of words) {
    node.words ??= new Map()
    let next = node.words.get(word)
    if (next === undefined) node.words.set(word, (next = newNode()))
    node = next
    leaves = leavesFor(node, behavior, rank)
  }
  return leaves
}

/** The way of the text. It counts until the next text is asked for. */
export function wayOf(trie: CommandTrie, { text, words }: CommandText): Way {
  const { way } = trie
  if (trie.walked === text) return way
  trie.walked = text
  const { nodes, starts } = way
  let node: Node | undefined = trie.root
  let start = 0
  let count = 0
  way.complete = false
  for (;;) {
    nodes[count] = node
    starts[count++] = start
    if (node.words === undefined) break
    const word: string | undefined = words === undefined ? wordAt(text, start) : words[count - 1]!.text
    node = node.words.get(word)
    if (node === undefined) break
    start += word.length + 1
    if (start <= text.length) continue
    nodes[count] = node
    starts[count++] = start
    way.complete = true
    break
  }
  way.length = count
  return way
}

/** The word of a text that begins there. */
export function wordAt(text: string, start: number): string {
  const end = text.indexOf(" ", start)
  return end === -1 ? text.slice(start) : text.slice(start, end)
}

function leavesFor(node: Node, behavior: Behavior, rank: number): Leaves {
  const leaves = leavesOf(node, behavior) ?? (node[behavior] = newLeaves())
  if (rank < leaves.least) leaves.least = rank
  return leaves
}

const newNode = (): Node => ({ words: undefined, deny: undefined, ask: undefined, allow: undefined })

const newLeaves = (): Leaves => ({
  exact: undefined,
  prefix: undefined,
  star: undefined,
  starAndWord: undefined,
  beginnings: undefined,
  least: Infinity
})
