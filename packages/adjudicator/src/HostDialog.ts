/** A host's own dialog as an asking channel: it is shown the card and gives the person's answer back. */
import type { FrozenCall, GateDecision } from "@countersign/kernel"
import { type Effect, Predicate } from "effect"
import type { Card } from "./Card.ts"
import type { DeskAnswer } from "./Desk.ts"

export interface HostDialog {
  /** Interrupted when the case ends another way. An answer that isn't understood is none. */
  readonly ask: (call: FrozenCall, card: Card, decision: GateDecision) => Effect.Effect<unknown, unknown>
  /** True: the desk is a channel beside it, so that a dialog that fails is no end of the ask. */
  readonly beside: boolean
}

/** What a dialog may answer. */
export type DialogAnswer = Pick<DeskAnswer, "approved" | "decidedBy" | "reason" | "remember" | "updatedInput">

/** Reads a dialog's answer; undefined if it is none. */
export function readDialogAnswer(said: unknown): DialogAnswer | undefined {
  if (typeof said === "boolean") return { approved: said }
  if (!Predicate.isObject(said) || !("approved" in said) || typeof said.approved !== "boolean") return undefined
  const words = said as Readonly<Record<string, unknown>>
  const texts = ["decidedBy", "reason", "remember"].filter((key) => words[key] !== undefined)
  if (texts.some((key) => typeof words[key] !== "string")) return undefined
  return {
    approved: said.approved,
    ...Object.fromEntries(texts.map((key) => [key, words[key]])),
    ...(words["updatedInput"] === undefined ? {} : { updatedInput: words["updatedInput"] })
  }
}
