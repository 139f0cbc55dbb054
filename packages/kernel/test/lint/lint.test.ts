import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { lintSettings } from "../../src/index.ts"
import { surroundingsOf } from "../match/asking.ts"
import { lint, lintUser, now, short } from "./linting.ts"

describe("lint", () => {
  it("says where: layer, file, line and column, of rule objects too", () => {
    const rules = `["Bash(ls:*)",\n      { "rule": "Bash(python:*)" }]`
    const text = `{\n  // mine\n  "permissions": {\n    "allow": ${rules}\n  }\n}`
    const { findings } = lintSettings([{ layer: "user", file: "u.json", text }], surroundingsOf(), now)
    assert.deepStrictEqual(
      findings.map(({ column, file, layer, line, rule }) => [layer, file, line, column, rule]),
      [["user", "u.json", 5, 7, "Bash(python:*)"]]
    )
  })

  it("judges nothing where settings are invalid, and hands on the problems", () => {
    const { findings, problems } = lint({ user: { permissions: { alow: [], allow: ["Bash(*)"] } } })
    assert.isEmpty(findings)
    assert.include(problems[0]?.message, "`alow`")
  })

  it("hands on warnings that are about no rule, and says of a rule what it is once", () => {
    const { findings, problems } = lint({
      projectShared: { permissions: { defaultMode: "yolo", allow: ["Edit(src:*)"] } }
    })
    assert.deepStrictEqual(
      problems.map(({ message }) => message),
      ["`defaultMode` is ignored: a project may not set `yolo`"]
    )
    assert.deepStrictEqual(short(findings), ["noEffect Edit(src:*)"])
  })

  it("reads a project's file as a trusted one", () =>
    assert.deepStrictEqual(short(lint({ projectShared: { permissions: { allow: ["Bash(*)"] } } }).findings), [
      "broad Bash(*)"
    ]))

  it("has its findings in the order of layers and lines", () =>
    assert.deepStrictEqual(
      short(
        lint({
          projectShared: { permissions: { allow: ["Bash(node:*)"] } },
          policy: { permissions: { allow: ["Bash(ruby:*)", "Bash(perl:*)"] } }
        }).findings
      ),
      ["broad Bash(ruby:*)", "broad Bash(perl:*)", "broad Bash(node:*)"]
    ))
})

describe("rules that never speak, or hardly ever", () => {
  for (const [rule, kind, words] of [
    ["Bash(make docker-:*)", "hardlyEver", "write `Bash(make docker-*)`"],
    ["Bash(npm run test::*)", "hardlyEver", "name what may follow"],
    ["Bash(curl https://a.test/:*)", "hardlyEver", "hardly ever matches"],
    ["Bash(sudo:*)", "hardlyEver", "name the program that `sudo` launches"],
    ["Bash(watch *)", "hardlyEver", "name the program"],
    ["Bash(env:*)", "hardlyEver", "name the program"],
    ["Bash(timeout:*)", "hardlyEver", "looked through"],
    ["Bash(bash -c:*)", "hardlyEver", "judged by themselves"],
    ["Bash(:*)", "noEffect", "`Bash` is for every command"],
    ["bash(make:*)", "hardlyEver", "the tool is called `Bash`"],
    ["webfetch(domain:a.test)", "hardlyEver", "the tool is called `WebFetch`"],
    ["Edit(src:*)", "noEffect", "written `src/**`"],
    ["mcp__*__get", "noEffect", "literal MCP server"],
    ["WebFetch(domain:git*.com)", "noEffect", "`domain:host`"]
  ] as const) {
    it(`${rule} is told as ${kind}`, () => {
      const [finding, ...others] = lintUser({ allow: [rule] })
      assert.strictEqual(finding?.kind, kind)
      assert.include(finding?.message, words)
      assert.isEmpty(others)
      assert.isFalse(finding?.examples[0]?.speaks)
    })
  }

  it("an expired one is told", () => {
    const at = (year: number) => [{ rule: "Bash(make:*)", expiresAt: `${year}-01-01` }]
    assert.deepStrictEqual(short(lintUser({ allow: at(2025) })), ["noEffect Bash(make:*)"])
    assert.deepStrictEqual(short(lintUser({ allow: at(2027) })), [])
  })

  it("a ban that hardly ever matches is told, too", () => {
    const [finding] = lintUser({ deny: ["Bash(make docker-:*)"] })
    assert.strictEqual(finding?.kind, "hardlyEver")
    assert.strictEqual(finding?.examples[0]?.decision, "ask")
  })

  it("RB275 a rule that hardly ever matches is worth a word", () => {
    const line = readFileSync(new URL("../../../../test/cases/stories.ndjson", import.meta.url), "utf8")
      .split("\n")
      .find((each) => each.includes('"RB275"'))!
    const { rules, steps } = JSON.parse(line) as {
      rules: { user: object }
      steps: readonly { expect: { problem: { file: string; text: readonly string[] } } }[]
    }
    const { findings } = lint({ user: { permissions: rules.user } })
    const wanted = steps[0]!.expect.problem
    assert.isTrue(
      findings.some(
        ({ layer, message }) => layer === wanted.file && wanted.text.every((text) => message.includes(text))
      )
    )
  })

  it("a prefix that ends in a word, a dot, a slash or two dashes is one", () => {
    for (const rule of [
      "Bash(git checkout --:*)",
      "Bash(git add .:*)",
      "Bash(ls src/:*)",
      "Bash(cat -:*)",
      "Bash(npm:*)"
    ])
      assert.notInclude(short(lintUser({ allow: [rule] })).join(), "hardlyEver", rule)
    for (const rule of [
      "Bash(sudo apt update:*)",
      "Bash(timeout 5 make:*)",
      "Bash(env A=1 make:*)",
      "Bash(xargs grep:*)"
    ])
      assert.deepStrictEqual(lintUser({ allow: [rule] }), [], rule)
  })
})

