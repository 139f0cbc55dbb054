/** One test for each kind of mistake: file, line, column, and what would be right. */
import { assert, describe, it } from "@effect/vitest"
import { parseSettings, type SettingsFile } from "../../src/index.ts"

const kinds: readonly (readonly [
  kind: string,
  text: string,
  place: string,
  right: string | RegExp,
  more?: Partial<SettingsFile>
])[] = [
  ["a brace that is missing", `{\n "tools": {}`, "2:13", "a closing `}` is expected"],
  ["a bracket that is missing", `{"permissions":{"deny":["A"}}`, "1:28", /closing `]`|`,` is expected/],
  ["a comma that is missing", `{"tools": {}\n "disable": []}`, "2:2", "a `,` is expected"],
  ["a colon that is missing", `{"tools" {}}`, "1:10", "a `:` is expected"],
  ["a name without quotes", `{tools: {}}`, "1:2", /unknown word|double quotes/],
  ["a text that is never closed", `{"tools\n: {}}`, "1:2", "a text is never closed"],
  ["a comment that is never closed", `{ /* x`, "1:3", "`*/` is expected"],
  ["an unknown escape", `{"permissions":{"deny":["Bash(\\d)"]}}`, "1:25", "a backslash itself is written"],
  ["something behind the end", `{} {}`, "1:4", "nothing may stand behind"],
  ["a file that holds no object", `[]`, "1:1", "the file holds no object"],
  ["an unknown key", `{"permission": {}}`, "1:2", "did you mean `permissions`"],
  ["a key that is like none", `{"qqqqqqqq": {}}`, "1:2", "known are `$schema`, `permissions`"],
  ["an unknown key of the permissions", `{"permissions": {"alow": []}}`, "1:18", "did you mean `allow`"],
  ["a key given twice", `{"tools": {}, "tools": {}}`, "1:15", "holds `tools` twice"],
  ["permissions that are no object", `{"permissions": []}`, "1:17", "`permissions` is not an object"],
  ["a list that is none", `{"permissions": {"deny": 7}}`, "1:26", "`permissions.deny` is not a list"],
  ["a rule that is neither text nor object", `{"permissions": {"ask": [7]}}`, "1:26", "a rule is a text or an object"],
  ["an empty rule", `{"permissions": {"ask": [""]}}`, "1:26", "an empty rule"],
  ["a bracket that is never closed", `{"permissions": {"ask": ["A(x"]}}`, "1:26", "its bracket is never closed"],
  ["a bracket that is never opened", `{"permissions": {"ask": ["A x)"]}}`, "1:26", "its bracket is never opened"],
  ["an empty bracket", `{"permissions": {"ask": ["A()"]}}`, "1:26", "its bracket is empty"],
  ["something behind a bracket", `{"permissions": {"ask": ["A(x) y"]}}`, "1:26", "something stands behind its bracket"],
  ["a rule without a tool", `{"permissions": {"ask": ["(x)"]}}`, "1:26", "names no tool"],
  ["a rule object without rule", `{"permissions": {"ask": [{}]}}`, "1:26", "a rule object without `rule`"],
  ["an unknown key of a rule", `{"permissions": {"ask": [{"rule":"A","agent":[]}]}}`, "1:38", "did you mean `agents`"],
  [
    "a rule's key given twice",
    `{"permissions": {"ask": [{"rule":"A","exact":true,"exact":true}]}}`,
    "1:51",
    "holds `exact` twice"
  ],
  [
    "a date that is none",
    `{"permissions": {"ask": [{"rule":"A","expiresAt":"soon"}]}}`,
    "1:38",
    "a date like `2030-01-31T12:00:00Z`"
  ],
  ["a mode of a rule", `{"permissions": {"ask": [{"rule":"A","modes":["plam"]}]}}`, "1:38", "unknown mode `plam`"],
  [
    "what is not supported yet",
    `{"permissions": {"allow": [{"rule":"A","limit":{}}]}}`,
    "1:40",
    "`limit` is not supported yet"
  ],
  [
    "an example that fails",
    `{"permissions": {"deny": [{"rule":"Bash(rm:*)","match":["rm x","ls"]}]}}`,
    "1:64",
    "`Bash(rm:*)` does not match its `match` example `ls`"
  ],
  [
    "examples that are none",
    `{"permissions": {"deny": [{"rule":"Bash(rm:*)","match":"rm"}]}}`,
    "1:48",
    "not a list of examples"
  ],
  ["an unknown mode", `{"permissions": {"defaultMode": "acceptEdit"}}`, "1:33", "did you mean `acceptEdits`"],
  ["a directory that is no text", `{"permissions": {"additionalDirectories": [7]}}`, "1:44", "a directory is a text"],
  ["tools that are no object", `{"tools": []}`, "1:11", "`tools` is not an object"],
  ["a tool's entry that is no object", `{"tools": {"x": 7}}`, "1:17", "the entry of the tool `x` is not an object"],
  ["an unknown tier", `{"tools": {"x": {"tier": "dney"}}}`, "1:26", "did you mean `deny`"],
  ["an unknown key of a tool", `{"tools": {"x": {"familly": "read"}}}`, "1:18", "did you mean `family`"],
  ["a flag that is none", `{"tools": {"x": {"readOnly": "no"}}}`, "1:30", "`readOnly` is not true or false"],
  ["a pointer that is none", `{"tools": {"x": {"subjects": {"command": "cmd"}}}}`, "1:30", "is not a JSON pointer"],
  ["names that are none", `{"tools": {"x": {"aliases": "y"}}}`, "1:29", "`aliases` is not a list of names"],
  ["a tool that is none", `{"disallowedTools": ["Bash(x)"]}`, "1:22", "`Bash(x)` is not the name of a tool"],
  ["an unknown switch", `{"disable": ["yollo"]}`, "1:14", "did you mean `yolo`", { layer: "policy" }],
  [
    "a file that can't be read",
    "",
    "1:1",
    "its owner is the user 7",
    { text: undefined, unreadable: "the file is not used, its owner is the user 7" }
  ]
]

