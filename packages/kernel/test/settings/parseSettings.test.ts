import { assert, describe, it } from "@effect/vitest"
import { parseSettings, type RuleLayerName, type SettingsFile } from "../../src/index.ts"

const read = (text: string, more: Partial<SettingsFile> = {}) => parseSettings({ layer: "user", text, ...more })
const said = (text: string, more: Partial<SettingsFile> = {}) =>
  read(text, more).problems.map(({ column, line, message, severity }) => `${severity} ${line}:${column} ${message}`)
const rulesIn = (text: string, more: Partial<SettingsFile> = {}) =>
  read(text, more).settings.rules.map(({ behavior, text }) => `${behavior} ${text}`)

describe("a settings file", () => {
  it("is JSON with comments, and says all that a layer can say", () => {
    const { problems, settings } = read(
      `{
      // what may run
      "permissions": {
        "allow": ["Bash(ls:*)", { "rule": "Read", "reason": "harmless" }],
        "ask": ["Bash(git push:*)"], "deny": ["Bash(rm:*)"], /* and */
        "defaultMode": "plan", "additionalDirectories": ["/data"],
      },
      "tools": { "deploy": { "tier": "confirm", "family": "command", "subjects": { "command": "/cmd", "paths": ["/a/*/b"] } } },
      "allowedTools": ["Agent", "mcp__a__get_*"], "disallowedTools": ["WebFetch"], "disable": ["yolo"]
    }`,
      { layer: "policy" }
    )
    assert.deepStrictEqual(problems, [])
    assert.deepStrictEqual(settings, {
      layer: "policy",
      dialect: "native",
      trusted: true,
      blind: false,
      broken: false,
      rules: [
        { text: "Bash(ls:*)", behavior: "allow", layer: "policy", tool: "Bash", content: "ls:*" },
        { text: "Read", behavior: "allow", layer: "policy", tool: "Read", reason: "harmless" },
        { text: "Bash(git push:*)", behavior: "ask", layer: "policy", tool: "Bash", content: "git push:*" },
        { text: "Bash(rm:*)", behavior: "deny", layer: "policy", tool: "Bash", content: "rm:*" }
      ],
      defaultMode: "readOnly",
      additionalDirectories: ["/data"],
      tools: { deploy: { tier: "confirm", family: "command", subjects: { command: "/cmd", paths: ["/a/*/b"] } } },
      allowedTools: ["Agent", "mcp__a__get_*"],
      disallowedTools: ["WebFetch"],
      disable: ["yolo"]
    })
  })

  for (const [name, text] of [
    ["that can't be read", undefined],
    ["that is empty", ""],
    ["that ends early", `{ "permissions": { "deny": ["Bash(rm:*)"]`],
    ["that holds no object", "[]"],
    ["nested beyond all measure", "[".repeat(200_000)]
  ] as const) {
    it(`${name} is broken and blind, says why, and nothing in it acts`, () => {
      const { problems, settings } = parseSettings({ layer: "user", text })
      assert.deepStrictEqual([settings.broken, settings.blind, settings.rules], [true, true, []])
      assert.isAbove(problems.length, 0)
      assert.isTrue(problems.every(({ column, line, severity }) => severity === "error" && line >= 1 && column >= 1))
    })
  }

  it("says its mistakes at their places, and what was probably meant", () => {
    assert.deepStrictEqual(
      said(`{\n  "permissions": {\n    "deny": [\n      "Bash(rm:*)",\n      "Bash(git commit"\n    ]\n  }\n}`),
      ["error 5:7 `Bash(git commit` is not a rule: its bracket is never closed"]
    )
    assert.deepStrictEqual(said(`{ "permisions": {} }`), [
      "error 1:3 unknown key `permisions` in the settings, did you mean `permissions`"
    ])
    assert.deepStrictEqual(said(`{ "permissions": { "defaultMode": "yollo" } }`), [
      "error 1:35 unknown mode `yollo`, did you mean `yolo`"
    ])
    assert.deepStrictEqual(said(`{ "tools": { "x": { "tier": "confrim" } } }`), [
      "error 1:29 tool `x`: unknown tier `confrim`, did you mean `confirm`, so it counts as tier `confirm`"
    ])
    assert.deepStrictEqual(said(`{ "permissions": { "allow": [{ "rule": "Bash(x)", "agent": ["a"] }] } }`), [
      "error 1:51 unknown key `agent` in a rule, did you mean `agents`"
    ])
    assert.deepStrictEqual(said(`{ "disable": ["lastingGrant"] }`, { layer: "policy" }), [
      "error 1:15 unknown word `lastingGrant` in `disable`, did you mean `lastingGrants`"
    ])
  })

  it("with a name given twice or mistyped tightens by it and does not loosen", () => {
    const twice = `{ "permissions": { "allow": ["Read"], "allow": ["Edit"], "deny": ["A"], "deny": ["B"] }, "permissions": { "allow": ["C"], "deny": ["D"] } }`
    assert.deepStrictEqual(rulesIn(twice), ["allow Read", "deny A", "deny B", "deny D"])
    assert.strictEqual(said(twice).length, 3)
    const modes = `{ "permissions": { "defaultMode": "default", "defaultMode": "yolo" } }`
    assert.strictEqual(read(modes).settings.defaultMode, "default")
    assert.deepStrictEqual(rulesIn(`{ "permissions": { "denny": ["Bash"], "alow": ["Read"] } }`), ["deny Bash"])
    assert.deepStrictEqual(read(`{ "disalowedTools": ["Bash"], "alowedTools": ["Edit"] }`).settings.disallowedTools, [
      "Bash"
    ])
    assert.deepStrictEqual(read(`{ "alowedTools": ["Edit"] }`).settings.allowedTools, [])
  })

  it("that bans nobody knows what is blind, and one that allows nobody knows what is not", () => {
    for (const key of ["deny", "ask"]) {
      for (const value of [`[""]`, `["(x)"]`, "[7]", "[{}]", "7", `[{ "rule": "A", "rule": "B" }]`]) {
        const { problems, settings } = read(`{ "permissions": { "${key}": ${value} } }`)
        assert.deepStrictEqual([settings.blind, settings.rules.length], [true, 0], value)
        assert.isAbove(problems.length, 0)
      }
    }
    for (const value of [`[""]`, "[7]", "[{}]", "7"])
      assert.isFalse(read(`{ "permissions": { "allow": ${value} } }`).settings.blind, value)
    assert.isTrue(read(`{ "permissions": [] }`).settings.blind)
    assert.isTrue(read(`{ "tools": [] }`).settings.blind)
    assert.isTrue(read(`{ "disallowedTools": [7] }`).settings.blind)
  })

  it("bans by a list that is none", () => {
    assert.deepStrictEqual(rulesIn(`{ "permissions": { "deny": "Bash(rm:*)", "allow": "Edit" } }`), ["deny Bash(rm:*)"])
    assert.deepStrictEqual(read(`{ "disallowedTools": "Bash" }`).settings.disallowedTools, ["Bash"])
    assert.deepStrictEqual(read(`{ "allowedTools": "Bash" }`).settings.allowedTools, [])
  })

  for (const entry of [
    `7`,
    `"allow"`,
    `{ "tier": "alow" }`,
    `{ "tier": "allow", "family": "shell" }`,
    `{ "readOnly": "yes" }`,
    `{ "tir": "allow" }`,
    `{ "tier": "allow", "subjects": { "command": "cmd" } }`,
    `{ "tier": "allow", "tier": "allow" }`
  ]) {
    it(`with the malformed entry ${entry} takes the tool as tier confirm`, () => {
      const { problems, settings } = read(`{ "tools": { "x": ${entry} } }`)
      assert.strictEqual(settings.tools["x"]?.tier, "confirm")
      assert.strictEqual(problems.length, 1)
    })
  }

  it("keeps a deny beside a mistake", () => {
    assert.strictEqual(
      read(`{ "tools": { "x": { "tier": "deny", "famly": "read" } } }`).settings.tools["x"]?.tier,
      "deny"
    )
    assert.strictEqual(
      read(`{ "tools": { "x": { "tier": "allow", "tier": "deny" } } }`).settings.tools["x"]?.tier,
      "deny"
    )
    assert.strictEqual(
      read(`{ "tools": { "x": { "tier": "deny" }, "x": { "tier": "allow" } } }`).settings.tools["x"]?.tier,
      "deny"
    )
  })

  for (const [behavior, rule] of [
    ["allow", "mcp__*"],
    ["allow", "*"],
    ["allow", "Read(src:*)"],
    ["deny", "Read(src:*)"],
    ["allow", "WebFetch(domain:a.*.b)"],
    ["allow", "WebFetch(https://*.com)"],
    ["deny", "Bash(command:rm*)"]
  ] as const) {
    it(`warns of ${behavior} \`${rule}\``, () => {
      const found = read(JSON.stringify({ permissions: { [behavior]: [rule] } })).problems
      assert.deepStrictEqual(
        found.map(({ severity }) => severity),
        ["warning"]
      )
    })
  }

  it("written for Claude Code may hold what is not ours, yet no slip of what is", () => {
    const more = { dialect: "claude" } as const
    const text = `{ "model": "x", "hooks": {}, "permissions": { "deny": ["Bash(rm *)"], "defaultMode": "bypassPermissions", "disableBypassPermissionsMode": "disable" } }`
    assert.deepStrictEqual(said(text, more), [])
    assert.deepStrictEqual(read(text, { ...more, layer: "policy" }).settings.disable, ["yolo"])
    assert.deepStrictEqual(read(text, more).settings.disable, [])
    assert.deepStrictEqual(rulesIn(`{ "permissions": { "dney": ["Bash"] } }`, more), ["deny Bash"])
  })
})

