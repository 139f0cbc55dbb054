/** The table of agents: who spawned whom, for what task, within which bounds. */
import type { Selectable } from "kysely"
import type { AgentRow } from "../Agents.ts"
import { present } from "./cases.ts"
import type { AgentsTable, Db } from "./Tables.ts"

/** False if there is an agent of that name in the session. */
export const insertAgent = async (db: Db, row: AgentRow) =>
  ((
    await db
      .insertInto("agents")
      .values({
        session_id: row.sessionId,
        agent_id: row.agentId,
        parent_id: row.parentId ?? null,
        task: row.task,
        mode: row.mode,
        status: row.status,
        bounds: row.bounds === undefined ? null : JSON.stringify(row.bounds),
        rules: row.rules === undefined ? null : JSON.stringify(row.rules),
        created_at: row.createdAt
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
  ).numInsertedOrUpdatedRows ?? 0n) > 0n

export const findAgent = (db: Db, sessionId: string, agentId: string) =>
  db
    .selectFrom("agents")
    .selectAll()
    .where("session_id", "=", sessionId)
    .where("agent_id", "=", agentId)
    .executeTakeFirst()
    .then((row) => (row === undefined ? undefined : fromRow(row)))

/** Parents before children: an agent is spawned after its parent. */
export const listAgents = (db: Db, sessionId: string | undefined) =>
  db
    .selectFrom("agents")
    .selectAll()
    .$if(sessionId !== undefined, (query) => query.where("session_id", "=", sessionId!))
    .orderBy("seq")
    .execute()
    .then((rows) => rows.map(fromRow))

export const updateAgent = async (
  db: Db,
  sessionId: string,
  agentId: string,
  change: { readonly status?: string; readonly mode?: string }
) =>
  (
    await db
      .updateTable("agents")
      .set(change)
      .where("session_id", "=", sessionId)
      .where("agent_id", "=", agentId)
      .where("status", "=", "active")
      .executeTakeFirst()
  ).numUpdatedRows > 0n

const fromRow = (row: Selectable<AgentsTable>): AgentRow => ({
  agentId: row.agent_id,
  sessionId: row.session_id,
  ...present("parentId", row.parent_id),
  task: row.task,
  mode: row.mode as AgentRow["mode"],
  status: row.status as AgentRow["status"],
  ...present("bounds", row.bounds === null ? null : (JSON.parse(row.bounds) as NonNullable<AgentRow["bounds"]>)),
  ...present("rules", row.rules === null ? null : (JSON.parse(row.rules) as NonNullable<AgentRow["rules"]>)),
  createdAt: row.created_at
})
