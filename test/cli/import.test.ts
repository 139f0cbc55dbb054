/** `countersign import claude`: what is carried over, what is not and why. */
import { afterEach, assert, beforeEach, describe, it } from "@effect/vitest"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { countersign } from "./program.ts"

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "countersign-import-"))
  mkdirSync(join(folder, ".claude"))
  file = join(folder, ".claude/settings.json")
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const importing = (value: unknown, ...more: readonly string[]) => {
  writeFileSync(file, typeof value === "string" ? value : JSON.stringify(value))
  return countersign(["import", "claude", file, ...more], { cwd: folder })
}
const permissionsOf = async (permissions: object, ...more: readonly string[]) =>
  (JSON.parse((await importing({ permissions }, ...more)).stdout) as { readonly permissions: unknown }).permissions

describe("import claude", () => {
  it("carries rules over with our anchors", async () => {
    const same = [
      "Bash(npm run test:*)",
      "Read(~/.zshrc)",
      "Edit(src/**)",
      "WebFetch(domain:a.com)",
      "mcp__github",
      "Write"
    ]
    assert.deepStrictEqual(
      await permissionsOf({
        allow: [...same, "Edit(/docs/**)", "Read(//etc/hosts)", "Edit(/x)", "Task(Explore)"],
        deny: ["Read(//etc/**)", "Read(.env)"],
        defaultMode: "plan"
      }),
      {
        allow: [...same, "Edit(./docs/**)", "Read(/etc/hosts)", "Edit(./x)", "Agent(Explore)"],
        deny: ["Read(/etc/**)", "Read(.env)"],
        defaultMode: "readOnly"
      }
    )
  })

  it("lists what it leaves, each with its reason", async () => {
    const { code, stderr, stdout } = await importing({
      permissions: {
        allow: ["Edit(src/*)", "Read(!x)", "Skill(pdf)", "Bash(rm", 7],
        defaultMode: "bypassPermissions",
        additionalDirectories: ["../other", "lib"],
        disableBypassPermissionsMode: "disable",
        whatever: 1
      },
      hooks: {},
      env: {},
      somethingNew: 1
    })
    assert.strictEqual(code, 0)
    assert.deepStrictEqual(JSON.parse(stdout), { permissions: { allow: [], additionalDirectories: ["lib"] } })
    const lines = stderr.trim().split("\n")
    for (const [at, why] of [
      ["permissions.allow[0]", "one level there"],
      ["permissions.allow[1]", "no exceptions"],
      ["permissions.allow[2]", "`Skill`"],
      ["permissions.allow[3]", "never closed"],
      ["permissions.allow[4]", "is no rule"],
      ["permissions.defaultMode", "a project may not set `yolo`"],
      ["permissions.additionalDirectories[0]", "only inside itself"],
      ["permissions.disableBypassPermissionsMode", "only the policy file"],
      ["permissions.whatever", "nothing like it"],
      ["hooks", "by the program that embeds it"],
      ["env", "no environment variables"],
      ["somethingNew", "no such setting"]
    ] as const) {
      assert.isTrue(
        lines.some((line) => line.startsWith(`not carried over: ${at}: `) && line.includes(why)),
        `${at}\n${stderr}`
      )
    }
    assert.lengthOf(lines, 12)
  })

  it("says of a ban that it reaches further here", async () => {
    const { stderr, stdout } = await importing({ permissions: { deny: ["Read(/secrets/**)"] } })
    assert.include(stdout, "Read(./secrets/**)")
    assert.match(stderr, /^carried over: permissions\.deny\[0\]: .*at any depth/)
  })

  it("takes what only policy may say for the policy layer", async () => {
    const { stdout } = await importing(
      { permissions: { disableBypassPermissionsMode: "disable" } },
      "--layer",
      "policy"
    )
    assert.deepStrictEqual(JSON.parse(stdout), { permissions: {}, disable: ["yolo"] })
  })

  it("writes the layer's file beside it, once", async () => {
    const { code, stdout } = await importing({ permissions: { deny: ["Bash(rm:*)"] } }, "--write")
    assert.deepStrictEqual([code, stdout.startsWith("written: ")], [0, true])
    const written = readFileSync(join(folder, ".countersign/settings.json"), "utf8")
    assert.deepStrictEqual(JSON.parse(written), { permissions: { deny: ["Bash(rm:*)"] } })
    const again = await importing({}, "--write")
    assert.strictEqual(again.code, 1)
    assert.include(again.stderr, "is there already")
    assert.strictEqual(readFileSync(join(folder, ".countersign/settings.json"), "utf8"), written)
  })

  it("fails with the reason for what is no settings file", async () => {
    assert.include((await importing("{")).stderr, "settings.json` is")
    assert.include((await importing(`{"a":1,"a":2}`)).stderr, "a")
    const { code, stderr } = await countersign(["import", "claude", "absent.json"], { cwd: folder })
    assert.strictEqual(code, 1)
    assert.include(stderr, "can't be read")
  })
})
