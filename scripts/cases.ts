/**
 * How often the kernel decides as the field does: `countersign check --batch` over `test/cases`, scored. What the
 * program is given does not hold the expected answers.
 *
 *     node scripts/cases.ts [--json] [--program MAIN.ts] [FILE.ndjson …]
 *
 * `!!` marks what should have been denied or asked and was allowed. Exits 1 if there is one, or if a file has fewer
 * than 85 % right.
 */
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"

/** A line of `test/cases`, as far as it is scored. */
export interface Case {
  readonly id: string
  readonly expect: string
  readonly why?: string
  readonly [key: string]: unknown
}

/** What came out for one case; `got` is a decision or, where there is none, the error. */
export interface Result {
  readonly id: string
  readonly state: "right" | "wrong" | "error"
  readonly expect: string
  readonly got: string
  /** It was allowed, and should not have been. */
  readonly loose: boolean
  readonly ruleId?: string
  readonly why?: string
}

/** The score of one file. */
export interface Score {
  readonly file: string
  readonly right: number
  readonly wrong: number
  readonly errors: number
  readonly percent: number
  readonly results: readonly Result[]
}

/** The least share of right answers that a file may have. */
export const leastPercent = 85

/** Cases of one file; a line that is none is an error with its number. */
export function readCases(text: string): readonly Case[] {
  return text.split("\n").flatMap((line, index) => {
    if (line.trim() === "") return []
    const value: Partial<Case> = JSON.parse(line)
    const { expect, id } = value
    if (typeof id !== "string" || expect === undefined || !decisions.includes(expect)) {
      throw new Error(`line ${index + 1} has no \`id\`, or expects none of ${decisions.join(", ")}`)
    }
    return [{ ...value, id, expect }]
  })
}

/** The case as the program sees it. */
export function question({ class: _class, expect: _expect, from: _from, why: _why, ...rest }: Case): string {
  return JSON.stringify(rest)
}

/** Compares the program's lines with what is expected. No answer, two answers and unknown words are errors. */
export function score(file: string, cases: readonly Case[], output: string): Score {
  const answers = Map.groupBy(output.split("\n").flatMap(readAnswer), ({ id }) => id)
  const results = cases.map((each) => compare(each, answers.get(each.id) ?? []))
  const of = (state: Result["state"]) => results.filter((result) => result.state === state).length
  const right = of("right")
  const percent = cases.length === 0 ? 0 : (100 * right) / cases.length
  return { file, right, wrong: of("wrong"), errors: of("error"), percent, results }
}

/** Whether a score is good enough. */
export function passes({ percent, results }: Score): boolean {
  return percent >= leastPercent && !results.some(({ loose }) => loose)
}

/** The lines for people: a line a file, and one for each case that is not right. */
export function render(scores: readonly Score[]): string {
  return scores
    .flatMap(({ errors, file, percent, results, right, wrong }) => [
      `${file}: ${right} right, ${wrong} wrong, ${errors} errors, ${percent.toFixed(1)} %`,
      ...results
        .filter(({ state }) => state !== "right")
        .map(
          ({ expect, got, id, loose, ruleId, why }) =>
            `${loose ? "!!" : "  "} ${id}: expected ${expect}, got ${got}${ruleId === undefined ? "" : ` (${ruleId})`}${why === undefined ? "" : `: ${why}`}`
        )
    ])
    .join("\n")
}

interface Answer {
  readonly id: string
  readonly decision?: unknown
  readonly ruleId?: unknown
  readonly error?: unknown
}

const decisions: readonly string[] = ["allow", "ask", "deny"]

function readAnswer(line: string): readonly Answer[] {
  if (line.trim() === "") return []
  const value: Partial<Answer> = JSON.parse(line)
  return typeof value.id === "string" ? [{ ...value, id: value.id }] : []
}

function compare({ expect, id, why }: Case, answers: readonly Answer[]): Result {
  const base = { id, expect, loose: false, ...(why === undefined ? {} : { why }) }
  const [answer] = answers
  if (answer === undefined) return { ...base, state: "error", got: "no answer" }
  if (answers.length > 1) return { ...base, state: "error", got: `${answers.length} answers` }
  const { decision, error, ruleId } = answer
  if (typeof decision !== "string" || !decisions.includes(decision)) {
    return { ...base, state: "error", got: said(error ?? decision) }
  }
  const rule = typeof ruleId === "string" ? { ruleId } : {}
  if (decision === expect) return { ...base, ...rule, state: "right", got: decision }
  return { ...base, ...rule, state: "wrong", got: decision, loose: decision === "allow" }
}

const said = (value: unknown): string => (typeof value === "string" ? value : `${JSON.stringify(value)}`)

const root = fileURLToPath(new URL("..", import.meta.url))

function ask(program: string, cases: readonly Case[]): string {
  const args = ["--conditions=source", "--disable-warning=ExperimentalWarning", program, "check", "--batch"]
  const input = `${cases.map(question).join("\n")}\n`
  const { error, stderr, stdout } = spawnSync(process.execPath, args, { input, encoding: "utf8", maxBuffer: 1e9 })
  if (error !== undefined) throw error
  // the exit code only repeats that a line had an error; a program that died has left lines unanswered
  if (stderr !== "") console.error(stderr.trimEnd())
  return stdout
}

if (import.meta.main) {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      json: { type: "boolean", default: false },
      program: { type: "string", default: join(root, "packages/cli/src/main.ts") }
    }
  })
  const usual = ["peers", "users", "extra", "bash"].map((name) => join(root, `test/cases/${name}.ndjson`))
  const scores = (positionals.length > 0 ? positionals : usual).map((file) => {
    const cases = readCases(readFileSync(file, "utf8"))
    return score(basename(file), cases, ask(values.program, cases))
  })
  console.log(values.json ? JSON.stringify(scores, undefined, 2) : render(scores))
  if (!scores.every(passes)) process.exitCode = 1
}
