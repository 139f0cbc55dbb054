/** The kernel's ruling on a call with the shipped defaults, through settings texts, rules, subject and evaluation. */
import {
  type AgentView,
  type Bounds,
  type Capability,
  compileBounds,
  compileRules,
  evaluate,
  type Evaluated,
  type Grant,
  grantCovers,
  mergeSettings,
  type Mode,
  parseSettings,
  plainEvaluation,
  presets,
  readCall,
  readSubject,
  RuleLayerName,
  type Ruling
} from "@countersign/kernel"
import { assert } from "@effect/vitest"
import { place, surroundings } from "./place.ts"

/** A call and everything around it; what is left out is empty. */
export interface Situation {
  readonly tool: string
  readonly input: unknown
  readonly layers?: Partial<
    Readonly<Record<RuleLayerName, Partial<Readonly<Record<"allow" | "ask" | "deny", readonly string[]>>>>>
  >
  /** The caller first. */
  readonly agents?: readonly { readonly id: string; readonly mode: Mode; readonly bounds?: Bounds }[]
  readonly capability?: Capability
  readonly grants?: readonly Grant[]
}

const preset = presets.default

/** The main agent, alone, in that mode. */
export const main = (mode: Mode) => [{ id: "main", mode }]

/** Every agent's outcome and the ruling, with the shipped defaults; project layers are not trusted. */
export function judged({
  agents = main("default"),
  capability = {},
  grants = [],
  input,
  layers = {},
  tool
}: Situation): Evaluated {
  const read = readCall({
    sessionId: "session",
    agentId: agents[0]?.id ?? "main",
    toolCallId: "call",
    toolName: tool,
    arguments: input,
    folder: place.project
  })
  assert("call" in read, JSON.stringify(read))
  const parsed = RuleLayerName.literals.flatMap((layer) => {
    const permissions = layers[layer]
    return permissions === undefined ? [] : [parseSettings({ layer, text: JSON.stringify({ permissions }) })]
  })
  assert.deepStrictEqual(
    parsed.flatMap(({ problems }) => problems),
    []
  )
  const subject = readSubject(read.call, capability, surroundings, preset)
  return evaluate(
    plainEvaluation(subject, compileRules(mergeSettings(parsed.map(({ settings }) => settings)), place, preset), {
      lineage: agents.map(({ bounds, id, mode }): AgentView => ({
        agentId: id,
        mode,
        bounds: bounds && compileBounds(bounds, place, preset),
        rules: undefined
      })),
      preset,
      tier: capability.tier ?? preset.defaultTier,
      alwaysAsk: capability.alwaysAsk === true,
      requiresUserInteraction: capability.requiresUserInteraction === true,
      grants: grants.filter((grant) => grantCovers(grant, subject, place.project, place, preset))
    })
  )
}

/** What the kernel says of a call with the shipped defaults. */
export const rule = (situation: Situation): Ruling => judged(situation).ruling
