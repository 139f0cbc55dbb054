/** `countersign check --batch`, run as the program it is. */
import { assert, describe, it } from "@effect/vitest"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { countersign, jsonLines } from "./program.ts"

const line = (id: string, more: object = {}, command = "git status") => ({
  id,
  rules: {},
  mode: "default",
  cwd: "/srv/proj",
  home: "/home/u",
  trusted: true,
  call: { tool: "Bash", input: { command } },
  ...more
})
const batch = (lines: readonly (object | string)[]) =>
  countersign(["check", "--batch"], {
    input: lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n")
  })

describe("check --batch", () => {
  it("answers each line in order, and exits 0 when every line was answered", async () => {
    const { code, stdout } = await batch([
      line("reads"),
      line("asks", {}, "npm publish"),
      line("denied", { rules: { user: { deny: ["Bash(npm publish:*)"] } } }, "true && npm publish"),
      line("allowed", { rules: { policy: { allow: ["Bash(npm test:*)"] } } }, "npm test"),
      line("floor", { mode: "yolo" }, "rm -rf /"),
      line("nobody", { mode: "dontAsk" }, "npm publish")
    ])
    assert.deepStrictEqual(
      jsonLines(stdout).map((answer) => {
        const { decision, id, matchedRule, ruleId, source, sourceLayer } = answer as Record<string, string>
        // which of the floor's reasons is named first is the kernel's business
        return [id, decision, source, ruleId?.startsWith("floor.") ? "floor" : ruleId, matchedRule, sourceLayer]
      }),
      [
        ["reads", "allow", "builtin", "cap.readOnly", undefined, undefined],
        ["asks", "ask", "mode", "mode.default", undefined, undefined],
        ["denied", "deny", "rule", "rule.user.deny", "Bash(npm publish:*)", "user"],
        ["allowed", "allow", "rule", "rule.policy.allow", "Bash(npm test:*)", "policy"],
        ["floor", "deny", "builtin", "floor", undefined, undefined],
        ["nobody", "deny", "mode", "mode.dontAsk", undefined, undefined]
      ]
    )
    assert.strictEqual(code, 0)
  })

  it("gives a reason with a denial and with nothing else", async () => {
    const { stdout } = await batch([line("asks", {}, "npm publish"), line("no", { mode: "plan" }, "touch a")])
    const [asks, no] = jsonLines(stdout) as [object, { readonly reason: string }]
    assert.notProperty(asks, "reason")
    assert.include(no.reason, "mode")
  })

  it("tells a bad line apart and goes on; the exit code is 1", async () => {
    const { code, stdout } = await batch(["{", line("bad mode", { mode: "yoll" }), "[]", line("good")])
    const answers = jsonLines(stdout) as readonly Record<string, unknown>[]
    assert.deepStrictEqual(
      answers.map(({ decision, error, id }) => [id, typeof error, decision]),
      [
        [null, "string", undefined],
        ["bad mode", "string", undefined],
        [null, "string", undefined],
        ["good", "undefined", "allow"]
      ]
    )
    assert.strictEqual(code, 1)
  })

  it("denies arguments in which a name stands twice", async () => {
    const { code, stdout } = await batch([
      JSON.stringify(line("twice")).replace(`"command":`, `"command":"rm x","command":`)
    ])
    assert.include(stdout, `"ruleId":"call.invalid"`)
    assert.strictEqual(code, 0)
  })

  it("trusts no project unless the line says so", async () => {
    const rules = { projectShared: { allow: ["Bash(npm publish:*)"] } }
    const { stdout } = await batch([
      line("trusted", { rules }, "npm publish"),
      line("not", { rules, trusted: undefined }, "npm publish")
    ])
    assert.deepStrictEqual(
      jsonLines(stdout).map((answer) => (answer as { decision: string }).decision),
      ["allow", "ask"]
    )
  })

  it("reads no file of this machine: neither its settings nor its links", async () => {
    const home = mkdtempSync(join(tmpdir(), "countersign-home-"))
    try {
      mkdirSync(join(home, ".config/countersign"), { recursive: true })
      writeFileSync(join(home, ".config/countersign/settings.json"), `{"permissions":{"deny":["Bash"]}}`)
      const input = JSON.stringify(line("a", { cwd: home, home }))
      const { stdout } = await countersign(["check", "--batch"], { input, home, cwd: home })
      assert.strictEqual((jsonLines(stdout)[0] as { decision: string }).decision, "allow")
    } finally {
      rmSync(home, { recursive: true, force: true })
    }
  })

  it("follows the line's links, and only them", async () => {
    const rules = { user: { allow: ["Edit(/srv/proj/*)"] } }
    const call = { tool: "Edit", input: { file_path: "/srv/proj/link/a", old_string: "a", new_string: "b" } }
    const { stdout } = await batch([
      line("plain", { rules, call }),
      line("linked", { rules, call, links: { "/srv/proj/link": "/home/u/.ssh" } })
    ])
    assert.deepStrictEqual(
      jsonLines(stdout).map((answer) => (answer as { decision: string }).decision),
      ["allow", "ask"]
    )
  })

  it("knows every tool name", async () => {
    const { stdout } = await batch([line("new", { call: { tool: "mcp__x__y", input: {} } })])
    assert.strictEqual((jsonLines(stdout)[0] as { ruleId: string }).ruleId, "mode.default")
  })
})
