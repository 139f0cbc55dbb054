/**
 * The Store owns transactions: each verb below is one, because settling spans the case, the grant, the record and the
 * outbox. Nothing is visible to anybody, and nobody is woken, before it commits.
 *
 * The verbs are the whole protocol of S23, S26 and S27; who may call them when is the desk's and the gate's business.
 */
import type { AdjudicationChainEntry, GateDecision, Grant } from "@countersign/kernel"
import { Context, Data, type Effect } from "effect"
import type { AgentRow, AgentStatus } from "../Agents.ts"
import type { GrantQuery } from "../Grants.ts"
import type { GateEvent } from "../Observer.ts"
import type { Case, CaseStatus, Refusal } from "./Case.ts"
import type { DecisionRecord, LedgerRecord, OutcomeRecord } from "./Record.ts"

/** The database could not be read or written. Whoever gets it denies (`store.failed`). */
export class StoreError extends Data.TaggedError("StoreError")<{
  readonly operation: string
  readonly cause: unknown
}> {
  override get message() {
    return `the store failed to ${this.operation}: ${this.cause instanceof Error ? this.cause.message : String(this.cause)}`
  }
}

/** What `open` found. */
export type Opened =
  | { readonly kind: "opened" }
  /** The same call waits already: join its outcome. */
  | { readonly kind: "pending"; readonly case: Case }
  /** The same call was settled before; the case tells how and whether it ran. */
  | { readonly kind: "settled"; readonly case: Case }
  /** Too many calls of this agent or session wait already. */
  | { readonly kind: "tooMany" }

/** A settlement: all of it, or nothing of it. */
export interface Settlement {
  readonly caseId: string
  readonly status: Exclude<CaseStatus, "pending">
  readonly record: DecisionRecord
  /** The final call and digest when the person edited the arguments. */
  readonly edited?: { readonly call: Case["call"]; readonly digest: string }
  readonly decidedBy?: string
  readonly answerReason?: string
  readonly grant?: Grant
  /** A person's no: kept for the session (counted up if there is one already). */
  readonly refusal?: Omit<Refusal, "times">
  /** A person's yes takes the refusal of this key away. */
  readonly clearsRefusal?: boolean
  /** Compared inside the transaction; a number other than this means the world moved since the call was judged. */
  readonly revision: number
  readonly events: readonly GateEvent[]
}

/** `moved`: judge again and come back. `lost`: somebody settled it first; nothing of this was written. */
export type Settled = "settled" | "moved" | "lost"

/** Filters of the ledger; all that are given must hold. Newest first. */
export interface RecordQuery {
  readonly id?: string
  readonly kind?: LedgerRecord["kind"]
  readonly sessionId?: string
  readonly agentId?: string
  readonly toolName?: string
  readonly toolCallId?: string
  readonly caseId?: string
  readonly decision?: "allow" | "deny"
  readonly limit?: number
  readonly offset?: number
}

/** A record as it was written: `text` is the truth, `record` is read from it. */
export interface StoredRecord {
  readonly seq: number
  readonly text: string
  readonly record: LedgerRecord
}

/** An event that is committed and not yet delivered. */
export interface OutboxRow {
  readonly id: number
  readonly event: GateEvent
  /** Set where the session's pointer (`Sessions`) follows the event. */
  readonly caseId?: string
}

