import { assert, describe, it } from "@effect/vitest"
import { presets } from "../../src/index.ts"
import { toolList } from "../../src/match/toolList.ts"
import { said, subjectOf } from "./asking.ts"

const call = (tool: string, input: unknown = {}) => [tool, input] as const

describe("a rule's tool", () => {
  for (const [rule, tool, expected] of [
    ["allow mcp__github", "mcp__github__get", "allow"],
    ["allow mcp__github__get_*", "mcp__github__get_issue", "allow"],
    ["allow mcp__github__get_*", "mcp__github__set_issue", "-"],
    ["allow mcp__git__*", "mcp__github__get", "-"],
    ["allow mcp__*", "mcp__github__get", "-"],
    ["allow mcp__git*", "mcp__github__get", "-"],
    ["allow *", "mcp__github__get", "-"],
    ["deny *", "mcp__github__get", "deny"],
    ["deny mcp__git*", "mcp__github__get", "deny"],
    ["deny mcp__a__b", "mcp__a__b__c", "deny"],
    ["allow mcp__a__b", "mcp__a__b__c", "-"],
    ["deny mcp__git", "mcp__github__get", "-"],
    ["deny bash", "Bash", "-"],
    ["deny Edit", "Write", "deny"],
    ["deny Edit", "NotebookEdit", "deny"],
    ["deny Write", "Edit", "-"],
    ["deny Read", "Grep", "deny"],
    ["deny Grep", "Read", "-"],
    ["allow Edit", "MultiEdit", "allow"]
  ] as const) {
    it(`\`${rule}\` and \`${tool}\`: ${expected}`, () =>
      assert.strictEqual(said([rule], call(tool, { file_path: "a" })), expected))
  }

  it("may be an alias", () => {
    const world = { capability: { aliases: ["Shell"] } }
    assert.strictEqual(said(["deny Shell(rm:*)"], "rm x", world), "deny")
    assert.strictEqual(said(["allow Shell(make)"], "make", world), "allow")
  })

  it("`Edit` is for `Write` too without families, and not the other way round", () => {
    const world = { preset: presets.permgate }
    const write = call("Write", { file_path: "/x" })
    assert.strictEqual(said(["deny Edit"], write, world), "deny")
    assert.strictEqual(said(["deny Edit(/x)"], write, world), "deny")
    assert.strictEqual(said(["deny Edit"], call("MultiEdit", { file_path: "/x" }), world), "-")
    assert.strictEqual(said(["deny Write"], call("Edit", { file_path: "/x" }), world), "-")
  })
})

describe("a list of tools", () => {
  const holds = (names: readonly string[], behavior: "allow" | "deny", tool: string) =>
    toolList(names, behavior, true).holds(subjectOf(call(tool, { file_path: "a" })))

  it("that are disallowed reaches as far as deny rules do", () => {
    assert.isTrue(holds(["Edit"], "deny", "Write"))
    assert.isTrue(holds(["mcp__a"], "deny", "mcp__a__b"))
    assert.isTrue(holds(["mcp__*"], "deny", "mcp__a__b"))
    assert.isFalse(holds(["Read"], "deny", "Write"))
  })

  it("that are allowed names tools and servers, no families", () => {
    assert.isFalse(holds(["Edit"], "allow", "Write"))
    assert.isTrue(holds(["Write"], "allow", "Write"))
    assert.isTrue(holds(["mcp__a"], "allow", "mcp__a__b"))
    assert.isFalse(holds(["mcp__*"], "allow", "mcp__a__b"))
    assert.isFalse(holds(["*"], "allow", "Write"))
  })
})
