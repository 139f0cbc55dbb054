/** `countersign trust`: who may give it, what is recorded, and how `check` honours it. */
import { afterEach, assert, beforeEach, describe, it } from "@effect/vitest"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { countersign } from "./program.ts"

let home: string
let project: string
let file: string
const records = () => join(home, ".config/countersign/trust.json")
const run = (...args: readonly string[]) => countersign(args, { home, cwd: project })
const check = async () => (await run("check", "--tool", "Bash", "--input", `{"command":"npm test"}`)).code

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "countersign-trust-"))
  project = join(home, "project")
  file = join(project, ".countersign/settings.json")
  mkdirSync(join(project, ".countersign"), { recursive: true })
  writeFileSync(file, `{ "permissions": { "allow": ["Bash(npm test:*)"] } }`)
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

describe("trust", () => {
  it("is not given without a person: it says why an agent must not, and writes nothing", async () => {
    const { code, stderr, stdout } = await run("trust")
    assert.strictEqual(code, 1)
    assert.include(stdout, "Bash(npm test:*)")
    assert.include(stderr, "an agent must not run it")
    assert.include(stderr, "--yes")
    assert.isFalse(existsSync(records()))
    assert.strictEqual(await check(), 4)
  })

  it("lets the project's file allow, until it changes", async () => {
    assert.strictEqual((await run("trust", "--yes")).code, 0)
    assert.strictEqual(statSync(records()).mode & 0o777, 0o600)
    assert.strictEqual(await check(), 0)
    writeFileSync(file, `${readFileSync(file, "utf8")}\n`)
    assert.strictEqual(await check(), 4)
    assert.include((await run("trust", "--list")).stdout, "has changed since")
  })

  it("is listed and taken back", async () => {
    assert.include((await run("trust", "--list")).stdout, "nothing is trusted")
    assert.strictEqual((await run("trust", "--revoke")).code, 1)
    await run("trust", "--yes")
    assert.include((await run("trust", "--yes")).stdout, "trusted already")
    assert.include((await run("trust", "--list")).stdout, "settings.json")
    assert.strictEqual((await run("trust", "--revoke")).code, 0)
    assert.strictEqual(await check(), 4)
  })

  it("is given to no file with a mistake, and to none that is not there", async () => {
    writeFileSync(file, `{ "permissions": { "alow": [] } }`)
    const faulty = await run("trust", "--yes")
    assert.deepStrictEqual([faulty.code, existsSync(records())], [3, false])
    assert.include(faulty.stderr, "did you mean `allow`")
    rmSync(file)
    const { code, stderr } = await run("trust", "--yes")
    assert.strictEqual(code, 1)
    assert.include(stderr, "there is nothing to trust")
  })

  it("is nothing an agent can give itself, by the program or by its file", async () => {
    for (const [tool, input] of [
      ["Bash", { command: "countersign trust --yes" }],
      ["Bash", { command: "npx countersign trust --yes" }],
      ["Bash", { command: `echo '{}' > ${records()}` }],
      ["Bash", { command: "cp x ~/.config/countersign/trust.json" }],
      ["Write", { file_path: records() }],
      ["Edit", { file_path: file }]
    ] as const) {
      const args = ["check", "--tool", tool, "--input", JSON.stringify(input), "--mode", "yolo"]
      assert.strictEqual((await run(...args)).code, 2, JSON.stringify(input))
    }
    const elsewhere = { home, cwd: project, env: { XDG_CONFIG_HOME: join(home, "cfg") } }
    const input = JSON.stringify({ file_path: join(home, "cfg/countersign/trust.json") })
    assert.strictEqual((await countersign(["check", "--tool", "Write", "--input", input], elsewhere)).code, 2)
  })
})
