/**
 * The whole of Countersign for a host without Effect: one object of options in, promises out. Agents, a person's
 * answers, grants and the record are all reached through what it gives.
 */
import {
  type Authorization,
  CurrentSettings,
  type DenyResult,
  Gate,
  type Judgement,
  newId,
  type RecordQuery,
  type RunResult,
  type StoredRecord,
  Store,
  type Submitted
} from "@countersign/gate"
import type { FrozenCall, Grant, Permit, SettingsProblem, ToolCall } from "@countersign/kernel"
import { Cause, Effect, Exit, ManagedRuntime } from "effect"
import { type AgentHandle, isHandle } from "./AgentHandle.ts"
import { AgentRegistry, type AgentTree, AgentUnavailable, type OpenRequest, type SpawnRequest } from "./Agents.ts"
import type { Card } from "./Card.ts"
import { type Decided, Desk, type DeskAnswer, type PendingItem } from "./Desk.ts"
import { type Answering, checkOptions, type HostOptions, type HostParent } from "./host/HostOptions.ts"
import { fromHost } from "./host/fromHost.ts"
import { hostLayers, readParent, readRunner } from "./host/hostLayers.ts"
import { Parents } from "./Parent.ts"

/** A call as a host makes it. Left out: the session `main`, its main agent, a fresh id, the gate's folder. */
export interface HostCall {
  readonly toolName: string
  readonly arguments: unknown
  readonly sessionId?: string
  readonly agentId?: string
  /** In the place of `sessionId` and `agentId`. */
  readonly agent?: AgentHandle
  readonly toolCallId?: string
  readonly folder?: string
}

/** A tool that is guarded: called like the tool itself, it gives the tool's result or the denial's. */
export interface GuardedTool<A> {
  readonly name: string
  readonly execute: (args: unknown, more?: Omit<HostCall, "toolName" | "arguments">) => Promise<A | DenyResult>
}

/** Spawning, with how the new agent will judge its own children. */
export type HostSpawn = SpawnRequest & { readonly judge?: HostParent }

export interface HostGate {
  /** Authorizes, waits for the person if need be, runs the final call, records how it ended. Aborting cancels. */
  readonly run: <A>(
    call: HostCall,
    execute: (call: FrozenCall) => Answering<A>,
    options?: { readonly signal?: AbortSignal }
  ) => Promise<RunResult<A>>
  /** What would happen; records nothing. */
  readonly decide: (call: HostCall) => Promise<Judgement>
  readonly authorize: (call: HostCall, options?: { readonly signal?: AbortSignal }) => Promise<Authorization>
  readonly submit: (call: HostCall) => Promise<Submitted>
  readonly resume: (id: string) => Promise<Submitted | undefined>
  readonly report: (permit: Permit, outcome: "completed" | "failed", error?: string) => Promise<boolean>
  readonly guard: <A>(tool: {
    readonly name: string
    readonly execute: (args: never, call: FrozenCall) => Answering<A>
  }) => GuardedTool<A>
  readonly agents: {
    readonly open: (request: OpenRequest & { readonly judge?: HostParent }) => Promise<AgentHandle>
    readonly spawn: (request: HostSpawn) => Promise<AgentHandle>
    readonly settle: (agent: AgentHandle) => Promise<boolean>
    readonly revoke: (agent: AgentHandle) => Promise<boolean>
    readonly resume: (sessionId: string, agentId: string) => Promise<AgentHandle>
    readonly setMode: (sessionId: string, agentId: string, mode: string) => Promise<void>
    readonly tree: (sessionId: string) => Promise<readonly AgentTree[]>
    /** From now on this agent judges its children's asks this way. */
    readonly judgesBy: (agentId: string, parent: HostParent, sessionId?: string) => Promise<void>
  }
  readonly desk: {
    readonly pending: (sessionId?: string) => Promise<readonly PendingItem[]>
    readonly decide: (answer: DeskAnswer) => Promise<Decided>
    readonly cancel: (sessionId: string, agentId?: string) => Promise<void>
    readonly card: (sessionId: string, confirmationId: string) => Promise<Card | undefined>
    readonly bind: (resume: HostOptions["resume"] | null) => Promise<void>
    readonly rejudge: () => Promise<void>
  }
  readonly grants: {
    readonly list: (filter?: { readonly userId?: string; readonly sessionId?: string }) => Promise<readonly Grant[]>
    readonly revoke: (id: string) => Promise<boolean>
  }
  readonly audit: {
    /** Newest first. */
    readonly list: (query?: RecordQuery) => Promise<readonly StoredRecord[]>
    /** A decision with its outcome, by the decision's id. */
    readonly show: (id: string) => Promise<readonly StoredRecord[]>
  }
  /** Denies everything, of one session or of all, until it is lifted. */
  readonly freeze: (frozen: boolean, sessionId?: string) => Promise<void>
  /** What is wrong with the settings in force. */
  readonly problems: () => Promise<readonly SettingsProblem[]>
  /** Settles nothing: what waits rejects here, and is there again after the next start on the database. */
  readonly close: () => Promise<void>
}

