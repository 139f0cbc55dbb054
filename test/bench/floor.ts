/**
 * The least that looking up a command among rules can cost: one trie of the rules' literal words, walked once along
 * the words of the call. It knows no forms, no layers and no stars; what it answers is only how strict the rules on the way are.
 */
import type { Evaluation, Rule } from "@countersign/kernel"
import { forEachChild, type SyntaxNode } from "unbash"

interface Node {
  readonly words: Map<string, Node>
  strictness: number
}

const strictness = { allow: 1, ask: 2, deny: 3 }

/** The trie. */
export type Floor = Node

/** Builds it from the literal words that the rules begin with. */
export function buildFloor(rules: readonly Rule[]): Floor {
  const root: Node = { words: new Map(), strictness: 0 }
  for (const { behavior, content = "" } of rules) {
    const literal = content.replace(/:\*$/, "").split("*")[0]!.trim()
    let node = root
    for (const word of literal.split(" ")) {
      let next = node.words.get(word)
      if (next === undefined) node.words.set(word, (next = { words: new Map(), strictness: 0 }))
      node = next
    }
    node.strictness = Math.max(node.strictness, strictness[behavior])
  }
  return root
}

/** The words of a call's only command. */
export function wordsOf({ subject }: Evaluation): readonly string[] {
  return subject.command!.parts[0]!.ban[0]!.words.map(({ text, value }) => value ?? text)
}

/** Walks it. */
export function askFloor(floor: Floor, words: readonly string[]): number {
  let node = floor
  let found = 0
  for (const word of words) {
    const next = node.words.get(word)
    if (next === undefined) return found
    node = next
    if (node.strictness > found) found = node.strictness
  }
  return found
}

/** The words of each command that stands anywhere in the tree: a walk that knows nothing but where commands are. */
export function commandsOf(tree: SyntaxNode): readonly (readonly string[])[] {
  const found: (readonly string[])[] = []
  const todo: SyntaxNode[] = [tree]
  for (let node = todo.pop(); node !== undefined; node = todo.pop()) {
    if (node.type === "Command") found.push(commandWords(node))
    forEachChild(node, (child) => void todo.push(child))
  }
  return found
}

function commandWords({ args, name }: Extract<SyntaxNode, { readonly type: "Command" }>): readonly string[] {
  const words = name === undefined ? [] : [name.value]
  for (const word of args) words.push("value" in word && typeof word.value === "string" ? word.value : word.text)
  return words
}
