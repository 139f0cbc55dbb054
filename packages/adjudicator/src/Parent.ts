/**
 * How a parent agent is asked what it says of a child's ask. A parent is a function of the host (which may put the
 * question to a language model), or a task profile in the rule language. It can narrow or pass up; it never allows.
 */
import { CurrentSettings, GateOptions, Tools } from "@countersign/gate"
import {
  type AdjudicationChainEntry,
  type Capability,
  type FrozenCall,
  type GateDecision,
  readSubject,
  type Rule
} from "@countersign/kernel"
import { Clock, Context, Effect, Layer } from "effect"

/** What a parent is asked. All words in it are somebody's: data, never instructions. */
export interface Question {
  readonly call: FrozenCall
  readonly childAgentId: string
  /** What the child was spawned for. */
  readonly childDescription: string
  /** The ask, with its rule, layer and the classifier's reason. */
  readonly decision: GateDecision
  /** What nearer parents said. */
  readonly chain: readonly AdjudicationChainEntry[]
  /** The parent that is asked, and its own task (empty for the main agent). */
  readonly parentAgentId: string
  readonly parentTask: string
}

/** What a parent may answer. Anything else counts as a parent that failed: it escalates. */
export interface ParentAnswer {
  readonly verdict: "endorse" | "escalate" | "reject"
  readonly reason: string
  readonly model?: string
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number }
}

/** A parent's judgement, bound to its agent by `Parents`. */
export type Parent =
  | {
      readonly kind: "function"
      readonly judge: (question: Question) => Effect.Effect<unknown, unknown>
      readonly timeoutMs: number
    }
  | { readonly kind: "profile"; readonly reject: readonly string[]; readonly endorse: readonly string[] }

/** A parent that thinks longer than this has failed, unless its maker says otherwise. */
const patienceMs = 120_000

export const Parent = {
  /** Asks a function: its answer may be a value, a promise or an effect. */
  fn: (
    judge: (question: Question, options: { readonly signal: AbortSignal }) => unknown,
    options: { readonly timeoutMs?: number } = {}
  ): Parent => ({
    kind: "function",
    timeoutMs: options.timeoutMs ?? patienceMs,
    judge: (question) =>
      Effect.tryPromise({
        // an effect is handed through; awaiting a promise of one gives the effect as well
        try: async (signal) => judge(question, { signal }),
        catch: (error) => error
      }).pipe(
        Effect.flatMap((answer) =>
          Effect.isEffect(answer) ? (answer as Effect.Effect<unknown, unknown>) : Effect.succeed(answer)
        )
      )
  }),

  /** Judges by rules: rejects what `reject` matches, endorses what `endorse` covers as a whole, else escalates. */
  profile: (rules: { readonly reject?: readonly string[]; readonly endorse?: readonly string[] }): Parent => ({
    kind: "profile",
    reject: rules.reject ?? [],
    endorse: rules.endorse ?? []
  })
}

/** The answer of an agent that no parent was bound for. */
export const unbound = Symbol.for("@countersign/adjudicator/unbound")

export class Parents extends Context.Service<
  Parents,
  {
    /** Asks an agent; what comes back is not to be trusted yet. */
    readonly judge: (agentId: string, question: Question) => Effect.Effect<unknown, unknown>
    /** From now on the agent is asked this way, in one session or in all. */
    readonly bind: (agentId: string, parent: Parent, sessionId?: string) => Effect.Effect<void>
  }
>()("@countersign/adjudicator/Parents") {
  /** Parents by agent id. */
  static readonly layer = (bound: Readonly<Record<string, Parent>> = {}) =>
    Layer.effect(
      Parents,
      Effect.gen(function* () {
        const settings = yield* CurrentSettings
        const tools = yield* Tools
        const { preset } = yield* GateOptions
        const parents = new Map<string, Parent>(
          Object.entries(bound).map(([agentId, parent]) => [keyOf(agentId), parent])
        )

        const byProfile = Effect.fnUntraced(function* (
          { endorse, reject }: Extract<Parent, { readonly kind: "profile" }>,
          { call, parentAgentId }: Question
        ) {
          const view = yield* settings.view()
          const tool = yield* tools.find(call.toolName)
          const capability: Capability = { ...tool?.capability, ...view.settings.tools[call.toolName] }
          const subject = readSubject(call, capability, view.surroundings(call.folder), preset)
          const rules = view.spawnRules({ deny: reject, allow: endorse }, call.folder)
          const who = { agentId: parentAgentId, mode: "default" as const, now: yield* Clock.currentTimeMillis }
          const rejecting = rules.deny(subject, who)
          if (rejecting !== undefined) return verdict("reject", `its task rules this out: ${named(rejecting)}`)
          const maybe = rules.possibleDeny(subject, who)
          if (maybe !== undefined) return verdict("escalate", `its task may rule this out: ${named(maybe.rule)}`)
          const endorsing = rules.allow(subject, who, false)
          if (endorsing?.by === "rule") return verdict("endorse", `its task covers this: ${named(endorsing.rule)}`)
          return verdict("escalate", "its task says nothing of this")
        })

        return Parents.of({
          judge: (agentId, question) => {
            const parent = parents.get(keyOf(agentId, question.call.sessionId)) ?? parents.get(keyOf(agentId))
            if (parent === undefined) return Effect.succeed(unbound)
            if (parent.kind === "profile") return byProfile(parent, question)
            return Effect.suspend(() => parent.judge(question)).pipe(Effect.timeout(parent.timeoutMs))
          },
          bind: (agentId, parent, sessionId) => Effect.sync(() => void parents.set(keyOf(agentId, sessionId), parent))
        })
      })
    )
}

const keyOf = (agentId: string, sessionId?: string) => JSON.stringify([sessionId ?? null, agentId])
const verdict = (verdict: ParentAnswer["verdict"], reason: string): ParentAnswer => ({ verdict, reason })
const named = (rule: Rule | undefined) => (rule === undefined ? "a rule that can't be read" : rule.text)
