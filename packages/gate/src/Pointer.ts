/**
 * The session's copy of its pending asks (ack's `__pending_tool_confirmation__`): a table by confirmation id. The
 * Store's row is the truth; this is what an ack client reads.
 */
import type { Json } from "@countersign/kernel"
import { Effect, Predicate } from "effect"
import { type ConfirmationPayload, StateKey } from "./Observer.ts"
import type { Sessions, SessionsError, SessionKey } from "./Sessions.ts"

type Table = { readonly [confirmationId: string]: Json }

/** Puts a pending payload into the table, or takes it out once it is settled. */
export const followPointer = Effect.fnUntraced(function* (
  sessions: Sessions["Service"],
  session: SessionKey,
  payload: ConfirmationPayload
): Effect.fn.Return<void, SessionsError> {
  // another writer of the same session may be in between: read again and retry
  for (;;) {
    const before = yield* sessions.get(session, StateKey)
    const table = readTable(before)
    const { [payload.confirmationId]: _, ...others } = table
    const after: Table =
      payload.status === "pending"
        ? { ...others, [payload.confirmationId]: JSON.parse(JSON.stringify(payload)) as Json }
        : others
    const next = Object.keys(after).length === 0 ? undefined : after
    if (before === undefined && next === undefined) return
    if (yield* sessions.compareAndSet(session, StateKey, before, next)) return
  }
})

/** The payloads that a session's pointer table holds. */
export const readPointers = Effect.fnUntraced(function* (
  sessions: Sessions["Service"],
  session: SessionKey
): Effect.fn.Return<readonly ConfirmationPayload[], SessionsError> {
  const table = readTable(yield* sessions.get(session, StateKey))
  return (Object.values(table) as readonly unknown[]).filter(isPayload)
})

const readTable = (state: Json | undefined): Table =>
  Predicate.isObject(state) && !Array.isArray(state) ? (state as Table) : {}

function isPayload(value: unknown): value is ConfirmationPayload {
  return (
    Predicate.isObject(value) &&
    ["confirmationId", "toolCallId", "toolName", "sessionId"].every((key) => typeof (value as Table)[key] === "string")
  )
}
