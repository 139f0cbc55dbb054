import { assert, describe, it } from "@effect/vitest"
import { presets } from "../../src/index.ts"
import { said, type World } from "./asking.ts"

const tool = (input: unknown) => ["my_tool", input] as const
const declaring: World = { capability: { parameters: ["level"] } }

describe("a content for a tool without a family", () => {
  for (const [content, input, expected] of [
    ["git status:*", { command: "git status" }, "allow"],
    ["git status:*", { command: "git status -s" }, "allow"],
    ["git status:*", { command: "git status\t-s" }, "allow"],
    ["git status:*", { command: "git statusx" }, "-"],
    ["git status:*", { command: "git status \nrm x" }, "-"],
    ["/safe/*", { path: "/safe/x" }, "allow"],
    ["/safe/*", { path: "/safe/../x" }, "-"],
    ["/safe/*", { path: "/safe/x\ny" }, "-"],
    ["/safe/*", { path: "/safe/x", command: "rm -rf /" }, "-"],
    ["/safe/*", {}, "-"],
    ["a", '"a"', "allow"],
    ["a", { other: "a" }, "-"]
  ] as const) {
    it(`allow \`${content}\` of ${JSON.stringify(input)}: ${expected}`, () =>
      assert.strictEqual(said([`allow my_tool(${content})`], tool(input)), expected))
  }

  it("bans by any field, and across lines", () => {
    assert.strictEqual(said(["deny my_tool(/x)"], tool({ command: "ls", file_path: "/x" })), "deny")
    assert.strictEqual(said(["deny my_tool(rm *)"], tool({ command: "rm -rf\n/" })), "deny")
    assert.strictEqual(said(["deny my_tool(rm:*)"], tool({ command: "rm -rf\n/" })), "deny")
  })

  it("cut by a fault bans what begins so", () => {
    assert.strictEqual(said(["deny my_tool(/x"], tool({ path: "/xyz" })), "deny")
  })
})

describe("without families", () => {
  it("built-in tools are ruled by their fields, and no content is without effect", () => {
    const world: World = { preset: presets.permgate }
    assert.strictEqual(said(["allow Bash(git status:*)"], "git status && make", world), "allow")
    assert.strictEqual(said(["allow WebFetch(example)"], ["WebFetch", { url: "example" }], world), "allow")
    assert.strictEqual(said(["allow Read(/d:*)"], ["Read", { file_path: "/d" }], world), "allow")
    assert.strictEqual(said(["allow Read(/d:*)"], ["Read", { file_path: "/d/a" }], world), "-")
  })
})

describe("a parameter content", () => {
  it("bans by a parameter that is there", () => {
    assert.strictEqual(said(["deny my_tool(level:high)"], tool({ level: "high" })), "deny")
    assert.strictEqual(said(["deny my_tool(level:*)"], tool({ level: 3 })), "deny")
    assert.strictEqual(said(["deny my_tool(level:h*)"], tool({ level: "low" })), "-")
    assert.strictEqual(said(["deny my_tool(level:*)"], tool({})), "-")
  })

  it("allows by a declared one only", () => {
    assert.strictEqual(said(["allow my_tool(level:low)"], tool({ level: "low" })), "-")
    assert.strictEqual(said(["allow my_tool(level:low)"], tool({ level: "low" }), declaring), "allow")
  })

  it("of a command tool bans where the parameter is declared, and is a command where not", () => {
    const bash = (input: object) => ["Bash", input] as const
    assert.strictEqual(
      said(["ask Bash(run_in_background:true)"], bash({ command: "ls", run_in_background: true })),
      "ask"
    )
    assert.strictEqual(
      said(["allow Bash(run_in_background:true)"], bash({ command: "make", run_in_background: true })),
      "-"
    )
    assert.strictEqual(said(["allow Bash(run:all)"], bash({ command: "run:all" })), "allow")
    assert.strictEqual(said(["deny Bash(timeout:*)"], bash({ command: "ls", timeout: 3 })), "-")
    assert.strictEqual(said(["deny Bash(timeout:*)"], bash({ command: "timeout 3 ls" })), "deny")
  })

  it("of a path tool bans and never allows", () => {
    const grep = ["Grep", { pattern: "key", path: "src" }] as const
    assert.strictEqual(said(["deny Grep(pattern:k*)"], grep), "deny")
    assert.strictEqual(said(["allow Grep(pattern:k*)"], grep), "-")
  })
})