/** Starts a gate. Rejects with an error that names the option if one of them is wrong. */
export async function createGate(options: HostOptions = {}): Promise<HostGate> {
  checkOptions(options)
  const runtime = ManagedRuntime.make(hostLayers(options))
  const folder = options.folder ?? process.cwd()
  let closed: Promise<void> | undefined

  const perform = async <A, E>(
    effect: Effect.Effect<A, E, ManagedRuntime.ManagedRuntime.Services<typeof runtime>>,
    signal?: AbortSignal
  ): Promise<A> => {
    const exit = await runtime.runPromiseExit(effect, signal === undefined ? {} : { signal })
    if (Exit.isSuccess(exit)) return exit.value
    if (signal?.aborted && Cause.hasInterruptsOnly(exit.cause)) throw signal.reason
    throw Cause.squash(exit.cause)
  }

  const complete = (call: HostCall) =>
    Effect.gen(function* () {
      const { agent } = call
      if (agent !== undefined && !isHandle(agent)) {
        return yield* new AgentUnavailable({
          agentId: String((agent as AgentHandle).id),
          why: "is named by no handle of this process"
        })
      }
      const sessionId = agent?.sessionId ?? call.sessionId ?? "main"
      const { mainOf } = yield* AgentRegistry
      return {
        sessionId,
        agentId: agent?.id ?? call.agentId ?? mainOf(sessionId),
        toolCallId: call.toolCallId ?? `call-${yield* newId}`,
        toolName: call.toolName,
        arguments: call.arguments,
        folder: call.folder ?? folder
      } satisfies ToolCall
    })

  const run: HostGate["run"] = (call, execute, { signal } = {}) =>
    perform(
      Effect.gen(function* () {
        const gate = yield* Gate
        return yield* gate.run(yield* complete(call), (final) => fromHost(() => execute(final)))
      }),
      signal
    )

  const judges = (agentId: string, parent: HostParent | undefined, sessionId?: string) =>
    parent === undefined
      ? Effect.void
      : Effect.flatMap(Parents, ({ bind }) => bind(agentId, readParent(parent), sessionId))

  try {
    await perform(Effect.flatMap(Desk, ({ start }) => start))
  } catch (error) {
    await runtime.dispose()
    throw error
  }

  return {
    run,
    decide: (call) =>
      perform(
        Effect.gen(function* () {
          return yield* (yield* Gate).decide(yield* complete(call))
        })
      ),
    authorize: (call, { signal } = {}) =>
      perform(
        Effect.gen(function* () {
          return yield* (yield* Gate).authorize(yield* complete(call))
        }),
        signal
      ),
    submit: (call) =>
      perform(
        Effect.gen(function* () {
          return yield* (yield* Gate).submit(yield* complete(call))
        })
      ),
    resume: (id) => perform(Effect.flatMap(Gate, (gate) => gate.resume(id))),
    report: (permit, outcome, error) => perform(Effect.flatMap(Gate, (gate) => gate.report(permit, outcome, error))),
    guard: (tool) => ({
      name: tool.name,
      execute: async (args, more = {}) => {
        const done = await run({ ...more, toolName: tool.name, arguments: args }, (call) =>
          tool.execute(call.arguments as never, call)
        )
        if (done.status === "completed") return done.value
        if (done.status === "failed") throw done.error
        return done.result
      }
    }),
    agents: {
      open: ({ judge, ...request }) =>
        perform(
          Effect.gen(function* () {
            const handle = yield* (yield* AgentRegistry).open(request)
            yield* judges(handle.id, judge, handle.sessionId)
            return handle
          })
        ),
      spawn: ({ judge, ...request }) =>
        perform(
          Effect.gen(function* () {
            const { authorize } = yield* Gate
            const handle = yield* (yield* AgentRegistry).spawn({ folder, ...request }, authorize)
            yield* judges(handle.id, judge, handle.sessionId)
            return handle
          })
        ),
      settle: (agent) => perform(Effect.flatMap(AgentRegistry, ({ settle }) => settle(agent.sessionId, agent.id))),
      revoke: (agent) => perform(Effect.flatMap(AgentRegistry, ({ revoke }) => revoke(agent.sessionId, agent.id))),
      resume: (sessionId, agentId) =>
        perform(Effect.flatMap(AgentRegistry, ({ resume }) => resume(sessionId, agentId))),
      setMode: (sessionId, agentId, mode) =>
        perform(Effect.flatMap(AgentRegistry, ({ setMode }) => setMode(sessionId, agentId, mode))),
      tree: (sessionId) => perform(Effect.flatMap(AgentRegistry, ({ tree }) => tree(sessionId))),
      judgesBy: (agentId, parent, sessionId) => perform(judges(agentId, parent, sessionId))
    },
    desk: {
      pending: (sessionId) => perform(Effect.flatMap(Desk, ({ pending }) => pending(sessionId))),
      decide: (answer) => perform(Effect.flatMap(Desk, ({ decide }) => decide(answer))),
      cancel: (sessionId, agentId) => perform(Effect.flatMap(Desk, ({ cancel }) => cancel(sessionId, agentId))),
      card: (sessionId, confirmationId) => perform(Effect.flatMap(Desk, ({ card }) => card(sessionId, confirmationId))),
      bind: (resume) =>
        perform(
          Effect.flatMap(Desk, ({ bind }) => bind(typeof resume?.run === "function" ? readRunner(resume) : null))
        ),
      rejudge: () => perform(Effect.flatMap(Desk, ({ rejudge }) => rejudge))
    },
    grants: {
      list: (filter) => perform(Effect.flatMap(Store, ({ grants }) => grants.list(filter))),
      revoke: (id) => perform(Effect.flatMap(Store, ({ grants }) => grants.revoke(id)))
    },
    audit: {
      list: (query = {}) => perform(Effect.flatMap(Store, ({ records }) => records.list(query))),
      show: (id) =>
        perform(
          Effect.gen(function* () {
            const { records } = yield* Store
            const [decision] = yield* records.list({ id })
            if (decision === undefined) return []
            const { caseId } = decision.record
            const outcomes = caseId === undefined ? [] : yield* records.list({ caseId, kind: "outcome" })
            return [decision, ...outcomes.filter(({ seq }) => seq !== decision.seq)]
          })
        )
    },
    freeze: (frozen, sessionId) =>
      perform(
        Effect.gen(function* () {
          yield* (yield* Store).sessions.setFrozen(sessionId, frozen)
          yield* (yield* Desk).rejudge
        })
      ),
    problems: () =>
      perform(Effect.flatMap(CurrentSettings, ({ view }) => Effect.map(view(), ({ problems }) => problems))),
    close: () => (closed ??= perform(Effect.flatMap(Desk, ({ close }) => close)).then(() => runtime.dispose()))
  }
}
