/** A gate in a process of its own that kills itself in the midst of a call: `life.ts DEATH DATABASE`. */
import { Desk } from "@countersign/adjudicator"
import { Faults, Gate } from "@countersign/gate"
import { Effect, Layer, ManagedRuntime } from "effect"
import { appendFileSync } from "node:fs"
import { hostLayers } from "../../../packages/adjudicator/src/host/hostLayers.ts"
import { open, sleep } from "./host.ts"
import { type Death, marksOf, shipped, spawn } from "./stage.ts"

const [death, database] = process.argv.slice(2) as [Death, string]
const die = () => process.kill(process.pid, "SIGKILL")
const endorse = () => ({ verdict: "endorse" as const, reason: "the task needs it" })
const call = { sessionId: "s1", agentId: "R", toolCallId: "c1", toolName: "deploy", arguments: {}, folder: "/srv/proj" }

/** A grandchild asks; its nearer parent vouches. */
async function climb() {
  const host = await open({
    ...shipped,
    database,
    parents: { C1: endorse, R: death === "second parent asked" ? () => (die(), endorse()) : endorse },
    observer: ({ event, kind }) => {
      if (death === "card shown" && kind === "confirmation" && event.value.status === "pending") die()
    }
  })
  await spawn(host, ["R/C1", "C1/G"])
  void host.run({ toolName: "delete_note", agentId: "G", toolCallId: "c1", arguments: { id: "n1" } })
}

/** A person says yes at once, and the tool is the last that happens. */
async function run() {
  const host = await open({
    ...shipped,
    database,
    observer: ({ event, kind }) => {
      if (kind === "confirmation" && event.value.status === "pending") void host.decide("c1", true)
    }
  })
  const execute = () => {
    appendFileSync(marksOf(database), "ran\n")
    die()
  }
  void host.run(call, { execute })
}

/** The permit is taken, and the tool has not begun. */
async function claim() {
  const faults = Layer.succeed(Faults, { at: (point) => void (point === "claim.commit.after" && die()) })
  const layers = Layer.provide(hostLayers({ ...shipped, database, folder: "/srv/proj", home: "/home/u" }), faults)
  const runtime = ManagedRuntime.make(layers)
  void runtime.runPromise(
    Effect.flatMap(Gate, (gate) => gate.run(call, () => Effect.sync(() => appendFileSync(marksOf(database), "ran\n"))))
  )
  await runtime.runPromise(
    Effect.gen(function* () {
      const desk = yield* Desk
      while ((yield* desk.pending()).length === 0) yield* Effect.sleep(1)
      yield* desk.decide({ sessionId: "s1", confirmationId: "c1", approved: true })
    })
  )
}

if (death === "tool running") await run()
else if (death === "permit claimed") await claim()
else await climb()
await sleep(30_000)
