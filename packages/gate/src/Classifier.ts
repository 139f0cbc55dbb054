/**
 * The port to a classifier's opinion on asks that remain (S21). It can tighten or, in mode `auto` and within its
 * radius, release a fallback ask. A classifier that fails has no opinion.
 */
import type { FrozenCall, GateDecision } from "@countersign/kernel"
import { Context, Effect, Layer } from "effect"

export interface Opinion {
  readonly verdict: "safe" | "dangerous" | "none"
  readonly reason: string
  readonly model?: string
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number }
}

const patienceMs = 120_000

export class Classifier extends Context.Service<
  Classifier,
  {
    /** False: it is off and nobody is consulted. */
    readonly enabled: boolean
    readonly id: string
    /** What a dangerous call becomes: an ask with its reason, or a deny. */
    readonly rejectEffect: "ask" | "deny"
    readonly consult: (call: FrozenCall, decision: GateDecision) => Effect.Effect<Opinion, unknown>
  }
>()("@countersign/gate/Classifier") {
  static readonly layerNone = Layer.succeed(
    Classifier,
    Classifier.of({
      enabled: false,
      id: "none",
      rejectEffect: "ask",
      consult: () => Effect.succeed({ verdict: "none", reason: "" })
    })
  )

  static readonly layer = (options: {
    readonly id: string
    readonly rejectEffect: "ask" | "deny"
    readonly consult: (call: FrozenCall, decision: GateDecision) => Effect.Effect<Opinion, unknown>
    /** One that thinks longer than this has failed. */
    readonly timeoutMs?: number
  }) => {
    const { consult, id, rejectEffect, timeoutMs = patienceMs } = options
    return Layer.succeed(
      Classifier,
      Classifier.of({
        enabled: true,
        id,
        rejectEffect,
        consult: (call, decision) => Effect.suspend(() => consult(call, decision)).pipe(Effect.timeout(timeoutMs))
      })
    )
  }
}
