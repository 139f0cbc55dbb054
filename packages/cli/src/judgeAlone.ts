/**
 * The kernel alone on one call: S0, S2 to S20 and S22 as the main agent of a fresh session, which can ask, has no
 * hooks, sources, grants or classifier, and knows every tool. The steps are the gate's own (`evaluate`).
 */
import {
  type Capability,
  cleanPath,
  compileRules,
  evaluate,
  type Evaluation,
  type FrozenCall,
  type GateDecision,
  ground,
  mergeSettings,
  type Mode,
  parseSettings,
  type Place,
  plainEvaluation,
  presets,
  readCall,
  readSubject,
  reasonFor,
  type Rule,
  type RuleSet,
  type Settings,
  type SettingsFile,
  type SettingsProblem,
  type Surroundings,
  type TraceEntry
} from "@countersign/kernel"

/** Settings compiled for one place: many calls are judged by it. */
export interface World {
  readonly settings: Settings
  readonly problems: readonly SettingsProblem[]
  readonly surroundings: Surroundings
  readonly rules: RuleSet
  /** All rules of the settings, and these. */
  readonly withRules: (more: readonly Rule[]) => RuleSet
}

/** What is said of a call. */
export interface Verdict {
  readonly decision: GateDecision
  /** Why, in plain words, whatever the decision is. */
  readonly reason: string
  /** One entry a step, when it was asked for. */
  readonly trace: readonly TraceEntry[]
}

/** Reads and compiles settings files for a place. Faulty files act as they do in the gate. */
export function prepareWorld(files: readonly SettingsFile[], surroundings: Surroundings): World {
  const read = files.map((file) => parseSettings(file))
  const settings = mergeSettings(read.map((layer) => layer.settings))
  const { caseInsensitive, files: fileSystem, folder, home, project } = surroundings
  const additionalDirectories = [
    ...surroundings.additionalDirectories,
    ...settings.additionalDirectories.map((directory) => cleanPath(directory, project, home))
  ]
  const place: Place = {
    project,
    home,
    files: fileSystem,
    caseInsensitive,
    dialectOf: (layer) => settings.dialects[layer] ?? "native",
    workspace: [folder, ...additionalDirectories]
  }
  const withRules = (more: readonly Rule[]) =>
    compileRules({ ...settings, rules: [...settings.rules, ...more] }, place, presets.default)
  return {
    settings,
    problems: read.flatMap(({ problems }) => problems),
    surroundings: { ...surroundings, additionalDirectories },
    rules: withRules([]),
    withRules
  }
}

/** Judges one call. `input` is any value, or JSON text. */
export function judgeAlone(
  world: World,
  call: { readonly tool: string; readonly input: unknown },
  options: { readonly mode: Mode; readonly now: number; readonly trace?: boolean }
): Verdict {
  const entered = enter(world, call, options)
  return "refusal" in entered ? entered.refusal : judgeEntered(entered.evaluation, options)
}

/** S0: what the steps are asked about a call, or its refusal. */
export function enter(
  world: World,
  call: { readonly tool: string; readonly input: unknown },
  options: { readonly mode: Mode; readonly now: number }
): { readonly evaluation: Evaluation } | { readonly refusal: Verdict } {
  const read = readCall({
    sessionId: "check",
    agentId: "main",
    toolCallId: "check",
    toolName: call.tool,
    arguments: call.input,
    folder: world.surroundings.folder
  })
  if ("problem" in read) {
    const { message, pointer } = read.problem
    return { refusal: refused("call.invalid", call.tool, `\`${pointer || "/"}\`: ${message}`) }
  }
  if (world.settings.policyBroken) return { refusal: refused("settings.broken", call.tool) }
  return { evaluation: evaluationOf(world, read.call, options) }
}

/** A denial by S0: the call, or the settings, can't be read. */
export function refused(ruleId: string, tool: string, because?: string): Verdict {
  const { basis, source } = ground(ruleId)
  const reason = reasonFor(ruleId, tool)
  return {
    decision: {
      decision: "deny",
      source,
      ruleId,
      ...(basis && { basis }),
      reason,
      ...(because === undefined ? {} : { because })
    },
    reason,
    trace: [{ step: "S0.enter", agentId: "main", ruleId, effect: "deny" }]
  }
}

function evaluationOf(
  { rules, settings, surroundings }: World,
  call: FrozenCall,
  { mode, now }: { readonly mode: Mode; readonly now: number }
): Evaluation {
  const capability: Capability = Object.hasOwn(settings.tools, call.toolName) ? settings.tools[call.toolName]! : {}
  const preset = presets.default
  const main = { agentId: "main", mode, bounds: undefined, rules: undefined }
  return plainEvaluation(readSubject(call, capability, surroundings, preset), rules, {
    lineage: [main, ...settings.ancestorModes.map(({ layer, mode }) => ({ ...main, agentId: layer, mode }))],
    preset,
    tier: capability.tier,
    alwaysAsk: capability.alwaysAsk === true,
    requiresUserInteraction: capability.requiresUserInteraction === true,
    disabled: settings.disabled,
    now
  })
}

function judgeEntered(evaluation: Evaluation, { trace = false }: { readonly trace?: boolean }): Verdict {
  const { outcomes, ruling } = evaluate(evaluation, { trace })
  const { toolName } = evaluation.subject
  const walked = ruling.trace ?? []
  if (ruling.decision === "ask" && outcomes.some(({ decision, mode }) => decision === "ask" && mode === "dontAsk")) {
    const { decision, reason } = refused("mode.dontAsk", toolName)
    return {
      decision,
      reason,
      trace: [...walked, { step: "S22.dontAsk", agentId: "main", ruleId: "mode.dontAsk", effect: "deny" }]
    }
  }
  const { basis, because, matchedRule, source, sourceLayer } = ruling
  return {
    decision: {
      decision: ruling.decision,
      source,
      ...(matchedRule === undefined ? {} : { matchedRule }),
      ...(ruling.decision === "deny" ? { reason: ruling.reason } : {}),
      ...(sourceLayer === undefined ? {} : { sourceLayer }),
      ruleId: ruling.ruleId,
      ...(basis === undefined ? {} : { basis }),
      ...(because === undefined ? {} : { because })
    },
    reason: ruling.reason,
    trace: walked
  }
}
