/** A small seeded generator of random numbers (xorshift32), so that every world can be made again from its seed. */

export interface Random {
  /** A whole number from 0 up to, and without, the limit. */
  readonly below: (limit: number) => number
  readonly chance: (probability: number) => boolean
  readonly pick: <const A>(choices: readonly [A, ...A[]]) => A
}

/** The same numbers for the same seed; seeds that are neighbours give unrelated numbers. */
export function seeded(seed: number): Random {
  let state = scramble(seed) || 1
  const next = () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 0x1_0000_0000
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    below,
    chance: (probability) => next() < probability,
    pick: (choices) => choices[below(choices.length)] ?? choices[0]
  }
}

function scramble(seed: number): number {
  let mixed = Math.imul(seed ^ (seed >>> 16), 0x45d9f3b)
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x45d9f3b)
  return (mixed ^ (mixed >>> 16) ^ 0x9e3779b9) | 0
}
