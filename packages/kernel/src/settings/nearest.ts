/** Finds what somebody probably meant: the known word that a mistyped one is nearest to. */

/** The nearest of the known words, if one is near: at most two slips, one in a word of up to five letters. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const limit = word.length <= 5 ? 1 : 2
  let best: string | undefined
  let least = limit + 1
  for (const candidate of known) {
    const slips = distance(word.toLowerCase(), candidate.toLowerCase(), limit)
    if (slips < least) {
      least = slips
      best = candidate
    }
  }
  return best
}

/** The end of a message about an unknown word: the nearest known one, or all of them. */
export function meant(word: string, known: readonly string[]): string {
  const near = nearest(word, known)
  if (near !== undefined) return `did you mean \`${near}\``
  return `known are ${known.map((each) => `\`${each}\``).join(", ")}`
}

/** Insertions, deletions, replacements and swaps of neighbours between two words; above the limit any number. */
function distance(one: string, other: string, limit: number): number {
  if (Math.abs(one.length - other.length) > limit) return limit + 1
  let before: number[] = []
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    for (let j = 1; j <= other.length; j++) {
      const same = one[i - 1] === other[j - 1]
      let least = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (same ? 0 : 1))
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1])
        least = Math.min(least, before[j - 2]! + 1)
      next.push(least)
    }
    before = row
    row = next
  }
  return row[other.length]!
}
