/** The table of refusals that stick: one row a session and subject. */
import { present } from "./cases.ts"
import type { Refusal } from "./Case.ts"
import type { Db } from "./Tables.ts"

export async function findRefusal(db: Db, sessionId: string, key: string): Promise<Refusal | undefined> {
  const row = await db
    .selectFrom("refusals")
    .selectAll()
    .where("session_id", "=", sessionId)
    .where("key", "=", key)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { agent_id: agentId, at, by, reason, times } = row
  return { sessionId, key, agentId, by, ...present("reason", reason), at, times }
}

/** The latest words count, and how often it was refused. */
export const addRefusal = (db: Db, { agentId, at, by, key, reason, sessionId }: Omit<Refusal, "times">) =>
  db
    .insertInto("refusals")
    .values({ session_id: sessionId, key, agent_id: agentId, by, reason: reason ?? null, at, times: 1 })
    .onConflict((conflict) =>
      conflict.columns(["session_id", "key"]).doUpdateSet((row) => ({
        agent_id: agentId,
        by,
        reason: reason ?? null,
        at,
        times: row.eb("refusals.times", "+", 1)
      }))
    )
    .execute()

/** Says whether there was one. */
export const clearRefusal = async (db: Db, sessionId: string, key: string): Promise<boolean> =>
  (await db.deleteFrom("refusals").where("session_id", "=", sessionId).where("key", "=", key).executeTakeFirst())
    .numDeletedRows > 0n
