/**
 * Times by turns: each contender does a small slice of the work, then the next one, over and over, and of each slice
 * the median counts. So nobody is measured at a worse moment, and what else the machine did meanwhile falls out.
 */

/** Who is measured: makes a slice ready, off the clock, and gives back what is timed. It returns something to look at. */
export interface Contender {
  readonly name: string
  /** Work for the items from this index up to that one. */
  readonly prepare: (from: number, to: number) => () => number
}

/** How much is measured. */
export interface Turns {
  readonly items: number
  readonly slice: number
  readonly rounds: number
  /** Rounds that are not counted: the compiler is still at work. */
  readonly warmUp: number
}

/** Nanoseconds an item of each contender, in their order: the mean over slices of each slice's median over rounds. */
export function takeTurns(contenders: readonly Contender[], turns: Turns): readonly number[] {
  const { items, rounds, slice, warmUp } = turns
  const times = contenders.map(() => Array.from({ length: Math.ceil(items / slice) }, (): number[] => []))
  for (let round = 0; round < rounds + warmUp; round++) {
    for (let from = 0; from < items; from += slice) {
      const to = Math.min(items, from + slice)
      for (const [index, { prepare }] of contenders.entries()) {
        const spent = time(prepare(from, to))
        if (round >= warmUp) times[index]![from / slice]!.push(spent)
      }
    }
  }
  return times.map((slices) => slices.reduce((sum, each) => sum + median(each), 0) / items)
}

/** Nanoseconds that it takes. */
export function time(run: () => number): number {
  const start = process.hrtime.bigint()
  const sum = run()
  const spent = Number(process.hrtime.bigint() - start)
  // the sum is looked at so that nothing is optimised away
  if (!Number.isFinite(sum)) throw new Error("the bench counted nothing")
  return spent
}

/** The one in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[sorted.length >> 1]!
}
