/**
 * What the walk over a line finds, and what it knows where it stands.
 */
import type { Part } from "../Subject.ts"
import type { Folders } from "./folders.ts"
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

/** What the walk has found so far. */
export interface Found {
  /** The folder the line starts in. */
  readonly start: string
  /** Undefined once the line assigns `HOME`. */
  home: string | undefined
  readonly parts: Part[]
  readonly touches: Touch[]
  readonly ownVerbs: string[]
  parsed: boolean
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
}

/** The walk has found more than is looked at. */
export class TooMuch extends Error {}
