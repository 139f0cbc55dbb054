import { assert, describe, it } from "@effect/vitest"
import { compileBounds, compileRules, type Grant, grantCovers, presets } from "../../src/index.ts"
import { placeOf, project, rulesOf, saidBy, subjectOf, who } from "./asking.ts"

const place = placeOf()
const grant = (more: Partial<Grant>): Grant => ({
  id: "g",
  userId: "u",
  toolName: "Bash",
  createdBy: "u",
  createdAt: 0,
  ...more
})
const covers = (more: Partial<Grant>, call: Parameters<typeof subjectOf>[0], folder = project) =>
  grantCovers(grant(more), subjectOf(call), folder, place, presets.default)

describe("a grant", () => {
  it("of a content covers what an allow rule of it would", () => {
    assert.isTrue(covers({ content: "git push:*" }, "git push origin"))
    assert.isFalse(covers({ content: "git push:*" }, "git status"))
    assert.isFalse(covers({ content: "git push:*" }, "git push && make"))
    assert.isTrue(covers({ content: "git push:*" }, "git push && ls"))
    assert.isFalse(covers({ content: "git push:*" }, "git push > out"))
    assert.isTrue(covers({ toolName: "Edit", content: "src/**" }, ["Edit", { file_path: "src/a" }]))
  })

  it("that is exact covers the whole line, never a part of another, its stars as text", () => {
    assert.isTrue(covers({ content: "make > out && ls *", exact: true }, "make > out && ls *"))
    assert.isFalse(covers({ content: "make", exact: true }, "make; ls"))
    assert.isFalse(covers({ content: "make *", exact: true }, "make all"))
    assert.isFalse(covers({ content: "ls $((", exact: true }, "ls $(("))
    assert.isTrue(covers({ toolName: "Edit", content: "a*", exact: true }, ["Edit", { file_path: "a*" }]))
    assert.isFalse(covers({ toolName: "Edit", content: "a*", exact: true }, ["Edit", { file_path: "ab" }]))
  })

  it("without a content covers every call of exactly its tool", () => {
    assert.isTrue(covers({}, "anything"))
    assert.isTrue(covers({ toolName: "other" }, ["other", { path: "x" }]))
    assert.isFalse(covers({ toolName: "Edit" }, ["Write", { file_path: "a" }]))
  })

  it("without a content covers no command that writes by a redirect, does not parse, or asks in any case", () => {
    for (const line of ["make > out", "ls $((", "echo hi | sh"]) assert.isFalse(covers({}, line), line)
  })

  it("with a folder counts there only", () => {
    assert.isTrue(covers({ content: "make", folder: project }, "make"))
    assert.isFalse(covers({ content: "make", folder: project }, "make", "/other"))
  })
})

