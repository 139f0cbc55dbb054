import { assert, describe, it } from "@effect/vitest"
import {
  compileRules,
  type Mode,
  presets,
  type Rule,
  type RuleLayerName,
  type Subject,
  type Who
} from "../../src/index.ts"
import { placeOf, ruleOf, saidBy, subjectOf, xorshift } from "./asking.ts"

const layers: readonly RuleLayerName[] = ["policy", "user", "projectLocal", "projectShared"]
const behaviors = ["allow", "ask", "deny"] as const

const contents = {
  Bash: [
    "git:*",
    "git push:*",
    "git push",
    "git *",
    "git pu*",
    "git push --force *",
    "* --force",
    "*push*",
    "git * --force",
    "make",
    "make:*",
    "git log",
    "*",
    "git  push",
    "sudo:*",
    "sudo git push:*",
    "timeout:*",
    "git * *"
  ],
  Edit: ["src/**", "src/*", "*.ts", ".env", "/opt/*", "**/a/**", "src/a.ts", "~/x", "src/*.ts", "**"],
  Read: ["src/**", ".env", "*.ts", "/opt/**"],
  WebFetch: ["domain:a.test", "domain:*.a.test", "https://a.test/x*", "domain:*", "https://*.a.test/x"],
  other: ["x", "x:*", "*y", "level:high", "level:*"],
  "mcp__s__*": ["x", "level:*"]
}

const calls: readonly Subject[] = [
  ...[
    "git push",
    "git push --force",
    "git push origin --force",
    "git log",
    "git",
    "make",
    "make all",
    "git $X",
    "git pu*",
    "$X push",
    "git push $X",
    "git push && make",
    "make > src/a.ts",
    "cat .env",
    "cp a src/b.ts",
    "git push $((",
    "sudo git push",
    "timeout 3 git push",
    "grep -r x src",
    "cat src/*",
    "ls",
    "echo hi | sh",
    "git 'push'",
    "X=1",
    "make; git log; ls"
  ].map((line) => subjectOf(line)),
  ...["src/a.ts", ".env", "/opt/x", "b.ts", "~/x", "lib/a/c", "src/d/.env"].flatMap((file_path) =>
    ["Edit", "Read", "Write"].map((tool) => subjectOf([tool, { file_path }]))
  ),
  ...[".", "src"].map((path) => subjectOf(["Grep", { pattern: "x", path }])),
  ...["https://a.test/x", "http://b.a.test/", "https://b.a.test/xy", "no url"].map((url) =>
    subjectOf(["WebFetch", { url }])
  ),
  ...["other", "mcp__s__t"].flatMap((tool) =>
    [{ command: "x" }, { command: "x y" }, { level: "high", path: "x" }].map((input) => subjectOf([tool, input]))
  )
]

const random = xorshift(23)
const pick = <Item>(items: readonly Item[]): Item => items[random(items.length)]!

function randomRule(): Rule {
  const tool = pick(Object.keys(contents) as (keyof typeof contents)[])
  const text = random(12) === 0 ? tool : `${tool}(${pick(contents[tool])})`
  return {
    ...ruleOf(`${pick(behaviors)} ${text}`, pick(layers)),
    ...(random(6) === 0 ? { agents: [pick(["main", "child"])] } : {}),
    ...(random(6) === 0 ? { modes: [pick(["default", "yolo"] as const)] } : {}),
    ...(random(6) === 0 ? { expiresAt: pick([5, 15]) } : {}),
    ...(random(8) === 0 ? { exact: true } : {})
  }
}

const viewers: readonly Who[] = ["main", "child"].flatMap((agentId) =>
  (["default", "yolo"] as const satisfies readonly Mode[]).map((mode) => ({ agentId, mode, now: 10 }))
)

const compile = (rules: readonly Rule[]) => compileRules({ rules }, placeOf(), presets.default)
const strictness = ["allow", "acceptEdits", "-", "ask", "possible", "deny"]