describe("rules that lie under others", () => {
  for (const [narrow, wide] of [
    ["Bash(git push origin:*)", "Bash(git push:*)"],
    ["Bash(git push)", "Bash(git *)"],
    ["Bash(git push:*)", "Bash"],
    ["Edit(src/a.ts)", "Edit(src/**)"],
    ["Write(src/a/**)", "Edit(src/**)"],
    ["Read(src/*.ts)", "Read(src/**)"],
    ["WebFetch(domain:api.a.test)", "WebFetch(domain:*.a.test)"],
    ["WebFetch(domain:a.test)", "WebFetch"],
    ["mcp__github__get_issue", "mcp__github"],
    ["deploy(prod)", "deploy(*)"],
    ["deploy(prod eu)", "deploy(prod:*)"]
  ] as const) {
    it(`${narrow} under ${wide}: an allow under a deny or ask never counts`, () => {
      for (const strict of ["deny", "ask"] as const) {
        const [finding, ...others] = lintUser({ allow: [narrow], [strict]: [wide] })
        assert.isEmpty(others)
        assert.strictEqual(finding?.kind, "shadowed")
        assert.strictEqual(finding?.rule, narrow)
        assert.strictEqual(finding?.other?.rule, wide)
        assert.strictEqual(finding?.examples[0]?.decision, strict)
      }
    })

    it(`${narrow} beside ${wide} adds nothing`, () => {
      const denied = lintUser({ deny: [narrow, wide] })
      assert.deepStrictEqual(short(denied), [`covered ${narrow}`])
      assert.include(short(lintUser({ allow: [narrow, wide] })), `covered ${narrow}`)
    })
  }

  it("an edit under a deny of reading never counts", () =>
    assert.deepStrictEqual(short(lintUser({ allow: ["Edit(src/a)"], deny: ["Read(src/**)"] })), [
      "shadowed Edit(src/a)"
    ]))

  it("a deny of another layer shadows; the same in another layer contradicts", () => {
    const allow = { permissions: { allow: ["Bash(git push:*)"] } }
    const under = (rule: string) => lint({ policy: { permissions: { deny: [rule] } }, user: allow }).findings
    assert.deepStrictEqual(short(under("Bash(git:*)")), ["shadowed Bash(git push:*)"])
    assert.deepStrictEqual(short(under("Bash(git push:*)")), ["contradicted Bash(git push:*)"])
    assert.include(under("Bash(git push:*)")[0]?.message, "layer `policy`")
  })

  it("lists and tiers of tools count as well", () => {
    assert.deepStrictEqual(short(lint({ user: { allowedTools: ["deploy"], disallowedTools: ["deploy"] } }).findings), [
      "shadowed deploy"
    ])
    assert.deepStrictEqual(
      short(lint({ user: { allowedTools: ["deploy"], tools: { deploy: { tier: "confirm" } } } }).findings),
      ["shadowed deploy"]
    )
    assert.deepStrictEqual(
      short(lint({ user: { permissions: { allow: ["deploy"] }, tools: { deploy: { alwaysAsk: true } } } }).findings),
      ["shadowed deploy"]
    )
  })

  it("of two that say the same the later one is told", () => {
    const [finding, ...others] = lintUser({ deny: ["Bash(rm:*)", "Bash(rm *)"] })
    assert.isEmpty(others)
    assert.strictEqual(finding?.rule, "Bash(rm *)")
    const twice = lintUser({ deny: ["Bash(rm:*)", "Bash(ls)", "Bash(rm:*)"] })
    assert.deepStrictEqual(
      twice.map(({ line, other }) => [line, other?.line]),
      [[6, 4]]
    )
  })

  for (const permissions of [
    { allow: ["Bash(git push:*)"], deny: ["Bash(git push --force:*)"] },
    { allow: ["Bash(cargo *)", "Bash(make)"], deny: ["Bash(cargo publish)"], ask: ["Bash(* --force)"] },
    { allow: ["Edit(src/**)"], deny: ["Edit(src/*.lock)"] },
    { allow: ["Edit(src/*/*)"], deny: ["Edit(**/x/*)"] },
    { deny: ["Bash(rm:*)", { rule: "Bash(rm -rf:*)", reason: "ask me first" }] },
    { deny: ["Bash(rm:*)", "Bash(rmdir:*)"] },
    { deny: [{ rule: "Bash(rm:*)", modes: ["acceptEdits"] }, "Bash(rm -r:*)"] },
    { allow: ["Edit(src/**)", "Edit(src/.env.test)"] },
    { allow: ["Bash(git log:*)", "Bash(git log --output=x)"] },
    { allow: ["Bash(make:*)", "Bash(make > out.txt)"] },
    { allow: ["WebFetch(domain:a.test)", "WebFetch(domain:*.a.test)"] },
    { allow: ["mcp__github", "mcp__githubx__y"] }
  ]) {
    it(`nothing is told of ${JSON.stringify(permissions)}`, () =>
      assert.deepStrictEqual(short(lintUser(permissions)), []))
  }
})

