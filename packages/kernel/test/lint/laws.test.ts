import { assert, describe, it } from "@effect/vitest"
import { type Finding, RuleLayerName } from "../../src/index.ts"
import { xorshift } from "../match/asking.ts"
import { judged, type Layers, lint } from "./linting.ts"

const rules = [
  "Bash",
  "Bash(git:*)",
  "Bash(git push:*)",
  "Bash(git push)",
  "Bash(git * --force)",
  "Bash(npm*)",
  "Bash(npm run build:*)",
  "Bash(make docker-:*)",
  "Bash(make:*)",
  "Bash(make > out.txt)",
  "Bash(sudo:*)",
  "Bash(sudo make:*)",
  "Bash(timeout:*)",
  "Bash(python:*)",
  "Bash(python scripts/x.py)",
  "Bash(rm *)",
  "Bash(rm -r:*)",
  "Bash(description:x*)",
  "Edit",
  "Edit(**)",
  "Edit(src/**)",
  "Edit(src/*)",
  "Edit(src/*.ts)",
  "Edit(*.ts)",
  "Edit(.env)",
  "Write(src/a.ts)",
  "Read(src/**)",
  "Read(**)",
  "Read(/etc/**)",
  "Read(.env)",
  "WebFetch",
  "WebFetch(domain:a.test)",
  "WebFetch(domain:*.a.test)",
  "WebFetch(https://a.test/x/*)",
  "mcp__s",
  "mcp__s__get",
  "mcp__*__get",
  "deploy",
  "deploy(prod)",
  "deploy(prod:*)",
  "deploy(level:high)",
  { rule: "Bash(git push --force:*)", modes: ["acceptEdits"] },
  { rule: "Bash(git commit:*)", agents: ["child"] },
  { rule: "Bash(make docker-build)", expiresAt: 1 },
  { rule: "Bash(rm -r *)", exact: true }
]

const calls = [
  ...[
    "git push",
    "git push --force",
    "git status",
    "git commit -m x",
    "npm run build",
    "npmx",
    "make",
    "make docker-build",
    "make docker- x",
    "make > out.txt",
    "sudo make all",
    "sudo rm x",
    "timeout 5 make",
    "python -c x",
    "python scripts/x.py",
    "rm x",
    "rm -r x",
    "rm *",
    "git push && make",
    "cat .env",
    "cat /etc/hosts",
    "echo x > src/a.ts",
    "cp a src/b.ts",
    "git $X",
    "$X"
  ].map((command) => ({ tool: "Bash", input: { command } })),
  { tool: "Bash", input: { command: "ls", description: "xy" } },
  ...["src/a.ts", "src/a/b.ts", "a.ts", ".env", "Makefile", "package.json", "/etc/hosts", "~/x"].flatMap((file_path) =>
    ["Edit", "Write", "Read"].map((tool) => ({ tool, input: { file_path } }))
  ),
  ...["https://a.test/", "https://b.a.test/x", "http://a.test:81/x/y", "https://a.test/x/y"].map((url) => ({
    tool: "WebFetch",
    input: { url }
  })),
  { tool: "mcp__s__get", input: { path: "x" } },
  { tool: "mcp__t__get", input: {} },
  ...["prod", "prod eu", "test"].map((path) => ({ tool: "deploy", input: { path, level: "high" } }))
]

const next = xorshift(11)
const some = () => Array.from({ length: next(4) }, () => rules[next(rules.length)]!)
const randomLayers = (): Layers =>
  Object.fromEntries(
    RuleLayerName.literals
      .slice(0, 1 + next(3))
      .map((layer) => [layer, { permissions: { allow: some(), ask: some().slice(0, 2), deny: some().slice(0, 2) } }])
  )

/** The settings without one rule. Equal texts are equal rules here. */
function without(layers: Layers, { behavior, layer, rule }: Finding): Layers {
  const settings = layers[layer] as { readonly permissions: Record<string, (string | { readonly rule: string })[]> }
  const list = settings.permissions[behavior]!
  const at = list.findLastIndex((each) => (typeof each === "string" ? each : each.rule) === rule)
  return { ...layers, [layer]: { permissions: { ...settings.permissions, [behavior]: list.toSpliced(at, 1) } } }
}

const strictness = { allow: 0, ask: 1, deny: 2 }

describe("lint, on many settings", () => {
  const seen = new Map<string, number>()
  const worlds = Array.from({ length: 250 }, randomLayers).map((layers) => ({
    layers,
    findings: lint(layers).findings
  }))
  for (const { findings } of worlds) for (const { kind } of findings) seen.set(kind, (seen.get(kind) ?? 0) + 1)

  it("finds something of each kind", () => {
    const kinds = ["noEffect", "hardlyEver", "shadowed", "contradicted", "covered", "broad", "noWordBoundary", "pair"]
    for (const kind of kinds) assert.isAbove(seen.get(kind) ?? 0, 2, kind)
  })

  it("has examples that behave as they are said to", () => {
    for (const { findings, layers } of worlds) {
      for (const finding of findings) {
        assert.isNotEmpty(finding.examples)
        for (const example of finding.examples) {
          const { decision, matchedRule, ruleId } = judged(layers, example)
          assert.deepStrictEqual(
            [decision, ruleId, matchedRule],
            [example.decision, example.ruleId, example.matchedRule]
          )
        }
        const [first] = finding.examples
        const what = JSON.stringify(finding)
        switch (finding.kind) {
          case "broad":
          case "noWordBoundary":
          case "pair":
            for (const { decision } of finding.examples) assert.strictEqual(decision, "allow", what)
            break
          case "noEffect":
          case "hardlyEver":
            assert.isFalse(first?.speaks, what)
            break
          case "shadowed":
          case "contradicted":
            assert.isTrue(first?.speaks, what)
            assert.isAbove(strictness[first!.decision], strictness[finding.behavior], what)
            break
          case "covered":
            assert.isTrue(first?.speaks, what)
        }
      }
    }
  })

  it("tells only of rules without which every call is decided as before, where it says that they never count", () => {
    let tried = 0
    const idle = new Set(["noEffect", "shadowed", "contradicted", "covered"])
    for (const { findings, layers } of worlds.slice(0, 80)) {
      for (const finding of findings.filter(({ kind }) => idle.has(kind)).slice(0, 4)) {
        const rest = without(layers, finding)
        tried++
        for (const call of calls) {
          const [before, after] = [judged(layers, call), judged(rest, call)]
          assert.strictEqual(after.decision, before.decision, `${JSON.stringify(call)} ${JSON.stringify(finding)}`)
        }
      }
    }
    assert.isAbove(tried, 50)
  })
})
