/** The table of grants. */
import type { Grant } from "@countersign/kernel"
import type { Selectable } from "kysely"
import type { GrantQuery } from "../Grants.ts"
import { present } from "./cases.ts"
import type { Db, GrantsTable } from "./Tables.ts"

export const insertGrant = (db: Db, grant: Grant) =>
  db
    .insertInto("grants")
    .values({
      id: grant.id,
      user_id: grant.userId,
      session_id: grant.sessionId ?? null,
      agent_id: grant.agentId ?? null,
      tool_name: grant.toolName,
      content: grant.content ?? null,
      exact: grant.exact === undefined ? null : Number(grant.exact),
      folder: grant.folder ?? null,
      uses: grant.uses ?? null,
      expires_at: grant.expiresAt ?? null,
      created_by: grant.createdBy,
      created_at: grant.createdAt
    })
    .execute()

/** Session scope before global, newest first within a scope. */
export const grantCandidates = (db: Db, { agentIds, sessionId, toolName, userId }: GrantQuery) =>
  db
    .selectFrom("grants")
    .selectAll()
    .where("user_id", "=", userId)
    .where("tool_name", "=", toolName)
    .where((eb) => eb.or([eb("session_id", "is", null), eb("session_id", "=", sessionId)]))
    .where((eb) => eb.or([eb("agent_id", "is", null), eb("agent_id", "in", [...agentIds])]))
    .where((eb) => eb.or([eb("uses", "is", null), eb("uses", ">", 0)]))
    .orderBy((eb) => eb.case().when("session_id", "is", null).then(1).else(0).end())
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .execute()
    .then(fromRows)

export const listGrants = (db: Db, { sessionId, userId }: { readonly userId?: string; readonly sessionId?: string }) =>
  db
    .selectFrom("grants")
    .selectAll()
    .$if(userId !== undefined, (query) => query.where("user_id", "=", userId!))
    .$if(sessionId !== undefined, (query) => query.where("session_id", "=", sessionId!))
    .orderBy("created_at")
    .orderBy("id")
    .execute()
    .then(fromRows)

export const deleteGrant = async (db: Db, id: string) =>
  (await db.deleteFrom("grants").where("id", "=", id).executeTakeFirst()).numDeletedRows > 0n

/** Takes one use; a grant that counts none can always be used. False if it is used up, or gone. */
export async function useGrant(db: Db, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("grants")
    .set(({ eb }) => ({ uses: eb("uses", "-", 1) }))
    .where("id", "=", id)
    .where((eb) => eb.or([eb("uses", "is", null), eb("uses", ">", 0)]))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** What a use of the grant comes to: a grant that is kept elsewhere, or counts no uses, is not counted here. */
export async function spendGrant(db: Db, id: string): Promise<"uncounted" | "counted" | "used up"> {
  const row = await db.selectFrom("grants").select("uses").where("id", "=", id).executeTakeFirst()
  if (row === undefined || row.uses === null) return "uncounted"
  return (await useGrant(db, id)) ? "counted" : "used up"
}

const fromRows = (rows: readonly Selectable<GrantsTable>[]): readonly Grant[] =>
  rows.map((row) => ({
    id: row.id,
    userId: row.user_id,
    ...present("sessionId", row.session_id),
    ...present("agentId", row.agent_id),
    toolName: row.tool_name,
    ...present("content", row.content),
    ...present("exact", row.exact === null ? null : row.exact === 1),
    ...present("folder", row.folder),
    ...present("uses", row.uses),
    ...present("expiresAt", row.expires_at),
    createdBy: row.created_by,
    createdAt: row.created_at
  }))
