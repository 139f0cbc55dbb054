/** The outbox: events that are committed with what they tell of, until they are delivered. */
import type { GateEvent } from "../Observer.ts"
import { present } from "./cases.ts"
import type { OutboxRow } from "./Store.ts"
import type { Db } from "./Tables.ts"

export const putEvents = async (db: Db, events: readonly GateEvent[], caseId: string | undefined) => {
  if (events.length === 0) return
  await db
    .insertInto("outbox")
    .values(events.map((event) => ({ event: JSON.stringify(event), case_id: caseId ?? null })))
    .execute()
}

/** Oldest first. */
export const peekEvents = async (db: Db, limit: number): Promise<readonly OutboxRow[]> =>
  (await db.selectFrom("outbox").selectAll().orderBy("id").limit(limit).execute()).map((row) => ({
    id: row.id,
    event: JSON.parse(row.event) as GateEvent,
    ...present("caseId", row.case_id)
  }))

export const dropEvents = (db: Db, ids: readonly number[]) =>
  db
    .deleteFrom("outbox")
    .where("id", "in", [...ids])
    .execute()
