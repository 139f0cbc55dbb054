/** `scripts/checklist.ts`: how the names of tests become rows, and what fails it. */
import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { expand, judge, readRows, render, type Report, unloaded } from "../../scripts/checklist.ts"

const folder = mkdtempSync(join(tmpdir(), "countersign-checklist-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const file = fileURLToPath(new URL("../checklist/checklist.md", import.meta.url))
const rows = readRows(readFileSync(file, "utf8"))

const report = (tests: Readonly<Record<string, string>>, broken: Report["testResults"] = []): Report => ({
  numPassedTests: 0,
  numFailedTests: 0,
  testResults: [
    {
      name: "some.test.ts",
      status: "passed",
      assertionResults: Object.entries(tests).map(([fullName, status]) => ({
        fullName,
        status,
        failureMessages: status === "failed" ? ["expected 1\nmore"] : []
      }))
    },
    ...broken
  ]
})
const statesOf = (tests: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    judge(rows, report(tests))
      .filter(({ tests }) => tests.length > 0)
      .map(({ id, state }) => [id, state])
  )

describe("the checklist", () => {
  it("has its 169 rows, each once", () => {
    assert.strictEqual(rows.length, 169)
    assert.strictEqual(new Set(rows.map(({ id }) => id)).size, 169)
    assert.deepStrictEqual(rows[0], { id: "A01", title: "default tier" })
  })
})

describe("a row", () => {
  it("is found wherever its id is a word, and several ids share a test", () => {
    const tests = { "A01 starts": "passed", "in a group P02: goes on": "passed", "ends (G03, U04)": "passed" }
    assert.deepStrictEqual(statesOf(tests), { A01: "passed", P02: "passed", G03: "passed", U04: "passed" })
  })

  it("is not found inside another word", () => {
    assert.deepStrictEqual(statesOf({ "RBA01 A011 xA01 A1 A01b U0041": "passed" }), {})
  })

  it("passes only if all its tests ran and passed", () => {
    assert.deepStrictEqual(
      statesOf({
        "A01 a": "passed",
        "A01 b": "failed",
        "A02 a": "passed",
        "A02 b": "skipped",
        "A03 a": "todo",
        A04: "passed"
      }),
      { A01: "failed", A02: "missing", A03: "missing", A04: "passed" }
    )
  })

  it("shows the tests that did not pass, and the table its counts", () => {
    const text = render(judge(rows, report({ "A01 a": "passed", "A01 b": "failed", "A02 c": "passed" })))
    assert.include(text, "A01  failed   default tier (2 tests)\n       failed: A01 b: expected 1")
    assert.include(text, "ack: 1 passed, 1 failed, 66 missing")
    assert.isTrue(text.endsWith("169 rows: 1 passed, 1 failed, 167 missing"))
  })
})

describe("a requirement", () => {
  it("is a list of ids and ranges", () => {
    assert.deepStrictEqual(expand("P01-P03, G01", rows), ["P01", "P02", "P03", "G01"])
  })

  it("is refused where it names no rows", () => {
    for (const bad of ["P99", "P03-P01", "A60-P02", "", "P", "P01;P02"]) {
      assert.throws(() => expand(bad, rows), /names no rows/, bad)
    }
  })
})

describe("the program", () => {
  const run = (content: Report, ...args: readonly string[]) => {
    const path = join(folder, "report.json")
    writeFileSync(path, JSON.stringify(content))
    const script = fileURLToPath(new URL("../../scripts/checklist.ts", import.meta.url))
    return spawnSync(process.execPath, [script, "--report", path, ...args], { encoding: "utf8" })
  }

  it("passes with rows missing, and not if they are required", () => {
    const passed = report({ "A01 x": "passed", "A02 x": "skipped" })
    assert.strictEqual(run(passed).status, 0)
    assert.strictEqual(run(passed, "--require", "A01").status, 0)
    const { status, stderr } = run(passed, "--require", "A01-A03")
    assert.strictEqual(status, 1)
    assert.include(stderr, "required and not passed: A02 A03")
  })

  it("fails with a failed row", () => {
    assert.strictEqual(run(report({ "A01 x": "failed" })).status, 1)
  })

  it("fails with a test file that did not load, and names it", () => {
    const broken = { name: "bad.test.ts", status: "failed", message: "no such module", assertionResults: [] }
    assert.deepStrictEqual(unloaded(report({}, [broken])), ["bad.test.ts: no such module"])
    const { status, stderr } = run(report({}, [broken]))
    assert.strictEqual(status, 1)
    assert.include(stderr, "did not load: bad.test.ts: no such module")
  })

  it("gives all rows as JSON", () => {
    const listed: readonly { readonly id: string; readonly state: string }[] = JSON.parse(
      run(report({ "A01 x": "passed" }), "--json").stdout
    )
    assert.strictEqual(listed.length, 169)
    assert.strictEqual(listed.find(({ id }) => id === "A01")?.state, "passed")
  })
})
