/** The table of cases: a call from the moment it is opened until its outcome is known. */
import type { AdjudicationChainEntry, GateDecision } from "@countersign/kernel"
import type { Selectable } from "kysely"
import type { Case, CaseStatus } from "./Case.ts"
import type { CasesTable, Db } from "./Tables.ts"

/** What of a case never changes, beside its columns. */
type Fixed = Pick<
  Case,
  "app" | "userId" | "original" | "askKind" | "held" | "lineage" | "key" | "refusedBefore" | "offered"
>

export function insertCase(db: Db, row: Case, asked: boolean) {
  const fixed: Fixed = {
    app: row.app,
    userId: row.userId,
    askKind: row.askKind,
    held: row.held,
    lineage: row.lineage,
    key: row.key,
    offered: row.offered,
    ...(row.original === undefined ? {} : { original: row.original }),
    ...(row.refusedBefore === undefined ? {} : { refusedBefore: row.refusedBefore })
  }
  return db
    .insertInto("cases")
    .values({
      id: row.id,
      confirmation_id: row.confirmationId,
      session_id: row.call.sessionId,
      agent_id: row.call.agentId,
      tool_call_id: row.call.toolCallId,
      asked: asked ? 1 : 0,
      stage: row.stage,
      status: row.status,
      face: row.face,
      node: row.node,
      created_at: row.createdAt,
      expires_at: row.expiresAt ?? null,
      decided_by: row.decidedBy ?? null,
      decided_at: row.decidedAt ?? null,
      answer_reason: row.answerReason ?? null,
      claimed_by: row.claimedBy ?? null,
      outcome: row.outcome ?? null,
      digest: row.digest,
      call: JSON.stringify(row.call),
      decision: JSON.stringify(row.decision),
      chain: JSON.stringify(row.chain),
      fixed: JSON.stringify(fixed)
    })
    .execute()
}

/** The ask of this very call, if there ever was one. */
export const caseOfCall = (db: Db, call: Case["call"]) =>
  db
    .selectFrom("cases")
    .selectAll()
    .where("session_id", "=", call.sessionId)
    .where("agent_id", "=", call.agentId)
    .where("tool_call_id", "=", call.toolCallId)
    .where("asked", "=", 1)
    .executeTakeFirst()
    .then(fromRow)

export const caseById = (db: Db, id: string) =>
  db.selectFrom("cases").selectAll().where("id", "=", id).executeTakeFirst().then(fromRow)

export const caseByConfirmation = (db: Db, sessionId: string, confirmationId: string) =>
  db
    .selectFrom("cases")
    .selectAll()
    .where("session_id", "=", sessionId)
    .where("confirmation_id", "=", confirmationId)
    .where("asked", "=", 1)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .executeTakeFirst()
    .then(fromRow)

export const pendingCases = (db: Db, sessionId: string | undefined) =>
  db
    .selectFrom("cases")
    .selectAll()
    .where("status", "=", "pending")
    .$if(sessionId !== undefined, (query) => query.where("session_id", "=", sessionId!))
    .orderBy("created_at")
    .orderBy("id")
    .execute()
    .then(fromRows)

/** How many calls of the agent, and of its session, wait. */
export async function countPending(
  db: Db,
  call: Case["call"]
): Promise<{ readonly agent: number; readonly session: number }> {
  const { all, own } = await db
    .selectFrom("cases")
    .select(({ fn, eb }) => [
      fn.countAll<number>().as("all"),
      fn.sum<number>(eb.case().when("agent_id", "=", call.agentId).then(1).else(0).end()).as("own")
    ])
    .where("status", "=", "pending")
    .where("session_id", "=", call.sessionId)
    .executeTakeFirstOrThrow()
  return { agent: Number(own ?? 0), session: Number(all) }
}

/** Claims without an outcome, asked or not. */
export const openClaims = (db: Db) =>
  db
    .selectFrom("cases")
    .selectAll()
    .where("claimed_by", "is not", null)
    .where("outcome", "is", null)
    .orderBy("created_at")
    .execute()
    .then(fromRows)

/** Approved asks that a run was waiting for and nobody has claimed. */
export const approvedUnclaimed = (db: Db) =>
  db
    .selectFrom("cases")
    .selectAll()
    .where("status", "=", "approved")
    .where("claimed_by", "is", null)
    .where("asked", "=", 1)
    .where("face", "=", "run")
    .orderBy("created_at")
    .execute()
    .then(fromRows)

