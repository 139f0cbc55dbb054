/**
 * Which rows of `test/checklist/checklist.md` hold: every id, looked for in the names of the tests, with what became
 * of them. A row passes only if it has a test, and all its tests ran and passed.
 *
 *     node scripts/checklist.ts [--report VITEST.json] [--json] [--require P01-P43,G01-G03]
 *
 * Exits 1 if a row failed, a test file did not load, or a required row does not pass.
 */
import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"

/** What became of a row: a skipped test proves nothing, so its row is missing. */
export type State = "passed" | "failed" | "missing"

/** A row of the checklist with its tests. */
export interface Row {
  readonly id: string
  readonly title: string
  readonly state: State
  readonly tests: readonly { readonly name: string; readonly status: string; readonly message?: string }[]
}

/** The part of vitest's JSON report that is read here. */
export interface Report {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly message?: string
    readonly assertionResults: readonly {
      readonly fullName: string
      readonly status: string
      readonly failureMessages?: readonly string[] | null
    }[]
  }[]
}

/** The rows of the checklist's tables, in their order. */
export function readRows(markdown: string): readonly { readonly id: string; readonly title: string }[] {
  return [...markdown.matchAll(/^\| ([APGU]\d\d) \| ([^|]*?) \|/gm)].map(([, id = "", title = ""]) => ({ id, title }))
}

/** Every row with the tests that name it. */
export function judge(
  rows: readonly { readonly id: string; readonly title: string }[],
  report: Report
): readonly Row[] {
  const all = report.testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .map((test) => ({
      ids: new Set(test.fullName.match(/\b[APGU]\d\d\b/g)),
      name: test.fullName.trim(),
      status: test.status,
      ...(test.failureMessages?.[0] === undefined ? {} : { message: test.failureMessages[0].split("\n")[0] ?? "" })
    }))
  return rows.map(({ id, title }) => {
    const tests = all.filter(({ ids }) => ids.has(id)).map(({ ids: _ids, ...test }) => test)
    const failed = tests.some(({ status }) => status === "failed")
    const passed = tests.length > 0 && tests.every(({ status }) => status === "passed")
    return { id, title, state: failed ? "failed" : passed ? "passed" : "missing", tests }
  })
}

/** Test files that gave no test at all, because loading them failed. */
export function unloaded(report: Report): readonly string[] {
  return report.testResults
    .filter(
      ({ assertionResults, status }) =>
        status === "failed" && !assertionResults.some((test) => test.status === "failed")
    )
    .map(({ message, name }) => `${name}: ${message?.split("\n")[0] ?? ""}`)
}

/** `P01-P43,G01` → ids. What names no row is an error, so that a mistyped requirement can't pass. */
export function expand(ranges: string, rows: readonly { readonly id: string }[]): readonly string[] {
  return ranges.split(",").flatMap((range) => {
    const [, first, last = first] = /^\s*([APGU]\d\d)(?:\s*[-–]\s*([APGU]\d\d))?\s*$/.exec(range) ?? []
    const from = rows.findIndex(({ id }) => id === first)
    const to = rows.findIndex(({ id }) => id === last)
    if (from < 0 || to < from || first?.[0] !== last?.[0])
      throw new Error(`\`${range}\` names no rows of the checklist`)
    return rows.slice(from, to + 1).map(({ id }) => id)
  })
}

/** The table for people, with the counts at its end. */
export function render(rows: readonly Row[]): string {
  const groups = Map.groupBy(rows, ({ id }) => id[0] ?? "")
  const lines = [...groups].flatMap(([group, members]) => [
    "",
    `${names[group] ?? group}: ${count(members)}`,
    ...members.flatMap(({ id, state, tests, title }) => [
      `  ${id}  ${state.padEnd(7)}  ${title}${tests.length > 1 ? ` (${tests.length} tests)` : ""}`,
      ...tests
        .filter(({ status }) => status !== "passed")
        .map(({ message, name, status }) => `       ${status}: ${name}${message === undefined ? "" : `: ${message}`}`)
    ])
  ])
  return [...lines.slice(1), "", `${rows.length} rows: ${count(rows)}`].join("\n")
}

const names: Readonly<Record<string, string>> = {
  A: "ack",
  P: "permgate",
  G: "GateDecision and hierarchy",
  U: "the union"
}

const count = (rows: readonly Row[]): string =>
  (["passed", "failed", "missing"] as const)
    .map((state) => `${rows.filter((row) => row.state === state).length} ${state}`)
    .join(", ")

const root = fileURLToPath(new URL("..", import.meta.url))

function runTests(): Report {
  const folder = mkdtempSync(join(tmpdir(), "countersign-checklist-"))
  try {
    const file = join(folder, "report.json")
    const vitest = join(root, "node_modules/vitest/vitest.mjs")
    const args = [vitest, "run", "--reporter=json", `--outputFile=${file}`]
    const { error } = spawnSync(process.execPath, args, { cwd: root, stdio: ["ignore", 2, 2] })
    if (error !== undefined) throw error
    return JSON.parse(readFileSync(file, "utf8"))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { report: { type: "string" }, json: { type: "boolean", default: false }, require: { type: "string" } }
  })
  const listed = readRows(readFileSync(join(root, "test/checklist/checklist.md"), "utf8"))
  const required = values.require === undefined ? [] : expand(values.require, listed)
  const report: Report = values.report === undefined ? runTests() : JSON.parse(readFileSync(values.report, "utf8"))
  const rows = judge(listed, report)
  const broken = unloaded(report)
  const lacking = rows.filter(({ id, state }) => required.includes(id) && state !== "passed")
  console.log(values.json ? JSON.stringify(rows, undefined, 2) : render(rows))
  for (const each of broken) console.error(`did not load: ${each}`)
  if (lacking.length > 0) console.error(`required and not passed: ${lacking.map(({ id }) => id).join(" ")}`)
  if (broken.length + lacking.length > 0 || rows.some(({ state }) => state === "failed")) process.exitCode = 1
}