describe("rules that reach further than they look", () => {
  for (const rule of [
    "Bash",
    "Bash(*)",
    "Bash(python:*)",
    "Bash(python3 *)",
    "Bash(python -c:*)",
    "Bash(node -e *)",
    "Bash(bash:*)",
    "Bash(find:*)",
    "Bash(git:*)",
    "Bash(npm:*)",
    "Bash(npx:*)",
    "Bash(docker:*)",
    "Bash(docker run:*)",
    "Bash(kubectl:*)",
    "Bash(curl:*)",
    "Bash(ssh:*)",
    "Bash(./scripts/*)",
    "Bash(* --version)",
    "Read",
    "Read(*)",
    "Read(/**)",
    "Read(~/**)",
    "Edit",
    "Edit(~/**)",
    "Write(*)",
    "WebFetch",
    "WebFetch(domain:*)"
  ]) {
    it(`${rule} is broad`, () => {
      const [finding, ...others] = lintUser({ allow: [rule] })
      assert.isEmpty(others)
      assert.strictEqual(finding?.kind, "broad")
      assert.strictEqual(finding?.examples[0]?.decision, "allow")
    })
  }

  it("a prefix of a program's name has no word boundary", () => {
    for (const rule of ["Bash(npm*)", "Bash(git*)", "Bash(make*)"]) {
      const [finding] = lintUser({ allow: [rule] })
      assert.strictEqual(finding?.kind, "noWordBoundary", rule)
      assert.strictEqual(finding?.examples[0]?.decision, "allow")
    }
    assert.deepStrictEqual(lintUser({ allow: ["Bash(npm run test*)"] }), [])
  })

  it("what another rule stops is shown by something else, or not at all", () => {
    const [git] = lintUser({ allow: ["Bash(git:*)"], ask: ["Bash(git push:*)"] })
    assert.notInclude(JSON.stringify(git?.examples), "push")
    assert.deepStrictEqual(short(lintUser({ allow: ["Read"], deny: ["Read(~/**)", "Read(/etc/**)"] })), [])
    assert.deepStrictEqual(short(lintUser({ allow: ["Bash(ssh:*)"], ask: ["Bash(ssh host *)"] })), [])
  })

  it("lists of tools are looked at, too", () =>
    assert.deepStrictEqual(short(lint({ user: { allowedTools: ["Bash", "WebFetch", "deploy"] } }).findings), [
      "broad Bash",
      "broad WebFetch"
    ]))
})

describe("rules that pair badly", () => {
  for (const [run, edit, file] of [
    ["Bash(make:*)", "Edit(**)", "Makefile"],
    ["Bash(make test)", "Write(./Makefile)", "Makefile"],
    ["Bash(npm run build:*)", "Edit(**)", "package.json"],
    ["Bash(npm test)", "Edit(package.json)", "package.json"],
    ["Bash(python scripts/x.py:*)", "Edit(scripts/**)", "scripts/x.py"],
    ["Bash(bash scripts/x.sh)", "Edit(scripts/*.sh)", "scripts/x.sh"],
    ["Bash(./scripts/x.sh:*)", "Edit(scripts/**)", "./scripts/x.sh"]
  ] as const) {
    it(`${run} runs what ${edit} lets change`, () => {
      const [finding, ...others] = lintUser({ allow: [run, edit] })
      assert.isEmpty(others)
      assert.strictEqual(finding?.kind, "pair")
      assert.strictEqual(finding?.rule, run)
      assert.strictEqual(finding?.other?.rule, edit)
      assert.include(finding?.message, `\`${file}\``)
      assert.deepStrictEqual(
        finding?.examples.map(({ decision }) => decision),
        ["allow", "allow"]
      )
    })
  }

  it("nothing is told where that file can't be edited, or is asked for", () => {
    assert.deepStrictEqual(lintUser({ allow: ["Bash(make:*)", "Edit(src/**)"] }), [])
    assert.deepStrictEqual(lintUser({ allow: ["Bash(make:*)", "Edit(**)"], ask: ["Edit(Makefile)"] }), [])
    assert.deepStrictEqual(lintUser({ allow: ["Bash(npm test:*)", "Edit(**)"], deny: ["Edit(package.json)"] }), [])
    assert.deepStrictEqual(lintUser({ allow: ["Bash(cargo test:*)", "Edit(**)"] }), [])
  })
})
