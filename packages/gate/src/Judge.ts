/**
 * S0 to S21: what all grounds but a person's say of a call. No asking, no waiting, no effects but consulting.
 * `Gate` acts on it; the desk uses it to judge pending calls again.
 */
import {
  type AgentView,
  type Ancestor,
  type AskKind,
  bans,
  type Capability,
  checkIJson,
  evaluate,
  type Evaluation,
  type FrozenCall,
  type GateDecision,
  ground,
  type Json,
  type Lineage,
  type Mode,
  readCall,
  readSubject,
  reasonFor,
  type Ruling,
  type Subject,
  type ToolCall,
  type TraceEntry
} from "@countersign/kernel"
import { Clock, Context, Effect, Layer } from "effect"
import { Agents } from "./Agents.ts"
import { adviseAsk } from "./adviseAsk.ts"
import { Classifier } from "./Classifier.ts"
import type { Unconsulted } from "./Consultations.ts"
import { CurrentSettings, type SettingsView } from "./CurrentSettings.ts"
import { GateOptions } from "./GateOptions.ts"
import { Grants } from "./Grants.ts"
import { Hooks, type HookVerdict } from "./Hooks.ts"
import { type CombinedVerdict, PolicySources } from "./PolicySources.ts"
import type { Case, Held, Refusal } from "./store/Case.ts"
import { Store, type StoreError } from "./store/Store.ts"
import { Tiers } from "./Tiers.ts"
import { type RegisteredTool, Tools } from "./Tools.ts"

/** A call, judged: the decision, and all that asking, settling and recording need of how it came about. */
export interface Judgement {
  readonly decision: GateDecision
  /** The frozen call that was judged last: what would run. */
  readonly call: FrozenCall
  /** The agent's own arguments, when a hook put others in their place. */
  readonly original?: Json
  readonly rewrites: readonly { readonly hook: string; readonly arguments: Json }[]
  readonly userId: string
  /** Empty only when S0 could not find the agent. */
  readonly lineage: Lineage | readonly []
  /** What kind of ask it is, when it is one. */
  readonly askKind?: AskKind
  /** Every agent of the lineage whose own outcome is ask, nearest first (S21, S22). */
  readonly askers: readonly { readonly agentId: string; readonly mode: Mode; readonly ask: AskKind }[]
  readonly subject?: Subject
  readonly held: Held
  /** Name of the effective policy source, for PermissionEvents. */
  readonly policySource?: string
  /** The policy source whose failure forced the ask (C12). */
  readonly failedSource?: string
  /** The grant that satisfied it. */
  readonly grantId?: string
  readonly refusedBefore?: Refusal
  /** Why the classifier was not consulted on an ask that it would have been consulted on. */
  readonly unconsulted?: Unconsulted
  /** Version of the settings it was judged on. */
  readonly settings: string
  /** The Store's revision it was judged on. */
  readonly revision: number
  readonly trace?: readonly TraceEntry[]
}

export class Judge extends Context.Service<
  Judge,
  {
    /** S0 to S21. */
    readonly judge: (call: ToolCall, options?: { readonly trace?: boolean }) => Effect.Effect<Judgement, StoreError>
    /**
     * A pending call judged again on the newest settings: S0 and S2 to S20, with bounds and lineage, hooks as they spoke
     * then; S6 anew only on recovery or for edited arguments. A deny wins over a yes; anything else leaves it.
     */
    readonly again: (
      row: Case,
      options: { readonly consultPolicies: boolean; readonly edited?: FrozenCall }
    ) => Effect.Effect<Judgement, StoreError>
  }
