/**
 * Where examples are judged: by all settings together, or by one rule alone, as the main agent of a fresh session in
 * the mode `default`. Nothing is said in a finding that was not judged here.
 */
import type { Capability } from "../Capability.ts"
import { compileRules, type Place } from "../compileRules.ts"
import { evaluate } from "../evaluate.ts"
import type { Json } from "../Json.ts"
import { mergeSettings } from "../mergeSettings.ts"
import { plainEvaluation } from "../plainEvaluation.ts"
import { presets } from "../Preset.ts"
import { readCall } from "../readCall.ts"
import type { Rule } from "../Rule.ts"
import type { RuleSet } from "../RuleSet.ts"
import type { Ruling } from "../Ruling.ts"
import type { LayerSettings, Settings } from "../Settings.ts"
import { cleanPath } from "../subject/path.ts"
import { readSubject } from "../subject/readSubject.ts"
import type { Subject, Surroundings } from "../subject/Subject.ts"
import { builtinCapability } from "../subject/tools.ts"
import type { LintExample } from "./Finding.ts"

/** A call of an example. */
export interface ExampleCall {
  readonly tool: string
  readonly input: Json
}

/** Settings on the bench. */
export interface Bench {
  readonly settings: Settings
  readonly place: Place
  readonly surroundings: Surroundings
  readonly now: number
  readonly capabilityOf: (tool: string) => Capability
  readonly subjectOf: (call: ExampleCall) => Subject
  /** What all settings say. */
  readonly judge: (call: ExampleCall) => Ruling
  /** The same, without one of the rules. */
  readonly judgeWithout: (rule: Rule, call: ExampleCall) => Ruling
  /** Whether the rule alone speaks of the call, surely. */
  readonly speaks: (rule: Rule, call: ExampleCall) => boolean
  /** The call as an example in a finding about the rule. */
  readonly exampleOf: (rule: Rule, call: ExampleCall) => LintExample
}

/** Puts settings on the bench. */
export function makeBench(layers: readonly LayerSettings[], given: Surroundings, now: number): Bench {
  const settings = mergeSettings(layers)
  const { home, project } = given
  const surroundings: Surroundings = {
    ...given,
    additionalDirectories: [
      ...given.additionalDirectories,
      ...settings.additionalDirectories.map((directory) => cleanPath(directory, project, home))
    ]
  }
  const place: Place = {
    ...surroundings,
    dialectOf: (layer) => settings.dialects[layer] ?? "native",
    workspace: [surroundings.folder, ...surroundings.additionalDirectories]
  }
  const compile = (some: Parameters<typeof compileRules>[0]) => compileRules(some, place, presets.default)
  const all = compile(settings)
  const single = new Map<Rule, RuleSet>()
  const subjects = new Map<string, Subject>()

  const registered = (tool: string): Capability => (Object.hasOwn(settings.tools, tool) ? settings.tools[tool]! : {})
  const subjectOf = ({ input, tool }: ExampleCall): Subject => {
    const key = JSON.stringify([tool, input])
    const known = subjects.get(key)
    if (known !== undefined) return known
    const call = { sessionId: "lint", agentId: "main", toolCallId: "lint", toolName: tool, folder: surroundings.folder }
    const read = readCall({ ...call, arguments: JSON.stringify(input) })
    if ("problem" in read) throw new Error(`the example ${key} is no call: ${read.problem.message}`)
    const subject = readSubject(read.call, registered(tool), surroundings, presets.default)
    subjects.set(key, subject)
    return subject
  }
  const judgeBy = (rules: RuleSet, call: ExampleCall): Ruling => {
    const { alwaysAsk = false, requiresUserInteraction = false, tier } = registered(call.tool)
    return evaluate(
      plainEvaluation(subjectOf(call), rules, {
        tier,
        alwaysAsk,
        requiresUserInteraction,
        disabled: settings.disabled,
        now
      })
    ).ruling
  }
  const judge = (call: ExampleCall) => judgeBy(all, call)
  const alone = (rule: Rule): RuleSet => {
    const known = single.get(rule)
    if (known !== undefined) return known
    // for whom and when it counts is not what is asked
    const { agents: _agents, expiresAt: _expiresAt, modes: _modes, ...always } = rule
    const made = compile({ rules: [always] })
    single.set(rule, made)
    return made
  }
  const speaks = (rule: Rule, call: ExampleCall) => {
    const who = { agentId: "main", mode: "default", now } as const
    const subject = subjectOf(call)
    if (rule.behavior === "allow") return alone(rule).allow(subject, who, false)?.by === "rule"
    return alone(rule)[rule.behavior](subject, who) !== undefined
  }
  return {
    settings,
    place,
    surroundings,
    now,
    capabilityOf: (tool) => ({ ...builtinCapability(tool), ...registered(tool) }),
    subjectOf,
    judge,
    judgeWithout: (rule, call) =>
      judgeBy(compile({ ...settings, rules: settings.rules.filter((each) => each !== rule) }), call),
    speaks,
    exampleOf: (rule, call) => {
      const { decision, matchedRule, ruleId, sourceLayer } = judge(call)
      const counts = rule.expiresAt === undefined || rule.expiresAt > now
      return {
        ...call,
        speaks: counts && speaks(rule, call),
        decision,
        ruleId,
        ...(matchedRule === undefined ? {} : { matchedRule }),
        ...(sourceLayer === undefined ? {} : { sourceLayer })
      }
    }
  }
}
