/** The examples, run as the README says, and the README's own code. */
import { assert, describe, it } from "@effect/vitest"
import { execFile } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { parseSettings } from "@countersign/kernel"

const root = fileURLToPath(new URL("../..", import.meta.url))
const readme = readFileSync(`${root}/README.md`, "utf8")

const run = async (file: string) =>
  (await promisify(execFile)(process.execPath, ["--conditions=source", file], { cwd: root })).stdout

describe("examples", () => {
  it("embed: a rule allows, a rule denies, a person decides the rest", async () => {
    const lines = (await run("examples/embed/main.ts")).split("\n")
    assert.deepStrictEqual(
      lines.filter((line) => /^(ran|denied)/.test(line)),
      ["ran: allowed by a rule", "denied (rule.user.deny): refused by a rule", "ran: 42"]
    )
    assert.include(lines.join("\n"), "agent main asks to run Bash")
  })

  it("parent-and-child: endorsed and approved, passed by the grant, rejected without a card", async () => {
    const said = await run("examples/parent-and-child/main.ts")
    assert.include(said, "planner says endorse: the task is: invite the team")
    assert.lengthOf(said.match(/asks for/g) ?? [], 1)
    assert.deepStrictEqual(said.trimEnd().split("\n").slice(-4), [
      "planner Agent: allow by cap.readOnly",
      "writer send_mail: allow by user.approved",
      "writer send_mail: allow by rule.session.allow",
      "writer delete_mail: deny by adjudication.reject"
    ])
  })

  it("are as short as they claim", () => {
    const length = (name: string) =>
      readFileSync(`${root}/examples/${name}/main.ts`, "utf8").trimEnd().split("\n").length
    assert.isAtMost(length("embed"), 30)
    assert.isAtMost(length("parent-and-child"), 60)
  })
})

describe("README", () => {
  it("shows settings that are sound", () => {
    const text = /```jsonc\n(.*?)```/s.exec(readme)![1]!
    assert.deepStrictEqual(parseSettings({ layer: "user", text }).problems, [])
  })

  it("links to files that are there, and names commands that exist", () => {
    for (const [, target] of readme.matchAll(/\]\((?!https?:)([^)]+)\)/g))
      assert.isTrue(existsSync(`${root}/${target}`), target)
    const { scripts } = JSON.parse(readFileSync(`${root}/package.json`, "utf8")) as { scripts: Record<string, string> }
    for (const name of ["start", "test", "countersign"]) assert.property(scripts, name)
  })
})
