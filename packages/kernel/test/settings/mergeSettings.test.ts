import { assert, describe, it } from "@effect/vitest"
import {
  compileRules,
  mergeSettings,
  parseSettings,
  presets,
  type RuleLayerName,
  type Settings
} from "../../src/index.ts"
import { placeOf, saidBy, subjectOf, who, xorshift } from "../match/asking.ts"

const layer = (name: RuleLayerName, content: unknown, trusted = true) =>
  parseSettings({ layer: name, text: JSON.stringify(content), trusted }).settings

describe("layers merge", () => {
  for (const [policy, project, merged] of [
    [{ tier: "confirm" }, { tier: "allow" }, { tier: "confirm" }],
    [{ tier: "allow" }, { tier: "deny" }, { tier: "deny" }],
    [{}, { tier: "allow" }, { tier: "allow" }],
    [{ readOnly: true }, { readOnly: false }, { readOnly: false }],
    [{ readOnly: false }, { readOnly: true }, { readOnly: false }],
    [{ alwaysAsk: false }, { alwaysAsk: true }, { alwaysAsk: true }],
    [{ alwaysAsk: true }, { alwaysAsk: false }, { alwaysAsk: true }],
    [{ requiresUserInteraction: true }, { requiresUserInteraction: false }, { requiresUserInteraction: true }],
    [{ family: "command" }, { family: "read" }, { family: "command" }],
    [{ aliases: ["a"] }, { aliases: ["b"] }, { aliases: ["a"] }],
    [{ parameters: ["a"] }, { parameters: ["b"] }, { parameters: ["a"] }],
    [{ subjects: { command: "/a" } }, { subjects: { paths: ["/b"] } }, { subjects: { command: "/a" } }]
  ] as const) {
    it(`${JSON.stringify(policy)} and a project's ${JSON.stringify(project)} to ${JSON.stringify(merged)}`, () => {
      const layers = [layer("policy", { tools: { x: policy } }), layer("projectShared", { tools: { x: project } })]
      assert.deepStrictEqual(mergeSettings(layers).tools["x"], merged)
      assert.deepStrictEqual(mergeSettings(layers.toReversed()).tools["x"], merged)
    })
  }

  it("lists, modes and switches, the strongest layer first, whatever their order", () => {
    const layers = [
      layer("projectShared", { permissions: { defaultMode: "readOnly", deny: ["A"] }, disallowedTools: ["x"] }, false),
      layer("user", {
        permissions: { defaultMode: "acceptEdits", additionalDirectories: ["/d"] },
        allowedTools: ["y"],
        disallowedTools: ["x"],
        disable: ["auto"]
      }),
      layer("policy", { disable: ["yolo", "lastingGrants"] })
    ]
    const settings = mergeSettings(layers)
    assert.deepStrictEqual(settings.defaultModes, [
      { layer: "user", mode: "acceptEdits" },
      { layer: "projectShared", mode: "readOnly" }
    ])
    assert.deepStrictEqual(settings.ancestorModes, [{ layer: "projectShared", mode: "readOnly" }])
    assert.deepStrictEqual(settings.disabled, { yolo: true, auto: false, lastingGrants: true })
    assert.deepStrictEqual(
      [settings.allowedTools, settings.disallowedTools, settings.additionalDirectories],
      [["y"], ["x"], ["/d"]]
    )
    assert.deepStrictEqual(mergeSettings(layers.toReversed()), settings)
  })

  it("what only policy may switch off from policy only", () => {
    const user = { ...layer("user", {}), disable: ["yolo"] as const }
    assert.isFalse(mergeSettings([user]).disabled.yolo)
  })

  it("broken files to blind layers, and a broken policy to one", () => {
    const broken = (name: RuleLayerName) => parseSettings({ layer: name, text: "{" }).settings
    assert.deepStrictEqual(mergeSettings([broken("user")]).blind, ["user"])
    assert.isFalse(mergeSettings([broken("user")]).policyBroken)
    assert.isTrue(mergeSettings([broken("policy")]).policyBroken)
  })

  it("to the same digest for the same settings only", () => {
    const one = layer("user", { permissions: { deny: ["A"] } })
    assert.strictEqual(mergeSettings([one]).digest, mergeSettings([{ ...one }]).digest)
    assert.notStrictEqual(
      mergeSettings([one]).digest,
      mergeSettings([layer("user", { permissions: { deny: ["B"] } })]).digest
    )
  })
})

