import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { evaluate, explainCall, parseRule, type Rule, suggestRules } from "../../src/index.ts"
import { type Call, tryRules } from "../explain/trying.ts"
import { ruleOf, xorshift } from "../match/asking.ts"

/** Everything that a line is put together from, and the tools' calls. */
const pieces = [
  "ls",
  "cat src/a",
  "cat /etc/hosts",
  "npm run build --prod",
  "npm test",
  "npm publish",
  "git push",
  "git commit -m 'a b'",
  "git -C d status",
  "git log --output=x",
  "rm x",
  "rm -rf /",
  "make > out",
  "timeout 5 make all",
  "sudo apt update",
  "env A=1 make",
  "A=1 make",
  "find . -name x -exec rm {} ;",
  "bash -c 'npm publish && ls'",
  "$X run",
  "git $X",
  "npm run $X",
  "python3",
  "echo x | sh",
  "xargs rm",
  "echo hi > .git/config",
  "echo hi > src/a.ts",
  "tee out.txt",
  "cp a /opt/b",
  "cd /opt",
  "cat *.txt",
  "export PATH=x"
]
const joints = [" && ", "; ", " | ", " || ", "\n"]
const calls: readonly Call[] = [
  ...pieces,
  ["Edit", { file_path: "src/a.ts" }],
  ["Edit", { file_path: "/opt/a" }],
  ["Edit", { file_path: ".env" }],
  ["Write", { file_path: "b.ts" }],
  ["Read", { file_path: "~/.ssh/id" }],
  ["Grep", { pattern: "x", path: "/opt/x/y" }],
  ["Glob", { pattern: "/opt/x/y/*.ts" }],
  ["WebFetch", { url: "https://a.test/x" }],
  ["mcp__s__t", { path: "x" }],
  ["deploy", { path: "x", command: "x" }]
]
const lines = [
  "allow Bash(make:*)",
  "allow Bash(npm test:*)",
  "allow Bash",
  "allow Edit(src/**)",
  "allow Read",
  "ask Bash(git push:*)",
  "ask Edit(src/**)",
  "deny Bash(rm:*)",
  "deny Bash(npm publish:*)",
  "deny Read(/etc/**)",
  "deny Edit(/opt/**)",
  "deny WebFetch(domain:a.test)",
  "allow mcp__s",
  "deny Bash(git push:*)"
]

const next = xorshift(7)
const pick = <T>(list: readonly T[]): T => list[next(list.length)]!
const randomCall = (): Call =>
  next(3) === 0
    ? pick(calls)
    : Array.from({ length: 1 + next(4) }, () => pick(pieces)).reduce((line, piece) => line + pick(joints) + piece)
const randomRules = () => Array.from({ length: next(5) }, () => ruleOf(pick(lines)))

const read = (texts: readonly string[]): readonly Rule[] =>
  texts.map((text) => {
    const { faults, rule } = parseRule(text, "allow", "user")
    assert.isEmpty(faults, text)
    return rule!
  })

describe("suggestions, on many calls", () => {
  it("turn the ask into an allow together, and none of them can be left out", () => {
    let tried = 0
    for (let round = 0; round < 1500; round++) {
      const { input, place } = tryRules(randomRules(), randomCall())
      const suggested = suggestRules(input, place)
      if (suggested.length === 0) continue
      tried++
      assert.strictEqual(evaluate(input).ruling.decision, "ask")
      const rules = read(suggested)
      const decided = (some: readonly Rule[]) => evaluate({ ...input, rules: place.withRules(some) }).ruling.decision
      assert.strictEqual(decided(rules), "allow", suggested.join())
      for (const rule of rules) assert.strictEqual(decided(rules.filter((each) => each !== rule)), "ask", rule.text)
      assert.isAtMost(suggested.length, 5)
    }
    assert.isAbove(tried, 200)
  })

  it("turn no denial of any other call into anything else", () => {
    let denied = 0
    for (let round = 0; round < 150; round++) {
      const rules = randomRules()
      const { input, place } = tryRules(rules, randomCall())
      const suggested = read(suggestRules(input, place))
      if (suggested.length === 0) continue
      for (const call of calls) {
        if (evaluate(tryRules(rules, call).input).ruling.decision !== "deny") continue
        denied++
        assert.strictEqual(evaluate(tryRules([...rules, ...suggested], call).input).ruling.decision, "deny")
      }
    }
    assert.isAbove(denied, 50)
  })

  it("hold for every case that is asked in the cases of peers and users, and explain decides as the rules do", () => {
    const cases = ["peers", "users", "extra"].flatMap((name) =>
      readFileSync(new URL(`../../../../test/cases/${name}.ndjson`, import.meta.url), "utf8")
        .split("\n")
        .filter((line) => line.trim() !== "")
        .map((line) => JSON.parse(line) as Case)
    )
    let tried = 0
    for (const { call, cwd, dialect, links, rules } of cases) {
      const given = Object.entries(rules ?? {}).flatMap(([layer, lists]) =>
        (["allow", "ask", "deny"] as const).flatMap((behavior) =>
          (lists[behavior] ?? []).flatMap(
            (text) =>
              (typeof text === "string" ? parseRule(text, behavior, layer as Rule["layer"]).rule : undefined) ?? []
          )
        )
      )
      const { input, place } = tryRules(given, [call.tool, call.input], {
        ...(cwd === undefined ? {} : { folder: cwd }),
        ...(links === undefined ? {} : { links }),
        ...(dialect === undefined ? {} : { dialect })
      })
      const { decision } = evaluate(input).ruling
      const explained = explainCall(input, place)
      assert.strictEqual(explained.decision, decision)
      if (decision !== "ask") assert.isEmpty(explained.suggestions)
      if (explained.suggestions.length === 0) continue
      tried++
      const after = evaluate({ ...input, rules: place.withRules(read(explained.suggestions)) }).ruling
      assert.strictEqual(after.decision, "allow", JSON.stringify(call))
    }
    assert.isAbove(tried, 40)
  })
})

interface Case {
  readonly rules?: Readonly<Record<string, { readonly [behavior in "allow" | "ask" | "deny"]?: readonly unknown[] }>>
  readonly cwd?: string
  readonly dialect?: "native" | "claude"
  readonly links?: Readonly<Record<string, string>>
  readonly call: { readonly tool: string; readonly input: unknown }
}
