/** `countersign check` on one call: exit codes, words and JSON. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { countersign } from "./program.ts"

let folder: string
const bash = (command: string, ...more: readonly string[]) =>
  countersign(["check", "--tool", "Bash", "--input", JSON.stringify({ command }), ...more], { cwd: folder })

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "countersign-check-"))
  writeFileSync(
    join(folder, "user.json"),
    [
      `{ // what I say`,
      `  "permissions": {`,
      `    "deny": [{ "rule": "Bash(npm publish:*)", "reason": "not from here" }],`,
      `    "defaultMode": "acceptEdits"`,
      `  }`,
      `}`
    ].join("\n")
  )
  writeFileSync(join(folder, "broken.json"), `{\n  "permissions": { "alow": ["Bash"] }\n}`)
  mkdirSync(join(folder, "project/.countersign"), { recursive: true })
  writeFileSync(join(folder, "project/.countersign/settings.json"), `{"permissions":{"allow":["Bash(npm test:*)"]}}`)
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe("check", () => {
  it("exits 0 for allow, 4 for ask, 2 for deny", async () => {
    assert.strictEqual((await bash("git status")).code, 0)
    assert.strictEqual((await bash("npm publish")).code, 4)
    assert.strictEqual((await bash("npm publish", "--settings", "user=user.json")).code, 2)
  })

  it("says why, which rule and which file", async () => {
    const { stdout } = await bash("npm publish", "--settings", "user=user.json")
    for (const words of ["deny  Bash", "rule.user.deny", "Bash(npm publish:*)", "user, user.json", "not from here"])
      assert.include(stdout, words)
  })

  it("explains step by step", async () => {
    const { stdout } = await bash("git status", "--explain")
    assert.match(stdout, /S2\.floor\s+main\s+nothing to say/)
    assert.match(stdout, /S19\.readOnlyTool\s+main\s+allow\s+cap\.readOnly/)
  })

  it("prints JSON that holds decision, reason and trace", async () => {
    const { code, stdout } = await bash("npm publish", "--json", "--explain")
    const said = JSON.parse(stdout) as { decision: string; reason: string; trace: readonly { step: string }[] }
    assert.strictEqual(said.decision, "ask")
    assert.isNotEmpty(said.reason)
    assert.strictEqual(said.trace.at(-1)?.step, "S20.fallback")
    assert.strictEqual(code, 4)
  })

  it("takes the mode of the settings, and another one when it is given", async () => {
    const edit = [
      "check",
      "--tool",
      "Edit",
      "--input",
      `{"file_path":"a.txt","old_string":"a","new_string":"b"}`,
      "--settings",
      "user=user.json"
    ]
    assert.strictEqual((await countersign(edit, { cwd: folder })).code, 0)
    assert.strictEqual((await countersign([...edit, "--mode", "default"], { cwd: folder })).code, 4)
    assert.strictEqual((await countersign([...edit, "--mode", "plan"], { cwd: folder })).code, 2)
  })

  it("exits 3 for invalid settings, with file, line, column and the nearest word", async () => {
    const { code, stderr } = await bash("git status", "--settings", "user=broken.json")
    assert.strictEqual(code, 3)
    assert.match(stderr, /broken\.json:2:\d+: error: .*`alow`/)
    assert.include(stderr, "allow")
  })

  it("reads the project's own file, and lets it allow only when it is trusted", async () => {
    const project = ["--cwd", join(folder, "project")]
    assert.strictEqual((await bash("npm test", ...project)).code, 4)
    assert.strictEqual((await bash("npm test", ...project, "--trusted")).code, 0)
  })

  it("exits 1 and says what to do when it was asked wrongly", async () => {
    for (const [args, words] of [
      [["check"], "--tool"],
      [["check", "--tool", "Bash"], "--input"],
      [["check", "--tool", "Bash", "--input", "{}", "--mode", "yoll"], "unknown mode `yoll`"],
      [["check", "--tool", "Bash", "--input", "{}", "--settings", "usr=x"], "unknown layer `usr`"],
      [["check", "--tool", "Bash", "--input", "{}", "--settings", "user=absent.json"], "absent.json"],
      [["check", "--tool", "Bash", "--input", "{}", "--cwd", "/nowhere/at/all"], "does not exist"]
    ] as const) {
      const { code, stderr } = await countersign(args, { cwd: folder })
      assert.strictEqual(code, 1, args.join(" "))
      assert.include(stderr, words)
    }
  })

  it("denies arguments that are no I-JSON", async () => {
    const { code, stdout } = await countersign(
      ["check", "--tool", "Bash", "--input", `{"command":"ls","command":"rm x"}`],
      { cwd: folder }
    )
    assert.strictEqual(code, 2)
    assert.include(stdout, "call.invalid")
  })

  it("shows no control or bidirectional character of what it was given", async () => {
    const { stdout } = await bash("echo \u001b[2J\u202e")
    for (const char of ["\u001b", "\u202e"]) assert.notInclude(stdout, char)
    assert.include(stdout, "\\u{202e}")
  })
})
