/** ack's session store in a database of ours. */
import type { Json } from "@countersign/kernel"
import { Effect, Layer } from "effect"
import { type HistoryMessage, type SessionKey, Sessions, SessionsError } from "../Sessions.ts"
import { immediately, openDatabase } from "./sqlite/Database.ts"
import type { Db } from "./Tables.ts"

/** Sessions over an open database. */
export const sessionsOver = (db: Db) => {
  const attempt = <A>(operation: string, run: () => Promise<A>) =>
    Effect.uninterruptible(Effect.tryPromise({ try: run, catch: (cause) => new SessionsError({ operation, cause }) }))
  return Sessions.of({
    get: (session, key) => attempt("read a session's state", () => readState(db, session, key)),
    compareAndSet: (session, key, expected, next) =>
      attempt("write a session's state", () =>
        immediately(
          db,
          (_, run) => run(),
          async (db) => {
            const found = await readState(db, session, key)
            if (JSON.stringify(found) !== JSON.stringify(expected)) return false
            await writeState(db, session, key, next)
            return true
          }
        )
      ),
    append: (session, message) =>
      attempt("append to a session's history", async () => {
        await db
          .insertInto("session_history")
          .values({ ...columns(session), message: JSON.stringify(message) })
          .execute()
      }),
    history: (session) =>
      attempt("read a session's history", async () => {
        const rows = await db
          .selectFrom("session_history")
          .select("message")
          .where((eb) => eb.and(columns(session)))
          .orderBy("seq")
          .execute()
        return rows.map(({ message }) => JSON.parse(message) as HistoryMessage)
      })
  })
}

/** ack's session store in a file. */
export const SessionsSqlite = {
  layer: (file: string) => Layer.effect(Sessions, Effect.map(openDatabase(file), sessionsOver))
}

const columns = ({ app, sessionId, userId }: SessionKey) => ({ app, user_id: userId, session_id: sessionId })

async function readState(db: Db, session: SessionKey, key: string): Promise<Json | undefined> {
  const row = await db
    .selectFrom("session_state")
    .select("value")
    .where((eb) => eb.and({ ...columns(session), key }))
    .executeTakeFirst()
  return row === undefined ? undefined : (JSON.parse(row.value) as Json)
}

async function writeState(db: Db, session: SessionKey, key: string, next: Json | undefined): Promise<void> {
  if (next === undefined) {
    await db
      .deleteFrom("session_state")
      .where((eb) => eb.and({ ...columns(session), key }))
      .execute()
    return
  }
  const value = JSON.stringify(next)
  await db
    .insertInto("session_state")
    .values({ ...columns(session), key, value })
    .onConflict((conflict) => conflict.columns(["app", "user_id", "session_id", "key"]).doUpdateSet({ value }))
    .execute()
}
