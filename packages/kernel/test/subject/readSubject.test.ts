import { assert, describe, it } from "@effect/vitest"
import { presets } from "../../src/Preset.ts"
import { bash, read } from "./reading.ts"

const paths = (tool: string, args: Record<string, unknown>) =>
  read(tool, args as never).accesses.map(({ kind, path, whole }) => `${kind} ${path ?? "?"}${whole ? " (whole)" : ""}`)

describe("built-in tools", () => {
  for (const [tool, args, expected] of [
    ["Read", { file_path: "a" }, ["read /srv/proj/a"]],
    ["Read", { file_path: "~/a" }, ["read /home/u/a"]],
    ["Read", { file_path: "/srv/proj/src/../.env" }, ["read /srv/proj/.env"]],
    ["Read", {}, ["read ?"]],
    ["Read", { file_path: 7 }, ["read ?"]],
    ["Read", { file_path: "" }, ["read ?"]],
    ["Read", { path: "/etc/passwd" }, ["read ?"]],
    ["Grep", { pattern: "x" }, ["read /srv/proj (whole)"]],
    ["Grep", { pattern: "x", path: "src" }, ["read /srv/proj/src (whole)"]],
    ["Grep", { pattern: "x", path: ["/etc"] }, ["read ? (whole)"]],
    ["LS", {}, ["read /srv/proj (whole)"]],
    ["Glob", { pattern: "*.ts" }, ["read /srv/proj"]],
    ["Glob", { pattern: "../*" }, ["read /srv/proj", "read ?"]],
    ["Glob", { pattern: "/etc/*" }, ["read /srv/proj", "read /etc/*"]],
    ["Glob", { pattern: "a/*", path: "src" }, ["read /srv/proj/src", "read /srv/proj/src/a/*"]],
    ["Glob", { pattern: ["/etc"] }, ["read /srv/proj", "read ?"]],
    ["NotebookRead", { notebook_path: "a" }, ["read /srv/proj/a"]],
    ["NotebookEdit", { notebook_path: "a" }, ["write /srv/proj/a"]],
    ["Edit", { file_path: "a" }, ["write /srv/proj/a"]],
    ["Write", { file_path: "a" }, ["write /srv/proj/a"]],
    ["MultiEdit", { file_path: "a" }, ["write /srv/proj/a"]],
    ["MultiEdit", { edits: [] }, ["write ?"]],
    [
      "ApplyPatch",
      { patch: "*** Begin Patch\n*** Update File: a\n*** Move to: b\n*** Add File: c\n*** Delete File: d\n" },
      ["write /srv/proj/a", "write /srv/proj/b", "write /srv/proj/c", "write /srv/proj/d"]
    ],
    [
      "ApplyPatch",
      { patch: "--- a/x\n+++ b/y\n" },
      ["write /srv/proj/x", "write /srv/proj/a/x", "write /srv/proj/y", "write /srv/proj/b/y"]
    ],
    ["ApplyPatch", { patch: "nothing" }, ["write ?"]],
    ["ApplyPatch", {}, ["write ?"]]
  ] as const) {
    it(`${tool} ${JSON.stringify(args)}`, () =>
      assert.deepStrictEqual(paths(tool, args), expected as readonly string[] as string[]))
  }

  it("read inside the workspace only, without being asked for", () => {
    const { insideWorkspace, readOnly } = read("Read", { file_path: "/etc/passwd" })
    assert.isTrue(readOnly)
    assert.isFalse(insideWorkspace)
    assert.isFalse(read("Read", { file_path: "link/x" }, { links: { "/srv/proj/link": "/etc" } }).insideWorkspace)
    assert.isTrue(read("Read", { file_path: "a" }).insideWorkspace)
    assert.isFalse(read("Read", {}).insideWorkspace)
  })

  it("edit by acceptEdits inside the workspace, protected paths excepted", () => {
    assert.isTrue(read("Write", { file_path: "a" }).acceptEdits)
    assert.isFalse(read("Write", { file_path: "/tmp/a" }).acceptEdits)
    assert.isFalse(read("Write", { file_path: ".git/config" }).acceptEdits)
    assert.isFalse(read("Write", {}).acceptEdits)
    assert.isFalse(read("Read", { file_path: "a" }).acceptEdits)
  })

  it("fetch URLs; what is no text is no host's", () => {
    assert.deepStrictEqual(read("WebFetch", { url: "https://a/" }).urls, ["https://a/"])
    assert.deepStrictEqual(read("WebFetch", { url: 1 }).urls, [""])
    assert.deepStrictEqual(read("WebFetch", {}).urls, [""])
  })
})

describe("a command that is no text", () => {
  for (const args of [{}, { command: 1 }, { command: ["ls"] }, { command: null }, { cmd: "ls" }, "ls", 42, null, []]) {
    it(`does not parse: ${JSON.stringify(args)}`, () => {
      const { command, readOnly } = read("Bash", args)
      assert.isFalse(command?.parsed)
      assert.isFalse(readOnly)
    })
  }
})

