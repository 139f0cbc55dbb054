/**
 * The registry of agents: who spawned whom, for what task, within which bounds. It fills the gate's port to lineages,
 * and is what hosts open, spawn, settle and stop agents with. Whoever keeps something waiting for a stopped agent's
 * calls hears of it through `listen`; the desk does.
 */
import { type AgentRow, Agents, type Authorization, newId, Store, type StoreError } from "@countersign/gate"
import type { Ancestor, Bounds, GateDecision, Lineage, Mode, ToolCall } from "@countersign/kernel"
import { readMode } from "@countersign/kernel"
import { Clock, Context, Data, Effect, Layer } from "effect"
import { type AgentHandle, isHandle, makeHandle } from "./AgentHandle.ts"

/** The agent named is none that could be acted on. */
export class AgentUnavailable extends Data.TaggedError("AgentUnavailable")<{
  readonly agentId: string
  readonly why: string
}> {
  override get message() {
    return `the agent \`${this.agentId}\` ${this.why}`
  }
}

/** The gate denied the spawn; the decision is on record. */
export class SpawnDenied extends Data.TaggedError("SpawnDenied")<{
  readonly decision: GateDecision
  readonly text: string
}> {
  override get message() {
    return `the spawn was denied: ${this.text}`
  }
}

/** What a host asks for when it opens a session's run. */
export interface OpenRequest {
  readonly sessionId: string
  readonly mainAgentId?: string
  readonly mode?: string
  readonly bounds?: Bounds
}

/** Who spawns: an agent by its handle, or by the host's own word. */
export type Spawner = { readonly parent: AgentHandle } | { readonly sessionId: string; readonly parentId: string }

/** What a host asks for when an agent spawns another. */
export type SpawnRequest = Spawner & {
  /** Absent = a fresh one. */
  readonly agentId?: string
  /** What the child is for: shown on every card of it. */
  readonly task: string
  /** Absent = the parent's. */
  readonly mode?: string
  readonly bounds?: Bounds
  readonly rules?: NonNullable<Ancestor["rules"]>
  /** The working folder of the spawn's own call. */
  readonly folder?: string
}

/** The face of the gate that a spawn passes. */
export type Authorize = (call: ToolCall) => Effect.Effect<Authorization>

/** An agent with all that were spawned below it. */
export interface AgentTree extends AgentRow {
  readonly children: readonly AgentTree[]
}

/** Hears of changes, after they are stored. */
export interface AgentListener {
  /** These agents call no more. */
  readonly stopped: (sessionId: string, agentIds: ReadonlySet<string>) => Effect.Effect<void, StoreError>
  /** Something that calls are judged by has changed. */
  readonly changed: Effect.Effect<void, StoreError>
}

/** The name of the tool whose call a spawn is. It is read-only: what the child then does is judged call by call. */
export const spawnTool = "Agent"

type Missing = AgentUnavailable | StoreError

export class AgentRegistry extends Context.Service<
  AgentRegistry,
  {
    /** Begins (or, after a cancel, begins anew) a session's run with its main agent. */
    readonly open: (request: OpenRequest) => Effect.Effect<AgentHandle, Missing>
    /** Spawns a child, if the gate lets the call of the spawn tool pass. */
    readonly spawn: (request: SpawnRequest, authorize: Authorize) => Effect.Effect<AgentHandle, Missing | SpawnDenied>
    /** The agent is done; what is still active below it stops with it. */
    readonly settle: (sessionId: string, agentId: string) => Effect.Effect<boolean, StoreError>
    /** Stops an agent and all below it. */
    readonly revoke: (sessionId: string, agentId: string) => Effect.Effect<boolean, StoreError>
    /** Stops a session's run: the main agent until it is opened anew, all others for good. */
    readonly cancel: (sessionId: string) => Effect.Effect<void, StoreError>
    /** Takes an active agent's handle back, as a host does after a restart. */
    readonly resume: (sessionId: string, agentId: string) => Effect.Effect<AgentHandle, Missing>
    readonly setMode: (sessionId: string, agentId: string, mode: string) => Effect.Effect<void, Missing>
    /** The agents of a session, from its main agent down. */
    readonly tree: (sessionId: string) => Effect.Effect<readonly AgentTree[], StoreError>
    readonly isMain: (sessionId: string, agentId: string) => boolean
    /** The session's main agent; for a session that was never opened, the one that it would have. */
    readonly mainOf: (sessionId: string) => string
    readonly listen: (listener: AgentListener) => Effect.Effect<void>
  }