>()("@countersign/gate/Judge") {
  static readonly layer = Layer.effect(
    Judge,
    Effect.gen(function* () {
      const settings = yield* CurrentSettings
      const tools = yield* Tools
      const tiers = yield* Tiers
      const agents = yield* Agents
      const hooks = yield* Hooks
      const policies = yield* PolicySources
      const grants = yield* Grants
      const classifier = yield* Classifier
      const store = yield* Store
      const options = yield* GateOptions
      const { preset } = options

      /** S0: everything without which a call can't be judged. */
      const enter = Effect.fnUntraced(function* (
        call: FrozenCall,
        view: SettingsView
      ): Effect.fn.Return<Entered | { readonly refused: string; readonly lineage?: Lineage }, StoreError> {
        const tool = yield* tools.find(call.toolName)
        if (tool === undefined) return { refused: "tool.unknown" }
        const known = yield* agents.lineage(call.sessionId, call.agentId)
        if ("problem" in known) return { refused: known.problem }
        const { lineage } = known
        if (yield* store.sessions.isCanceled(call.sessionId)) return { refused: "session.canceled", lineage }
        if (yield* store.sessions.isFrozen(call.sessionId)) return { refused: "session.frozen", lineage }
        if (view.settings.policyBroken) return { refused: "settings.broken", lineage }
        return { tool, lineage }
      })

      /** Everything that S2 to S20 may know of a call, but the policy sources' verdict. */
      const situate = Effect.fnUntraced(function* (
        call: FrozenCall,
        { lineage, tool }: Entered,
        view: SettingsView,
        held: Held
      ) {
        const capability: Capability = { ...tool.capability, ...view.settings.tools[tool.name] }
        const subject = readSubject(call, capability, view.surroundings(call.folder), preset)
        const now = yield* Clock.currentTimeMillis
        const candidates = yield* grants.candidates({
          userId: options.userOf(call.sessionId),
          sessionId: call.sessionId,
          toolName: call.toolName,
          agentIds: lineage.map(({ agentId }) => agentId)
        })
        const refusal = preset.stickyRefusals ? yield* store.refusal(call.sessionId, subject.key) : undefined
        const evaluation: Evaluation = {
          subject,
          lineage: [...lineage, ...projectModes(view)].map((agent): AgentView => ({
            agentId: agent.agentId,
            mode: agent.mode,
            bounds: agent.bounds === undefined ? undefined : view.bounds(agent.bounds, call.folder),
            rules: agent.rules === undefined ? undefined : view.spawnRules(agent.rules, call.folder)
          })),
          rules: view.rules(call.folder),
          preset,
          tier: yield* tiers.of(call, capability),
          alwaysAsk: capability.alwaysAsk === true,
          requiresUserInteraction: capability.requiresUserInteraction === true,
          hookForced: held.hookForced,
          policy: undefined,
          preapproved: held.preapproved,
          grants: candidates.filter(
            (grant) =>
              (grant.expiresAt === undefined || grant.expiresAt > now) &&
              (grant.uses === undefined || grant.uses > 0) &&
              view.grantCovers(grant, subject, call.folder)
          ),
          refusedAt: refusal?.at,
          disabled: { yolo: view.settings.disabled.yolo, auto: view.settings.disabled.auto },
          now
        }
        return { evaluation, refusal }
      })

      const judge = Effect.fn("Judge.judge")(function* (
        given: ToolCall,
        { trace = false }: { readonly trace?: boolean } = {}
      ): Effect.fn.Return<Judgement, StoreError> {
        const view = yield* settings.view()
        const base = { view, userId: options.userOf(given.sessionId), revision: yield* store.revision, trace }
        const read = readCall(given)
        if ("problem" in read) {
          const { message, pointer } = read.problem
          return refused(base, unreadable(given), "call.invalid", { because: `\`${pointer || "/"}\`: ${message}` })
        }
        const entered = yield* enter(read.call, view)
        if ("refused" in entered) return refused(base, read.call, entered.refused, { lineage: entered.lineage })

        const said = yield* hooks.before(read.call)
        yield* Effect.forEach(said.failures, ({ hook, message }) =>
          Effect.logWarning(`hook \`${hook}\` failed: ${message}`)
        )
        const hooked = applyHooks(read.call, entered.tool, said)
        if ("denied" in hooked) {
          return refused(base, read.call, "hook.deny", { lineage: entered.lineage, because: hooked.denied })
        }
        const { call, rewrites } = hooked
        if (rewrites.length > 0) {
          // the call that the agent really made is banned as ever; a rewrite can't launder it
          const { evaluation } = yield* situate(read.call, entered, view, {})
          const banned = bans(evaluation)
          if (banned !== undefined)
            return conclude(base, read.call, entered.lineage, banned, { subject: evaluation.subject })
        }
        const preapproved = yield* hooks.preapprove(call)
        const held: Held = {
          ...(said.decision === "ask"
            ? { hookForced: said.because === undefined ? {} : { because: said.because } }
            : {}),
          ...(preapproved === undefined ? {} : { preapproved })
        }
        const rewritten = rewrites.length === 0 ? {} : { original: read.call.arguments, rewrites }
        const ruled = yield* rule(base, call, entered, held, rewritten, undefined)
        if (ruled.decision.decision !== "ask" || !classifier.enabled) return ruled
        return yield* adviseAsk(classifier, store, ruled, view)
      })

      /** S2 to S20 for one frozen call; `policy` undefined = consult the sources unless a ban was found. */
      const rule = Effect.fnUntraced(function* (
        base: Base,
        call: FrozenCall,
        entered: Entered,
        held: Held,
        rewritten: Pick<Judgement, "original"> & { readonly rewrites?: Judgement["rewrites"] },
        policy: CombinedVerdict | undefined
      ) {
        const { evaluation, refusal } = yield* situate(call, entered, base.view, held)
        const found = {
          subject: evaluation.subject,
          held,
          ...rewritten,
          ...(refusal === undefined ? {} : { refusedBefore: refusal })
        }
        const banned = bans(evaluation)
        if (banned !== undefined && !base.trace) return conclude(base, call, entered.lineage, banned, found)
        const verdict =
          policy ?? (banned === undefined ? yield* policies.consult(call) : { verdict: "abstain" as const })
        const { outcomes, ruling } = evaluate({ ...evaluation, policy: verdict }, { trace: base.trace })
        return conclude(base, call, entered.lineage, ruling, {
          ...found,
          held: { ...held, policy: verdict },
          askers: outcomes.flatMap(({ agentId, ask, mode }) => (ask === undefined ? [] : [{ agentId, mode, ask }])),
          ...(verdict.source === undefined ? {} : { policySource: verdict.source }),
          ...(verdict.failed === undefined ? {} : { failedSource: verdict.failed })
        })
      })

      const again = Effect.fn("Judge.again")(function* (
        row: Case,
        { consultPolicies, edited }: { readonly consultPolicies: boolean; readonly edited?: FrozenCall }
      ): Effect.fn.Return<Judgement, StoreError> {
        const view = yield* settings.view({ fresh: true })
        const base = { view, userId: row.userId, revision: yield* store.revision, trace: false }
        const call = edited ?? row.call
        const entered = yield* enter(call, view)
        if ("refused" in entered) return refused(base, call, entered.refused, { lineage: entered.lineage })
        if (edited !== undefined) {
          const said = yield* hooks.before(edited)
          if (said.decision === "deny")
            return refused(base, call, "hook.deny", { lineage: entered.lineage, because: said.because })
        }
        if (row.original !== undefined) {
          const { evaluation } = yield* situate({ ...row.call, arguments: row.original }, entered, view, {})
          const banned = bans(evaluation)
          if (banned !== undefined)
            return conclude(base, call, entered.lineage, banned, { subject: evaluation.subject })
        }
        const policy =
          consultPolicies || edited !== undefined ? undefined : (row.held.policy ?? { verdict: "abstain" as const })
        return yield* rule(base, call, entered, row.held, {}, policy)
      })

      return Judge.of({ judge, again })
    })
  )
}

