/** Texts with `*` for any characters, cut into their literal pieces once and matched without backtracking. */

/** The literal pieces between the stars; one piece alone is an exact text. */
export type Glob = readonly string[]

/** Cuts a pattern at every star. */
export const globOf = (pattern: string): Glob => pattern.split("*")

/** Whether the whole text matches. */
export function globMatches(glob: Glob, text: string): boolean {
  const first = glob[0]!
  const last = glob.length - 1
  if (last === 0) return text === first
  if (!text.startsWith(first)) return false
  // INVARIANT: taking each piece at its leftmost place leaves the most text for the rest
  let from = first.length
  for (let index = 1; index < last; index++) {
    const at = text.indexOf(glob[index]!, from)
    if (at === -1) return false
    from = at + glob[index]!.length
  }
  return text.length - glob[last]!.length >= from && text.endsWith(glob[last]!)
}

/** Whether the whole text matches, no star standing for a line break. */
export function globMatchesLine(glob: Glob, text: string): boolean {
  if (!text.includes("\n")) return globMatches(glob, text)
  const breaks = glob.map((piece) => piece.split("\n").length - 1).reduce((sum, each) => sum + each, 0)
  if (text.split("\n").length - 1 !== breaks) return false
  // as many line breaks as the literal pieces hold: then none is left for a star
  return globMatches(glob, text)
}