export const casesWithOutcome = (db: Db, outcome: string, sessionId: string | undefined) =>
  db
    .selectFrom("cases")
    .selectAll()
    .where("outcome", "=", outcome)
    .$if(sessionId !== undefined, (query) => query.where("session_id", "=", sessionId!))
    .orderBy("created_at")
    .execute()
    .then(fromRows)

/** Appends an entry to a pending case's chain. */
export async function appendToChain(db: Db, id: string, entry: AdjudicationChainEntry): Promise<boolean> {
  const row = await db
    .selectFrom("cases")
    .select("chain")
    .where("id", "=", id)
    .where("status", "=", "pending")
    .executeTakeFirst()
  if (row === undefined) return false
  const chain = JSON.stringify([...(JSON.parse(row.chain) as readonly unknown[]), entry])
  return changed(db.updateTable("cases").set({ chain }).where("id", "=", id).where("status", "=", "pending"))
}

export const setAsking = (db: Db, id: string, decision: GateDecision) =>
  changed(
    db
      .updateTable("cases")
      .set({ stage: "asking", decision: JSON.stringify(decision) })
      .where("id", "=", id)
      .where("status", "=", "pending")
  )

/** S26's compare-and-set: pending → ended. Gives the key of what it ended; nothing if it was not pending. */
export const endCase = async (
  db: Db,
  id: string,
  ended: {
    readonly status: Exclude<CaseStatus, "pending">
    readonly at: number
    readonly decidedBy: string | undefined
    readonly answerReason: string | undefined
    readonly edited: { readonly call: Case["call"]; readonly digest: string } | undefined
  }
) => {
  const row = await db
    .updateTable("cases")
    .set({
      status: ended.status,
      decided_at: ended.at,
      decided_by: ended.decidedBy ?? null,
      answer_reason: ended.answerReason ?? null,
      ...(ended.edited === undefined ? {} : { call: JSON.stringify(ended.edited.call), digest: ended.edited.digest })
    })
    .where("id", "=", id)
    .where("status", "=", "pending")
    .returning("fixed")
    .executeTakeFirst()
  return row === undefined ? undefined : (JSON.parse(row.fixed) as Fixed).key
}

/** S27's compare-and-set: the only permit. */
export const claimCase = (db: Db, id: string, node: string) =>
  changed(
    db
      .updateTable("cases")
      .set({ claimed_by: node })
      .where("id", "=", id)
      .where("status", "=", "approved")
      .where("claimed_by", "is", null)
  )

export const setOutcome = (db: Db, id: string, outcome: string) =>
  changed(
    db
      .updateTable("cases")
      .set({ outcome })
      .where("id", "=", id)
      .where("claimed_by", "is not", null)
      .where("outcome", "is", null)
  )

export const setNode = (db: Db, id: string, from: string, to: string) =>
  changed(
    db
      .updateTable("cases")
      .set({ node: to })
      .where("id", "=", id)
      .where("node", "=", from)
      .where("status", "=", "pending")
  )

const changed = async (query: { readonly executeTakeFirst: () => Promise<{ readonly numUpdatedRows: bigint }> }) =>
  (await query.executeTakeFirst()).numUpdatedRows > 0n

const fromRows = (rows: readonly Selectable<CasesTable>[]): readonly Case[] => rows.map((row) => fromRow(row)!)

function fromRow(row: Selectable<CasesTable> | undefined): Case | undefined {
  if (row === undefined) return undefined
  return {
    ...(JSON.parse(row.fixed) as Fixed),
    id: row.id,
    confirmationId: row.confirmation_id,
    call: JSON.parse(row.call) as Case["call"],
    digest: row.digest,
    decision: JSON.parse(row.decision) as Case["decision"],
    stage: row.stage as Case["stage"],
    status: row.status as CaseStatus,
    chain: JSON.parse(row.chain) as Case["chain"],
    face: row.face as Case["face"],
    node: row.node,
    createdAt: row.created_at,
    ...present("expiresAt", row.expires_at),
    ...present("decidedBy", row.decided_by),
    ...present("decidedAt", row.decided_at),
    ...present("answerReason", row.answer_reason),
    ...present("claimedBy", row.claimed_by),
    ...present("outcome", row.outcome as Case["outcome"] | null)
  }
}

/** A member that is there only when it has a value. */
export const present = <K extends string, V>(name: K, value: V): { readonly [P in K]?: NonNullable<V> } =>
  (value === null ? {} : { [name]: value }) as { readonly [P in K]?: NonNullable<V> }
