import { assert, describe, it } from "@effect/vitest"
import { said, type World } from "./asking.ts"

const edit = (path: string) => ["Edit", { file_path: path }] as const
const read = (path: string) => ["Read", { file_path: path }] as const

/** What `rule` says of an edit of each path: those it speaks of, then those it does not. */
function table(
  behavior: "allow" | "deny",
  rows: readonly (readonly [string, readonly string[], readonly string[]])[],
  world: World = {}
) {
  for (const [content, yes, no] of rows) {
    it(`\`Edit(${content})\` speaks of ${yes.join(", ") || "nothing"}, not of ${no.join(", ")}`, () => {
      for (const path of yes)
        assert.strictEqual(said([`${behavior} Edit(${content})`], edit(path), world), behavior, path)
      for (const path of no) assert.strictEqual(said([`${behavior} Edit(${content})`], edit(path), world), "-", path)
    })
  }
}

describe("an allow rule's path", () => {
  table("allow", [
    ["src/**", ["src/a", "src/a/b", "/srv/proj/src/.x"], ["src", "lib/src/a", "srcs/a", "../src/a"]],
    ["src/*", ["src/a", "src/a/b"], ["src", "lib/src/a"]],
    ["src/", ["src/a", "src/a/b"], ["src"]],
    ["src/*.ts", ["src/a.ts"], ["src/a/b.ts", "src/a.js"]],
    ["src/**/x", ["src/x", "src/a/b/x"], ["src/ax", "src/x/y"]],
    ["**/src/**", ["src/a", "lib/src/a"], ["src", "/other/src/a"]],
    ["*.ts", ["a.ts", "a/b.ts"], ["/other/a.ts", "a.tsx"]],
    ["a.ts", ["a.ts", "b/a.ts"], ["/other/a.ts", "a.ts/b"]],
    ["./a.ts", ["a.ts"], ["b/a.ts"]],
    ["**", ["a", "b/c"], ["/other/a"]],
    ["/opt/x", ["/opt/x"], ["/opt/x/y", "opt/x"]],
    ["/opt/*", ["/opt/x", "/opt/x/y"], ["/opt", "/optional"]],
    ["~/x/**", ["~/x/a", "/home/u/x/a"], ["x/a"]],
    ["/opt/../etc/*", ["/etc/x"], ["/opt/x"]],
    ["src:*", [], ["src", "src/a"]]
  ])
})

describe("a ban's path", () => {
  table("deny", [
    ["src/**", ["src/a", "lib/src/a", "/other/src/a"], ["srcs/a", "src"]],
    ["./src/**", ["src/a", "lib/src/a"], ["srcs/a"]],
    ["src/*.ts", ["src/a.ts", "src/a/b.ts"], ["lib/src/a.ts"]],
    [".env", [".env", "a/.env", ".env/x", "a/.env/b/c"], ["/other/.env", ".env.x", "x.env"]],
    ["*.pem", ["a.pem", "/other/a.pem", "a.pem/x"], ["a.pe"]],
    ["*/token", ["a/token", "/x/y/token", "token"], ["a/token/b"]],
    ["/dev/*", ["/dev/sda", "/dev/a/b"], ["dev/x", "/home/u/dev/x", "/dev"]],
    ["/a/**/b", ["/a/b", "/a/x/b", "/a/x/y/b"], ["/a/xb", "/b"]],
    ["src:*", ["src", "src/a", "srcs"], ["lib"]],
    ["~/.ssh/**", ["~/.ssh/x"], [".ssh/x"]]
  ])

  it("without regard to case where files have none", () => {
    assert.strictEqual(said(["deny Edit(.ENV)"], edit("a/.Env"), { caseInsensitive: true }), "deny")
    assert.strictEqual(said(["deny Edit(.ENV)"], edit("a/.Env")), "-")
    assert.strictEqual(said(["allow Edit(.ENV)"], edit(".env"), { caseInsensitive: true }), "-")
  })

  it("cut by a fault reaches whatever begins so", () => {
    for (const rule of ["Edit(src", "Edit(src/", "Edit(src/**", "Edit(src:*", "Edit(/srv/pr", "Edit("]) {
      assert.strictEqual(said([`deny ${rule}`], edit("src/a")), "deny", rule)
    }
    assert.strictEqual(said(["deny Edit(lib"], edit("src/a")), "-")
  })

  it("of a read stops edits, of an edit no reads", () => {
    assert.strictEqual(said(["deny Read(.env)"], edit(".env")), "deny")
    assert.strictEqual(said(["ask Read(.env)"], edit(".env")), "-")
    assert.strictEqual(said(["deny Edit(.env)"], read(".env")), "-")
  })

  it("of `Write` is for that tool, and for what commands write", () => {
    assert.strictEqual(said(["deny Write(.env)"], edit(".env")), "-")
    assert.strictEqual(said(["deny Write(.env)"], ["Write", { file_path: ".env" }]), "deny")
    assert.strictEqual(said(["deny Write(.env)"], "cp a .env"), "deny")
  })

  it("reaches the files of commands", () => {
    assert.strictEqual(said(["deny Read(.env)"], "cat .env"), "deny")
    assert.strictEqual(said(["deny Edit(out/**)"], "make > out/x"), "deny")
    assert.strictEqual(said(["deny Edit(out/**)"], "cat out/x"), "-")
    assert.strictEqual(said(["deny R*(.env)"], "cat .env"), "deny")
  })

  for (const [call, expected] of [
    ["cat $X", "possible"],
    ["cat .e*", "possible"],
    ["cat fo*", "-"],
    ["cat src/*.ts", "-"],
    ["grep -r x .", "possible"],
    ["grep -r x src", "possible"],
    ["grep -r x /opt", "-"],
    [["Grep", { pattern: "x" }], "possible"],
    [["Read", {}], "possible"],
    [["Glob", { pattern: "src/*" }], "possible"],
    [["Glob", { pattern: "src/*.ts" }], "-"]
  ] as const) {
    it(`of .env may be meant by ${JSON.stringify(call)}: ${expected}`, () => {
      assert.strictEqual(said(["deny Read(.env)"], call), expected)
      assert.strictEqual(said(["ask Read(.env)"], call), expected === "-" ? "-" : "ask")
    })
  }
})

