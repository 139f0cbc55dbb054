/** The tables, as Kysely sees them. What a table means is said in its migration. */
import type { Generated, Kysely } from "kysely"

export interface CasesTable {
  readonly id: string
  readonly confirmation_id: string
  readonly session_id: string
  readonly agent_id: string
  readonly tool_call_id: string
  /** 1: somebody was or is to be asked. 0: an automatic allow, here for its claim. */
  readonly asked: number
  readonly stage: string
  readonly status: string
  readonly face: string
  readonly node: string
  readonly created_at: number
  readonly expires_at: number | null
  readonly decided_by: string | null
  readonly decided_at: number | null
  readonly answer_reason: string | null
  readonly claimed_by: string | null
  readonly outcome: string | null
  readonly digest: string
  /** JSON: the final call. */
  readonly call: string
  /** JSON: the ask. */
  readonly decision: string
  /** JSON: the parents' entries, nearest first. */
  readonly chain: string
  /** JSON: what never changes of it. */
  readonly fixed: string
}

export interface RecordsTable {
  readonly seq: Generated<number>
  readonly body: string
  readonly id: Generated<string>
  readonly kind: Generated<string>
  readonly at: Generated<number>
  readonly session_id: Generated<string>
  readonly agent_id: Generated<string>
  readonly tool_call_id: Generated<string>
  readonly tool_name: Generated<string>
  readonly decision: Generated<string | null>
  readonly case_id: Generated<string | null>
}

export interface GrantsTable {
  readonly id: string
  readonly user_id: string
  readonly session_id: string | null
  readonly agent_id: string | null
  readonly tool_name: string
  readonly content: string | null
  readonly exact: number | null
  readonly folder: string | null
  readonly uses: number | null
  readonly expires_at: number | null
  readonly created_by: string
  readonly created_at: number
}

export interface RefusalsTable {
  readonly session_id: string
  readonly key: string
  readonly agent_id: string
  readonly by: string
  readonly reason: string | null
  readonly at: number
  readonly times: number
}

export interface AgentsTable {
  readonly seq: Generated<number>
  readonly session_id: string
  readonly agent_id: string
  readonly parent_id: string | null
  readonly task: string
  readonly mode: string
  readonly status: string
  /** JSON, or null. */
  readonly bounds: string | null
  /** JSON, or null. */
  readonly rules: string | null
  readonly created_at: number
}

export interface SessionsTable {
  readonly session_id: string
  readonly canceled: number
  readonly frozen: number
}

export interface WorldTable {
  readonly id: number
  readonly revision: number
  readonly frozen: number
}

export interface OutboxTable {
  readonly id: Generated<number>
  /** JSON. */
  readonly event: string
  readonly case_id: string | null
}

export interface SessionStateTable {
  readonly app: string
  readonly user_id: string
  readonly session_id: string
  readonly key: string
  /** JSON. */
  readonly value: string
}

export interface SessionHistoryTable {
  readonly seq: Generated<number>
  readonly app: string
  readonly user_id: string
  readonly session_id: string
  /** JSON. */
  readonly message: string
}

export interface Tables {
  readonly cases: CasesTable
  readonly records: RecordsTable
  readonly grants: GrantsTable
  readonly refusals: RefusalsTable
  readonly agents: AgentsTable
  readonly sessions: SessionsTable
  readonly world: WorldTable
  readonly outbox: OutboxTable
  readonly session_state: SessionStateTable
  readonly session_history: SessionHistoryTable
}

/** A handle on the database, or on the transaction in progress. */
export type Db = Kysely<Tables>
