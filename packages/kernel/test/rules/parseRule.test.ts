import { assert, describe, it } from "@effect/vitest"
import { parseRule, parseRuleObject } from "../../src/index.ts"

const read = (text: string, behavior: "allow" | "deny" = "deny") => {
  const { faults, rule } = parseRule(text, behavior, "user")
  const spoken = rule && `${rule.tool}|${rule.content ?? "every call"}${rule.malformed ? "|malformed" : ""}`
  return [spoken, faults.length] as const
}

describe("a rule text", () => {
  for (const [text, spoken] of [
    ["Bash", "Bash|every call"],
    ["Bash(*)", "Bash|every call"],
    ["Bash(git push:*)", "Bash|git push:*"],
    ["  Bash(ls)  ", "Bash|ls"],
    ["Bash(echo (x) (y))", "Bash|echo (x) (y)"],
    ["Bash(case x in a) ls;; esac)", "Bash|case x in a) ls;; esac"],
    ["Bash(**)", "Bash|**"],
    ["mcp__github__get_*", "mcp__github__get_*|every call"],
    ["Agent(model:opus)", "Agent|model:opus"],
    ["*", "*|every call"]
  ] as const) {
    it(`\`${text}\` reads as ${spoken}`, () => assert.deepStrictEqual(read(text), [spoken, 0]))
  }
})

describe("a malformed rule", () => {
  for (const [text, ban] of [
    ["Bash(git commit", "Bash|git commit|malformed"],
    ["Bash(", "Bash||malformed"],
    ["Bash()", "Bash|every call|malformed"],
    ["Bash( )", "Bash|every call|malformed"],
    ["Bash(rm -rf) now", "Bash|rm -rf|malformed"],
    ["Bash(a (b) c) now", "Bash|a (b) c|malformed"],
    ["Bash rm", "Bash*|every call|malformed"],
    ["Bash)", undefined],
    ["Bash rm:*)", undefined],
    ["Ba h(rm)", "Ba*|every call|malformed"],
    ["Bash(*", "Bash||malformed"],
    ["Bash(rm:*x", "Bash|rm|malformed"],
    ["Bash(git * --force", "Bash|git |malformed"],
    ["", undefined],
    ["   ", undefined],
    ["(rm)", undefined],
    ["'Bash'", undefined]
  ] as const) {
    it(`\`${text}\` bans ${ban ?? "nobody knows what"}, and allows nothing`, () => {
      assert.deepStrictEqual(read(text), [ban, 1])
      assert.deepStrictEqual(read(text, "allow"), [undefined, 1])
    })
  }
})

describe("a rule object", () => {
  const parse = (object: object, behavior: "allow" | "deny") =>
    parseRuleObject(new Map(Object.entries(object)), behavior, "policy")

  it("carries what holds for the rule alone", () => {
    const { faults, rule } = parse(
      {
        rule: "Bash(rm *)",
        reason: "no",
        agents: ["a"],
        modes: ["plan"],
        expiresAt: "2030-01-01T00:00:00Z",
        exact: true
      },
      "allow"
    )
    assert.deepStrictEqual(faults, [])
    assert.deepStrictEqual(rule, {
      text: "Bash(rm *)",
      behavior: "allow",
      layer: "policy",
      tool: "Bash",
      content: "rm *",
      reason: "no",
      agents: ["a"],
      modes: ["readOnly"],
      expiresAt: Date.UTC(2030, 0, 1),
      exact: true
    })
  })

  it("means the star itself by an exact `Tool(*)`", () => {
    assert.strictEqual(parse({ rule: "Bash(*)", exact: true }, "allow").rule?.content, "*")
  })

  for (const [key, value, message] of [
    ["during", {}, "`during` is not supported yet"],
    ["limit", { times: 1 }, "`limit` is not supported yet"],
    ["match", "x", "`match` is not a list of examples, each a text or the arguments of a call"],
    ["notMatch", ["x", 7], "`notMatch` is not a list of examples, each a text or the arguments of a call"],
    ["agents", "a", "`agents` is not a list of agent ids"],
    ["modes", ["defualt"], "unknown mode `defualt`, did you mean `default`"],
    [
      "expiresAt",
      "tomorrow",
      "`expiresAt` is neither milliseconds since the epoch nor a date like `2030-01-31T12:00:00Z`"
    ],
    ["exact", "yes", "`exact` is not true or false"],
    ["reason", 1, "`reason` is not a text"],
    ["agnets", ["a"], "unknown key `agnets` in a rule, did you mean `agents`"]
  ] as const) {
    it(`with a faulty \`${key}\` is void as an allow rule and bans without it`, () => {
      const allow = parse({ rule: "Bash(x)", [key]: value }, "allow")
      assert.deepStrictEqual([allow.rule, allow.faults], [undefined, [{ message, key }]])
      const deny = parse({ rule: "Bash(x)", [key]: value }, "deny")
      assert.deepStrictEqual(deny.rule, {
        text: "Bash(x)",
        behavior: "deny",
        layer: "policy",
        tool: "Bash",
        content: "x"
      })
    })
  }

  it("without a rule bans nobody knows what", () => {
    assert.deepStrictEqual(parse({ reason: "x" }, "deny"), {
      rule: undefined,
      faults: [{ message: "a rule object without `rule`" }]
    })
    assert.strictEqual(parse({ rule: 7 }, "deny").faults[0]?.key, "rule")
  })
})
