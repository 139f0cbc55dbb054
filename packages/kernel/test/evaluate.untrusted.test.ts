/**
 * A project that nobody trusted can tighten and nothing else (6.2): whatever its settings file holds, the outcome is
 * as strict as without the file, or stricter. Files are really parsed, merged and compiled.
 */
import {
  type AskKind,
  compileRules,
  evaluate,
  mergeSettings,
  parseSettings,
  readSubject,
  type Ruling,
  type SettingsFile
} from "@countersign/kernel"
import { assert, describe, it } from "@effect/vitest"
import { capabilityOf, frozen, place } from "../../../test/reference/compiled.ts"
import { surroundings } from "../../../test/reference/handMade.ts"
import { textOf } from "../../../test/reference/match.ts"
import { type Random, seeded } from "../../../test/reference/random.ts"
import { smallWorld } from "../../../test/reference/smallWorld.ts"
import type { World } from "../../../test/reference/World.ts"

describe("an untrusted project file", () => {
  it("never makes an outcome more permissive, whatever it holds", () => {
    let stricter = 0
    for (let seed = 0; seed < 5_000; seed++) {
      const drawn = smallWorld(seed, "real")
      const world = { ...drawn, lineage: drawn.lineage.slice(0, 1) }
      const file = projectFile(seeded(seed + 9_000_000))
      const before = ruling(world, [userFile(world)])
      const after = ruling(world, [userFile(world), file])
      if (strictness(after) < strictness(before)) assert.fail(JSON.stringify({ seed, before, after, file, world }))
      if (strictness(after) > strictness(before)) stricter++
    }
    assert.isAbove(stricter, 200, "hardly any file tightened anything")
  })

  it("loosens once it is trusted: the files drawn here do hold what would", () => {
    let looser = 0
    for (let seed = 0; seed < 5_000; seed++) {
      const drawn = smallWorld(seed, "real")
      const world = { ...drawn, lineage: drawn.lineage.slice(0, 1) }
      const file = { ...projectFile(seeded(seed + 9_000_000)), trusted: true }
      if (strictness(ruling(world, [userFile(world), file])) < strictness(ruling(world, [userFile(world)]))) looser++
    }
    assert.isAbove(looser, 200)
  })
})

function ruling(world: World, files: readonly SettingsFile[]): Ruling {
  const settings = mergeSettings(files.map((file) => parseSettings(file).settings))
  const around = surroundings(world)
  const [caller] = world.lineage
  const main = { agentId: caller!.id, mode: caller!.mode, bounds: undefined, rules: undefined }
  const capability = { ...capabilityOf(world.call), ...settings.tools[world.call.tool] }
  const here = { ...place, additionalDirectories: settings.additionalDirectories }
  return evaluate({
    ...around,
    subject: readSubject(frozen(world.call), capability, here, around.preset),
    rules: compileRules(settings, here, around.preset),
    lineage: [main, ...settings.ancestorModes.map(({ layer, mode }) => ({ ...main, agentId: layer, mode }))],
    tier: capability.tier,
    alwaysAsk: capability.alwaysAsk === true,
    requiresUserInteraction: capability.requiresUserInteraction === true,
    disabled: settings.disabled
  }).ruling
}

/** What the world holds, as the user's own settings. */
function userFile({ alwaysAsk, call, disallowed, interaction, rules, tier, whiteList }: World): SettingsFile {
  const texts = (behavior: string) =>
    rules.filter(([is, , , , only]) => is === behavior && only === undefined).map(textOf)
  const tool = {
    ...(tier === undefined ? {} : { tier }),
    ...(call.tool === "Bash" ? {} : { readOnly: call.readOnly }),
    ...(alwaysAsk ? { alwaysAsk } : {}),
    ...(interaction ? { requiresUserInteraction: interaction } : {})
  }
  const settings = {
    permissions: { allow: texts("allow"), ask: texts("ask"), deny: texts("deny") },
    tools: { [call.tool]: tool },
    allowedTools: whiteList,
    disallowedTools: disallowed
  }
  return { layer: "user", text: JSON.stringify(settings) }
}

const rules = [
  "Bash",
  "alpha",
  "beta",
  "Bash(git:*)",
  "Bash(touch .git/*)",
  "Bash(rm:*)",
  "alpha(src*)",
  "beta(src/a)"
] as const

function projectFile(random: Random): SettingsFile {
  const some = (): string[] => rules.filter(() => random.chance(0.15))
  const tool = () => ({
    ...(random.chance(0.3) ? { tier: random.pick(["allow", "confirm", "deny", "confrim"]) } : {}),
    ...(random.chance(0.3) ? { readOnly: random.chance(0.7) } : {}),
    ...(random.chance(0.2) ? { alwaysAsk: random.chance(0.5) } : {}),
    ...(random.chance(0.2) ? { requiresUserInteraction: random.chance(0.5) } : {}),
    ...(random.chance(0.2) ? { family: random.pick(["read", "edit", "fetch", "command"]) } : {}),
    ...(random.chance(0.2) ? { aliases: ["Bash", "alpha"] } : {}),
    ...(random.chance(0.2) ? { subjects: { command: "/nothing", paths: ["/nothing"] } } : {}),
    ...(random.chance(0.2) ? { parameters: ["command", "file_path"] } : {})
  })
  const settings = {
    permissions: {
      allow: [...some(), ...some()],
      ask: random.chance(0.3) ? some() : [],
      deny: random.chance(0.2) ? some() : [],
      ...(random.chance(0.4)
        ? { defaultMode: random.pick(["default", "acceptEdits", "readOnly", "yolo", "auto", "nonsense"]) }
        : {}),
      ...(random.chance(0.4) ? { additionalDirectories: ["/etc", "/", "sub"] } : {})
    },
    ...(random.chance(0.5) ? { tools: { Bash: tool(), alpha: tool(), beta: tool() } } : {}),
    ...(random.chance(0.3) ? { allowedTools: ["Bash", "alpha"] } : {}),
    ...(random.chance(0.1) ? { disallowedTools: ["beta"] } : {}),
    ...(random.chance(0.1) ? { disable: ["yolo", "auto", "lastingGrants"] } : {}),
    ...(random.chance(0.1) ? { hooks: { PreToolUse: [] } } : {})
  }
  const text = JSON.stringify(settings)
  const layer = random.pick(["projectLocal", "projectShared"])
  return { layer, text: random.chance(0.05) ? text.slice(0, random.below(text.length)) : text, trusted: false }
}

const strictness = ({ ask, decision }: Ruling) => (decision === "deny" ? 6 : ask === undefined ? 0 : askStrictness[ask])
const askStrictness: Readonly<Record<AskKind, number>> = {
  interaction: 5,
  forced: 5,
  alwaysAsk: 4,
  rule: 3,
  tier: 2,
  fallback: 1
}
