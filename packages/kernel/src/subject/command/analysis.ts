/**
 * What the walk over a line finds, and what it knows where it stands.
 */
import type { SyntaxNode } from "unbash"
import type { Part } from "../Subject.ts"
import { anywhere, type Folders } from "./folders.ts"
import type { Variables } from "./variables.ts"

/** A file that a line touches, before symbolic links are looked at. */
export interface Touch {
  readonly kind: "read" | "write" | "remove"
  /** Absolute, its segments as written; undefined when only bash can know. */
  readonly path: string | undefined
  readonly glob: boolean
  readonly whole: boolean
  readonly uncertain: boolean
  readonly part: number | undefined
  readonly redirect: boolean
  /** Taken away with all that lies below it. */
  readonly tree: boolean
  /** What is taken away is searched for below it. */
  readonly searched: boolean
  /** Filters choose what is hit below it. */
  readonly filtered: boolean
  /** The path if all that is unknown in the word were empty. */
  readonly emptied: string | undefined
}

/** A line, taken apart; it holds nothing that depends on the file system. */
export interface Analysis {
  readonly parts: readonly Part[]
  readonly touches: readonly Touch[]
  readonly parsed: boolean
  /** The line is longer or deeper than is looked at: what it holds beyond that, nobody has seen. */
  readonly exhausted: boolean
  readonly transparent: boolean
  /** Verbs of Countersign's own program that the line may run, which the floor forbids. */
  readonly ownVerbs: readonly string[]
}

/** Where the walk stands. */
export interface Place {
  folders: Folders
  /** Variables that have been assigned for certain when this place is reached. */
  readonly assigned: Set<string>
  readonly variables: Variables
}

/** A place that starts as this one and goes its own way. */
export const fork = (place: Place): Place => ({ ...place, assigned: new Set(place.assigned) })

/** A symbolic link that a line makes; its target is undefined where only bash can know it. */
export interface Link {
  readonly path: string
  readonly target: string | undefined
  /** Index of the part that makes it. */
  readonly part: number
}

/** What the walk has found so far. */
export interface Found {
  /** The folder the line starts in. */
  readonly start: string
  /** Undefined once the line assigns `HOME`. */
  home: string | undefined
  readonly parts: Part[]
  readonly touches: Touch[]
  readonly ownVerbs: string[]
  /** Symbolic links that the line makes. */
  readonly links: Link[]
  parsed: boolean
  /** Some of it is longer or deeper than is looked at. */
  exhausted: boolean
  transparent: boolean
  /** Some place evaluates text twice. */
  twice: boolean
  /** Some literal text would be run if it were evaluated. */
  evaluable: boolean
  /** Every later word may mean something else. */
  redefined: boolean
  /** Index of the first part of the outermost loop that the walk is in. */
  loop: number | undefined
  /** Scripts within scripts. */
  depth: number
  readonly walker: Walker
}

/** The walk, as those use it who find more to walk in what they are given. */
export interface Walker {
  /** Walks a text as a script: of this very shell when `shared`, else of a process of its own. */
  readonly text: (found: Found, text: string, place: Place, shared: boolean) => void
  /** Visits what is no command for the scripts that are nested in it. */
  readonly visit: (found: Found, node: SyntaxNode, place: Place) => void
}

/** Where the shell may stand after a command, by its success. */
export interface After {
  readonly ok: Folders
  readonly failed: Folders
}

/** A place that is reached at another time, from wherever the shell then stands. */
export const apart = (place: Place): Place => ({
  ...fork(place),
  folders: anywhere(place.folders),
  assigned: new Set()
})

/** From here on, and in the loop around, every word may mean something else. */
export function redefine(found: Found): void {
  found.redefined = true
  if (found.loop === undefined) return
  for (let index = found.loop; index < found.parts.length; index++)
    found.parts[index] = { ...found.parts[index]!, unknown: true, readOnly: false, free: false }
}

/** The walk has found more than is looked at. */
export class TooMuch extends Error {}

/** There is more than is looked at: it does not count as parsed, and may hold anything. */
export function exhaust(found: Found): void {
  found.parsed = false
  found.exhausted = true
}

/** Takes the parser's errors down; its own limits are no fault of the text, and hide what lies below them. */
export function noteErrors(found: Found, errors: readonly { readonly message: string }[] | undefined): void {
  if (errors === undefined) return
  found.parsed = false
  if (errors.some(({ message }) => message.startsWith("maximum "))) found.exhausted = true
}
