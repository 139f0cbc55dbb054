/** `countersign explain`, and `check --explain`: why, for somebody who never read the rule language. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { countersign } from "./program.ts"

let folder: string
const explain = (command: string, ...more: readonly string[]) =>
  countersign(["explain", "--tool", "Bash", "--input", JSON.stringify({ command }), ...more], { cwd: folder })
const lineOf = (text: string, line = 0) => text.split("\n")[line]

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "countersign-explain-"))
  writeFileSync(
    join(folder, "user.json"),
    JSON.stringify({
      permissions: {
        allow: ["Bash(make:*)"],
        ask: [{ rule: "Bash(git push:*)", reason: "the others see it" }],
        deny: ["Bash(rm:*)"]
      }
    })
  )
  writeFileSync(join(folder, "broken.json"), "{")
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe("explain", () => {
  it("answers why in its first line, and exits as check does", async () => {
    const asked = await explain("ls && npm publish")
    assert.strictEqual(lineOf(asked.stdout), "asked, because no rule allows `npm publish`")
    assert.strictEqual(asked.code, 4)
    const denied = await explain("rm x", "--settings", "user=user.json")
    assert.strictEqual(
      lineOf(denied.stdout),
      "denied, because the rule `Bash(rm:*)` in the user's settings forbids `rm x`"
    )
    assert.strictEqual(denied.code, 2)
    const allowed = await explain("make", "--settings", "user=user.json")
    assert.include(lineOf(allowed.stdout), "allowed, because the rule `Bash(make:*)`")
    assert.strictEqual(allowed.code, 0)
  })

  it("shows every part and file with who decided it, what is unknown, the steps, and what would allow it", async () => {
    const { stdout } = await explain("ls && make > out && npm run $X && git push", "--settings", "user=user.json")
    for (const words of [
      "the commands in it",
      "✓ ls  only reads",
      "✓ make  allowed by Bash(make:*) (user)",
      "? npm run $X  nothing allows it",
      "? git push  asked for by Bash(git push:*) (user)",
      "? write  ",
      "`$X` in `npm run $X` is known only when it runs",
      "the others see it",
      "user.json"
    ])
      assert.include(stdout, words)
    assert.match(stdout, /S12\.askRule\s+main\s+ask\s+rule\.user\.ask/)
    assert.include(stdout, "no rule that is narrow enough")
  })

  it("suggests rules to add that do what they say", async () => {
    const { stdout } = await explain("npm run build && cat /etc/hosts", "--json")
    const { suggestions } = JSON.parse(stdout) as { suggestions: readonly string[] }
    assert.deepStrictEqual(suggestions, ["Bash(npm run build:*)", "Bash(cat /etc/hosts)"])
    writeFileSync(join(folder, "more.json"), JSON.stringify({ permissions: { allow: suggestions } }))
    assert.strictEqual((await explain("npm run build && cat /etc/hosts", "--settings", "user=more.json")).code, 0)
    assert.include((await explain("npm run build")).stdout, `"Bash(npm run build:*)"`)
  })

  it("prints JSON of a stable shape, and the same as check --explain", async () => {
    const args = ["--tool", "Bash", "--input", `{"command":"make > out"}`, "--json"]
    const [one, other] = await Promise.all([
      countersign(["explain", ...args], { cwd: folder }),
      countersign(["check", "--explain", ...args], { cwd: folder })
    ])
    assert.strictEqual(one.stdout, other.stdout)
    const said = JSON.parse(one.stdout) as Record<string, readonly Record<string, unknown>[]>
    assert.deepStrictEqual(Object.keys(said).toSorted(), [
      "accesses",
      "basis",
      "decision",
      "headline",
      "mode",
      "parts",
      "reason",
      "ruleId",
      "source",
      "suggestions",
      "trace",
      "unknown",
      "urls"
    ])
    assert.deepStrictEqual(said["parts"], [{ text: "make", verdict: "nothing", unknown: [] }])
    assert.deepStrictEqual(Object.keys(said["accesses"]![0]!).toSorted(), [
      "inWorkspace",
      "kind",
      "part",
      "path",
      "protected",
      "reach",
      "redirect",
      "verdict"
    ])
  })

  it("explains other tools, arguments that are none, and a mode that asks nobody", async () => {
    const other = (tool: string, input: string, ...more: readonly string[]) =>
      countersign(["explain", "--tool", tool, "--input", input, ...more], { cwd: folder })
    assert.include(
      lineOf((await other("WebFetch", `{"url":"https://a.test/"}`)).stdout),
      "no rule allows fetching `https://a.test/`"
    )
    assert.match((await other("Bash", `{"command":"a","command":"b"}`)).stdout, /^denied, because .*I-JSON/)
    const nobody = await other("Bash", `{"command":"npm publish"}`, "--mode", "dontAsk")
    assert.match(nobody.stdout, /^denied, because .*`dontAsk` asks nobody; it would be asked, because no rule/)
    assert.notInclude(nobody.stdout, "to let it pass")
  })

  it("says what is wrong with settings, and exits 3", async () => {
    const { code, stderr } = await explain("ls", "--settings", "user=broken.json")
    assert.strictEqual(code, 3)
    assert.include(stderr, "broken.json:1:")
  })

  it("RB265 RB266 lets nothing in a command hide itself, as text and as JSON", async () => {
    const command = "echo safe\u202e\u200b && rm -rf ./x\r\u001b[2Kls -la"
    for (const more of [[], ["--json"]]) {
      const { stdout } = await explain(command, ...more)
      for (const char of ["\u001b", "\u202e", "\u200b", "\r"]) assert.notInclude(stdout, char)
      assert.include(stdout, "202e")
      assert.include(stdout, "200b")
      assert.include(stdout, "rm -rf ./x")
    }
    const { stdout } = await explain(command, "--json")
    assert.include(JSON.stringify(JSON.parse(stdout)), "\u202e")
  })
})
