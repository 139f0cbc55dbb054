/**
 * The deterministic part of the pipeline, S2 to S20: one ordered list of small steps, walked once for each agent
 * of the lineage; the strictest outcome counts. Pure, synchronous, on one frozen view of the call.
 *
 * The order is load-bearing: `pipeline.md` 4 says of each step why it stands where it stands.
 */
import type { Tier } from "./Capability.ts"
import { isReserved } from "./Grounds.ts"
import type { Grant } from "./Grant.ts"
import type { Mode } from "./Mode.ts"
import { allow, allowBy, allowByGrant, ask, askBy, askForBan, deny, denyBy, type Outcome } from "./Outcome.ts"
import type { Preset } from "./Preset.ts"
import { leaveSuffices } from "./match/allowance.ts"
import type { CompiledBounds, RuleSet, Who } from "./RuleSet.ts"
import type { AskKind, Ruling, TraceEntry } from "./Ruling.ts"
import type { FloorHit, Subject } from "./subject/Subject.ts"
import { toRuling } from "./toRuling.ts"

export type { Outcome } from "./Outcome.ts"

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

/** What the earlier steps found out about the call, on the way to an outcome. */
interface Findings {
  forced: Outcome | undefined
  endorsed: boolean
}

/** The call as one agent of its lineage is judged by it. */
interface View {
  readonly input: Evaluation
  readonly agent: AgentView
  /** For whom bans and ask rules are looked up: this agent. */
  readonly who: Who
  /** For whom allow rules are looked up: the agent that calls. */
  readonly caller: Who
}

/** One step: an outcome ends the walk, `undefined` goes on. A step may leave a finding for the later ones. */
export interface Step {
  readonly id: string
  readonly run: (view: View, found: Findings) => Outcome | undefined
}

const readOnlyMode = ({ agent }: View) => agent.mode === "readOnly"

/** A person's refusal outlives older grants; a later yes takes the refusal away. */
function grantIn(view: View, scope: "session" | "any"): Grant | undefined {
  const { grants, refusedAt } = view.input
  if (grants.length === 0) return undefined
  return grants.find(
    (grant) =>
      (scope === "any" || grant.sessionId !== undefined) && (refusedAt === undefined || grant.createdAt > refusedAt)
  )
}

/** The first that forces wins, in step order. */
function force(found: Findings, outcome: Outcome): undefined {
  found.forced ??= outcome
  return undefined
}

const hookForced: Step = {
  id: "S1.hookForced",
  run: ({ input }, found) => input.hookForced && force(found, ask("forced", "hook.forced", input.hookForced.because))
}

function floorHit({ preset, subject }: Evaluation, possible: boolean): FloorHit | undefined {
  if (!preset.floor || subject.floor.length === 0) return undefined
  return subject.floor.find((hit) => hit.possible === possible)
}

