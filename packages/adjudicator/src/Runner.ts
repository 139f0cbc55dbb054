/**
 * What recovery needs of a host: a way to go on with a session's run, and its tools as they are at that moment. The
 * desk owns neither.
 */
import type { FrozenCall, Json } from "@countersign/kernel"
import type { Effect } from "effect"

/** Starts a continuation run of a session whose history now holds what became of its orphans. */
export interface ResumeRunner {
  /** Fails with the host's own conflict error while a run is still going on. Asked before anything is settled. */
  readonly ready?: (sessionId: string) => Effect.Effect<void, unknown>
  /** The run itself; nobody waits for its end. */
  readonly run: (input: { readonly sessionId: string; readonly userId: string }) => Effect.Effect<unknown, unknown>
}

/** A tool that recovery can call on the model's behalf. */
export type CallableTool = (args: Json, call: FrozenCall) => Effect.Effect<Json, unknown>

/** The tools by name, resolved when an answer arrives, so that dynamic sets are fresh. */
export type ToolResolver = Effect.Effect<ReadonlyMap<string, CallableTool>, unknown>
