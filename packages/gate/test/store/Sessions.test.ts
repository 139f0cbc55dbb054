import { openDatabase, Sessions, sessionsOver, SessionsSqlite, storeOver } from "@countersign/gate"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { join } from "node:path"
import { decided, ask, fresh } from "./rows.ts"
import { sessionsContract } from "./sessionsContract.ts"
import { temporaryFolder } from "./temporaryFolder.ts"

const folder = temporaryFolder()

sessionsContract("Sessions in memory", () => Sessions.layerMemory)
sessionsContract("Sessions in a file", () => SessionsSqlite.layer(join(folder, fresh("file"), "gate.db")))

describe("Sessions in a file", () => {
  const session = { app: "app", userId: "u1", sessionId: "s1" }

  it.effect("are there again when it is opened again", () =>
    Effect.gen(function* () {
      const again = SessionsSqlite.layer(join(folder, fresh("file"), "gate.db"))
      yield* Effect.flatMap(Sessions, (sessions) => sessions.compareAndSet(session, "k", undefined, "kept")).pipe(
        Effect.provide(again)
      )
      const value = yield* Effect.flatMap(Sessions, (sessions) => sessions.get(session, "k")).pipe(
        Effect.provide(again)
      )
      assert.strictEqual(value, "kept")
    })
  )

  it.effect("share a database with the store, each writing while the other does", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const db = yield* openDatabase(":memory:")
        const [sessions, store] = [sessionsOver(db), yield* storeOver(db, ":memory:")]
        const both = Array.from({ length: 50 }, (_, index) =>
          Effect.all(
            [
              sessions.append(session, { role: "user", content: index }),
              store.terminal({ record: decided(ask({ id: fresh("case") })), events: [] }),
              sessions.compareAndSet(session, `k${index}`, undefined, index)
            ],
            { concurrency: "unbounded" }
          )
        )
        yield* Effect.all(both, { concurrency: "unbounded" })
        assert.strictEqual((yield* sessions.history(session)).length, 50)
        assert.strictEqual(yield* store.records.count({}), 50)
      })
    )
  )
})