export class Store extends Context.Service<
  Store,
  {
    /** This process's incarnation: a fresh id each start. */
    readonly node: string
    /** Counts every change of grants, agents, modes, bounds, refusals and freezes. */
    readonly revision: Effect.Effect<number, StoreError>

    /**
     * An automatic terminal: the record, its events and, on allow, the claim of this node under the permit's id, and a
     * use of the grant that it stands on. Fails if the grant is used up by now.
     */
    readonly terminal: (terminal: {
      readonly record: DecisionRecord
      readonly events: readonly GateEvent[]
      readonly permit?: { readonly id: string; readonly case: Case }
    }) => Effect.Effect<void, StoreError>

    /** S23: one row per (session, agent, tool call id), stage `adjudicating`. */
    readonly open: (
      row: Case,
      limits: { readonly agent: number; readonly session: number } | undefined
    ) => Effect.Effect<Opened, StoreError>
    /** S24: appends a parent's entry; false if the case is no longer pending. */
    readonly appendEntry: (caseId: string, entry: AdjudicationChainEntry) => Effect.Effect<boolean, StoreError>
    /** S25: the walk is over; the card is about to be shown. False if the case is no longer pending. */
    readonly show: (
      caseId: string,
      decision: GateDecision,
      events: readonly GateEvent[]
    ) => Effect.Effect<boolean, StoreError>
    /** S26. */
    readonly settle: (settlement: Settlement) => Effect.Effect<Settled, StoreError>
    /** S27: takes the only permit of an approved case; false if it was taken. */
    readonly claim: (caseId: string) => Effect.Effect<boolean, StoreError>
    /** S27: the outcome of a claimed call, once; false if it had one. */
    readonly finish: (caseId: string, record: OutcomeRecord) => Effect.Effect<boolean, StoreError>
    /** Takes a pending case of a dead node over; false if it is not pending or its node lives. */
    readonly takeOver: (caseId: string) => Effect.Effect<boolean, StoreError>
    /** Records the outcome `unknown` for every claim of a dead node that has none; gives those cases. */
    readonly sweepClaims: (makeRecord: (row: Case) => OutcomeRecord) => Effect.Effect<readonly Case[], StoreError>
    /** Whether the incarnation is alive (this one is). */
    readonly isAlive: (node: string) => Effect.Effect<boolean, StoreError>

    readonly cases: {
      readonly byId: (id: string) => Effect.Effect<Case | undefined, StoreError>
      /** By wire id: the newest of that name in the session. */
      readonly byConfirmation: (
        sessionId: string,
        confirmationId: string
      ) => Effect.Effect<Case | undefined, StoreError>
      /** Oldest first; of one session, or of all. */
      readonly pending: (sessionId?: string) => Effect.Effect<readonly Case[], StoreError>
      /** Approved, not claimed, and opened by a dead node or recovered: what recovery still has to run. */
      readonly approvedUnclaimed: Effect.Effect<readonly Case[], StoreError>
      readonly unknownOutcomes: (sessionId?: string) => Effect.Effect<readonly Case[], StoreError>
    }

    readonly refusal: (sessionId: string, key: string) => Effect.Effect<Refusal | undefined, StoreError>

    readonly grants: {
      readonly candidates: (query: GrantQuery) => Effect.Effect<readonly Grant[], StoreError>
      readonly save: (grant: Grant) => Effect.Effect<void, StoreError>
      readonly revoke: (id: string) => Effect.Effect<boolean, StoreError>
      readonly list: (filter?: {
        readonly userId?: string
        readonly sessionId?: string
      }) => Effect.Effect<readonly Grant[], StoreError>
      /** Takes one use of a grant that counts them; false if none was left. */
      readonly use: (id: string) => Effect.Effect<boolean, StoreError>
    }

    readonly agents: {
      readonly insert: (row: AgentRow) => Effect.Effect<boolean, StoreError>
      readonly find: (sessionId: string, agentId: string) => Effect.Effect<AgentRow | undefined, StoreError>
      /** Parents before children. */
      readonly list: (sessionId?: string) => Effect.Effect<readonly AgentRow[], StoreError>
      /** Only an active agent changes; false if it was not. */
      readonly end: (
        sessionId: string,
        agentId: string,
        status: Exclude<AgentStatus, "active">
      ) => Effect.Effect<boolean, StoreError>
      readonly setMode: (
        sessionId: string,
        agentId: string,
        mode: AgentRow["mode"]
      ) => Effect.Effect<boolean, StoreError>
    }

    readonly sessions: {
      /** A cancelled session's agents stay stopped until the host opens its next run. */
      readonly setCanceled: (sessionId: string, canceled: boolean) => Effect.Effect<void, StoreError>
      readonly isCanceled: (sessionId: string) => Effect.Effect<boolean, StoreError>
      /** Of one session, or (undefined) of everything. */
      readonly setFrozen: (sessionId: string | undefined, frozen: boolean) => Effect.Effect<void, StoreError>
      readonly isFrozen: (sessionId: string) => Effect.Effect<boolean, StoreError>
    }

    readonly records: {
      readonly list: (query: RecordQuery) => Effect.Effect<readonly StoredRecord[], StoreError>
      readonly count: (query: RecordQuery) => Effect.Effect<number, StoreError>
    }

    readonly outbox: {
      /** Undelivered events, oldest first. */
      readonly peek: (limit: number) => Effect.Effect<readonly OutboxRow[], StoreError>
      readonly delivered: (ids: readonly number[]) => Effect.Effect<void, StoreError>
    }
  }
>()("@countersign/gate/store/Store") {}
