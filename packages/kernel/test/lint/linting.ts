/** Settings in, what lint says of them out; and the judge that its examples are held against. */
import {
  compileRules,
  evaluate,
  type Finding,
  type LintExample,
  type Linted,
  lintSettings,
  mergeSettings,
  parseSettings,
  plainEvaluation,
  presets,
  readCall,
  readSubject,
  type RuleLayerName,
  type SettingsFile
} from "../../src/index.ts"
import { placeOf, project, surroundingsOf } from "../match/asking.ts"

/** The settings of each layer. */
export type Layers = { readonly [layer in RuleLayerName]?: object }

export const now = Date.UTC(2026, 0, 1)

/** Settings as files, a rule a line. */
export const filesOf = (layers: Layers): readonly SettingsFile[] =>
  Object.entries(layers).map(([layer, settings]) => ({
    layer: layer as RuleLayerName,
    file: `${layer}.json`,
    text: JSON.stringify(settings, null, 2)
  }))

export const lint = (layers: Layers): Linted => lintSettings(filesOf(layers), surroundingsOf(), now)

/** Settings of the user alone. */
export const lintUser = (permissions: object): readonly Finding[] => lint({ user: { permissions } }).findings

/** Kind and rule of each finding. */
export const short = (findings: readonly Finding[]) => findings.map(({ kind, rule }) => `${kind} ${rule}`)

/** Judges a call by the settings from scratch: `lint`'s own bench takes no part. */
export function judged(layers: Layers, { input, tool }: Pick<LintExample, "tool" | "input">) {
  const settings = mergeSettings(filesOf(layers).map((file) => parseSettings({ ...file, trusted: true }).settings))
  const call = readCall({
    sessionId: "s",
    agentId: "main",
    toolCallId: "t",
    toolName: tool,
    arguments: input,
    folder: project
  })
  if ("problem" in call) throw new Error(call.problem.message)
  const { alwaysAsk = false, requiresUserInteraction = false, tier, ...capability } = settings.tools[tool] ?? {}
  return evaluate(
    plainEvaluation(
      readSubject(call.call, capability, surroundingsOf(), presets.default),
      compileRules(settings, placeOf(), presets.default),
      { tier, alwaysAsk, requiresUserInteraction, disabled: settings.disabled, now }
    )
  ).ruling
}
