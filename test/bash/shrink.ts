/** Makes a line that breaks a law small: fewer and smaller choices, as long as the law stays broken. */
import { lineFrom } from "./generate.ts"
import type { Breach } from "./laws.ts"
import type { Line } from "./Pen.ts"

/** Tries that are made at most. */
const patience = 600

/** The smallest line found that breaks the same law. */
export async function shrink(
  line: Line,
  breach: Breach,
  breachOf: (line: Line) => Promise<Breach | undefined>
): Promise<Line> {
  let best = line
  let tries = 0
  const improves = async (choices: readonly number[]): Promise<boolean> => {
    const next = lineFrom(choices)
    if (tries++ >= patience || !isSmaller(next, best) || (await breachOf(next)) !== breach) return false
    best = next
    return true
  }
  for (let before: Line | undefined; before !== best && tries < patience;) {
    before = best
    for (let length = 16; length > 0; length = Math.floor(length / 2)) {
      for (let at = 0; at < best.choices.length;) {
        const cut = [...best.choices.slice(0, at), ...best.choices.slice(at + length)]
        if (!(await improves(cut))) at += length
      }
    }
    for (let at = 0; at < best.choices.length; at++) {
      if (best.choices[at]! > 0 && !(await improves(best.choices.with(at, 0))))
        await improves(best.choices.with(at, best.choices[at]! - 1))
    }
  }
  return best
}

const isSmaller = (one: Line, other: Line) =>
  one.text.length < other.text.length ||
  (one.text.length === other.text.length && sum(one.choices) < sum(other.choices))

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0)
