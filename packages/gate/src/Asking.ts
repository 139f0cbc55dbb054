/**
 * The port to whoever can answer an ask: S23 to S26 behind three verbs. The adjudicator's desk fills it; without one
 * every remaining ask is a deny (`ask.nobody`).
 */
import type { FrozenCall, GateDecision } from "@countersign/kernel"
import { Context, Effect, Layer } from "effect"
import type { Judgement } from "./Judge.ts"
import type { Case } from "./store/Case.ts"
import type { StoreError } from "./store/Store.ts"

/** How an ask began. */
export type Begun =
  /** A case is open; `joined`: it was open already, under the same call. */
  | { readonly kind: "open"; readonly caseId: string; readonly joined: boolean }
  /** It ended at once, denied: its terminal is recorded. */
  | { readonly kind: "ended"; readonly decision: GateDecision; readonly recordId: string }
  /** The same call was approved already and its permit is taken, in this process (C6). Nothing is recorded of this one yet. */
  | { readonly kind: "duplicate"; readonly caseId: string }

/** How an ask ended; recorded before anybody hears of it. */
export interface Answer {
  readonly caseId: string
  /** The terminal decision: allow or deny. */
  readonly decision: GateDecision
  readonly recordId: string
  /** What runs if it was allowed: the person may have edited it. */
  readonly call: FrozenCall
  readonly digest: string
}

export class Asking extends Context.Service<
  Asking,
  {
    /** False: nobody could ever answer (S22). */
    readonly available: boolean
    /** S23: opens the case, or says why there is none. From here on the ask survives the process. */
    readonly begin: (judgement: Judgement, face: Case["face"]) => Effect.Effect<Begun, StoreError>
    /** S24 to S26: waits for the answer. Interruption cancels the case, unless the desk is closing. */
    readonly wait: (caseId: string) => Effect.Effect<Answer, StoreError>
    /** The answer if there is one; undefined while it is pending. */
    readonly answerOf: (caseId: string) => Effect.Effect<Answer | undefined, StoreError>
  }
>()("@countersign/gate/Asking") {
  static readonly layerNobody = Layer.succeed(
    Asking,
    Asking.of({
      available: false,
      begin: () => Effect.die(new Error("nobody can be asked")),
      wait: () => Effect.die(new Error("nobody can be asked")),
      answerOf: () => Effect.succeed(undefined)
    })
  )
}
