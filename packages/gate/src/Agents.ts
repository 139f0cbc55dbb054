/**
 * The port to the registry of agents: whose call this is, and whose child that agent is. Identity, lineage and task
 * label come from here and never from a call's body. The adjudicator's registry fills it.
 */
import { Ancestor, type Lineage, type Mode } from "@countersign/kernel"
import { Context, Effect, Layer, Schema } from "effect"
import type { StoreError } from "./store/Store.ts"

/** What an agent can be. A settled or revoked one never calls again. */
export const AgentStatus = Schema.Literals(["active", "settled", "revoked"])
export type AgentStatus = typeof AgentStatus.Type

/** An agent as the Store keeps it. */
export const AgentRow = Schema.Struct({
  ...Ancestor.fields,
  sessionId: Schema.NonEmptyString,
  parentId: Schema.optionalKey(Schema.String),
  status: AgentStatus,
  /** Milliseconds since the epoch. */
  createdAt: Schema.Number
}).annotate({ identifier: "AgentRow" })
export type AgentRow = typeof AgentRow.Type

/** Why an agent's call isn't judged at all. */
export type AgentProblem = "agent.unknown" | "agent.revoked" | "session.canceled"

export class Agents extends Context.Service<
  Agents,
  {
    /** The caller and its ancestors up to the session's main agent; a stopped ancestor stops the caller. */
    readonly lineage: (
      sessionId: string,
      agentId: string
    ) => Effect.Effect<{ readonly lineage: Lineage } | { readonly problem: AgentProblem }, StoreError>
    /** The agent's id is its session's main agent. */
    readonly isMain: (sessionId: string, agentId: string) => boolean
  }
>()("@countersign/gate/Agents") {
  /** One main agent a session and no others: for hosts without sub-agents, and for `check`. */
  static readonly layerMain = (main: { readonly agentId: string; readonly mode: Mode }) =>
    Layer.succeed(
      Agents,
      Agents.of({
        lineage: (_, agentId) =>
          Effect.succeed(
            agentId === main.agentId
              ? { lineage: [{ agentId, task: "", mode: main.mode }] }
              : { problem: "agent.unknown" }
          ),
        isMain: (_, agentId) => agentId === main.agentId
      })
    )
}
