/**
 * The deterministic part of the pipeline, S2 to S20: one ordered list of small steps, walked once for each agent
 * of the lineage; the strictest outcome counts. Pure, synchronous, on one frozen view of the call.
 *
 * The order is load-bearing: `pipeline.md` 4 says of each step why it stands where it stands.
 */
import type { Tier } from "./Capability.ts"
import { ground, isReserved, reasonFor } from "./Grounds.ts"
import type { Grant } from "./Grant.ts"
import type { Mode } from "./Mode.ts"
import type { Preset } from "./Preset.ts"
import type { Rule } from "./Rule.ts"
import { layerInRuleId } from "./layerInRuleId.ts"
import { leaveSuffices } from "./match/allowance.ts"
import type { RuleLayerName } from "./RuleLayer.ts"
import type { CompiledBounds, RuleSet } from "./RuleSet.ts"
import type { AskKind, Ruling, TraceEntry } from "./Ruling.ts"
import type { Subject } from "./subject/Subject.ts"

/** An agent of the lineage, with what holds for it alone. */
export interface AgentView {
  readonly agentId: string
  readonly mode: Mode
  readonly bounds: CompiledBounds | undefined
  /** Deny and ask rules given at its spawn. */
  readonly rules: RuleSet | undefined
}

/** The combined verdict of all policy sources. */
export interface PolicyVerdict {
  readonly verdict: "abstain" | "allow" | "confirm" | "deny"
  /** Name of the source whose verdict it is; absent for an anonymous one. */
  readonly source?: string
  readonly because?: string
}

