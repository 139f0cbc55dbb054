/** What every session store promises, a host's own as well. Each test gets one of its own. */
import { type SessionKey, Sessions, type SessionsError, type StoreError } from "@countersign/gate"
import { assert, describe, it } from "@effect/vitest"
import { Effect, type Layer } from "effect"

const session: SessionKey = { app: "app", userId: "u1", sessionId: "s1" }
const others: readonly SessionKey[] = [
  { ...session, app: "other" },
  { ...session, userId: "u2" },
  { ...session, sessionId: "s2" }
]

/** Runs all of it on the session stores that `make` makes. */
export function sessionsContract(name: string, make: () => Layer.Layer<Sessions, SessionsError | StoreError>): void {
  const test = (title: string, body: (sessions: Sessions["Service"]) => Effect.Effect<void, SessionsError>) =>
    it.effect(title, () => Effect.flatMap(Sessions, body).pipe(Effect.provide(make())))

  describe(`${name} · contract`, () => {
    test("writes a value only over the one that was expected", (sessions) =>
      Effect.gen(function* () {
        const value = { a: [1, null, "x"], b: { c: true } }
        assert.isUndefined(yield* sessions.get(session, "k"))
        assert.isFalse(yield* sessions.compareAndSet(session, "k", { a: 1 }, value))
        assert.isUndefined(yield* sessions.get(session, "k"))
        assert.isTrue(yield* sessions.compareAndSet(session, "k", undefined, value))
        assert.deepStrictEqual(yield* sessions.get(session, "k"), value)
        assert.isFalse(yield* sessions.compareAndSet(session, "k", undefined, "late"))
        assert.isTrue(yield* sessions.compareAndSet(session, "k", value, null))
        assert.isNull(yield* sessions.get(session, "k"))
        assert.isTrue(yield* sessions.compareAndSet(session, "k", null, undefined))
        assert.isUndefined(yield* sessions.get(session, "k"))
        assert.isTrue(yield* sessions.compareAndSet(session, "k", undefined, undefined))
      }))

    test("lets one of many writers win", (sessions) =>
      Effect.gen(function* () {
        const writers = Array.from({ length: 100 }, (_, index) =>
          sessions.compareAndSet(session, "k", undefined, index)
        )
        const results = yield* Effect.all(writers, { concurrency: "unbounded" })
        assert.strictEqual(results.filter((won) => won).length, 1)
        assert.strictEqual(yield* sessions.get(session, "k"), results.indexOf(true))
      }))

    test("tells applications, users, sessions and keys apart", (sessions) =>
      Effect.gen(function* () {
        for (const key of ["k", "gone"]) yield* sessions.compareAndSet(session, key, undefined, "mine")
        assert.isTrue(yield* sessions.compareAndSet(session, "gone", "mine", undefined))
        yield* sessions.append(session, { role: "user", content: "mine" })
        assert.isUndefined(yield* sessions.get(session, "another"))
        for (const other of others) {
          assert.isUndefined(yield* sessions.get(other, "k"))
          assert.deepStrictEqual(yield* sessions.history(other), [])
          assert.isTrue(yield* sessions.compareAndSet(other, "k", undefined, "theirs"))
          assert.isTrue(yield* sessions.compareAndSet(other, "k", "theirs", undefined))
        }
        assert.strictEqual(yield* sessions.get(session, "k"), "mine")
      }))

    test("keeps the history word for word, in its order", (sessions) =>
      Effect.gen(function* () {
        const result = { role: "tool", toolCallId: "c1", content: { status: "denied" }, isError: true } as const
        const lines = [
          { role: "user", content: "do it" },
          result,
          { role: "assistant", content: ["done", null] }
        ] as const
        for (const line of lines) yield* sessions.append(session, line)
        assert.deepStrictEqual(yield* sessions.history(session), lines)
      }))
  })
}