/** What S0 found: the call can be judged. */
interface Entered {
  readonly tool: RegisteredTool
  readonly lineage: Lineage
}

interface Base {
  readonly view: SettingsView
  readonly userId: string
  readonly revision: number
  readonly trace: boolean
}

/** An untrusted project's `defaultMode` counts as one more ancestor's mode: it can only tighten. */
const projectModes = ({ settings }: SettingsView): readonly Ancestor[] =>
  settings.ancestorModes.map(({ layer, mode }) => ({ agentId: layer, task: "", mode }))

/** What hooks made of a call: another frozen call, or a denial. Arguments that are no arguments are a failing hook. */
function applyHooks(
  call: FrozenCall,
  tool: RegisteredTool,
  said: HookVerdict
): { readonly denied: string | undefined } | { readonly call: FrozenCall; readonly rewrites: Judgement["rewrites"] } {
  if (said.decision === "deny") return { denied: said.because }
  if (said.updatedInput === undefined) return { call, rewrites: [] }
  const rewrites: { hook: string; arguments: Json }[] = []
  for (const { arguments: args, hook } of said.rewrites) {
    const read = checkIJson(args)
    const wrong = "problem" in read ? read.problem.message : tool.validate?.(read.value)
    if ("problem" in read || wrong !== undefined)
      return { denied: `the hook \`${hook}\` put in arguments that don't fit: ${wrong}` }
    rewrites.push({ hook, arguments: read.value })
  }
  return { call: Object.freeze({ ...call, arguments: rewrites.at(-1)!.arguments }), rewrites }
}

/** A call whose arguments can't be read, in a form that can be recorded. */
const unreadable = (call: ToolCall): FrozenCall => ({
  ...call,
  arguments: typeof call.arguments === "string" ? call.arguments.toWellFormed() : null
})

function refused(
  base: Base,
  call: FrozenCall,
  ruleId: string,
  more: { readonly lineage?: Lineage | undefined; readonly because?: string | undefined }
): Judgement {
  const { basis, source } = ground(ruleId)
  return {
    decision: {
      decision: "deny",
      source,
      ruleId,
      ...(basis === undefined ? {} : { basis }),
      reason: reasonFor(ruleId, call.toolName),
      ...(more.because === undefined ? {} : { because: more.because })
    },
    call,
    rewrites: [],
    userId: base.userId,
    lineage: more.lineage ?? [],
    askers: [],
    held: {},
    settings: base.view.version,
    revision: base.revision
  }
}

function conclude(
  base: Base,
  call: FrozenCall,
  lineage: Lineage,
  ruling: Ruling,
  found: Partial<Judgement>
): Judgement {
  const { basis, because, decision, grantId, matchedRule, ruleId, source, sourceLayer, trace } = ruling
  return {
    rewrites: [],
    askers: [],
    held: {},
    ...found,
    decision: {
      decision,
      source,
      ruleId,
      ...(basis === undefined ? {} : { basis }),
      ...(matchedRule === undefined ? {} : { matchedRule }),
      ...(sourceLayer === undefined ? {} : { sourceLayer }),
      // an ask that is not the classifier's has no reason
      ...(decision === "deny" ? { reason: ruling.reason } : {}),
      ...(because === undefined ? {} : { because }),
      ...(found.original === undefined ? {} : { updatedArgs: call.arguments })
    },
    call,
    userId: base.userId,
    lineage,
    ...(ruling.ask === undefined ? {} : { askKind: ruling.ask }),
    ...(grantId === undefined ? {} : { grantId }),
    settings: base.view.version,
    revision: base.revision,
    ...(trace === undefined ? {} : { trace })
  }
}
