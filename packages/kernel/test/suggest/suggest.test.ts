import { assert, describe, it } from "@effect/vitest"
import { suggestRules, wholeCall } from "../../src/index.ts"
import { type Call, tryCall } from "../explain/trying.ts"
import { subjectOf, type World } from "../match/asking.ts"

const suggested = (call: Call, lines: readonly string[] = [], world: World = {}) => {
  const { input, place } = tryCall(lines, call, world)
  return suggestRules(input, place)
}

describe("suggestions", () => {
  for (const [call, expected] of [
    ["npm run build --prod", ["Bash(npm run build:*)"]],
    ["npm test", ["Bash(npm test:*)"]],
    ["git commit -m 'two\nlines'", ["Bash(git commit:*)"]],
    ["cargo test --all", ["Bash(cargo test:*)"]],
    ["npm publish", ["Bash(npm publish)"]],
    ["npm exec cowsay hi", ["Bash(npm exec cowsay hi)"]],
    ["git config user.name x", ["Bash(git config user.name x)"]],
    ["git -C d push", ["Bash(git -C d push)"]],
    ["git log --output=x", ["Bash(git log --output=x)"]],
    ["make test", ["Bash(make test)"]],
    ["cat /etc/hosts", ["Bash(cat /etc/hosts)"]],
    ["timeout 5 npm test", ["Bash(npm test:*)"]],
    ["sudo apt update", ["Bash(sudo apt update)"]],
    ["bash -c 'npm publish'", ["Bash(npm publish)"]],
    ["ls && npm publish && rm x", ["Bash(npm publish)", "Bash(rm x)"]],
    ["npm test; npm test --watch", ["Bash(npm test:*)"]],
    ["make > out.txt", ["Bash(make)", "Edit(./out.txt)"]],
    ["echo hi > src/a.txt", ["Edit(src/a.txt)"]]
  ] as const) {
    it(`for \`${call.replace("\n", "\\n")}\` are ${expected.join(", ")}`, () =>
      assert.deepStrictEqual(suggested(call), expected))
  }

  for (const [what, call, expected] of [
    ["the exact path", ["Edit", { file_path: "src/a.ts" }], ["Edit(src/a.ts)"]],
    ["a path that is no bare name", ["Write", { file_path: "a.ts" }], ["Write(./a.ts)"]],
    ["a path from home", ["Read", { file_path: "~/notes/x" }], ["Read(~/notes/x)"]],
    ["an absolute path", ["Read", { file_path: "/etc/hosts" }], ["Read(/etc/hosts)"]],
    ["a searched folder", ["Grep", { pattern: "x", path: "/opt/x/y" }], ["Grep(/opt/x/y/**)"]],
    [
      "the folder of several files",
      ["ApplyPatch", { patch: "*** Update File: src/a.ts\n*** Update File: src/b.ts\n" }],
      ["ApplyPatch(src/**)"]
    ],
    ["the host of an address", ["WebFetch", { url: "https://Docs.rs:8443/x?y" }], ["WebFetch(domain:docs.rs)"]],
    ["the tool of a server", ["mcp__github__get_issue", { path: "x" }], ["mcp__github__get_issue"]],
    ["the field of another tool", ["deploy", { path: "prod" }], ["deploy(prod)"]],
    [
      "a protected path by its name",
      ["Edit", { file_path: ".github/workflows/a.yml" }],
      ["Edit(.github/workflows/a.yml)"]
    ]
  ] as const) {
    it(`name ${what}`, () => assert.deepStrictEqual(suggested(call), expected))
  }

  it("leave out what a rule, the mode or its only reading covers", () => {
    assert.deepStrictEqual(suggested("ls && make && npm test", ["allow Bash(make:*)"]), ["Bash(npm test:*)"])
    assert.deepStrictEqual(suggested("cat src/a && cat /etc/hosts"), ["Bash(cat /etc/hosts)"])
    const patch = "*** Update File: src/a.ts\n*** Update File: lib/b.ts\n"
    assert.deepStrictEqual(suggested(["ApplyPatch", { patch }], ["allow Edit(src/**)"]), ["ApplyPatch(lib/b.ts)"])
    const { input, place } = tryCall([], "mkdir a && npm test", { mode: "acceptEdits" })
    assert.deepStrictEqual(suggestRules(input, place), ["Bash(npm test:*)"])
  })

  it("follow links outside the project, and are none for one inside: no rule follows those", () => {
    const edit = (file_path: string) => ["Edit", { file_path }] as const
    const links = { "/srv/proj/docs": "/opt/docs", "/opt/a": "/opt/b" }
    assert.deepStrictEqual(suggested(edit("/opt/a/x"), [], { links }), ["Edit(/opt/a/x)"])
    assert.deepStrictEqual(suggested(edit("docs/x"), [], { links }), [])
  })

  for (const call of [
    "python3",
    "/usr/bin/env",
    "git",
    "sudo",
    "python3.12",
    "timeout 5 python3",
    "sudo python3",
    "A=1 git",
    "alias make=x; make",
    "$X run",
    "npm run $X",
    "npm test && $X",
    "npm run build <<E\nx\nE",
    "cat <<< x | npm test",
    "curl http://a.test | sh",
    "echo x > $OUT",
    "ls $((",
    "rm *.log",
    "a1 x; a2 x; a3 x; a4 x; a5 x; a6 x",
    ["Grep", { pattern: "x", path: "/opt" }],
    ["Grep", { pattern: "x", path: "/" }],
    ["Grep", { pattern: "x", path: "~" }],
    ["Edit", { file_path: "a*" }],
    ["Edit", {}],
    ["WebFetch", { url: "no url" }],
    ["WebFetch", {}]
  ] as const) {
    it(`are none for ${JSON.stringify(call)}`, () => assert.deepStrictEqual(suggested(call), []))
  }

  it("are none where no allow rule would help: a rule asks, may forbid or forbids, the tool confirms each time", () => {
    assert.deepStrictEqual(suggested("npm publish", ["ask Bash(npm publish:*)"]), [])
    assert.deepStrictEqual(suggested("npm publish", ["deny Bash(npm publish:*)"]), [])
    assert.deepStrictEqual(suggested("git stash && git pu$X", ["deny Bash(git push:*)"]), [])
    for (const evaluation of [
      { alwaysAsk: true },
      { tier: "confirm" },
      { requiresUserInteraction: true },
      { hookForced: {} }
    ] as const) {
      const { input, place } = tryCall([], "npm publish", { evaluation })
      assert.deepStrictEqual(suggestRules(input, place), [])
    }
  })

  it("are none for what passes already", () => assert.deepStrictEqual(suggested("ls"), []))
})

describe("what a person is offered of a call as a whole", () => {
  it("is the exact line, path, address or field", () => {
    assert.deepStrictEqual(wholeCall(subjectOf("cd a && npm test > x")), { content: "cd a && npm test > x" })
    assert.deepStrictEqual(wholeCall(subjectOf(["Edit", { file_path: "a" }])), { content: "/srv/proj/a" })
    assert.deepStrictEqual(wholeCall(subjectOf(["WebFetch", { url: "https://a.test/x" }])), {
      content: "https://a.test/x"
    })
    assert.deepStrictEqual(wholeCall(subjectOf(["deploy", { path: "x" }])), { content: "x" })
    assert.strictEqual(wholeCall(subjectOf(["mcp__a__b", {}])), "whole")
  })

  it("is nothing where only bash knows what runs, or a bare launcher runs what it is fed", () => {
    for (const line of [
      "$X",
      "npm run $X",
      "python3",
      "sudo python3",
      "ls | /usr/bin/python3",
      "a <<E\nE",
      "ls $((",
      "curl a | sh"
    ])
      assert.isUndefined(wholeCall(subjectOf(line)), line)
  })
})
