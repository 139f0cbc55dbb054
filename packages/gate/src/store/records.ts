/** The table of records: written once, never changed (triggers refuse it), asked through columns made of their own text. */
import { sql } from "kysely"
import { type LedgerRecord, writeRecord } from "./Record.ts"
import type { RecordQuery, StoredRecord } from "./Store.ts"
import type { Db } from "./Tables.ts"

export const appendRecord = (db: Db, record: LedgerRecord) =>
  db
    .insertInto("records")
    .values({ body: writeRecord(record) })
    .execute()

/** Newest first. */
export async function listRecords(db: Db, query: RecordQuery): Promise<readonly StoredRecord[]> {
  const rows = await filtered(db, query)
    .select(["seq", "body"])
    .orderBy("seq", "desc")
    .limit(query.limit ?? 1_000_000_000)
    .offset(query.offset ?? 0)
    .execute()
  return rows.map(({ body, seq }) => ({ seq, text: body, record: JSON.parse(body) as LedgerRecord }))
}

export async function countRecords(db: Db, query: RecordQuery): Promise<number> {
  const { count } = await filtered(db, query)
    .select(sql<number>`count(*)`.as("count"))
    .executeTakeFirstOrThrow()
  return count
}

const columns = {
  id: "id",
  kind: "kind",
  sessionId: "session_id",
  agentId: "agent_id",
  toolName: "tool_name",
  toolCallId: "tool_call_id",
  caseId: "case_id",
  decision: "decision"
} as const

function filtered(db: Db, query: RecordQuery) {
  let select = db.selectFrom("records")
  for (const [key, column] of Object.entries(columns) as [
    keyof typeof columns,
    (typeof columns)[keyof typeof columns]
  ][]) {
    const value = query[key]
    if (value !== undefined) select = select.where(column, "=", value)
  }
  return select
}
