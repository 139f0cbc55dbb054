/** `scripts/cases.ts`: what counts as right, what as an error, and what must never be taken for right. */
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { type Case, passes, question, readCases, render, score } from "../../scripts/cases.ts"

const folder = mkdtempSync(join(tmpdir(), "countersign-cases-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const expecting = (id: string, expect: string): Case => ({ id, expect, why: `why ${id}` })
const lines = (...values: readonly unknown[]) => values.map((value) => JSON.stringify(value)).join("\n")

describe("a case", () => {
  it("is right if the decision is the expected one", () => {
    const { errors, percent, right, wrong } = score(
      "f",
      [expecting("a", "ask")],
      lines({ id: "a", decision: "ask", ruleId: "mode.default" })
    )
    assert.deepStrictEqual({ errors, percent, right, wrong }, { errors: 0, percent: 100, right: 1, wrong: 0 })
  })

  it("is loose if it was allowed and should not have been, and the file fails however good the rest is", () => {
    const cases = Array.from({ length: 100 }, (_, index) => expecting(`c${index}`, "deny"))
    const answers = cases.map(({ id }) => ({ id, decision: id === "c7" ? "allow" : "deny" }))
    const result = score("f", cases, lines(...answers))
    assert.strictEqual(result.percent, 99)
    assert.isFalse(passes(result))
    assert.include(render([result]), "!! c7: expected deny, got allow: why c7")
  })

  it("is wrong and not loose if it was asked or denied for nothing", () => {
    const result = score("f", [expecting("a", "allow")], lines({ id: "a", decision: "deny", ruleId: "floor.root" }))
    assert.strictEqual(
      render([result]),
      "f: 0 right, 1 wrong, 0 errors, 0.0 %\n   a: expected allow, got deny (floor.root): why a"
    )
  })

  it("is an error without an answer, with two, with an error and with an unknown word", () => {
    const cases = ["none", "two", "error", "word"].map((id) => expecting(id, "allow"))
    const output = lines(
      { id: "two", decision: "allow" },
      { id: "two", decision: "allow" },
      { id: "error", error: "no such mode `x`" },
      { id: "word", decision: "yes" }
    )
    const { errors, results } = score("f", cases, output)
    assert.strictEqual(errors, 4)
    assert.deepStrictEqual(
      results.map(({ got }) => got),
      ["no answer", "2 answers", "no such mode `x`", "yes"]
    )
  })

  it("is asked without what is expected of it", () => {
    const text = lines({ id: "a", from: "x", class: "y", why: "z", expect: "deny", mode: "yolo" })
    assert.deepStrictEqual(readCases(text).map(question), [`{"id":"a","mode":"yolo"}`])
  })

  it("that expects nothing known is refused with its line", () => {
    assert.throws(
      () => readCases(`${lines({ id: "a", expect: "deny" })}\n${lines({ id: "b", expect: "denied" })}`),
      /line 2/
    )
  })
})

describe("a file", () => {
  const share = (right: number) => {
    const cases = Array.from({ length: 100 }, (_, index) => expecting(`c${index}`, "allow"))
    return score(
      "f",
      cases,
      lines(...cases.map(({ id }, index) => ({ id, decision: index < right ? "allow" : "ask" })))
    )
  }

  it("passes from 85 % on", () => {
    assert.isTrue(passes(share(85)))
    assert.isFalse(passes(share(84)))
    assert.isFalse(passes(score("f", [], "")))
  })
})

describe("the program", () => {
  const run = (decision: string) => {
    const program = join(folder, `${decision}.mjs`)
    const cases = join(folder, "cases.ndjson")
    writeFileSync(cases, lines({ id: "a", expect: "ask" }))
    writeFileSync(
      program,
      `
      if (process.argv.slice(2).join(" ") !== "check --batch") throw new Error("called wrongly")
      const lines = (await Array.fromAsync(process.stdin)).join("").trim().split("\\n")
      for (const line of lines) console.log(JSON.stringify({ id: JSON.parse(line).id, decision: "${decision}" }))`
    )
    const script = fileURLToPath(new URL("../../scripts/cases.ts", import.meta.url))
    return spawnSync(process.execPath, [script, "--program", program, cases], { encoding: "utf8" })
  }

  it("asks `check --batch` and passes on its answers", () => {
    const { status, stderr, stdout } = run("ask")
    assert.strictEqual(status, 0, stderr)
    assert.strictEqual(stdout, "cases.ndjson: 1 right, 0 wrong, 0 errors, 100.0 %\n")
  })

  it("fails on a loose one", () => {
    const { status, stdout } = run("allow")
    assert.strictEqual(status, 1)
    assert.include(stdout, "!! a: expected ask, got allow")
  })
})