describe("an untrusted project's file", () => {
  const random = xorshift(5)
  const pick = <Item>(items: readonly Item[]): Item => items[random(items.length)]!
  const some = <Item>(items: readonly Item[]) => items.filter(() => random(3) === 0)
  const rules = [
    "Bash",
    "Bash(make:*)",
    "Bash(git push",
    "Edit(src/**)",
    "Read(.env)",
    "*",
    "mcp__a",
    "(x)",
    { rule: "Edit", agents: ["main"] },
    { rule: "Bash(make)", limit: {} },
    7
  ]
  const file = () => ({
    permissions: {
      allow: some(rules),
      ask: some(rules),
      deny: some(rules),
      additionalDirectories: some(["lib", "/"]),
      defaultMode: pick(["yolo", "default", "readOnly", "auto", "x"])
    },
    tools: Object.fromEntries(
      some(["Bash", "Edit", "mcp__a__b"]).map((name) => [
        name,
        {
          tier: pick(["allow", "confirm", "deny", "x"]),
          readOnly: pick([true, false, "x"]),
          alwaysAsk: pick([true, false]),
          family: pick(["read", "command", "x"]),
          aliases: ["Other"],
          subjects: { command: "/other" }
        }
      ])
    ),
    allowedTools: some(["Bash", "Edit", "mcp__a"]),
    disallowedTools: some(["Edit", "mcp__a__b"]),
    disable: some(["yolo", "x"])
  })
  const calls = ["make", "make && rm x", "git push", "cat .env", "$X"]
    .map((line) => subjectOf(line))
    .concat(
      [
        ["Edit", { file_path: "src/a" }],
        ["Read", { file_path: ".env" }],
        ["mcp__a__b", { path: "x" }]
      ].map((call) => subjectOf(call as [string, unknown]))
    )
  const strictness = ["allow", "acceptEdits", "-", "ask", "possible", "deny"]
  const tiers = [undefined, "allow", "confirm", "deny"]

  it("never loosens anything, whatever stands in it", () => {
    for (let round = 0; round < 300; round++) {
      const user = layer("user", file())
      const text = JSON.stringify(file())
      const project = parseSettings({
        layer: pick(["projectLocal", "projectShared"] as const),
        text,
        trusted: false
      }).settings
      const [before, after] = [mergeSettings([user]), mergeSettings([user, project])] as [Settings, Settings]
      for (const subject of calls) {
        const [was, is] = [before, after].map((settings) => {
          const compiled = compileRules(settings, placeOf(), presets.default)
          return [
            compiled.disallowed(subject),
            compiled.whiteListed(subject),
            strictness.indexOf(saidBy(compiled, subject, who, true))
          ] as const
        })
        assert.isAtLeast(is![2], was![2], text)
        assert.isTrue(!was![0] || is![0], text)
        assert.strictEqual(is![1], was![1], text)
      }
      for (const [name, merged] of Object.entries(after.tools)) {
        const { readOnly, tier, ...rest } = merged
        const { readOnly: wasReadOnly, tier: wasTier, ...wasRest } = before.tools[name] ?? {}
        assert.deepStrictEqual(rest, wasRest, text)
        assert.isTrue(readOnly === wasReadOnly || readOnly === false, text)
        assert.isTrue(tier === wasTier || tiers.indexOf(tier) > Math.max(1, tiers.indexOf(wasTier)), text)
      }
      assert.deepStrictEqual(
        [after.additionalDirectories, after.disabled, after.allowedTools],
        [before.additionalDirectories, before.disabled, before.allowedTools]
      )
    }
  })
})
