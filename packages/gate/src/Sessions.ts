/**
 * ack's host-owned session store: state by key with compare-and-set, and a history that results are appended to.
 * The Store's row is the truth of a pending ask; the pointer kept here is a copy for ack's clients.
 */
import type { Json } from "@countersign/kernel"
import { Context, Data, Effect, Layer, Ref } from "effect"

/** The session store could not be read or written. */
export class SessionsError extends Data.TaggedError("SessionsError")<{
  readonly operation: string
  readonly cause: unknown
}> {
  override get message() {
    return `the session store failed to ${this.operation}: ${this.cause instanceof Error ? this.cause.message : String(this.cause)}`
  }
}

/** A session is named as ack names it. */
export interface SessionKey {
  readonly app: string
  readonly userId: string
  readonly sessionId: string
}

/** One line of a session's history, plain JSON; a tool's result or a refusal in its place. */
export interface HistoryMessage {
  readonly role: "tool" | "assistant" | "user" | "activity"
  readonly toolCallId?: string
  readonly content: Json
  readonly isError?: boolean
}

export class Sessions extends Context.Service<
  Sessions,
  {
    /** The value under a key of a session's state; undefined when there is none. */
    readonly get: (session: SessionKey, key: string) => Effect.Effect<Json | undefined, SessionsError>
    /** Writes `next` (undefined removes) only if the value still equals `expected`; says whether it did. */
    readonly compareAndSet: (
      session: SessionKey,
      key: string,
      expected: Json | undefined,
      next: Json | undefined
    ) => Effect.Effect<boolean, SessionsError>
    readonly append: (session: SessionKey, message: HistoryMessage) => Effect.Effect<void, SessionsError>
    readonly history: (session: SessionKey) => Effect.Effect<readonly HistoryMessage[], SessionsError>
  }
>()("@countersign/gate/Sessions") {
  /** In this process only. */
  static readonly layerMemory = Layer.effect(
    Sessions,
    Effect.gen(function* () {
      const state = yield* Ref.make<ReadonlyMap<string, Json>>(new Map())
      const lines = yield* Ref.make<ReadonlyMap<string, readonly HistoryMessage[]>>(new Map())
      const name = ({ app, sessionId, userId }: SessionKey) => JSON.stringify([app, userId, sessionId])
      const cell = (session: SessionKey, key: string) =>
        JSON.stringify([session.app, session.userId, session.sessionId, key])
      return Sessions.of({
        get: (session, key) => Ref.get(state).pipe(Effect.map((all) => all.get(cell(session, key)))),
        compareAndSet: (session, key, expected, next) =>
          Ref.modify(state, (all): readonly [boolean, ReadonlyMap<string, Json>] => {
            const at = cell(session, key)
            if (JSON.stringify(all.get(at)) !== JSON.stringify(expected)) return [false, all]
            const copy = new Map(all)
            if (next === undefined) copy.delete(at)
            else copy.set(at, next)
            return [true, copy]
          }),
        append: (session, message) =>
          Ref.update(lines, (all) => new Map(all).set(name(session), [...(all.get(name(session)) ?? []), message])),
        history: (session) => Ref.get(lines).pipe(Effect.map((all) => all.get(name(session)) ?? []))
      })
    })
  )
}