describe("a settings file tells", () => {
  for (const [kind, text, place, right, more] of kinds) {
    it(`${kind} with its place and what would be right`, () => {
      const { problems } = parseSettings({ layer: "user", file: "my/settings.json", text, ...more })
      const errors = problems.filter(({ severity }) => severity === "error")
      const said = errors.map(({ column, file, line, message }) => `${file}:${line}:${column} ${message}`).join("\n")
      const found = errors.some(
        ({ column, file, line, message }) =>
          file === "my/settings.json" &&
          `${line}:${column}` === place &&
          (typeof right === "string" ? message.includes(right) : right.test(message))
      )
      assert.isTrue(found, said)
    })
  }
})

describe("a mistake", () => {
  const settingsOf = (value: object, more: Partial<SettingsFile> = {}) =>
    parseSettings({ layer: "user", text: JSON.stringify(value), ...more }).settings

  it("that may hide a ban makes each would-be allow ask, one that can't does not", () => {
    for (const value of [
      { permissions: { defaultMode: "x" } },
      { permissions: { qqqqqq: [] } },
      { qqqqqq: {} },
      { tools: { x: { family: "x" } } },
      { tools: { x: { tier: "qqqqqq" } } }
    ])
      assert.isTrue(settingsOf(value).blind, JSON.stringify(value))
    for (const value of [
      { permissions: { allow: ["Bash(x"] } },
      { permissions: { deny: ["Bash(x"] } },
      { tools: { x: { tier: "confrim" } } },
      { tools: { x: { readOnly: "x" } } }
    ])
      assert.isFalse(settingsOf(value).blind, JSON.stringify(value))
  })

  it("in one word of a tool's entry is read at its strictest", () => {
    assert.deepStrictEqual(settingsOf({ tools: { x: { tier: "dney" } } }).tools["x"], { tier: "deny" })
    assert.deepStrictEqual(settingsOf({ tools: { x: { readOnly: "x" } } }).tools["x"], {
      readOnly: false,
      tier: "confirm"
    })
    assert.deepStrictEqual(settingsOf({ disable: ["qqqqqq"] }, { layer: "policy" }).disable, [
      "lastingGrants",
      "yolo",
      "auto"
    ])
    assert.deepStrictEqual(settingsOf({ disallowedTools: ["Bas h"] }).disallowedTools, ["Bas*"])
  })

  it("of an example voids an allow rule, while a ban acts as it stands", () => {
    const rule = { rule: "Bash(make:*)", match: ["ls"] }
    assert.deepStrictEqual(
      settingsOf({ permissions: { allow: [rule, "Read"] } }).rules.map(({ text }) => text),
      ["Read"]
    )
    assert.deepStrictEqual(settingsOf({ permissions: { deny: [rule] } }).rules, [
      { text: "Bash(make:*)", behavior: "deny", layer: "user", tool: "Bash", content: "make:*" }
    ])
  })
})

describe("an example", () => {
  for (const [rule, behavior, match, notMatch] of [
    [
      "Bash(npm test:*)",
      "allow",
      ["npm test", "npm test -- x", "cd lib && npm test"],
      ["npm testing", "npm test; rm x", "npm publish"]
    ],
    ["Bash(rm:*)", "deny", ["rm x", "sudo rm x", "ls; rm x"], ["ls", "rmdir x"]],
    ["Edit(src/**)", "allow", ["src/a", { file_path: "src/b/c" }], ["lib/a", { file_path: "/etc/passwd" }]],
    ["Read(.env)", "deny", [".env", "lib/.env"], [".envrc"]],
    ["WebFetch(domain:*.example.com)", "ask", ["https://a.example.com/x"], ["https://example.com"]],
    ["mcp__github__get_*", "allow", [{ id: 1 }], []],
    ["deploy(prod:*)", "deny", ["prod eu"], ["test eu"]]
  ] as const) {
    it(`of ${behavior} \`${rule}\` is judged as a call would be`, () => {
      const text = (more: object) =>
        JSON.stringify({
          permissions: { [behavior]: [{ rule, agents: ["x"], expiresAt: 1, ...more }] },
          tools: { deploy: { family: "command", subjects: { command: "/to/cmd" } } }
        })
      const count = (more: object) => parseSettings({ layer: "user", text: text(more) }).problems.length
      assert.strictEqual(count({ match, notMatch }), 0)
      assert.strictEqual(count({ match: notMatch, notMatch: match }), match.length + notMatch.length)
    })
  }
})

describe("an untrusted project", () => {
  it("is told nothing of lists that are empty", () => {
    const text = JSON.stringify({
      permissions: { allow: [], additionalDirectories: [], deny: ["A"] },
      allowedTools: []
    })
    assert.deepStrictEqual(parseSettings({ layer: "projectShared", text }).problems, [])
  })
})