describe("a project's file", () => {
  const loose = `{
    "permissions": { "allow": ["Bash"], "deny": ["A"], "ask": ["B"], "additionalDirectories": ["lib"], "defaultMode": "acceptEdits" },
    "tools": {
      "a": { "tier": "allow", "readOnly": true, "alwaysAsk": true, "requiresUserInteraction": true, "family": "read", "aliases": ["x"] },
      "b": { "tier": "confirm", "readOnly": false, "parameters": ["p"] }, "c": { "tier": "deny" }
    },
    "allowedTools": ["Edit"], "disallowedTools": ["Write"]
  }`

  for (const layer of ["projectShared", "projectLocal"] as const satisfies readonly RuleLayerName[]) {
    it(`(${layer}) without trust tightens and nothing else, and says what is ignored`, () => {
      const { problems, settings } = read(loose, { layer })
      assert.deepStrictEqual(settings.rules.map(({ behavior }) => behavior).toSorted(), ["ask", "deny"])
      assert.deepStrictEqual(settings.tools, { b: { tier: "confirm", readOnly: false }, c: { tier: "deny" } })
      assert.deepStrictEqual(
        [settings.allowedTools, settings.disallowedTools, settings.additionalDirectories],
        [[], ["Write"], []]
      )
      assert.deepStrictEqual([settings.trusted, settings.defaultMode], [false, "acceptEdits"])
      assert.deepStrictEqual(
        problems.map(({ severity }) => severity),
        Array.from({ length: 5 }, () => "warning")
      )
    })
  }

  it("with trust says what it likes, but not `yolo`, `auto`, `disable`, or directories outside", () => {
    const more = { layer: "projectShared", trusted: true } as const
    assert.deepStrictEqual(said(loose, more), [])
    assert.strictEqual(read(loose, more).settings.rules.length, 3)
    for (const mode of ["yolo", "auto", "bypassPermissions"]) {
      const { problems, settings } = read(`{ "permissions": { "defaultMode": "${mode}" } }`, more)
      assert.deepStrictEqual([settings.defaultMode, problems.map(({ severity }) => severity)], [undefined, ["warning"]])
    }
    for (const path of ["/data", "~/x", "../x", "a/../../x"]) {
      assert.deepStrictEqual(
        read(JSON.stringify({ permissions: { additionalDirectories: [path, "ok"] } }), more).settings
          .additionalDirectories,
        ["ok"]
      )
    }
    assert.deepStrictEqual(read(`{ "disable": ["yolo"] }`, more).settings.disable, [])
  })
})