describe("rules, in random worlds", () => {
  it("say the same in every order", () => {
    for (let round = 0; round < 150; round++) {
      const rules = Array.from({ length: 1 + random(8) }, randomRule)
      const one = compile(rules)
      const other = compile(rules.toSorted(() => random(3) - 1))
      for (const subject of calls) {
        const who = pick(viewers)
        for (const question of ["deny", "possibleDeny", "ask"] as const) {
          assert.deepStrictEqual(
            one[question](subject, who),
            other[question](subject, who),
            JSON.stringify({ question, rules, key: subject.key })
          )
        }
        assert.deepStrictEqual(
          one.allow(subject, who, true),
          other.allow(subject, who, true),
          JSON.stringify({ rules, key: subject.key })
        )
      }
    }
  })

  it("never loosen by one more deny or ask rule, nor tighten by one more allow rule", () => {
    for (let round = 0; round < 200; round++) {
      const rules = Array.from({ length: random(6) }, randomRule)
      const more = randomRule()
      const [before, after] = [compile(rules), compile([...rules, more])]
      for (const subject of calls) {
        const who = pick(viewers)
        const [was, is] = [before, after].map((set) => strictness.indexOf(saidBy(set, subject, who, round % 2 === 0)))
        const message = JSON.stringify({ rules, more, key: subject.key })
        if (more.behavior === "allow") assert.isAtMost(is!, was!, message)
        else assert.isAtLeast(is!, was!, message)
      }
    }
  })

  it("speak together as the first of those that speak alone: the index finds what a scan finds", () => {
    let spoke = 0
    for (let round = 0; round < 120; round++) {
      const rules = Array.from({ length: 2 + random(10) }, randomRule)
      const together = compile(rules)
      const alone = rules.map((rule) => compile([rule]))
      for (const subject of calls) {
        const who = pick(viewers)
        for (const question of ["deny", "ask"] as const) {
          const found = together[question](subject, who)
          const single = alone.flatMap((set) => set[question](subject, who) ?? [])
          if (found !== undefined) spoke++
          assert.deepStrictEqual(found, first(single), JSON.stringify({ question, rules, key: subject.key }))
        }
        const possible = alone.flatMap((set) => set.possibleDeny(subject, who)?.rule ?? [])
        assert.deepStrictEqual(
          together.possibleDeny(subject, who)?.rule,
          first(possible),
          JSON.stringify({ rules, key: subject.key })
        )
        const parts = (subject.command?.parts.length ?? 1) + subject.accesses.filter(({ redirect }) => redirect).length
        if (parts !== 1 || subject.accesses.length > 1) continue
        const allowing = alone.flatMap((set) => {
          const allowance = set.allow(subject, who, false)
          return allowance?.by === "rule" ? [allowance.rule] : []
        })
        const allowance = together.allow(subject, who, false)
        assert.deepStrictEqual(
          allowance?.by === "rule" ? allowance.rule : undefined,
          first(allowing),
          JSON.stringify({ rules, key: subject.key })
        )
      }
    }
    assert.isAbove(spoke, 1000)
  })

  it("are attributed to policy, user, projectLocal, projectShared, then to the longer content", () => {
    const rules = layers.map((layer) => ruleOf("deny Bash(make:*)", layer))
    const subject = subjectOf("make all")
    for (const [index, layer] of layers.entries()) {
      assert.strictEqual(compile(rules.slice(index).toReversed()).deny(subject, viewers[0]!)?.layer, layer)
    }
    const long = compile([ruleOf("deny Bash(make:*)"), ruleOf("deny Bash(make all:*)")])
    assert.strictEqual(long.deny(subject, viewers[0]!)?.content, "make all:*")
  })
})

/** What everybody can check: sorted by layer, length, text. */
const first = (rules: readonly Rule[]): Rule | undefined =>
  rules.toSorted(
    (one, other) =>
      layers.indexOf(one.layer) - layers.indexOf(other.layer) ||
      (other.content?.length ?? 0) - (one.content?.length ?? 0) ||
      order(one.text, other.text) ||
      order(key(one), key(other))
  )[0]

const order = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)
const key = (rule: Rule) => {
  const limited = rule.agents || rule.modes || rule.expiresAt || rule.exact
  return limited ? JSON.stringify(rule, Object.keys(rule).sort()) : ""
}
