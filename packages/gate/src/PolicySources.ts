/**
 * The port to outside authorities, consulted on every call that no ban ended: named ones first, anonymous after.
 * One that fails, times out or answers an unknown word forces a person to decide.
 */
import type { FrozenCall, PolicyVerdict } from "@countersign/kernel"
import { Cause, Context, Effect, Layer } from "effect"

export interface PolicySource {
  /** Absent = anonymous. */
  readonly name?: string
  readonly timeoutMs?: number
  /** `abstain`, `allow`, `confirm` or `deny`; with words for the person, if it has any. */
  readonly consult: (
    call: FrozenCall
  ) => Effect.Effect<string | { readonly verdict: string; readonly because?: string }, unknown>
}

/** All sources' verdict on one call. */
export interface CombinedVerdict extends PolicyVerdict {
  /** The source whose failure forced a person, by name or as `anonymous`. */
  readonly failed?: string
}

export class PolicySources extends Context.Service<
  PolicySources,
  {
    readonly consult: (call: FrozenCall) => Effect.Effect<CombinedVerdict>
  }
>()("@countersign/gate/PolicySources") {
  static readonly layerNone = Layer.succeed(
    PolicySources,
    PolicySources.of({ consult: () => Effect.succeed({ verdict: "abstain" }) })
  )

  static readonly layer = (sources: readonly PolicySource[]) => {
    const chain = [...sources.filter(({ name }) => name), ...sources.filter(({ name }) => !name)]
    return Layer.succeed(
      PolicySources,
      PolicySources.of({
        consult: Effect.fnUntraced(function* (call) {
          let combined: CombinedVerdict = { verdict: "abstain" }
          for (const source of chain) {
            const answer = yield* ask(source, call)
            if (strictness[answer.verdict] > strictness[combined.verdict]) combined = answer
            if (combined.verdict === "deny") break
          }
          return combined
        })
      })
    )
  }
}

const strictness = { abstain: 0, allow: 1, confirm: 2, deny: 3 } as const
const isVerdict = (word: string): word is PolicyVerdict["verdict"] => Object.hasOwn(strictness, word)

const ask = (source: PolicySource, call: FrozenCall): Effect.Effect<CombinedVerdict> =>
  Effect.suspend(() => source.consult(call)).pipe(
    source.timeoutMs === undefined ? (self) => self : Effect.timeout(source.timeoutMs),
    Effect.flatMap((answer) => {
      const { because, verdict } = typeof answer === "string" ? { verdict: answer, because: undefined } : answer
      return isVerdict(verdict)
        ? Effect.succeed(named(source, { verdict, ...(because === undefined ? {} : { because }) }))
        : Effect.fail(new Error(`it answered the unknown word \`${String(verdict)}\``))
    }),
    Effect.catchCause((cause) => {
      const name = source.name || "anonymous"
      return Effect.logError(`policy source \`${name}\` failed; a person has to decide`, cause).pipe(
        Effect.as<CombinedVerdict>({
          verdict: "confirm",
          failed: name,
          because: `policy source \`${name}\` failed: ${message(cause)}`
        })
      )
    })
  )

const named = (source: PolicySource, verdict: PolicyVerdict): CombinedVerdict =>
  source.name ? { ...verdict, source: source.name } : verdict

function message(cause: Cause.Cause<unknown>): string {
  const error = Cause.squash(cause)
  return error instanceof Error ? error.message : String(error)
}
