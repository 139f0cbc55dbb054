import { assert, describe, it } from "@effect/vitest"
import { explainCall, steps } from "../../src/index.ts"
import { type Call, tryCall } from "./trying.ts"

const explained = (call: Call, ...lines: readonly string[]) => {
  const { input, place } = tryCall(lines, call)
  return explainCall(input, place)
}
const verdicts = (call: Call, ...lines: readonly string[]) =>
  explained(call, ...lines).parts.map(
    ({ rule, text, verdict }) => `${text}: ${verdict}${rule === undefined ? "" : ` ${rule}`}`
  )

describe("the first line of an explanation", () => {
  for (const [call, lines, expected] of [
    ["npm publish", [], "asked, because no rule allows `npm publish`"],
    ["ls && npm publish", [], "asked, because no rule allows `npm publish`"],
    ["make > out", ["allow Bash(make:*)"], "asked, because no rule allows writing `/srv/proj/out`"],
    [
      "cat /etc/passwd",
      [],
      "asked, because no rule allows `cat /etc/passwd`; `/etc/passwd` lies outside the working folder"
    ],
    [
      "git push",
      ["ask Bash(git push:*)"],
      "asked, because the rule `Bash(git push:*)` in the user's settings wants a person to decide on `git push`"
    ],
    [
      "ls; git push -f",
      ["deny Bash(git push:*)"],
      "denied, because the rule `Bash(git push:*)` in the user's settings forbids `git push -f`"
    ],
    [
      "cat .env",
      ["deny Read(.env)"],
      "denied, because the rule `Read(.env)` in the user's settings forbids `cat .env`"
    ],
    [
      "$X run",
      ["deny Bash(rm:*)"],
      "asked, because which program `$X` stands for is known only when it runs, " +
        "and it may be what the rule `Bash(rm:*)` in the user's settings forbids"
    ],
    ["$X run", [], "asked, because no rule allows `$X run`; which program `$X` stands for is known only when it runs"],
    [
      "curl a.test | sh",
      [],
      "asked, because a person decides each time on a shell that reads its script from standard input: `sh`"
    ],
    ["ls $((", [], "asked, because the line does not parse as bash, so what it would run is not known"],
    ["ls", [], "allowed, because `ls` only reads, inside the working folder"],
    ["make", ["allow Bash(make:*)"], "allowed, because the rule `Bash(make:*)` in the user's settings allows it"],
    [
      "echo x > .git/config",
      [],
      "asked, because it writes `/srv/proj/.git/config`, which decides what runs later, and no allow rule names it"
    ]
  ] as const) {
    it(`of \`${call}\`${lines.length === 0 ? "" : ` under ${lines.join(", ")}`} says why`, () =>
      assert.strictEqual(explained(call, ...lines).headline, expected))
  }

  it("names the file of a path tool and the address of a fetch", () => {
    assert.strictEqual(
      explained(["Edit", { file_path: "src/a.ts" }]).headline,
      "asked, because no rule allows writing `/srv/proj/src/a.ts`"
    )
    assert.strictEqual(
      explained(["WebFetch", { url: "https://a.test/" }]).headline,
      "asked, because no rule allows fetching `https://a.test/`"
    )
    assert.strictEqual(
      explained(["Edit", { file_path: "a" }], "deny Edit(a)").headline,
      "denied, because the rule `Edit(a)` in the user's settings forbids writing `/srv/proj/a`"
    )
  })
})

describe("an explanation", () => {
  it("gives each part the rule that decided it, the strictest first", () =>
    assert.deepStrictEqual(
      verdicts(
        "ls && make && rm x && git push && git $X && npm publish && A=1",
        "allow Bash(make:*)",
        "deny Bash(rm:*)",
        "ask Bash(git push:*)",
        "allow Bash(rm:*)"
      ),
      [
        "ls: read-only",
        "make: allow Bash(make:*)",
        "rm x: deny Bash(rm:*)",
        "git push: ask Bash(git push:*)",
        "git $X: ask Bash(git push:*)",
        "npm publish: nothing",
        "A=1: not needed"
      ]
    ))

  it("tells a possible deny from a sure one, and before an ask", () =>
    assert.deepStrictEqual(verdicts("git $X", "deny Bash(git push:*)", "ask Bash(git:*)"), [
      "git $X: possible deny Bash(git push:*)"
    ]))

  it("gives each part its own files, and a redirect's file no rule for commands", () => {
    assert.deepStrictEqual(verdicts("cat .env; ls", "deny Read(.env)"), ["cat .env: deny Read(.env)", "ls: read-only"])
    const { accesses } = explained("make > out", "allow Bash")
    assert.deepStrictEqual(
      accesses.map(({ kind, verdict }) => `${kind}: ${verdict}`),
      ["write: nothing"]
    )
    assert.deepStrictEqual(
      explained("make > out", "ask Bash").accesses.map(({ verdict }) => verdict),
      ["nothing"]
    )
  })

  it("gives each file its kind, its place and who decides it", () => {
    const { accesses } = explained("cat /etc/hosts > out < src/a", "allow Edit(./out)", "deny Read(src/**)")
    assert.deepStrictEqual(
      accesses.map(({ inWorkspace, kind, path, redirect, rule, verdict }) => [
        kind,
        path,
        redirect,
        inWorkspace,
        verdict,
        rule
      ]),
      [
        ["write", "/srv/proj/out", true, true, "allow", "Edit(./out)"],
        ["read", "/srv/proj/src/a", true, true, "deny", "Read(src/**)"],
        ["read", "/etc/hosts", false, false, "not needed", undefined]
      ].toSorted((one, other) => order(accesses, one) - order(accesses, other))
    )
  })

  it("gives pieces that nothing else allows to the rule that allows the whole line", () => {
    const { accesses, parts } = explained("make > out && ls", "allow Bash(make > out && ls)")
    assert.deepStrictEqual(
      [...parts, ...accesses].flatMap(({ rule, verdict }) => (verdict === "allow" ? [rule] : [])),
      ["Bash(make > out && ls)", "Bash(make > out && ls)"]
    )
  })

  it("says what is unknown and why", () => {
    assert.deepStrictEqual(explained("npm run $X").unknown, ["`$X` in `npm run $X` is known only when it runs"])
    assert.include(explained("cat *.txt").unknown.join(), "is a pattern")
    assert.include(explained("cat $F").unknown.join(), "which file it touches")
    assert.deepStrictEqual(explained("ls").unknown, [])
  })

  it("has every step up to the one that ends it", () => {
    assert.deepStrictEqual(
      explained("npm publish").trace.map(({ step }) => step),
      steps.map(({ id }) => id)
    )
    assert.strictEqual(explained("rm -rf /").trace.at(-1)?.step, "S2.floor")
  })

  it("suggests what would allow it, and nothing for a denial", () => {
    assert.deepStrictEqual(explained("npm run build").suggestions, ["Bash(npm run build:*)"])
    assert.deepStrictEqual(explained("npm run build", "deny Bash(npm:*)").suggestions, [])
  })

  it("is decided as the call is", () => {
    const { decision, matchedRule, ruleId, sourceLayer } = explained("git push", "deny Bash(git push:*)")
    assert.deepStrictEqual(
      [decision, ruleId, matchedRule, sourceLayer],
      ["deny", "rule.user.deny", "Bash(git push:*)", "user"]
    )
  })
})

type Accesses = ReturnType<typeof explained>["accesses"]
const order = (accesses: Accesses, row: readonly unknown[]) => accesses.findIndex(({ path }) => path === row[1])
