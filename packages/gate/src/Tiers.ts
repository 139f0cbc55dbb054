/** The tier in force for a call: `TierFunc`, else the map, else the tool's own, else the default. */
import { type Capability, type FrozenCall, Tier } from "@countersign/kernel"
import { Context, Data, Effect, Layer } from "effect"

/** A tier that is no word of the language. It fails the start: a misspelt word must never open a gate. */
export class UnknownTier extends Data.TaggedError("UnknownTier")<{ readonly tool: string; readonly word: string }> {
  override get message() {
    return `unknown tier \`${this.word}\` for the tool \`${this.tool}\`; use one of ${Tier.literals.map((word) => `\`${word}\``).join(", ")}`
  }
}

export interface TierOptions {
  readonly map?: Readonly<Record<string, string>>
  /** Looks at the arguments, too. An unknown word counts as `confirm`. */
  readonly func?: (call: FrozenCall) => string | undefined
  /** For tools that nothing else says a tier of; absent = unset (the fallback of S20). */
  readonly default?: string | undefined
}

export class Tiers extends Context.Service<
  Tiers,
  {
    readonly of: (call: FrozenCall, capability: Capability) => Effect.Effect<Tier | undefined>
  }
>()("@countersign/gate/Tiers") {
  static readonly layer = (options: TierOptions) =>
    Layer.effect(
      Tiers,
      Effect.gen(function* () {
        for (const [tool, word] of Object.entries(options.map ?? {})) {
          if (!isTier(word)) return yield* new UnknownTier({ tool, word })
        }
        if (options.default !== undefined && !isTier(options.default)) {
          return yield* new UnknownTier({ tool: "*", word: options.default })
        }
        const map = new Map(Object.entries(options.map ?? {}))
        return Tiers.of({
          of: (call, capability) =>
            Effect.sync(() => {
              const word = ask(options.func, call) ?? map.get(call.toolName) ?? capability.tier ?? options.default
              return word === undefined || isTier(word) ? word : "confirm"
            })
        })
      })
    )
}

const isTier = (word: string): word is Tier => Tier.literals.some((tier) => tier === word)

/** A tier function that throws is an authority that failed: a person decides. */
function ask(func: TierOptions["func"], call: FrozenCall): string | undefined {
  try {
    return func?.(call)
  } catch {
    return "confirm"
  }
}
