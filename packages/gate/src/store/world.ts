/** The world's counter, and what stands still: a settlement that was judged on an older count is judged again. */
import type { Db } from "./Tables.ts"

export const readRevision = async (db: Db) =>
  (await db.selectFrom("world").select("revision").executeTakeFirstOrThrow()).revision

/** Part of every transaction that changes grants, agents, refusals, cancels or freezes. */
export const bumpRevision = (db: Db) =>
  db
    .updateTable("world")
    .set(({ eb }) => ({ revision: eb("revision", "+", 1) }))
    .execute()

export const setWorldFrozen = (db: Db, frozen: boolean) =>
  db
    .updateTable("world")
    .set({ frozen: Number(frozen) })
    .execute()

export const setSession = (
  db: Db,
  sessionId: string,
  change: { readonly canceled?: number; readonly frozen?: number }
) =>
  db
    .insertInto("sessions")
    .values({ session_id: sessionId, canceled: 0, frozen: 0, ...change })
    .onConflict((conflict) => conflict.column("session_id").doUpdateSet(change))
    .execute()

export const isCanceled = async (db: Db, sessionId: string) =>
  (await db.selectFrom("sessions").select("canceled").where("session_id", "=", sessionId).executeTakeFirst())
    ?.canceled === 1

export const isFrozen = async (db: Db, sessionId: string) =>
  (await db.selectFrom("world").select("frozen").executeTakeFirstOrThrow()).frozen === 1 ||
  (await db.selectFrom("sessions").select("frozen").where("session_id", "=", sessionId).executeTakeFirst())?.frozen ===
    1
