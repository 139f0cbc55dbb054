/** The first shape: cases, records, grants, refusals, agents, sessions, the outbox, and ack's session store. */
import { type Kysely, sql } from "kysely"
import type { Migration } from "kysely/migration"

// query columns are generated from the record's own text, so that they can't disagree with it
const fromBody = (name: string) => sql`(json_extract(body, ${sql.lit(`$.${name}`)}))`

const up = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable("cases")
    .addColumn("id", "text", (column) => column.primaryKey().notNull())
    .addColumn("confirmation_id", "text", (column) => column.notNull())
    .addColumn("session_id", "text", (column) => column.notNull())
    .addColumn("agent_id", "text", (column) => column.notNull())
    .addColumn("tool_call_id", "text", (column) => column.notNull())
    .addColumn("asked", "integer", (column) => column.notNull())
    .addColumn("stage", "text", (column) => column.notNull())
    .addColumn("status", "text", (column) => column.notNull())
    .addColumn("face", "text", (column) => column.notNull())
    .addColumn("node", "text", (column) => column.notNull())
    .addColumn("created_at", "integer", (column) => column.notNull())
    .addColumn("expires_at", "integer")
    .addColumn("decided_by", "text")
    .addColumn("decided_at", "integer")
    .addColumn("answer_reason", "text")
    .addColumn("claimed_by", "text")
    .addColumn("outcome", "text")
    .addColumn("digest", "text", (column) => column.notNull())
    .addColumn("call", "text", (column) => column.notNull())
    .addColumn("decision", "text", (column) => column.notNull())
    .addColumn("chain", "text", (column) => column.notNull())
    .addColumn("fixed", "text", (column) => column.notNull())
    .execute()
  // one ask a call: the key of C6
  await db.schema
    .createIndex("cases_by_call")
    .unique()
    .on("cases")
    .columns(["session_id", "agent_id", "tool_call_id"])
    .where(sql.ref("asked"), "=", sql.lit(1))
    .execute()
  await db.schema
    .createIndex("cases_pending")
    .on("cases")
    .columns(["session_id", "created_at"])
    .where(sql.ref("status"), "=", sql.lit("pending"))
    .execute()
  await db.schema
    .createIndex("cases_open_claims")
    .on("cases")
    .column("claimed_by")
    .where(sql.ref("outcome"), "is", sql.lit(null))
    .execute()
  await db.schema
    .createIndex("cases_unclaimed")
    .on("cases")
    .column("created_at")
    .where(sql.ref("status"), "=", sql.lit("approved"))
    .where(sql.ref("claimed_by"), "is", sql.lit(null))
    .execute()
  await db.schema
    .createIndex("cases_unknown")
    .on("cases")
    .columns(["session_id", "created_at"])
    .where(sql.ref("outcome"), "=", sql.lit("unknown"))
    .execute()
  await db.schema.createIndex("cases_by_confirmation").on("cases").columns(["session_id", "confirmation_id"]).execute()

  await db.schema
    .createTable("records")
    .addColumn("seq", "integer", (column) => column.primaryKey().autoIncrement().notNull())
    .addColumn("body", "text", (column) => column.notNull())
    .addColumn("id", "text", (column) => column.generatedAlwaysAs(fromBody("id")))
    .addColumn("kind", "text", (column) => column.generatedAlwaysAs(fromBody("kind")))
    .addColumn("at", "integer", (column) => column.generatedAlwaysAs(fromBody("at")))
    .addColumn("session_id", "text", (column) => column.generatedAlwaysAs(fromBody("sessionId")))
    .addColumn("agent_id", "text", (column) => column.generatedAlwaysAs(fromBody("agentId")))
    .addColumn("tool_call_id", "text", (column) => column.generatedAlwaysAs(fromBody("toolCallId")))
    .addColumn("tool_name", "text", (column) => column.generatedAlwaysAs(fromBody("toolName")))
    .addColumn("decision", "text", (column) => column.generatedAlwaysAs(fromBody("decision")))
    .addColumn("case_id", "text", (column) => column.generatedAlwaysAs(fromBody("caseId")))
    .execute()
  await db.schema.createIndex("records_by_id").unique().on("records").column("id").execute()
  await db.schema
    .createIndex("records_by_call")
    .on("records")
    .columns(["session_id", "agent_id", "tool_call_id"])
    .execute()
  // INVARIANT: a case has one decision and one outcome, whoever writes
  await db.schema
    .createIndex("records_by_case")
    .unique()
    .on("records")
    .columns(["case_id", "kind"])
    .where(sql.ref("case_id"), "is not", sql.lit(null))
    .execute()
  for (const verb of ["update", "delete"]) {
    await sql`create trigger ${sql.ref(`records_no_${verb}`)} before ${sql.raw(verb)} on records
      begin select raise(abort, 'records are written once'); end`.execute(db)
  }
  // `insert or replace` takes rows away without telling the trigger above
  await sql`create trigger records_no_replace before insert on records
    when exists (select 1 from records where seq = new.seq or id = new.id)
      or exists (select 1 from records where case_id = new.case_id and kind = new.kind)
    begin select raise(abort, 'records are written once'); end`.execute(db)

  await db.schema
    .createTable("grants")
    .addColumn("id", "text", (column) => column.primaryKey().notNull())
    .addColumn("user_id", "text", (column) => column.notNull())
    .addColumn("session_id", "text")
    .addColumn("agent_id", "text")
    .addColumn("tool_name", "text", (column) => column.notNull())
    .addColumn("content", "text")
    .addColumn("exact", "integer")
    .addColumn("folder", "text")
    .addColumn("uses", "integer")
    .addColumn("expires_at", "integer")
    .addColumn("created_by", "text", (column) => column.notNull())
    .addColumn("created_at", "integer", (column) => column.notNull())
    .execute()
  await db.schema.createIndex("grants_by_tool").on("grants").columns(["user_id", "tool_name"]).execute()

  await db.schema
    .createTable("refusals")
    .addColumn("session_id", "text", (column) => column.notNull())
    .addColumn("key", "text", (column) => column.notNull())
    .addColumn("agent_id", "text", (column) => column.notNull())
    .addColumn("by", "text", (column) => column.notNull())
    .addColumn("reason", "text")
    .addColumn("at", "integer", (column) => column.notNull())
    .addColumn("times", "integer", (column) => column.notNull())
    .addPrimaryKeyConstraint("refusals_key", ["session_id", "key"])
    .execute()

  await db.schema
    .createTable("agents")
    .addColumn("seq", "integer", (column) => column.primaryKey().autoIncrement().notNull())
    .addColumn("session_id", "text", (column) => column.notNull())
    .addColumn("agent_id", "text", (column) => column.notNull())
    .addColumn("parent_id", "text")
    .addColumn("task", "text", (column) => column.notNull())
    .addColumn("mode", "text", (column) => column.notNull())
    .addColumn("status", "text", (column) => column.notNull())
    .addColumn("bounds", "text")
    .addColumn("rules", "text")
    .addColumn("created_at", "integer", (column) => column.notNull())
    .addUniqueConstraint("agents_key", ["session_id", "agent_id"])
    .execute()

  await db.schema
    .createTable("sessions")
    .addColumn("session_id", "text", (column) => column.primaryKey().notNull())
    .addColumn("canceled", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("frozen", "integer", (column) => column.notNull().defaultTo(0))
    .execute()

  // one row: how often the world changed, and whether all of it stands still
  await db.schema
    .createTable("world")
    .addColumn("id", "integer", (column) => column.primaryKey().notNull())
    .addColumn("revision", "integer", (column) => column.notNull())
    .addColumn("frozen", "integer", (column) => column.notNull())
    .execute()
  await sql`insert into world (id, revision, frozen) values (1, 0, 0)`.execute(db)

  await db.schema
    .createTable("outbox")
    .addColumn("id", "integer", (column) => column.primaryKey().autoIncrement().notNull())
    .addColumn("event", "text", (column) => column.notNull())
    .addColumn("case_id", "text")
    .execute()

  await db.schema
    .createTable("session_state")
    .addColumn("app", "text", (column) => column.notNull())
    .addColumn("user_id", "text", (column) => column.notNull())
    .addColumn("session_id", "text", (column) => column.notNull())
    .addColumn("key", "text", (column) => column.notNull())
    .addColumn("value", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("session_state_key", ["app", "user_id", "session_id", "key"])
    .execute()
  await db.schema
    .createTable("session_history")
    .addColumn("seq", "integer", (column) => column.primaryKey().autoIncrement().notNull())
    .addColumn("app", "text", (column) => column.notNull())
    .addColumn("user_id", "text", (column) => column.notNull())
    .addColumn("session_id", "text", (column) => column.notNull())
    .addColumn("message", "text", (column) => column.notNull())
    .execute()
}

export const house: Migration = { up }