/** Everything that S2 to S20 may know. */
export interface Evaluation {
  readonly subject: Subject
  /** The caller first, the session's main agent last; never empty. */
  readonly lineage: readonly AgentView[]
  readonly rules: RuleSet
  readonly preset: Preset
  /** The tier in force for this call: `TierFunc`, else the map, else the default. */
  readonly tier: Tier | undefined
  readonly alwaysAsk: boolean
  readonly requiresUserInteraction: boolean
  /** A PreToolUse hook that demands a person (S1). */
  readonly hookForced: { readonly because?: string } | undefined
  /** S6; undefined while it has not been asked for. */
  readonly policy: PolicyVerdict | undefined
  /** Id that a pre-approve hook gave (S16); an empty one does not count. */
  readonly preapproved: string | undefined
  /** Grants that cover this very call, session scope before global. */
  readonly grants: readonly Grant[]
  /** When a person refused this tool and subject in this session; older grants and endorsements don't satisfy it. */
  readonly refusedAt: number | undefined
  /** What the policy layer switched off. */
  readonly disabled: { readonly yolo: boolean; readonly auto: boolean }
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** One agent's outcome. */
export interface Outcome {
  readonly decision: "allow" | "ask" | "deny"
  readonly ruleId: string
  readonly ask?: AskKind
  readonly rule?: Rule
  readonly because?: string
  readonly grantId?: string
}

/** What the earlier steps found out about the call, on the way to an outcome. */
interface Findings {
  forced: Outcome | undefined
  endorsed: boolean
}

/** The call as one agent of its lineage is judged by it. */
interface View {
  readonly input: Evaluation
  readonly agent: AgentView
  readonly caller: AgentView
}

/** One step: an outcome ends the walk, `undefined` goes on. A step may leave a finding for the later ones. */
export interface Step {
  readonly id: string
  readonly run: (view: View, found: Findings) => Outcome | undefined
}

const deny = (ruleId: string, more: Partial<Outcome> = {}): Outcome => ({ decision: "deny", ruleId, ...more })
const ask = (kind: AskKind, ruleId: string, more: Partial<Outcome> = {}): Outcome => ({ decision: "ask", ask: kind, ruleId, ...more })
const allow = (ruleId: string, more: Partial<Outcome> = {}): Outcome => ({ decision: "allow", ruleId, ...more })

const because = (words: string | undefined): Partial<Outcome> => (words === undefined ? {} : { because: words })
const matched = (rule: Rule): Partial<Outcome> => ({ rule, ...because(rule.reason) })

const readOnlyMode = ({ agent }: View) => agent.mode === "readOnly"
const who = ({ input }: View, agent: AgentView) => ({ agentId: agent.agentId, mode: agent.mode, now: input.now })

/** A person's refusal outlives older grants; a later yes takes the refusal away. */
function grantIn(view: View, scope: "session" | "any"): Grant | undefined {
  const { grants, refusedAt } = view.input
  return grants.find((grant) =>
    (scope === "any" || grant.sessionId !== undefined) && (refusedAt === undefined || grant.createdAt > refusedAt)
  )
}

const byGrant = (grant: Grant): Outcome =>
  allow(grant.sessionId === undefined ? "rule.global.allow" : "rule.session.allow", { grantId: grant.id })

/** The first that forces wins, in step order. */
function force(found: Findings, outcome: Outcome): undefined {
  found.forced ??= outcome
  return undefined
}

const hookForced: Step = {
  id: "S1.hookForced",
  run: ({ input }, found) =>
    input.hookForced && force(found, ask("forced", "hook.forced", because(input.hookForced.because)))
}

const floor: Step = {
  id: "S2.floor",
  run: ({ input }) => {
    if (!input.preset.floor) return undefined
    const hit = input.subject.floor.find(({ possible }) => !possible)
    return hit && deny(hit.ruleId, { because: hit.reason })
  }
}

const tierDeny: Step = {
  id: "S3.tierDeny",
  run: ({ input }) => (input.tier === "deny" ? deny("tier.deny") : undefined)
}

const disallowedTools: Step = {
  id: "S4.disallowedTools",
  run: ({ input }) => (input.rules.disallowed(input.subject) ? deny("rule.disallowedTools") : undefined)
}

const bounds: Step = {
  id: "S4.bounds",
  run: ({ agent, input }) => (agent.bounds !== undefined && !agent.bounds.inside(input.subject) ? deny("agent.bounds") : undefined)
}

const denyRule: Step = {
  id: "S5.denyRule",
  run: (view) => {
    const { agent, input } = view
    const rule = input.rules.deny(input.subject, who(view, agent)) ?? agent.rules?.deny(input.subject, who(view, agent))
    return rule && deny(`rule.${layerInRuleId(rule.layer)}.deny`, matched(rule))
  }
}

const possibleBan: Step = {
  id: "S5b.possibleBan",
  run: (view, found) => {
    const { agent, input } = view
    const hit = input.rules.possibleDeny(input.subject, who(view, agent)) ?? agent.rules?.possibleDeny(input.subject, who(view, agent))
    if (hit !== undefined) force(found, ask("forced", possibleId(hit.layer), hit.rule === undefined ? {} : matched(hit.rule)))
    const removal = input.preset.floor ? input.subject.floor.find(({ possible }) => possible) : undefined
    return removal && force(found, ask("forced", "floor.possible", { because: removal.reason }))
  }
}

const possibleId = (layer: RuleLayerName) => `rule.${layerInRuleId(layer)}.deny.possible`

const protectedPath: Step = {
  id: "S5c.protectedPath",
  run: (view, found) => {
    const { caller, input } = view
    if (!input.preset.protectedPaths) return undefined
    const path = input.subject.protectedWrites.find((path) => !input.rules.namesProtected(input.subject, path, who(view, caller)))
    return path === undefined ? undefined : force(found, ask("forced", "protected.path", { because: `it writes \`${path}\`` }))
  }
}

const policySources: Step = {
  id: "S6.policySources",
  run: ({ input }, found) => {
    const { policy } = input
    if (policy === undefined) return undefined
    const words = because(policy.because)
    if (policy.verdict === "deny") return deny("policy.deny", words)
    if (policy.verdict === "confirm") return force(found, ask("forced", "policy.forced", words))
    found.endorsed = policy.verdict === "allow" && input.refusedAt === undefined
    return undefined
  }
}

const userInteraction: Step = {
  id: "S7.userInteraction",
  run: ({ input }) => (input.requiresUserInteraction ? ask("interaction", "tool.userInteraction") : undefined)
}

const alwaysAsk: Step = {
  id: "S8.alwaysAsk",
  run: (view, found) => {
    const { input } = view
    if (!input.alwaysAsk) return undefined
    const grant = found.forced === undefined ? grantIn(view, "session") : undefined
    if (grant !== undefined) return byGrant(grant)
    if (readOnlyMode(view) && !input.subject.readOnly) return deny("mode.readOnly")
    return found.forced ?? ask("alwaysAsk", "tool.alwaysAsk")
  }
}

const readOnlyForbids: Step = {
  id: "S9.readOnlyForbids",
  run: (view) => (readOnlyMode(view) && !view.input.subject.readOnly ? deny("mode.readOnly") : undefined)
}

const forcedAsk: Step = {
  id: "S10.forced",
  run: (_, found) => found.forced
}

const yolo: Step = {
  id: "S11.yolo",
  run: ({ agent, input }) => (agent.mode === "yolo" && !input.disabled.yolo ? allow("mode.yolo") : undefined)
}

const askRule: Step = {
  id: "S12.askRule",
  run: (view) => {
    const { agent, input } = view
    const rule = input.rules.ask(input.subject, who(view, agent)) ?? agent.rules?.ask(input.subject, who(view, agent))
    return rule && ask("rule", `rule.${layerInRuleId(rule.layer)}.ask`, matched(rule))
  }
}

const tierConfirm: Step = {
  id: "S13.tierConfirm",
  run: (view, found) => {
    if (view.input.tier !== "confirm") return undefined
    if (found.endorsed) return allow("policy.endorsed")
    const grant = grantIn(view, "any")
    return grant === undefined ? ask("tier", "tier.confirm") : byGrant(grant)
  }
}

const readOnlyAllows: Step = {
  id: "S14.readOnlyAllows",
  // S9 denied what is not read-only; a path outside the workspace is read by no mode's leave
  run: (view) => (readOnlyMode(view) && view.input.subject.insideWorkspace ? allow("mode.readOnly") : undefined)
}

const allowRule: Step = {
  id: "S15.allowRule",
  run: (view) => {
    const { agent, caller, input } = view
    const allowance = input.rules.allow(input.subject, who(view, caller), agent.mode === "acceptEdits")
    if (allowance === undefined) return undefined
    if (allowance.by === "acceptEdits") return allow("mode.acceptEdits")
    return allow(`rule.${layerInRuleId(allowance.rule.layer)}.allow`, matched(allowance.rule))
  }
}

const preapproved: Step = {
  id: "S16.preapproved",
  run: ({ input }) => {
    const { preapproved } = input
    return preapproved && !isReserved(preapproved) ? allow(preapproved) : undefined
  }
}

const whiteList: Step = {
  id: "S17.whiteList",
  run: ({ input }) => {
    if (input.rules.whiteListed(input.subject)) return allow("rule.allowedTools")
    return input.tier === "allow" && leaveSuffices(input.subject) ? allow("tier.allow") : undefined
  }
}

const grant: Step = {
  id: "S18.grant",
  run: (view) => {
    const found = grantIn(view, "any")
    return found && byGrant(found)
  }
}

const readOnlyTool: Step = {
  id: "S19.readOnlyTool",
  run: ({ input }) => (input.subject.readOnly && input.subject.insideWorkspace ? allow("cap.readOnly") : undefined)
}

const fallback: Step = {
  id: "S20.fallback",
  run: (_, found) => (found.endorsed ? allow("policy.endorsed") : ask("fallback", "mode.default"))
}

/** The deterministic pipeline, in order. S1's hooks have spoken before it; only their demand is looked at here. */
export const steps: readonly Step[] = [
  hookForced,
  floor,
  tierDeny,
  disallowedTools,
  bounds,
  denyRule,
  possibleBan,
  protectedPath,
  policySources,
  userInteraction,
  alwaysAsk,
  readOnlyForbids,
  forcedAsk,
  yolo,
  askRule,
  tierConfirm,
  readOnlyAllows,
  allowRule,
  preapproved,
  whiteList,
  grant,
  readOnlyTool,
  fallback
]

/** The bans among them that cost no consultation (S2 to S5c). */
const banSteps = steps.slice(0, steps.indexOf(policySources))

/** S2 to S20: the ruling, and every agent's own outcome (S21 and S22 look at those that ask). */
export function evaluate(input: Evaluation, options: { readonly trace?: boolean } = {}): Evaluated {
  return walk(steps, input, options.trace === true)
}

/** Each agent's own outcome beside the strictest of them. */
export interface Evaluated {
  readonly ruling: Ruling
  readonly outcomes: readonly (Outcome & { readonly agentId: string; readonly mode: Mode })[]
}

/** S2 to S5c: the first ban over the lineage, if there is one. Policy sources are consulted only when there is none. */
export function bans(input: Evaluation): Ruling | undefined {
  for (const agent of input.lineage) {
    const outcome = outcomeFor(banSteps, { input, agent, caller: input.lineage[0]! })
    if (outcome?.decision === "deny") return toRuling(outcome, agent.agentId, input, undefined)
  }
  return undefined
}

/** `evaluate` over a given list of steps: for the test that swaps neighbours. */
export function walk(list: readonly Step[], input: Evaluation, traced: boolean): Evaluated {
  const caller = input.lineage[0]!
  const trace: TraceEntry[] | undefined = traced ? [] : undefined
  const outcomes = input.lineage.map((agent) => ({
    ...(outcomeFor(list, { input, agent, caller }, trace) ?? ask("fallback", "mode.default")),
    agentId: agent.agentId,
    mode: agent.mode
  }))
  // attributed to the nearest agent that gives it: `>` keeps the first of equals
  const strictest = outcomes.reduce((worst, next) => (strictness(next) > strictness(worst) ? next : worst))
  return { ruling: toRuling(strictest, strictest.agentId, input, trace), outcomes }
}

function outcomeFor(list: readonly Step[], view: View, trace?: TraceEntry[]): Outcome | undefined {
  const found: Findings = { forced: undefined, endorsed: false }
  for (const step of list) {
    const before = found.forced
    const outcome = step.run(view, found)
    trace?.push(entry(step, view, outcome, found.forced === before ? undefined : found.forced))
    if (outcome !== undefined) return outcome
  }
  return undefined
}

function entry(step: Step, { agent }: View, outcome: Outcome | undefined, forced: Outcome | undefined): TraceEntry {
  const said = outcome ?? forced
  return {
    step: step.id,
    agentId: agent.agentId,
    effect: outcome?.decision ?? (forced === undefined ? "pass" : "forced"),
    ...(said === undefined ? {} : { ruleId: said.ruleId })
  }
}

const askStrictness: Readonly<Record<AskKind, number>> = { interaction: 5, forced: 5, alwaysAsk: 4, rule: 3, tier: 2, fallback: 1 }

function strictness({ ask: kind, decision }: Outcome): number {
  if (decision === "deny") return 6
  return decision === "allow" || kind === undefined ? 0 : askStrictness[kind]
}

function toRuling(outcome: Outcome, agentId: string, input: Evaluation, trace: readonly TraceEntry[] | undefined): Ruling {
  const { source, basis } = ground(outcome.ruleId)
  return {
    decision: outcome.decision,
    ruleId: outcome.ruleId,
    source,
    ...(basis === undefined ? {} : { basis }),
    ...(outcome.rule === undefined ? {} : { matchedRule: outcome.rule.text, sourceLayer: outcome.rule.layer }),
    reason: reasonFor(outcome.ruleId, input.subject.toolName, outcome.decision),
    ...(outcome.because === undefined ? {} : { because: outcome.because }),
    agentId,
    ...(outcome.ask === undefined ? {} : { ask: outcome.ask }),
    ...(outcome.grantId === undefined ? {} : { grantId: outcome.grantId }),
    ...(trace === undefined ? {} : { trace })
  }
}
