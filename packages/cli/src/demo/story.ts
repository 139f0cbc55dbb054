/**
 * The demo as a whole: builds the stage, lets a process perform, starts it again when it was killed, and afterwards
 * reads everything back from the database and checks every promise.
 */
import { type AgentRow, Store } from "@countersign/gate"
import type { Grant } from "@countersign/kernel"
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { type Entry, entriesOf } from "../audit/Entry.ts"
import { storeAt } from "../Live.ts"
import { chainLines } from "../render/chain.ts"
import { entryTable } from "../render/records.ts"
import type { Style } from "../render/Style.ts"
import { treeLines } from "../render/tree.ts"
import { json, oneLine } from "../render/visible.ts"
import { writePerformance } from "./performance.ts"
import { commonPromises, type Death, type Promised, releasePromises } from "./promises.ts"
import { releaseScript } from "./releaseScript.ts"
import type { Answer, Script } from "./Script.ts"
import { startLoopback } from "./server.ts"
import { buildStage, type Stage } from "./stage.ts"

/** How to tell the story. */
export interface Telling {
  readonly script: Script
  /** Absent: the person at the terminal answers. */
  readonly answers: readonly Answer[] | undefined
  /** Where the answers come from, in words. */
  readonly from: string
  readonly style: Style
  readonly width: number
  readonly print: (text: string) => void
}

/** Tells the whole story; true if every promise was kept. */
export async function tellStory({ answers, from, print, script, style, width }: Telling): Promise<boolean> {
  const began = performance.now()
  const stage = buildStage()
  const server = await startLoopback(stage.requests)
  try {
    print(introduction(script, stage, from, style))
    writePerformance(stage.folder, { script, server: server.url, ...(answers === undefined ? {} : { answers }) })
    const deaths = await performUntilDone(stage, print, style)
    const read = await Effect.runPromise(readBack.pipe(Effect.provide(storeAt(stage.database))))
    print(summary(read, stage, style, width))
    const evidence = { ...read, stage, script, deaths }
    const promised = [...commonPromises(evidence), ...(script === releaseScript ? releasePromises(evidence) : [])]
    print(promiseText(promised, style))
    const kept = promised.every((promise) => promise.kept)
    if (!kept && answers === undefined)
      print(style.dim("The story expects certain answers; where yours were others, a promise may fail."))
    print(`\n${kept ? "Everything" : "Not everything"} promised happened, in ${seconds(performance.now() - began)} s.`)
    return kept
  } finally {
    await server.close()
  }
}

/** The performing process, again if it was killed; gives what the database held at each death. */
async function performUntilDone(stage: Stage, print: (text: string) => void, style: Style): Promise<readonly Death[]> {
  const deaths: Death[] = []
  for (;;) {
    const { code, signal } = await perform(stage)
    if (code === 0) return deaths
    if (signal !== "SIGKILL" || deaths.length > 0) {
      throw new Error(
        `the performance ended with ${signal ?? `exit code ${code}`}; its database is \`${stage.database}\``
      )
    }
    const waiting = await Effect.runPromise(waitingCases.pipe(Effect.provide(storeAt(stage.database))))
    deaths.push({ signal, waiting })
    print(deathText(waiting, style))
  }
}

const waitingCases = Effect.flatMap(Store, ({ cases }) => cases.pending())

const deathText = (waiting: Death["waiting"], { bold, yellow }: Style): string =>
  [
    "",
    yellow(bold("── the process was killed (SIGKILL) while a parent was thinking; nobody answers now ──")),
    "What the database holds meanwhile:",
    ...waiting.flatMap(({ call, chain }) => [
      `  the ask of ${oneLine(call.agentId)}: ${oneLine(call.toolName)} ${json(call.arguments)}`,
      ...chainLines(chain).map((line) => `    ${line}`)
    ]),
    yellow(bold("── it is started again ──")),
    ""
  ].join("\n")

function perform({ folder }: Stage): Promise<{ readonly code: number | null; readonly signal: string | null }> {
  const program = [...process.execArgv, process.argv[1]!, "demo", "--perform", folder]
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, program, { stdio: "inherit" })
    // a terminal's ctrl-c reaches both; the performer ends first and tells
    const wait = () => undefined
    process.on("SIGINT", wait)
    child.on("error", reject)
    child.on("close", (code, signal) => {
      process.off("SIGINT", wait)
      resolve({ code, signal })
    })
  })
}

interface ReadBack {
  readonly entries: readonly Entry[]
  readonly agents: readonly AgentRow[]
  readonly grants: readonly Grant[]
}

const readBack = Effect.gen(function* () {
  const store = yield* Store
  const [records, agents, grants] = [
    yield* store.records.list({}),
    yield* store.agents.list(),
    yield* store.grants.list()
  ]
  return { entries: entriesOf(records), agents, grants } satisfies ReadBack
})

function introduction(script: Script, { folder, project }: Stage, from: string, { bold, dim }: Style): string {
  return [
    bold("countersign demo"),
    `The task: ${oneLine(script.task)}`,
    `The models are scripted and offline; their tools are real, in a fresh repository: ${project}`,
    `Answers come from ${from}.`,
    dim("The demo made this project itself, so its settings count as trusted. A project you clone may only tighten."),
    dim(`Everything lies in ${folder}`),
    ""
  ].join("\n")
}

function summary({ agents, entries }: ReadBack, stage: Stage, { bold, dim }: Style, width: number): string {
  const tree = treeLines(
    agents.map(({ agentId, parentId, status, task }) => ({
      id: agentId,
      parentId,
      label: `${oneLine(agentId)}${task === "" ? "" : ` · ${oneLine(task)}`} (${status})`
    }))
  )
  return [
    "",
    bold("Read back from the database: the agents"),
    ...tree.map((line) => `  ${line}`),
    "",
    bold("Read back from the database: every call and its ground"),
    ...entryTable(entries, width - 2).map((line) => `  ${line}`),
    "",
    `The database: ${stage.database}`,
    dim(`One decision with its chain: countersign audit show publish --database ${stage.database}`)
  ].join("\n")
}

const promiseText = (promised: readonly Promised[], { bold, green, red }: Style): string =>
  [
    "",
    bold("Promised, and checked in the database and the files"),
    ...promised.map(({ kept, words }) => `  ${kept ? green("✓") : red("✗")} ${words}`)
  ].join("\n")

const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(1)
