/**
 * The port that watches: ack's PermissionEvents, the `tool.permission.*` events and the `tool_confirmation` cards.
 * It is fed from the Store's outbox after the commit; it can change nothing, and its failures are its own.
 */
import type { Basis, DecisionSource, Json, PermissionDecision } from "@countersign/kernel"
import { Context, Effect, Layer } from "effect"

/** An automatic terminal (ack 1.1.5). Human decisions give none. */
export interface PermissionEvent {
  readonly call: {
    readonly sessionId: string
    readonly toolCallId: string
    readonly toolName: string
    readonly arguments: Json
  }
  readonly agentId: string
  readonly allowed: boolean
  readonly basis: Basis
  /** Name of the effective named source for `verdict` and `endorsement`; empty for all else. */
  readonly source: string
  readonly ruleId: string
}

/** What may travel on a wire: no reason, no chain. */
export type ToolPermissionEvent =
  | {
      readonly type: "tool.permission.requested"
      readonly sessionId: string
      readonly toolCallId: string
      readonly name: string
    }
  | {
      readonly type: "tool.permission.decided"
      readonly sessionId: string
      readonly toolCallId: string
      readonly decision: PermissionDecision
      readonly decisionSource: DecisionSource
      readonly matchedRule?: string
    }

export const EventName = "tool_confirmation"
export const StateKey = "__pending_tool_confirmation__"

/** The whole description of a confirmation: ack's payload, and one key more. */
export interface ConfirmationPayload {
  readonly confirmationId: string
  readonly toolCallId: string
  readonly toolName: string
  readonly arguments?: Json
  readonly sessionId: string
  readonly status: "pending" | "approved" | "denied" | "canceled" | "expired"
  readonly decidedBy?: string
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  /** Absent with preset `ack`. */
  readonly gate?: ConfirmationGate
}

export interface ConfirmationGate {
  readonly digest: string
  /** The whole `GateDecision` of the ask. */
  readonly decision: Json
  readonly chain?: Json
  readonly childAgentId?: string
  readonly childDescription?: string
  readonly endorsed?: boolean
  /** Lasting grants on offer, as rule text. */
  readonly offered: Json
  /** The earlier refusal of the same, if there was one. */
  readonly refusedBefore?: Json
  readonly expiresAt?: number
}

/** ack's AG-UI custom event. */
export interface ConfirmationEvent {
  readonly type: "CUSTOM"
  readonly name: typeof EventName
  readonly value: ConfirmationPayload
}

/** Everything that the outbox carries. */
export type GateEvent =
  | { readonly kind: "permission"; readonly event: PermissionEvent }
  | { readonly kind: "tool"; readonly event: ToolPermissionEvent }
  | { readonly kind: "confirmation"; readonly event: ConfirmationEvent }

export class Observer extends Context.Service<
  Observer,
  {
    /** Called once an event is committed, in order; at least once across a crash. */
    readonly observe: (event: GateEvent) => Effect.Effect<void, unknown>
  }
>()("@countersign/gate/Observer") {
  static readonly layerNone = Layer.succeed(Observer, Observer.of({ observe: () => Effect.void }))
}
