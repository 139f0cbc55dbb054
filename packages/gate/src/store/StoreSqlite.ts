/**
 * The Store on SQLite, in a file or in memory: each verb is one transaction, put together from the tables' own files.
 * This file reads like the protocol: what belongs together stands together, and a loser writes nothing.
 */
import { Effect, Layer } from "effect"
import { newId } from "../Ids.ts"
import * as agents from "./agents.ts"
import * as cases from "./cases.ts"
import { type AtPoints, Faults, pointsOf, type Verb } from "./Faults.ts"
import * as grants from "./grants.ts"
import * as outbox from "./outbox.ts"
import type { DecisionRecord } from "./Record.ts"
import * as records from "./records.ts"
import * as refusals from "./refusals.ts"
import { immediately, memory, openDatabase } from "./sqlite/Database.ts"
import { announce } from "./sqlite/nodes.ts"
import { type Opened, type Settled, Store, StoreError } from "./Store.ts"
import type { Db } from "./Tables.ts"
import * as world from "./world.ts"

/** The Store over an open database; what is on top of one database shares it. */
export const storeOver = (db: Db, file: string) =>
  Effect.gen(function* () {
    const faults = yield* Faults
    const node = yield* newId
    const nodes = yield* announce(file, node)

    const read = <A>(operation: string, query: (db: Db) => Promise<A>) =>
      Effect.tryPromise({ try: () => query(db), catch: (cause) => new StoreError({ operation, cause }) })

    // a transaction that began is not let go half-way
    const write = <A>(operation: string, verb: Verb | undefined, body: (db: Db, at: AtPoints) => Promise<A>) => {
      const at: AtPoints = verb === undefined ? (_, run) => run() : pointsOf(faults, verb)
      return Effect.uninterruptible(
        Effect.tryPromise({
          try: () => immediately(db, at, (connection) => body(connection, at)),
          catch: (cause) => new StoreError({ operation, cause })
        })
      )
    }

    /** A change of the world: what was judged before it is judged again. A body that says false changed nothing. */
    const change = <A>(operation: string, body: (db: Db) => Promise<A>) =>
      write(operation, undefined, async (db) => {
        const result = await body(db)
        if (result !== false) await world.bumpRevision(db)
        return result
      })

    /** Takes a use of the grant that an allow stands on, where it counts them; says whether one was taken. */
    const spend = async (db: Db, at: AtPoints, { decision, grantId }: DecisionRecord): Promise<boolean> => {
      if (decision !== "allow" || grantId === undefined) return false
      const spent = await at("use", () => grants.spendGrant(db, grantId))
      // INVARIANT: of two calls that were judged on the same last use, one is allowed
      if (spent === "used up") throw new Error(`the grant \`${grantId}\` is used up`)
      return spent === "counted"
    }

    const isAlive = (other: string) =>
      Effect.try({
        try: () => nodes.isAlive(other),
        catch: (cause) => new StoreError({ operation: "probe a node", cause })
      })

    return Store.of({
      node,
      revision: read("read the revision", world.readRevision),

      terminal: ({ events, permit, record }) =>
        write("record a decision", "terminal", async (db, at) => {
          if (await spend(db, at, record)) await world.bumpRevision(db)
          await at("record", () => records.appendRecord(db, record))
          if (permit !== undefined) {
            await at("case", () =>
              cases.insertCase(db, { ...permit.case, id: permit.id, status: "approved", claimedBy: node }, false)
            )
          }
          await at("outbox", () => outbox.putEvents(db, events, permit?.id))
        }),

      open: (row, limits) =>
        write("open an ask", "open", async (db, at): Promise<Opened> => {
          const before = await at("find", () => cases.caseOfCall(db, row.call))
          if (before !== undefined) return { kind: before.status === "pending" ? "pending" : "settled", case: before }
          if (limits !== undefined) {
            const waiting = await at("count", () => cases.countPending(db, row.call))
            if (waiting.agent >= limits.agent || waiting.session >= limits.session) return { kind: "tooMany" }
          }
          await at("case", () => cases.insertCase(db, row, true))
          return { kind: "opened" }
        }),

      appendEntry: (caseId, entry) =>
        write("keep a parent's answer", "appendEntry", (db, at) =>
          at("chain", () => cases.appendToChain(db, caseId, entry))
        ),

      show: (caseId, decision, events) =>
        write("show an ask", "show", async (db, at) => {
          if (!(await at("stage", () => cases.setAsking(db, caseId, decision)))) return false
          await at("outbox", () => outbox.putEvents(db, events, caseId))
          return true
        }),

      settle: ({
        answerReason,
        caseId,
        clearsRefusal,
        decidedBy,
        edited,
        events,
        grant,
        record,
        refusal,
        revision,
        status
      }) =>
        write("settle an ask", "settle", async (db, at): Promise<Settled> => {
          if ((await at("revision", () => world.readRevision(db))) !== revision) return "moved"
          const ended = { status, at: record.at, decidedBy, answerReason, edited }
          const key = await at("case", () => cases.endCase(db, caseId, ended))
          if (key === undefined) return "lost"
          if (grant !== undefined) await at("grant", () => grants.insertGrant(db, grant))
          if (refusal !== undefined) await at("refusal", () => refusals.addRefusal(db, refusal))
          // a yes that takes nothing away changes nothing: else every one would have all others judged again
          const cleared =
            clearsRefusal === true && (await at("refusal", () => refusals.clearRefusal(db, record.sessionId, key)))
          const changes = [grant !== undefined, refusal !== undefined, cleared, await spend(db, at, record)]
          if (changes.includes(true)) await at("bump", () => world.bumpRevision(db))
          await at("record", () => records.appendRecord(db, record))
          await at("outbox", () => outbox.putEvents(db, events, caseId))
          return "settled"
        }),

      claim: (caseId) =>
        write("claim a call", "claim", (db, at) => at("claim", () => cases.claimCase(db, caseId, node))),

      finish: (caseId, record) =>
        write("record an outcome", "finish", async (db, at) => {
          if (!(await at("outcome", () => cases.setOutcome(db, caseId, record.outcome)))) return false
          await at("record", () => records.appendRecord(db, record))
          return true
        }),

      takeOver: Effect.fnUntraced(function* (caseId) {
        const row = yield* read("read an ask", (db) => cases.caseById(db, caseId))
        if (row === undefined || row.status !== "pending") return false
        if (row.node === node) return true
        if (yield* isAlive(row.node)) return false
        return yield* write("take an ask over", undefined, (db) => cases.setNode(db, caseId, row.node, node))
      }),

      sweepClaims: Effect.fnUntraced(function* (makeRecord) {
        const open = yield* read("read open claims", cases.openClaims)
        const dead = yield* Effect.filter(open, ({ claimedBy }) =>
          Effect.map(isAlive(claimedBy ?? ""), (alive) => !alive)
        )
        return yield* Effect.filter(dead, (row) =>
          write("record an unknown outcome", undefined, async (db) => {
            if (!(await cases.setOutcome(db, row.id, "unknown"))) return false
            await records.appendRecord(db, makeRecord(row))
            return true
          })
        )
      }),

      isAlive,

      cases: {
        byId: (id) => read("read an ask", (db) => cases.caseById(db, id)),
        byConfirmation: (sessionId, id) => read("read an ask", (db) => cases.caseByConfirmation(db, sessionId, id)),
        pending: (sessionId) => read("list pending asks", (db) => cases.pendingCases(db, sessionId)),
        approvedUnclaimed: read("list unclaimed calls", cases.approvedUnclaimed).pipe(
          Effect.flatMap(Effect.filter((row) => Effect.map(isAlive(row.node), (alive) => !alive)))
        ),
        unknownOutcomes: (sessionId) =>
          read("list unknown outcomes", (db) => cases.casesWithOutcome(db, "unknown", sessionId))
      },

      refusal: (sessionId, key) => read("read a refusal", (db) => refusals.findRefusal(db, sessionId, key)),

      grants: {
        candidates: (query) => read("look grants up", (db) => grants.grantCandidates(db, query)),
        save: (grant) => Effect.asVoid(change("save a grant", (db) => grants.insertGrant(db, grant))),
        revoke: (id) => change("revoke a grant", (db) => grants.deleteGrant(db, id)),
        list: (filter = {}) => read("list grants", (db) => grants.listGrants(db, filter)),
        use: (id) => change("use a grant", (db) => grants.useGrant(db, id))
      },

      agents: {
        insert: (row) => change("register an agent", (db) => agents.insertAgent(db, row)),
        find: (sessionId, agentId) => read("read an agent", (db) => agents.findAgent(db, sessionId, agentId)),
        list: (sessionId) => read("list agents", (db) => agents.listAgents(db, sessionId)),
        end: (sessionId, agentId, status) =>
          change("end an agent", (db) => agents.updateAgent(db, sessionId, agentId, { status })),
        setMode: (sessionId, agentId, mode) =>
          change("set a mode", (db) => agents.updateAgent(db, sessionId, agentId, { mode }))
      },

      sessions: {
        setCanceled: (id, canceled) =>
          Effect.asVoid(change("cancel a session", (db) => world.setSession(db, id, { canceled: Number(canceled) }))),
        isCanceled: (id) => read("read a session", (db) => world.isCanceled(db, id)),
        setFrozen: (id, frozen) =>
          Effect.asVoid(
            change("freeze", (db): Promise<unknown> =>
              id === undefined ? world.setWorldFrozen(db, frozen) : world.setSession(db, id, { frozen: Number(frozen) })
            )
          ),
        isFrozen: (id) => read("read a session", (db) => world.isFrozen(db, id))
      },

      records: {
        list: (query) => read("list records", (db) => records.listRecords(db, query)),
        count: (query) => read("count records", (db) => records.countRecords(db, query))
      },

      outbox: {
        peek: (limit) => read("read the outbox", (db) => outbox.peekEvents(db, limit)),
        delivered: (ids) => Effect.asVoid(write("empty the outbox", undefined, (db) => outbox.dropEvents(db, ids)))
      }
    })
  })

/** The Store in a file, which is made if it is not there. */
export const StoreSqlite = {
  layer: (file: string) =>
    Layer.effect(
      Store,
      Effect.flatMap(openDatabase(file), (db) => storeOver(db, file))
    )
}

/** The Store in memory: the same code, gone with the process. */
export const StoreMemory = {
  layer: StoreSqlite.layer(memory)
}
