/** The stage of these tests: a whole gate over a database of its own, opened and closed like a process. */
import { Gate, type GateEvent, type RunResult, Sessions, Store } from "@countersign/gate"
import type { FrozenCall, ToolCall } from "@countersign/kernel"
import { Context, Effect, Exit, type Fiber, Layer, Scope } from "effect"
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { AgentRegistry } from "../src/Agents.ts"
import { Desk, type PendingItem } from "../src/Desk.ts"
import type { HostOptions } from "../src/host/HostOptions.ts"
import { type Grounds, hostLayers } from "../src/host/hostLayers.ts"
import { Parents } from "../src/Parent.ts"

export const folder = "/srv/proj"

/** A file for a database that outlives a process. */
export const databaseFile = () => join(mkdtempSync(join(tmpdir(), "countersign-desk-")), "countersign.db")

/** Options as all stages here have them. */
export const base: HostOptions = { folder, home: "/home/u", mainAgent: "root", user: "u1" }

/** Plain ack: presets `ack`, nothing else said. */
export const ack: HostOptions = { ...base, preset: "ack" }

/** Starts a process: a gate with everything behind it. */
export const open = Effect.fnUntraced(function* (options: HostOptions, grounds?: Grounds) {
  const events: GateEvent[] = []
  const scope = yield* Scope.make()
  const observer: NonNullable<HostOptions["observer"]> = (event, more) => {
    events.push(event)
    return options.observer?.(event, more)
  }
  const layers = hostLayers({ ...options, observer }, grounds)
  const services = yield* Layer.buildWithScope(layers, scope)
  const desk = Context.get(services, Desk)
  yield* desk.start
  const gate = Context.get(services, Gate)
  const ran: FrozenCall[] = []
  const calls: Fiber.Fiber<RunResult<unknown>>[] = []
  let count = 0

  const call = (given: Partial<ToolCall> & { readonly toolName: string }): ToolCall => ({
    sessionId: "s1",
    agentId: "root",
    toolCallId: `c${++count}`,
    arguments: {},
    folder,
    ...given
  })

  return {
    desk,
    gate,
    events,
    ran,
    call,
    store: Context.get(services, Store),
    sessions: Context.get(services, Sessions),
    agents: Context.get(services, AgentRegistry),
    parents: Context.get(services, Parents),
    /** Begins a call in the background. */
    begin: Effect.fnUntraced(function* (given: Partial<ToolCall> & { readonly toolName: string }) {
      const fiber = yield* Effect.forkDetach(
        gate.run(call(given), (final) =>
          Effect.sync(() => {
            ran.push(final)
            return "ran"
          })
        )
      )
      calls.push(fiber)
      return fiber
    }),
    /** Runs a call to its end. */
    run: (given: Partial<ToolCall> & { readonly toolName: string }) =>
      gate.run(call(given), (final) =>
        Effect.sync(() => {
          ran.push(final)
          return "ran"
        })
      ),
    /** Waits until so many calls are shown; gives them. */
    shown: (wanted = 1) => until(desk.pending(), (items: readonly PendingItem[]) => items.length === wanted),
    statuses: (confirmationId: string) =>
      events.flatMap(({ event, kind }) =>
        kind === "confirmation" && event.value.confirmationId === confirmationId ? [event.value.status] : []
      ),
    permissions: () => events.flatMap(({ event, kind }) => (kind === "permission" ? [event] : [])),
    /** Ends the process in order. */
    close: Scope.close(scope, Exit.void)
  }
})

/** Real time for real IO: the clock of tests stands still meanwhile. */
export const turn = Effect.promise(() => new Promise<void>((resolve) => setTimeout(resolve, 1)))

/** Looks again until it is so. */
export const until = <A, E, R>(
  look: Effect.Effect<A, E, R>,
  holds: (value: A) => boolean
): Effect.Effect<A, E | Error, R> =>
  Effect.gen(function* () {
    for (let tries = 0; tries < 2000; tries++) {
      const value = yield* look
      if (holds(value)) return value
      yield* turn
    }
    return yield* Effect.fail(new Error(`it never came to be: ${JSON.stringify(yield* look)}`))
  })

/** The text that the model gets of a denied call. */
export const textOf = (result: RunResult<unknown>): string => (result.status === "denied" ? result.result.text : "")