const floor: Step = {
  id: "S2.floor",
  run: ({ input }) => {
    const hit = floorHit(input, false)
    return hit && deny(hit.ruleId, hit.reason)
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
  run: ({ agent, input }) =>
    agent.bounds !== undefined && !agent.bounds.inside(input.subject) ? deny("agent.bounds") : undefined
}

const denyRule: Step = {
  id: "S5.denyRule",
  run: ({ agent, input, who }) => {
    const rule = input.rules.deny(input.subject, who) ?? agent.rules?.deny(input.subject, who)
    return rule && denyBy(rule)
  }
}

const possibleBan: Step = {
  id: "S5b.possibleBan",
  run: ({ agent, input, who }, found) => {
    const hit = input.rules.possibleDeny(input.subject, who) ?? agent.rules?.possibleDeny(input.subject, who)
    if (hit !== undefined) force(found, askForBan(hit.layer, hit.rule))
    const removal = floorHit(input, true)
    return removal && force(found, ask("forced", "floor.possible", removal.reason))
  }
}

const protectedPath: Step = {
  id: "S5c.protectedPath",
  run: ({ caller, input }, found) => {
    const { preset, rules, subject } = input
    if (!preset.protectedPaths || subject.protectedWrites.length === 0) return undefined
    const path = subject.protectedWrites.find((path) => !rules.namesProtected(subject, path, caller))
    return path === undefined ? undefined : force(found, ask("forced", "protected.path", `it writes \`${path}\``))
  }
}

const policySources: Step = {
  id: "S6.policySources",
  run: ({ input }, found) => {
    const { policy } = input
    if (policy === undefined) return undefined
    if (policy.verdict === "deny") return deny("policy.deny", policy.because)
    if (policy.verdict === "confirm") return force(found, ask("forced", "policy.forced", policy.because))
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
    if (grant !== undefined) return allowByGrant(grant)
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
  run: ({ agent, input, who }) => {
    const rule = input.rules.ask(input.subject, who) ?? agent.rules?.ask(input.subject, who)
    return rule && askBy(rule)
  }
}

const tierConfirm: Step = {
  id: "S13.tierConfirm",
  run: (view, found) => {
    if (view.input.tier !== "confirm") return undefined
    if (found.endorsed) return allow("policy.endorsed")
    const grant = grantIn(view, "any")
    return grant === undefined ? ask("tier", "tier.confirm") : allowByGrant(grant)
  }
}

const readOnlyAllows: Step = {
  id: "S14.readOnlyAllows",
  // S9 denied what is not read-only; a path outside the workspace is read by no mode's leave
  run: (view) => (readOnlyMode(view) && view.input.subject.insideWorkspace ? allow("mode.readOnly") : undefined)
}

const allowRule: Step = {
  id: "S15.allowRule",
  run: ({ agent, caller, input }) => {
    const allowance = input.rules.allow(input.subject, caller, agent.mode === "acceptEdits")
    if (allowance === undefined) return undefined
    return allowance.by === "acceptEdits" ? allow("mode.acceptEdits") : allowBy(allowance.rule)
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
    return found && allowByGrant(found)
  }
}

const readOnlyTool: Step = {
  id: "S19.readOnlyTool",
  run: ({ input }) => (input.subject.readOnly && input.subject.insideWorkspace ? allow("cap.readOnly") : undefined)
}

const nothingAllows = ask("fallback", "mode.default")

const fallback: Step = {
  id: "S20.fallback",
  run: (_, found) => (found.endorsed ? allow("policy.endorsed") : nothingAllows)
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
  readonly outcomes: readonly AgentOutcome[]
}

/** An outcome with the agent that it is for. */
export type AgentOutcome = Outcome & { readonly agentId: string; readonly mode: Mode }

/** S2 to S5c: the first ban over the lineage, if there is one. Policy sources are consulted only when there is none. */
export function bans(input: Evaluation): Ruling | undefined {
  const caller = whoIs(input.lineage[0]!, input)
  for (const agent of input.lineage) {
    const outcome = outcomeFor(banSteps, { input, agent, who: whoIs(agent, input), caller })
    if (outcome?.decision === "deny") return toRuling(outcome, agent.agentId, input.subject.toolName, undefined)
  }
  return undefined
}

/** `evaluate` over a given list of steps: for the test that swaps neighbours. */
export function walk(list: readonly Step[], input: Evaluation, traced: boolean): Evaluated {
  const { lineage, subject } = input
  const trace: TraceEntry[] | undefined = traced ? [] : undefined
  const caller = whoIs(lineage[0]!, input)
  const outcomes: AgentOutcome[] = []
  let strictest: AgentOutcome | undefined
  for (const agent of lineage) {
    const who = outcomes.length === 0 ? caller : whoIs(agent, input)
    const outcome = attributed(outcomeFor(list, { input, agent, who, caller }, trace) ?? nothingAllows, agent)
    outcomes.push(outcome)
    // attributed to the nearest agent that gives it: `>` keeps the first of equals
    if (strictest === undefined || strictness(outcome) > strictness(strictest)) strictest = outcome
  }
  return { ruling: toRuling(strictest!, strictest!.agentId, subject.toolName, trace), outcomes }
}

const whoIs = ({ agentId, mode }: AgentView, { now }: Evaluation): Who => ({ agentId, mode, now })

function attributed({ ask, because, decision, grantId, rule, ruleId }: Outcome, { agentId, mode }: AgentView) {
  const outcome: { -readonly [Key in keyof AgentOutcome]: AgentOutcome[Key] } =
    ask === undefined ? { decision, ruleId, agentId, mode } : { decision, ask, ruleId, agentId, mode }
  if (rule !== undefined) outcome.rule = rule
  if (because !== undefined) outcome.because = because
  if (grantId !== undefined) outcome.grantId = grantId
  return outcome
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

const askStrictness: Readonly<Record<AskKind, number>> = {
  interaction: 5,
  forced: 5,
  alwaysAsk: 4,
  rule: 3,
  tier: 2,
  fallback: 1
}

function strictness({ ask: kind, decision }: Outcome): number {
  if (decision === "deny") return 6
  return decision === "allow" || kind === undefined ? 0 : askStrictness[kind]
}
