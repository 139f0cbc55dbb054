/** Lines from a seed, run and judged: what occurred how often, and each line that breaks a law, made small. */
import { lineOf } from "./generate.ts"
import type { Verdicts } from "./judge.ts"
import { type Breach, breachOf, mustPass, ranForbidden } from "./laws.ts"
import { Machine, type Truth } from "./Machine.ts"
import type { Line } from "./Pen.ts"
import { shrink } from "./shrink.ts"

export interface Violation {
  readonly index: number
  readonly breach: Breach
  readonly text: string
  /** The smallest line that was found to break the same law. */
  readonly small: string
  readonly said: Verdicts
}

export interface Trial {
  readonly lines: number
  /** Lines that ran what is forbidden. */
  readonly ran: number
  /** Lines that had to pass, and those of them that did not. */
  readonly mustPass: number
  readonly needless: number
  /** Lines with a fault of syntax. */
  readonly broken: number
  /** How many lines each construct occurred in. */
  readonly constructs: Readonly<Record<string, number>>
  /** Escapes, and lines that hung. */
  readonly violations: readonly Violation[]
  /** A few of the needless asks. */
  readonly asks: readonly string[]
}

const batch = 100
/** So many violations are enough to see what is wrong. */
const enough = 20
const shownAsks = 10

/** Tries that many lines. */
export async function tryLines(
  seed: number,
  count: number,
  judge: (line: string) => Verdicts,
  progress: (done: number) => void = () => undefined
): Promise<Trial> {
  const machine = new Machine()
  const constructs: Record<string, number> = {}
  const violations: Violation[] = []
  const asks: string[] = []
  const totals = { lines: 0, ran: 0, mustPass: 0, needless: 0, broken: 0 }
  const breachBy = async (line: Line) => breachOf(line, await machine.run(line.text), judge(line.text))

  const look = async (index: number, line: Line, truth: Truth): Promise<void> => {
    const said = judge(line.text)
    const breach = breachOf(line, truth, said)
    totals.lines++
    totals.ran += Number(ranForbidden(truth))
    totals.mustPass += Number(mustPass(line, truth))
    totals.broken += Number(truth.broken)
    for (const construct of line.constructs) constructs[construct] = (constructs[construct] ?? 0) + 1
    if (breach === "needless ask") {
      totals.needless++
      if (asks.length < shownAsks) asks.push((await shrink(line, breach, breachBy)).text)
    } else if (breach !== undefined) {
      const small = breach === "hung" ? line : await shrink(line, breach, breachBy)
      violations.push({ index, breach, text: line.text, small: small.text, said })
    }
  }

  try {
    let next = linesFrom(seed, 0, count)
    let truths = machine.all(next.map(({ text }) => text))
    for (let from = 0; from < count && violations.length < enough; from += batch) {
      const lines = next
      const known = await truths
      // the machine runs the next lines while these are judged
      next = linesFrom(seed, from + batch, count)
      truths = machine.all(next.map(({ text }) => text))
      for (const [at, line] of lines.entries()) await look(from + at, line, known[at]!)
      progress(from + lines.length)
    }
    await truths
  } finally {
    machine.close()
  }
  return { ...totals, constructs: sorted(constructs), violations, asks }
}

const linesFrom = (seed: number, from: number, count: number): readonly Line[] =>
  Array.from({ length: Math.max(0, Math.min(batch, count - from)) }, (_, at) => lineOf(seed, from + at))

const sorted = (counts: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.entries(counts).sort(([, one], [, other]) => one - other))