>()("@countersign/adjudicator/AgentRegistry") {
  /** Sessions that the host does not open have this main agent from their first call on. */
  static readonly layer = (main: { readonly agentId: string; readonly mode: Mode; readonly bounds?: Bounds }) =>
    Layer.effectContext(
      Effect.gen(function* () {
        const store = yield* Store
        const mains = new Map<string, string>()
        const listeners: AgentListener[] = []
        for (const row of yield* store.agents.list()) {
          if (row.parentId === undefined) mains.set(row.sessionId, row.agentId)
        }
        const mainOf = (sessionId: string) => mains.get(sessionId) ?? main.agentId

        const find = Effect.fnUntraced(function* (
          sessionId: string,
          agentId: string
        ): Effect.fn.Return<AgentRow | undefined, StoreError> {
          const known = yield* store.agents.find(sessionId, agentId)
          if (known !== undefined) {
            if (known.parentId === undefined) mains.set(sessionId, agentId)
            return known
          }
          if (agentId !== mainOf(sessionId) || (yield* hasMain(sessionId))) return undefined
          yield* insertMain(sessionId, agentId, main.mode, main.bounds)
          return yield* store.agents.find(sessionId, agentId)
        })

        // another process may have opened the session under another main agent
        const hasMain = (sessionId: string) =>
          store.agents.list(sessionId).pipe(Effect.map((rows) => rows.some(({ parentId }) => parentId === undefined)))

        const insertMain = Effect.fnUntraced(function* (
          sessionId: string,
          agentId: string,
          mode: Mode,
          bounds: Bounds | undefined
        ) {
          const createdAt = yield* Clock.currentTimeMillis
          yield* store.agents.insert({
            sessionId,
            agentId,
            task: "",
            mode,
            status: "active",
            createdAt,
            ...(bounds === undefined ? {} : { bounds })
          })
          mains.set(sessionId, agentId)
        })

        /** The agent and its ancestors, nearest first; undefined if one of them is not there. */
        const climb = Effect.fnUntraced(function* (
          sessionId: string,
          agentId: string
        ): Effect.fn.Return<readonly AgentRow[], StoreError> {
          const rows: AgentRow[] = []
          for (let id: string | undefined = agentId; id !== undefined;) {
            const row: AgentRow | undefined = yield* find(sessionId, id)
            // a broken or circular chain belongs to nobody
            if (row === undefined || rows.some((seen) => seen.agentId === row.agentId)) return []
            rows.push(row)
            id = row.parentId
          }
          return rows
        })

        const lineage: Agents["Service"]["lineage"] = Effect.fnUntraced(function* (sessionId, agentId) {
          const [caller, ...ancestors] = yield* climb(sessionId, agentId)
          if (caller === undefined) return { problem: "agent.unknown" }
          const all = [caller, ...ancestors]
          if (all.some(({ status }) => status !== "active")) return { problem: "agent.revoked" }
          return { lineage: [ancestorOf(caller), ...ancestors.map(ancestorOf)] satisfies Lineage }
        })

        const active = Effect.fnUntraced(function* (
          sessionId: string,
          agentId: string
        ): Effect.fn.Return<readonly AgentRow[], Missing> {
          const rows = yield* climb(sessionId, agentId)
          if (rows.length === 0) return yield* new AgentUnavailable({ agentId, why: "is not registered" })
          const stopped = rows.find(({ status }) => status !== "active")
          if (stopped !== undefined)
            return yield* new AgentUnavailable({ agentId, why: `was stopped with \`${stopped.agentId}\`` })
          return rows
        })

        const below = Effect.fnUntraced(function* (sessionId: string, agentId: string) {
          const rows = yield* store.agents.list(sessionId)
          const found = new Set<string>()
          // parents come before children, so one pass finds all levels
          for (const row of rows)
            if (row.parentId !== undefined && (row.parentId === agentId || found.has(row.parentId)))
              found.add(row.agentId)
          return found
        })

        const stop = Effect.fnUntraced(function* (sessionId: string, agentId: string, status: "settled" | "revoked") {
          const descendants = yield* below(sessionId, agentId)
          const ended = yield* store.agents.end(sessionId, agentId, status)
          for (const id of descendants) yield* store.agents.end(sessionId, id, "revoked")
          yield* tellStopped(sessionId, new Set([agentId, ...descendants]))
          return ended
        })

        const tellStopped = (sessionId: string, ids: ReadonlySet<string>) =>
          Effect.forEach(listeners, ({ stopped }) => stopped(sessionId, ids), { discard: true })
        const tellChanged = Effect.suspend(() => Effect.forEach(listeners, ({ changed }) => changed, { discard: true }))

        const registry = AgentRegistry.of({
          open: Effect.fn("AgentRegistry.open")(function* ({ bounds, mainAgentId, mode, sessionId }) {
            const agentId = mainAgentId ?? mainOf(sessionId)
            const wanted = mode === undefined ? undefined : yield* knownMode(agentId, mode)
            const before = yield* store.agents.find(sessionId, agentId)
            if (before === undefined) {
              if (yield* hasMain(sessionId))
                return yield* new AgentUnavailable({ agentId, why: "is not the session's main agent" })
              yield* insertMain(sessionId, agentId, wanted ?? main.mode, bounds ?? main.bounds)
            } else if (before.parentId !== undefined) {
              return yield* new AgentUnavailable({ agentId, why: "is not the session's main agent" })
            } else if (wanted !== undefined && wanted !== before.mode) {
              yield* store.agents.setMode(sessionId, agentId, wanted)
            }
            mains.set(sessionId, agentId)
            if (yield* store.sessions.isCanceled(sessionId)) yield* store.sessions.setCanceled(sessionId, false)
            return makeHandle(sessionId, agentId)
          }),

          spawn: Effect.fn("AgentRegistry.spawn")(function* (request, authorize) {
            const { bounds, rules, task } = request
            const { agentId: parentId, sessionId } = yield* spawnerOf(request)
            const lineage = yield* active(sessionId, parentId)
            const spawner = lineage[0]!
            const agentId = request.agentId ?? `agent-${yield* newId}`
            const mode = request.mode === undefined ? spawner.mode : yield* knownMode(agentId, request.mode)
            const tooDeep = lineage.find(({ bounds }, above) => bounds?.depth !== undefined && bounds.depth < above + 1)
            if (tooDeep !== undefined) {
              return yield* new AgentUnavailable({
                agentId: spawner.agentId,
                why: `may spawn no further below \`${tooDeep.agentId}\``
              })
            }
            if ((yield* store.agents.find(sessionId, agentId)) !== undefined) {
              return yield* new AgentUnavailable({ agentId, why: "is there already" })
            }
            const answer = yield* authorize({
              sessionId,
              agentId: spawner.agentId,
              toolCallId: `spawn-${yield* newId}`,
              toolName: spawnTool,
              arguments: {
                agentId,
                task,
                mode,
                ...(bounds === undefined ? {} : { bounds }),
                ...(rules === undefined ? {} : { rules })
              },
              folder: request.folder ?? "/"
            })
            if (!answer.allowed) return yield* new SpawnDenied({ decision: answer.decision, text: answer.result.text })
            const inserted = yield* store.agents.insert({
              sessionId,
              agentId,
              parentId: spawner.agentId,
              task,
              mode,
              status: "active",
              createdAt: yield* Clock.currentTimeMillis,
              ...(bounds === undefined ? {} : { bounds }),
              ...(rules === undefined ? {} : { rules })
            })
            if (!inserted) return yield* new AgentUnavailable({ agentId, why: "is there already" })
            return makeHandle(sessionId, agentId)
          }),

          settle: Effect.fn("AgentRegistry.settle")((sessionId: string, agentId: string) =>
            stop(sessionId, agentId, "settled")
          ),
          revoke: Effect.fn("AgentRegistry.revoke")((sessionId: string, agentId: string) =>
            stop(sessionId, agentId, "revoked")
          ),

          cancel: Effect.fn("AgentRegistry.cancel")(function* (sessionId) {
            // INVARIANT: first nothing new may begin, then what waits is ended
            yield* store.sessions.setCanceled(sessionId, true)
            const rows = yield* store.agents.list(sessionId)
            for (const row of rows)
              if (row.parentId !== undefined) yield* store.agents.end(sessionId, row.agentId, "revoked")
            yield* tellStopped(sessionId, new Set([mainOf(sessionId), ...rows.map(({ agentId }) => agentId)]))
          }),

          resume: Effect.fn("AgentRegistry.resume")(function* (sessionId, agentId) {
            yield* active(sessionId, agentId)
            return makeHandle(sessionId, agentId)
          }),

          setMode: Effect.fn("AgentRegistry.setMode")(function* (sessionId, agentId, mode) {
            const wanted = yield* knownMode(agentId, mode)
            yield* active(sessionId, agentId)
            yield* store.agents.setMode(sessionId, agentId, wanted)
            yield* tellChanged
          }),

          tree: Effect.fn("AgentRegistry.tree")(function* (sessionId) {
            return grow(yield* store.agents.list(sessionId), undefined)
          }),

          isMain: (sessionId, agentId) => agentId === mainOf(sessionId),
          mainOf,
          listen: (listener) => Effect.sync(() => void listeners.push(listener))
        })

        return Context.make(AgentRegistry, registry).pipe(
          Context.add(Agents, Agents.of({ lineage, isMain: registry.isMain }))
        )
      })
    )
}