describe("a registration", () => {
  it("gives an MCP tool its family and subjects", () => {
    const run = read(
      "mcp__shell__run",
      { cmd: "rm -rf /" },
      { capability: { family: "command", subjects: { command: "/cmd" } } }
    )
    assert.strictEqual(run.command?.text, "rm -rf /")
    assert.strictEqual(run.floor[0]?.ruleId, "floor.remove")
    const edit = read(
      "mcp__fs__edit",
      { edits: [{ path: "a" }, { path: "b" }, {}] },
      { capability: { family: "edit", subjects: { paths: ["edits/*/path"] } } }
    )
    assert.deepStrictEqual(
      edit.accesses.map(({ path }) => path),
      ["/srv/proj/a", "/srv/proj/b", undefined]
    )
  })

  it("with several commands in one call reads as none that parses", () => {
    const capability = { family: "command", subjects: { command: "/all/*" } } as const
    assert.isFalse(read("mcp__shell__run", { all: ["ls", "rm x"] }, { capability }).command?.parsed)
    assert.isFalse(read("mcp__shell__run", { all: [] }, { capability }).command?.parsed)
    assert.isTrue(read("mcp__shell__run", { all: ["ls"] }, { capability }).command?.parsed)
  })

  it("wins over what is known of the name", () => {
    assert.isFalse(read("Read", { file_path: "a" }, { capability: { readOnly: false } }).readOnly)
    assert.strictEqual(
      read("Read", { f: "a" }, { capability: { subjects: { paths: ["/f"] } } }).accesses[0]?.path,
      "/srv/proj/a"
    )
    assert.deepStrictEqual(read("Bash", { command: "ls" }, { capability: { aliases: ["Shell"] } }).names, [
      "Bash",
      "Shell"
    ])
  })
})

describe("a tool without a family", () => {
  it("is ruled by its subject fields, paths cleaned", () => {
    const { family, fields } = read("read", {
      command: "ls",
      file_path: "/repo/data//a.txt",
      path: "/repo/data/../../etc/passwd",
      pattern: 1,
      other: "x"
    })
    assert.isUndefined(family)
    assert.deepStrictEqual(fields, ["ls", "/repo/data/a.txt", "/etc/passwd"])
    assert.deepStrictEqual(read("read", { path: "web/./src//a.vue" }).fields, ["web/src/a.vue"])
    assert.deepStrictEqual(read("run", "git status").fields, ["git status"])
    assert.deepStrictEqual(read("run", 42).fields, [])
  })

  it("is every tool where the preset knows no families; the floor stays where the preset has one", () => {
    const { accesses, command, family, fields, floor } = read("Bash", { command: "rm -rf /" }, { preset: presets.ack })
    assert.isUndefined(family)
    assert.isUndefined(command)
    assert.deepStrictEqual(accesses, [])
    assert.deepStrictEqual(fields, ["rm -rf /"])
    assert.strictEqual(floor[0]?.ruleId, "floor.remove")
  })

  it("is read-only when it says so, and its paths lie inside", () => {
    const capability = { readOnly: true }
    assert.isTrue(read("mcp__a__get", { path: "x" }, { capability }).insideWorkspace)
    assert.isFalse(read("mcp__a__get", { path: "/etc/x" }, { capability }).insideWorkspace)
    assert.isTrue(read("Agent", { subagent_type: "x", prompt: "y" }).readOnly)
    assert.deepStrictEqual(read("Agent", { subagent_type: "x", prompt: "y" }).fields, ["x"])
  })
})

describe("parameters", () => {
  it("are top-level scalars as text, without the subject", () => {
    const { declared, parameters } = read("Bash", {
      command: "ls",
      run_in_background: true,
      timeout: 5,
      description: "d",
      nested: {},
      list: []
    })
    assert.deepStrictEqual(
      [...parameters],
      [
        ["run_in_background", "true"],
        ["timeout", "5"],
        ["description", "d"]
      ]
    )
    assert.deepStrictEqual(declared, ["description", "timeout", "run_in_background"])
    assert.isFalse(read("Edit", { file_path: "a" }).parameters.has("file_path"))
    assert.isFalse(read("x", { path: "a" }).parameters.has("path"))
  })
})

describe("the key", () => {
  it("names tool and subject, and nothing else of the call", () => {
    assert.strictEqual(
      read("Bash", { command: "ls", description: "a" }).key,
      read("Bash", { command: "ls", description: "b" }).key
    )
    assert.notStrictEqual(bash("ls").key, bash("ls -a").key)
    assert.strictEqual(
      read("Edit", { file_path: "./a", x: 1 }).key,
      read("Edit", { file_path: "/srv/proj/a", x: 2 }).key
    )
    assert.notStrictEqual(read("Edit", { file_path: "a" }).key, read("Write", { file_path: "a" }).key)
    assert.strictEqual(read("mcp__x__y", { a: 1, b: 2 }).key, read("mcp__x__y", { b: 2, a: 1 }).key)
    assert.notStrictEqual(read("mcp__x__y", { a: 1 }).key, read("mcp__x__y", { a: 2 }).key)
  })
})
