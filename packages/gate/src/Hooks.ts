/**
 * The port to PreToolUse and PostToolUse hooks. Several merge monotonically: the strictest wins, the last rewrite
 * wins. A hook that fails denies, unless it was configured as having no opinion then.
 */
import type { FrozenCall, Json } from "@countersign/kernel"
import { Cause, Context, Effect, Layer, Predicate } from "effect"

/** What a hook may say. Any other word is a failing hook. */
export interface HookAnswer {
  readonly decision?: string
  readonly reason?: string
  /** Replaces the arguments as a whole. */
  readonly updatedInput?: unknown
}

export interface Hook {
  readonly name: string
  readonly on?: "pre" | "post"
  /** Asked for these tools only; absent = all. */
  readonly tools?: readonly string[]
  readonly timeoutMs?: number
  /** What its failure means; a host's own hooks deny. */
  readonly failing?: "deny" | "noOpinion"
  readonly run: (call: FrozenCall, result?: unknown) => Effect.Effect<HookAnswer | null | undefined, unknown>
}

/** All hooks' words on one call. */
export interface HookVerdict {
  readonly decision: "none" | "ask" | "deny"
  /** The name of the hook that decided. */
  readonly hook?: string
  readonly because?: string
  /** The last rewrite. */
  readonly updatedInput?: unknown
  /** Every rewrite, in order, for the record. */
  readonly rewrites: readonly { readonly hook: string; readonly arguments: unknown }[]
  /** Hooks that failed, for the log. */
  readonly failures: readonly { readonly hook: string; readonly message: string }[]
}

/** Says yes before anyone is asked (S16): the id that the hook gives becomes the rule id. */
export type Preapprove = (call: FrozenCall) => Effect.Effect<string | undefined, unknown>

export class Hooks extends Context.Service<
  Hooks,
  {
    readonly before: (call: FrozenCall) => Effect.Effect<HookVerdict>
    /** PostToolUse: what the hooks add to the result, as text. */
    readonly after: (call: FrozenCall, result: unknown) => Effect.Effect<readonly string[]>
    readonly preapprove: (call: FrozenCall) => Effect.Effect<string | undefined>
  }
>()("@countersign/gate/Hooks") {
  static readonly layerNone = Layer.succeed(
    Hooks,
    Hooks.of({
      before: () => Effect.succeed(noOpinion),
      after: () => Effect.succeed([]),
      preapprove: () => Effect.succeed(undefined)
    })
  )

  static readonly layer = (hooks: readonly Hook[], preapprove?: Preapprove) =>
    Layer.succeed(
      Hooks,
      Hooks.of({
        before: Effect.fnUntraced(function* (call) {
          let verdict = noOpinion
          let seen = call
          for (const hook of hooks.filter((hook) => hook.on !== "post" && concerns(hook, call))) {
            const answer = yield* consult(hook, seen)
            verdict = merge(verdict, hook, answer)
            // later hooks see what earlier ones made of the call
            if (verdict.updatedInput !== undefined) seen = { ...call, arguments: verdict.updatedInput as Json }
          }
          return verdict
        }),
        after: Effect.fnUntraced(function* (call, result) {
          const words: string[] = []
          for (const hook of hooks.filter((hook) => hook.on === "post" && concerns(hook, call))) {
            const answer = yield* consult(hook, call, result)
            if ("failed" in answer)
              yield* Effect.logWarning(`hook \`${hook.name}\` failed after \`${call.toolName}\`: ${answer.failed}`)
            else if (answer.reason !== undefined) words.push(answer.reason)
          }
          return words
        }),
        // a pre-approval that fails is none
        preapprove: (call) =>
          (preapprove?.(call) ?? Effect.succeed(undefined)).pipe(
            Effect.map((id) => (typeof id === "string" && id !== "" ? id : undefined)),
            Effect.catchCause((cause) =>
              Effect.logWarning("the pre-approve hook failed", cause).pipe(Effect.as(undefined))
            )
          )
      })
    )
}

const noOpinion: HookVerdict = { decision: "none", rewrites: [], failures: [] }
const strictness = { none: 0, ask: 1, deny: 2 } as const
const words: Readonly<Record<string, HookVerdict["decision"]>> = {
  allow: "none",
  none: "none",
  ask: "ask",
  deny: "deny"
}

const concerns = (hook: Hook, call: FrozenCall) => hook.tools === undefined || hook.tools.includes(call.toolName)

const consult = (
  hook: Hook,
  call: FrozenCall,
  result?: unknown
): Effect.Effect<HookAnswer | { readonly failed: string }> =>
  Effect.suspend(() => hook.run(call, result)).pipe(
    hook.timeoutMs === undefined ? (self) => self : Effect.timeout(hook.timeoutMs),
    Effect.map((answer) => readAnswer(answer)),
    Effect.catchCause((cause) => Effect.succeed({ failed: describe(cause) }))
  )

const answerKeys: ReadonlySet<string> = new Set(["decision", "reason", "updatedInput"])

function readAnswer(answer: unknown): HookAnswer | { readonly failed: string } {
  if (answer === null || answer === undefined) return {}
  if (!Predicate.isObject(answer)) return { failed: "it answered with no object" }
  // a misspelt key would be a deny that nobody hears
  const stray = Object.keys(answer).find((key) => !answerKeys.has(key))
  if (stray !== undefined) return { failed: `it answered with the unknown key \`${stray}\`` }
  const { decision, reason } = answer as HookAnswer
  if (decision !== undefined && !Object.hasOwn(words, decision))
    return { failed: `it answered the unknown word \`${String(decision)}\`` }
  return { ...(answer as HookAnswer), ...(typeof reason === "string" ? { reason } : {}) }
}

function merge(verdict: HookVerdict, hook: Hook, answer: HookAnswer | { readonly failed: string }): HookVerdict {
  if ("failed" in answer) {
    const failed = { ...verdict, failures: [...verdict.failures, { hook: hook.name, message: answer.failed }] }
    if (hook.failing === "noOpinion") return failed
    return stricter(failed, "deny", hook, `the hook \`${hook.name}\` failed: ${answer.failed}`)
  }
  const decided = stricter(verdict, words[answer.decision ?? "none"]!, hook, answer.reason)
  if (answer.updatedInput === undefined) return decided
  return {
    ...decided,
    updatedInput: answer.updatedInput,
    rewrites: [...decided.rewrites, { hook: hook.name, arguments: answer.updatedInput }]
  }
}

function stricter(
  verdict: HookVerdict,
  decision: HookVerdict["decision"],
  hook: Hook,
  because: string | undefined
): HookVerdict {
  if (strictness[decision] <= strictness[verdict.decision]) return verdict
  return { ...verdict, decision, hook: hook.name, ...(because === undefined ? {} : { because }) }
}

function describe(cause: Cause.Cause<unknown>): string {
  const error = Cause.squash(cause)
  if (Predicate.isTagged(error, "TimeoutError")) return "it did not answer in time"
  return error instanceof Error ? error.message : String(error)
}
