/** `countersign lint`: findings with their places, calls that show them, and exit codes. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { Finding } from "@countersign/kernel"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { countersign } from "./program.ts"

let folder: string
const lint = (...args: readonly string[]) => countersign(["lint", ...args], { cwd: folder })
const write = (name: string, text: string) => writeFileSync(join(folder, name), text)

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "countersign-lint-"))
  write("plain.json", `{"permissions":{"allow":["Bash(npm test:*)"],"deny":["Bash(rm:*)"]}}`)
  write("findings.json", `{\n  "permissions": {\n    "allow": ["Bash(python:*)", "Bash(make docker-:*)"]\n  }\n}`)
  write("broken.json", `{\n  "permissions": { "alow": ["Bash"] }\n}`)
  write("hidden.json", JSON.stringify({ permissions: { allow: ["Bash(\u202emake\u001b[2K-:*)"] } }))
  mkdirSync(join(folder, "project/.countersign"), { recursive: true })
  write("project/.countersign/settings.json", `{"permissions":{"allow":["Bash(*)"]}}`)
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe("lint", () => {
  it("exits 0 where there is nothing to say", async () => {
    const { code, stdout } = await lint("--settings", "user=plain.json")
    assert.strictEqual(code, 0)
    assert.strictEqual(stdout.trim(), "nothing to say about 1 settings file")
    assert.include((await lint()).stdout, "no settings file is there")
  })

  it("exits 2 with findings: file, line, column, what is wrong, and a call that shows it", async () => {
    const { code, stdout } = await lint("--settings", "user=findings.json")
    assert.strictEqual(code, 2)
    assert.include(stdout, "findings.json:3:15: broad: `Bash(python:*)`")
    assert.match(stdout, /Bash \{"command":"python .*"\} → allow \(Bash\(python:\*\)\)/)
    assert.include(stdout, "findings.json:3:33: hardly ever: `Bash(make docker-:*)`")
    assert.include(stdout, "write `Bash(make docker-*)`")
    assert.include(stdout, `Bash {"command":"make docker-build"} → ask (mode.default), not by this rule`)
    assert.include(stdout, "2 findings in 1 settings file")
  })

  it("exits 3 with invalid settings, and says where", async () => {
    const { code, stdout } = await lint("--settings", "user=broken.json")
    assert.strictEqual(code, 3)
    assert.match(stdout, /broken\.json:2:\d+: error: .*`alow`/)
  })

  it("exits 1 for a file that is not there and a layer that is none", async () => {
    assert.strictEqual((await lint("--settings", "user=absent.json")).code, 1)
    assert.strictEqual((await lint("--settings", "usr=plain.json")).code, 1)
    assert.strictEqual((await lint("--cwd", "/nowhere/at/all")).code, 1)
  })

  it("reads the project's own file by default, as a trusted one", async () => {
    const { code, stdout } = await lint("--cwd", join(folder, "project"))
    assert.strictEqual(code, 2)
    assert.include(stdout, "settings.json:1:26: broad: `Bash(*)`")
  })

  it("compares layers with each other", async () => {
    write("policy.json", `{"permissions":{"deny":["Bash(python:*)"]}}`)
    const { stdout } = await lint("--settings", "user=findings.json", "--settings", "policy=policy.json")
    assert.include(stdout, "contradicted: `Bash(python:*)`")
    assert.match(stdout, /see policy\.json:1:25: Bash\(python:\*\)/)
  })

  it("prints JSON of a stable shape, whose examples check agrees with", async () => {
    const { code, stdout } = await lint("--settings", "user=findings.json", "--json")
    assert.strictEqual(code, 2)
    const said = JSON.parse(stdout) as { findings: readonly Finding[]; problems: readonly unknown[]; files: unknown }
    assert.deepStrictEqual(Object.keys(said), ["files", "problems", "findings"])
    assert.deepStrictEqual(said.files, [{ layer: "user", file: "findings.json" }])
    assert.strictEqual(said.findings.length, 2)
    for (const { examples } of said.findings) {
      for (const { decision, input, tool } of examples) {
        const { stdout } = await countersign(
          ["check", "--tool", tool, "--input", JSON.stringify(input), "--json", "--settings", "user=findings.json"],
          { cwd: folder }
        )
        assert.strictEqual((JSON.parse(stdout) as { decision: string }).decision, decision)
      }
    }
    const invalid = JSON.parse((await lint("--settings", "user=broken.json", "--json")).stdout) as { error: string }
    assert.strictEqual(invalid.error, "invalid settings")
  })

  it("lets nothing in a rule hide itself", async () => {
    for (const more of [[], ["--json"]]) {
      const { stdout } = await lint("--settings", "user=hidden.json", ...more)
      for (const char of ["\u001b", "\u202e"]) assert.notInclude(stdout, char)
      assert.include(stdout, "202e")
    }
  })
})
