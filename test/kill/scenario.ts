/**
 * One call through the whole gate, as a process may die anywhere on its way: a child's ask that its parent endorses and
 * a person answers, or a call that a rule allows. `act` is the first life, `goOn` is what a host does after a restart.
 */
import { AgentRegistry, Desk } from "@countersign/adjudicator"
import { Faults, Gate, type GateEvent, Store } from "@countersign/gate"
import { Effect, Layer, ManagedRuntime } from "effect"
import { appendFileSync, closeSync, existsSync, fsyncSync, openSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { hostLayers } from "../../packages/adjudicator/src/host/hostLayers.ts"

/** Which way the call takes. */
export const ways = ["approve", "refuse", "auto"] as const
export type Way = (typeof ways)[number]

/** What is found at the end of a life. */
export interface Found {
  /** How often the tool really ran. */
  readonly ran: number
  /** How often the parent was consulted. */
  readonly consulted: number
  readonly decisions: readonly { readonly decision: string; readonly savedGrantId?: string; readonly parents: number }[]
  readonly outcomes: readonly string[]
  readonly grants: readonly string[]
  readonly pending: number
  readonly undelivered: number
}

const session = "s1"
const target = "deploy-1"
const tools = { approve: "Deploy", refuse: "Deploy", auto: "Allowed" } as const

/** A gate on files in `folder` whose store dies at `point`, if one is given. */
function open(folder: string, way: Way, point: string | undefined) {
  const approver: { current?: (event: GateEvent) => void } = {}
  const layers = hostLayers({
    database: join(folder, "gate.db"),
    folder: "/srv/proj",
    home: "/home/u",
    mainAgent: "root",
    settings: { user: { permissions: { allow: [tools.auto] } } },
    parents: {
      root: () => {
        write(folder, "consulted")
        return { verdict: "endorse", reason: "the task needs it" }
      }
    },
    observer: (event) => approver.current?.(event),
    resume: { run: () => undefined },
    resolver: () => ({ [tools.approve]: () => write(folder, "ran"), [tools.auto]: () => write(folder, "ran") })
  })
  // the spawn passes the gate, too: only the call itself is to die
  let armed = false
  const faults = Layer.succeed(Faults, {
    at: (passed) => {
      if (armed && passed === point) process.kill(process.pid, "SIGKILL")
    }
  })
  const runtime = ManagedRuntime.make(layers.pipe(Layer.provide(faults)))

  const answer = (confirmationId: string) =>
    Effect.flatMap(Desk, (desk) =>
      desk.decide({
        sessionId: session,
        confirmationId,
        approved: way === "approve",
        decidedBy: "p1",
        remember: "session"
      })
    )

  /** A person who answers whatever is shown while the process lives. */
  const attend = Effect.gen(function* () {
    const services = yield* Effect.context<Desk>()
    const run = Effect.runForkWith(services)
    approver.current = (event) => {
      if (event.kind !== "confirmation" || event.event.value.status !== "pending") return
      run(Effect.ignore(answer(event.event.value.confirmationId)))
    }
  })

  const call = Effect.gen(function* () {
    const registry = yield* AgentRegistry
    const gate = yield* Gate
    yield* registry.open({ sessionId: session })
    const known = (yield* (yield* Store).agents.find(session, "child")) !== undefined
    if (!known) {
      const request = { sessionId: session, parentId: "root", agentId: "child", task: "deploy it", folder: "/srv/proj" }
      yield* registry.spawn(request, gate.authorize)
    }
    const wanted = {
      sessionId: session,
      agentId: "child",
      toolCallId: target,
      toolName: tools[way],
      arguments: { to: "production" },
      folder: "/srv/proj"
    }
    armed = true
    yield* gate.run(wanted, () => Effect.sync(() => write(folder, "ran")))
  })
  return { runtime, answer, attend, call }
}

/** The first life: ends with the call's outcome, or where the fault point is. */
export async function act(folder: string, way: Way, point: string | undefined): Promise<void> {
  const { attend, call, runtime } = open(folder, way, point)
  await runtime.runPromise(
    Effect.gen(function* () {
      yield* (yield* Desk).start
      yield* attend
      yield* call
    })
  )
  await runtime.dispose()
}

/** A later life: takes up what is there, makes the call again only if nothing of it is, and says what it finds. */
export async function goOn(folder: string, way: Way): Promise<Found> {
  const { answer, attend, call, runtime } = open(folder, way, undefined)
  const found = await runtime.runPromise(
    Effect.gen(function* () {
      const desk = yield* Desk
      const store = yield* Store
      yield* desk.start
      const confirmation = `child/${target}`
      const begun =
        (yield* store.cases.byConfirmation(session, confirmation)) !== undefined ||
        (yield* store.records.count({ toolCallId: target })) > 0
      if (!begun) {
        yield* attend
        yield* call
      }
      // the walk goes on by itself; the person answers once the card is there
      while ((yield* store.cases.pending(session)).length > 0) {
        if ((yield* desk.pending(session)).length > 0) yield* answer(confirmation)
        else yield* Effect.sleep(5)
      }
      // the start does not wait for the tools of calls that were approved and never ran
      for (let tries = 0; tries < 1000; tries++) {
        const row = yield* store.cases.byConfirmation(session, confirmation)
        if (row?.status !== "approved" || row.outcome !== undefined) break
        yield* Effect.sleep(5)
      }
      const records = (yield* store.records.list({ toolCallId: target })).map(({ record }) => record)
      return {
        ran: lines(folder, "ran"),
        consulted: lines(folder, "consulted"),
        decisions: records.flatMap((record) =>
          record.kind === "decision"
            ? [
                {
                  decision: record.decision,
                  parents: (record.adjudicationChain ?? []).length,
                  ...(record.savedGrantId === undefined ? {} : { savedGrantId: record.savedGrantId })
                }
              ]
            : []
        ),
        outcomes: records.flatMap((record) => (record.kind === "outcome" ? [record.outcome] : [])),
        grants: (yield* store.grants.list({})).map(({ id }) => id),
        pending: (yield* store.cases.pending(session)).length,
        undelivered: (yield* store.outbox.peek(1000)).length
      }
    })
  )
  await runtime.dispose()
  return found
}

/** One line, on the disk before anything else happens. */
function write(folder: string, name: string): void {
  const file = openSync(join(folder, name), "a")
  appendFileSync(file, "x\n")
  fsyncSync(file)
  closeSync(file)
}

const lines = (folder: string, name: string) =>
  existsSync(join(folder, name)) ? readFileSync(join(folder, name), "utf8").split("\n").length - 1 : 0
