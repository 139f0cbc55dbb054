/** The published form of a settings file and the parser know the same words. */
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { readFileSync } from "node:fs"
import { parseSettings, settingsJsonSchema } from "../../src/index.ts"
import { ruleKeys } from "../../src/parseRule.ts"
import { permissionKeys, switches, topKeys } from "../../src/parseSettings.ts"
import { capabilityKeys } from "../../src/settings/readCapability.ts"
import { ModeWord, SettingsForm } from "../../src/settings/SettingsSchema.ts"

interface Form {
  readonly $defs: Readonly<Record<string, { readonly properties: Readonly<Record<string, unknown>> }>>
}
const form = settingsJsonSchema() as Form
const keysOf = (name: string) => Object.keys(form.$defs[name]!.properties).toSorted()

/** Keys that the parser knows only to say that they are not supported yet. */
const later = ["during", "limit"]

describe("the schema of a settings file", () => {
  it("is the one that is published", () => {
    const published = readFileSync(new URL("../../src/settings/settings.schema.json", import.meta.url), "utf8")
    assert.deepStrictEqual(
      JSON.parse(published),
      form,
      "write it anew: countersign schema > packages/kernel/src/settings/settings.schema.json"
    )
  })

  it("knows every key that the parser knows, and no other", () => {
    assert.deepStrictEqual(keysOf("Settings"), topKeys.toSorted())
    assert.deepStrictEqual(keysOf("Permissions"), permissionKeys.toSorted())
    assert.deepStrictEqual(keysOf("Capability"), capabilityKeys.toSorted())
    assert.deepStrictEqual(keysOf("Rule"), ruleKeys.filter((key) => !later.includes(key)).toSorted())
  })

  const accepts = (value: unknown) =>
    Schema.decodeUnknownResult(SettingsForm, { onExcessProperty: "error" })(value)._tag === "Success"
  const parses = (value: unknown) =>
    parseSettings({ layer: "policy", text: JSON.stringify(value) }).problems.every(
      ({ severity }) => severity !== "error"
    )

  for (const value of [
    {},
    {
      $schema: "x",
      permissions: { allow: ["Read"], ask: [], deny: [{ rule: "Bash(rm:*)", match: ["rm x", { command: "rm y" }] }] }
    },
    {
      permissions: {
        deny: [{ rule: "A", reason: "r", agents: ["a"], modes: ["plan"], expiresAt: 7, exact: true, notMatch: [] }]
      }
    },
    {
      permissions: { additionalDirectories: ["lib"] },
      allowedTools: ["A"],
      disallowedTools: ["B"],
      disable: [...switches]
    },
    {
      tools: { x: { tier: "deny", readOnly: true, alwaysAsk: true, requiresUserInteraction: false, family: "command" } }
    },
    { tools: { x: { aliases: ["y"], parameters: ["p"], subjects: { command: "/a", paths: ["/b/*"], urls: [] } } } },
    ...ModeWord.literals.map((defaultMode) => ({ permissions: { defaultMode } }))
  ])
    it(`accepts, as the parser does, ${JSON.stringify(value)}`, () =>
      assert.deepStrictEqual([accepts(value), parses(value)], [true, true]))

  for (const value of [
    { permission: {} },
    { permissions: { deny: "A" } },
    { permissions: { deny: [7] } },
    { permissions: { deny: [{}] } },
    { permissions: { deny: [{ rule: "A", agents: "a" }] } },
    { permissions: { deny: [{ rule: "A", match: [7] }] } },
    { permissions: { defaultMode: "x" } },
    { tools: { x: { tier: "x" } } },
    { tools: { x: { subjects: { other: "/x" } } } },
    { disable: ["x"] },
    { allowedTools: [7] },
    7
  ])
    it(`refuses, as the parser does, ${JSON.stringify(value)}`, () =>
      assert.deepStrictEqual([accepts(value), parses(value)], [false, false]))
})
