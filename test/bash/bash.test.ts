import { readFileSync } from "node:fs"
import * as kernel from "@countersign/kernel"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { lineFrom, lineOf } from "./generate.ts"
import { makeJudge } from "./judge.ts"
import { breachOf, ranForbidden } from "./laws.ts"
import { Machine } from "./Machine.ts"
import { shrink } from "./shrink.ts"
import { escapesOf, runLines, type Tried, withSwitch } from "./switchedOff.ts"
import { switches } from "./switches.ts"
import { tryLines } from "./trial.ts"

const judge = makeJudge(kernel)

describe("real bash, asked what a line runs", () => {
  let machine: Machine
  beforeAll(() => {
    machine = new Machine()
  })
  afterAll(() => machine.close())

  for (const [line, ran] of [
    ["true", []],
    ["ok x 'a b'; fine", ["ok x,a b", "fine "]],
    ["d\\anger", ["danger "]],
    ["echo 'danger' # danger", []],
    ["timeout 5 nice sudo -u root env A=1 danger x", ["danger x"]],
    ["ok & { fine | danger; } & ", ["danger ", "fine ", "ok "]],
    ["PATH=../evil; ok", ["danger"]],
    ["PAGER=danger git log", ["git log", "danger "]],
    ["find . -exec danger {} \\;", ["danger ."]],
    ["watch -n 1 'ok; danger'", ["ok ", "danger "]],
    ["~/danger", ["danger "]]
  ] as const) {
    it(`tells of ${line}`, async () => {
      const truth = await machine.run(line)
      const seen = truth.ran.map(([name, ...args]) => (args.length === 0 ? name! : `${name} ${args.join(",")}`))
      assert.deepStrictEqual(seen.sort(), [...ran].sort())
      assert.isFalse(truth.broken || truth.hung)
    })
  }

  it("tells of files that were written, and leaves the next line an empty folder", async () => {
    assert.strictEqual((await machine.run("ok > a; ok > .b")).files, 2)
    assert.strictEqual((await machine.run("ok")).files, 0)
  })

  it("tells of faults of syntax", async () => {
    assert.isTrue((await machine.run("if ok")).broken)
    assert.isTrue((await machine.run("ok $(if)")).broken)
  })

  it("keeps what one line does to its shell from the next", async () => {
    await machine.run("ok() { danger; }; export -f ok; PATH=; exit 3")
    assert.deepStrictEqual((await machine.run("ok x")).ran, [["ok", "x"]])
  })
})

describe("a generated line", () => {
  it("is the same for the same seed and number", () => {
    for (let index = 0; index < 50; index++) {
      const line = lineOf(3, index)
      assert.deepStrictEqual(lineOf(3, index), line)
      assert.deepStrictEqual(lineFrom(line.choices), line)
    }
    assert.notStrictEqual(lineOf(3, 1).text, lineOf(4, 1).text)
  })

  it("shrinks to little that breaks the same law", async () => {
    const breach = "escape: allowed"
    const holds = (text: string) => text.includes("danger") && text.includes("if ")
    const line = Array.from({ length: 5_000 }, (_, index) => lineOf(1, index)).find(
      ({ text }) => holds(text) && text.length > 100
    )!
    const small = await shrink(line, breach, async ({ text }) => (holds(text) ? breach : undefined))
    assert.isTrue(holds(small.text))
    assert.isBelow(small.text.length, 60)
  })
})

describe("kernel and bash, over lines from a seed", { timeout: 240_000 }, () => {
  let tried: readonly Tried[]
  beforeAll(async () => {
    tried = await runLines(20_261_201, 2_500, () => undefined)
  }, 240_000)

  it("nothing escapes, nothing hangs, and little is asked for in vain", () => {
    const broken = tried.flatMap(({ line, truth }) => {
      const breach = breachOf(line, truth, judge(line.text))
      return breach === undefined ? [] : [{ breach, text: line.text }]
    })
    assert.deepStrictEqual(
      broken.filter(({ breach }) => breach !== "needless ask"),
      []
    )
    assert.isAtMost(broken.length, 5)
    assert.isAbove(tried.filter(({ line }) => line.passes).length, 400)
    assert.isAbove(tried.filter(({ truth }) => ranForbidden(truth)).length, 1_000)
  })

  // what the lines can't notice they don't prove; the long run tries all switches
  for (const name of [
    "pipe",
    "$(…)",
    "quotes",
    "shell: -c",
    "wrapper: env",
    "redirect: write",
    "twice: subscript",
    "redefine: PATH"
  ])
    it(`notice when the kernel forgets about ${name}`, async () => {
      const chosen = switches.find((each) => each.name === name)!
      const { count } = await withSwitch(chosen, (other) => escapesOf(tried, other))
      assert.isAbove(count, 0)
    })
})

describe("a switch", () => {
  for (const { edits, name } of switches)
    it(`finds what it switches off: ${name}`, () => {
      for (const [file, find] of edits)
        assert.include(readFileSync(new URL(`../../packages/kernel/src/${file}`, import.meta.url), "utf8"), find)
    })
})

describe("a trial", () => {
  it("counts, shrinks and reports what breaks a law", async () => {
    const careless = () => ({ allowing: "allow", denying: "allow", yolo: "allow" }) as const
    const { constructs, lines, ran, violations } = await tryLines(2, 40, careless)
    assert.isAbove(ran, 5)
    assert.isAbove(Object.keys(constructs).length, 20)
    assert.isAbove(violations.length, 5)
    assert.isAtMost(lines, 100)
    assert.isTrue(violations.every(({ small, text }) => small.length <= text.length))
  })
})