describe("Claude's paths", () => {
  table(
    "allow",
    [
      ["//opt/x", ["/opt/x"], ["opt/x"]],
      ["/src/**", ["src/a"], ["/src/a", "lib/src/a"]],
      ["src/*", ["src/a"], ["src/a/b"]],
      ["src/**", ["src/a/b"], []]
    ],
    { dialect: "claude" }
  )
  table(
    "deny",
    [
      ["/src/**", ["src/a"], ["/src/a", "lib/src/a"]],
      ["src/*", ["src/a", "src/a/b", "lib/src/a"], []]
    ],
    { dialect: "claude" }
  )
})

describe("symbolic links", () => {
  const out: World = { links: { "/srv/proj/docs": "/home/u/.ssh" } }

  it("allow only where both paths are allowed, and ban where one is", () => {
    assert.strictEqual(said(["allow Edit(docs/**)"], edit("docs/key"), out), "-")
    assert.strictEqual(said(["allow Edit(docs/**)", "allow Edit(~/.ssh/**)"], edit("docs/key"), out), "-")
    assert.strictEqual(said(["allow Edit"], edit("docs/key"), out), "allow")
    assert.strictEqual(said(["deny Edit(~/.ssh/**)"], edit("docs/key"), out), "deny")
    assert.strictEqual(said(["deny Edit(docs/**)"], edit("docs/key"), out), "deny")
  })

  it("in the head of an absolute pattern are both its forms", () => {
    const world: World = { links: { "/tmp": "/private/tmp" } }
    for (const path of ["/tmp/build/a", "/private/tmp/build/a"]) {
      assert.strictEqual(said(["allow Edit(/tmp/build/*)"], edit(path), world), "allow", path)
      assert.strictEqual(said(["deny Edit(/tmp/build/*)"], edit(path), world), "deny", path)
    }
  })

  it("as an allow rule's last name are not followed, as a ban's they are", () => {
    const world: World = { links: { "/home/u/mcp.json": "/home/u/.ssh/id" } }
    assert.strictEqual(said(["allow Read(/home/u/mcp.json)"], read("/home/u/.ssh/id"), world), "-")
    assert.strictEqual(said(["deny Read(/home/u/mcp.json)"], read("/home/u/.ssh/id"), world), "deny")
  })

  it("on the way to the project are followed", () => {
    const world: World = { links: { "/srv": "/data/srv" } }
    assert.strictEqual(said(["allow Edit(src/**)"], edit("src/a"), world), "allow")
    assert.strictEqual(said(["allow Edit(/srv/proj/src/**)"], edit("src/a"), world), "allow")
    assert.strictEqual(said(["allow Bash(make)"], "make && cat src/a", world), "allow")
  })
})

describe("a whole folder or a glob", () => {
  const grep = (path: string) => ["Grep", { pattern: "x", path }] as const
  const glob = (pattern: string) => ["Glob", { pattern }] as const

  it("is allowed only with everything below a folder", () => {
    assert.strictEqual(said(["allow Read(src/**)"], grep("src")), "allow")
    assert.strictEqual(said(["allow Read(src/**)"], grep("src/a")), "allow")
    assert.strictEqual(said(["allow Read(src/*.ts)"], grep("src/a.ts")), "-")
    assert.strictEqual(said(["allow Read(src)"], grep("src")), "-")
    assert.strictEqual(said(["allow Read(src/**)"], grep(".")), "-")
    assert.strictEqual(said(["allow Read(**)"], grep(".")), "allow")
    assert.strictEqual(said(["allow Read(**)"], glob("src/*.ts")), "allow")
    assert.strictEqual(said(["allow Read(src/*/x/**)"], glob("src/**/x/*")), "-")
  })
})