describe("bounds", () => {
  const inside = (bounds: Parameters<typeof compileBounds>[0], call: Parameters<typeof subjectOf>[0]) =>
    compileBounds(bounds, place, presets.default).inside(subjectOf(call))
  const edit = (file_path: string) => ["Edit", { file_path }] as const

  for (const [bounds, call, expected] of [
    [{}, "rm -rf x", true],
    [{ tools: ["Read"] }, "ls", false],
    [{ tools: ["Bash"] }, "ls", true],
    [{ tools: ["Edit"] }, ["Write", { file_path: "a" }], true],
    [{ tools: [] }, "ls", false],
    [{ tools: ["mcp__a"] }, ["mcp__a__b", {}], true],
    [{ paths: ["src/**"] }, edit("src/a"), true],
    [{ paths: ["src/**"] }, edit("lib/a"), false],
    [{ paths: ["src/**"] }, "cat lib/a", false],
    [{ paths: ["src/**"] }, "cat src/a", true],
    [{ paths: ["src/**"] }, "cat $X", false],
    [{ paths: ["*"] }, "cat $X", true],
    [{ paths: ["src/**"] }, ["WebFetch", { url: "https://a.test" }], true],
    [{ commands: ["make:*", "ls:*"] }, "make; ls -l", true],
    [{ commands: ["make:*"] }, "make; ls", false],
    [{ commands: ["make:*"] }, "make; $X", false],
    [{ commands: ["*"] }, "make; $X", true],
    [{ commands: ["make:*"] }, edit("a"), true],
    [{ commands: [] }, "ls", false],
    [{ commands: ["ls:*"] }, "ls $((", false],
    [{ commands: ["ls $(("] }, "ls $((", false],
    [{ commands: ["ls | sh"] }, "ls | sh", true],
    [{ hosts: ["a.test"] }, ["WebFetch", { url: "https://a.test/x" }], true],
    [{ hosts: ["domain:*.a.test"] }, ["WebFetch", { url: "https://a.test/x" }], false],
    [{ hosts: ["a.test"] }, ["WebFetch", { url: "no url" }], false]
  ] as const) {
    it(`${JSON.stringify(bounds)} and ${JSON.stringify(call)}: ${expected ? "inside" : "outside"}`, () =>
      assert.strictEqual(inside(bounds, call), expected))
  }
})

describe("a rule set", () => {
  const protects = (rules: readonly string[], call: Parameters<typeof subjectOf>[0]) => {
    const subject = subjectOf(call)
    return subject.protectedWrites.map((path) => rulesOf(rules).namesProtected(subject, path, who))
  }

  it("names a protected path by the literal text of a rule that covers it", () => {
    const write = (file_path: string) => ["Edit", { file_path }] as const
    assert.deepStrictEqual(protects(["allow Edit(**)"], write(".git/config")), [false])
    assert.deepStrictEqual(protects(["allow Edit"], write(".git/config")), [false])
    assert.deepStrictEqual(protects(["allow Edit(.git/**)"], write(".git/config")), [true])
    assert.deepStrictEqual(protects(["allow Edit(.git/hooks/**)"], write(".git/config")), [false])
    assert.deepStrictEqual(protects(["allow Edit(.env*)"], write(".env.local")), [true])
    assert.deepStrictEqual(protects(["allow Read(.env)"], write(".env")), [false])
    assert.deepStrictEqual(protects(["allow Edit(~/.config/**)"], write("~/.config/x/.bashrc")), [false])
    assert.deepStrictEqual(protects(["allow Edit(~/.config/**/.bashrc)"], write("~/.config/x/.bashrc")), [true])
    assert.deepStrictEqual(protects(["allow Bash(echo x > .git/config)"], "echo x > .git/config"), [true])
    assert.deepStrictEqual(protects(["allow Bash"], "echo x > .git/config"), [false])
    assert.deepStrictEqual(protects(["allow Edit(.git/**)"], "echo x > .git/config"), [true])
  })

  it("of a blind layer may ban every call, and says which layer it is", () => {
    const rules = compileRules({ rules: [], blind: ["projectShared", "user"] }, place, presets.default)
    assert.deepStrictEqual(rules.possibleDeny(subjectOf("ls"), who), { layer: "user", rule: undefined })
  })

  it("white-lists no command that writes by a redirect, does not parse, or asks in any case", () => {
    const rules = compileRules({ rules: [], allowedTools: ["Bash"] }, place, presets.default)
    assert.isTrue(rules.whiteListed(subjectOf("make < in")))
    for (const line of ["make > out", "ls $((", "echo hi | sh"])
      assert.isFalse(rules.whiteListed(subjectOf(line)), line)
  })

  it("without the read-only table allows nothing for reading only", () => {
    const rules = compileRules(
      { rules: [{ text: "Bash(make)", behavior: "allow", layer: "user", tool: "Bash", content: "make" }] },
      place,
      { ...presets.default, readOnlyTable: false }
    )
    assert.strictEqual(saidBy(rules, subjectOf("make && ls")), "-")
  })
})
