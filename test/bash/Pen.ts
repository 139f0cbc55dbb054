/**
 * What a line is written with: choices that can be repeated and made smaller, and notes on what was written. Every
 * choice is a whole number, the simplest thing is always choice 0, so that a line shrinks by shrinking its numbers.
 */
import type { Random } from "../reference/random.ts"

/** A line of bash with all that its author knows of it. */
export interface Line {
  readonly text: string
  /** The numbers that it came from. */
  readonly choices: readonly number[]
  /** What occurs in it, by the names of `constructs.ts`. */
  readonly constructs: ReadonlySet<string>
  /** Nothing in it but static, allowed parts: it has to pass. */
  readonly passes: boolean
  /** The forbidden words stand in it literally, where bash takes them for a command: it has to be denied. */
  readonly isStatic: boolean
}

/** Writes one line. */
export interface Pen {
  /** A whole number from 0 up to, and without, the limit. */
  readonly below: (limit: number) => number
  readonly pick: <A>(choices: readonly A[]) => A
  /** One of the choices, which begin with the names of constructs; all constructs are as likely, and it is noted. */
  readonly construct: <A extends readonly [construct: string, ...unknown[]]>(choices: readonly A[]) => A
  /** In one of so many cases; the smallest choice is no. */
  readonly oneIn: (cases: number) => boolean
  readonly saw: (construct: string) => void
  /** The line need not pass. */
  readonly mayAsk: () => void
  /** The forbidden words can't be read from the line. */
  readonly hide: () => void
  /** A number that this line has not used. */
  readonly fresh: () => number
}

/** Writes a line with fresh choices. */
export function writeLine(write: (pen: Pen) => string, random: Random): Line {
  return record(write, (limit) => random.below(limit))
}

/** Writes the line that given choices stand for; choices that are missing are 0. */
export function rewriteLine(write: (pen: Pen) => string, choices: readonly number[]): Line {
  let next = 0
  return record(write, (limit) => Math.min(choices[next++] ?? 0, limit - 1))
}

function record(write: (pen: Pen) => string, choose: (limit: number) => number): Line {
  const choices: number[] = []
  const constructs = new Set<string>()
  let passes = true
  let isStatic = true
  let used = 0
  const below = (limit: number) => {
    const choice = choose(limit)
    choices.push(choice)
    return choice
  }
  const pick = <A>(list: readonly A[]): A => list[below(list.length)]!
  const text = write({
    below,
    pick,
    construct: (list) => {
      const chosen = pick(pick(byConstruct(list)))
      constructs.add(chosen[0])
      return chosen
    },
    oneIn: (cases) => below(cases) === cases - 1,
    saw: (construct) => void constructs.add(construct),
    mayAsk: () => {
      passes = false
    },
    hide: () => {
      isStatic = false
    },
    fresh: () => used++
  })
  return { text, choices, constructs, passes, isStatic }
}

const grouped = new WeakMap<object, unknown>()

function byConstruct<A extends readonly [string, ...unknown[]]>(choices: readonly A[]): readonly (readonly A[])[] {
  const known = grouped.get(choices)
  if (known !== undefined) return known as readonly (readonly A[])[]
  const groups = [...Map.groupBy(choices, ([construct]) => construct).values()]
  grouped.set(choices, groups)
  return groups
}