const spawnerOf = (
  spawner: Spawner
): Effect.Effect<{ readonly sessionId: string; readonly agentId: string }, AgentUnavailable> => {
  if (!("parent" in spawner)) return Effect.succeed({ sessionId: spawner.sessionId, agentId: spawner.parentId })
  return isHandle(spawner.parent)
    ? Effect.succeed({ sessionId: spawner.parent.sessionId, agentId: spawner.parent.id })
    : Effect.fail(
        new AgentUnavailable({
          agentId: String((spawner.parent as AgentHandle).id),
          why: "is named by no handle of this process"
        })
      )
}

const knownMode = (agentId: string, word: string): Effect.Effect<Mode, AgentUnavailable> => {
  const mode = readMode(word)
  return mode === undefined
    ? Effect.fail(new AgentUnavailable({ agentId, why: `can't work in the unknown mode \`${word}\`` }))
    : Effect.succeed(mode)
}

const ancestorOf = ({ agentId, bounds, mode, rules, task }: AgentRow): Ancestor => ({
  agentId,
  task,
  mode,
  ...(bounds === undefined ? {} : { bounds }),
  ...(rules === undefined ? {} : { rules })
})

const grow = (rows: readonly AgentRow[], parentId: string | undefined): readonly AgentTree[] =>
  rows.filter((row) => row.parentId === parentId).map((row) => ({ ...row, children: grow(rows, row.agentId) }))
