/**
 * One process of the performance: a gate on the stage's database, the scripted agents before it, the person behind it.
 * After a kill the next process finds the ask where it was, and goes on when it has been answered.
 */
import { type Card, createGate, type HostGate } from "@countersign/adjudicator"
import type { AdjudicationChainEntry, FrozenCall, GateDecision, Json } from "@countersign/kernel"
import { userInfo } from "node:os"
import { groundOf } from "../audit/Entry.ts"
import type { CardView } from "../render/card.ts"
import { styleFor } from "../render/Style.ts"
import { cut, oneLine } from "../render/visible.ts"
import { dieOnce, type Performance, readPerformance, wasKilled } from "./performance.ts"
import { keyboardPerson, listedPerson, type Person } from "./person.ts"
import { type Backstage, play, type Went } from "./play.ts"
import type { Script } from "./Script.ts"
import { settings } from "./settings.ts"
import { type Stage, stageIn } from "./stage.ts"
import { tellingText } from "./tell.ts"
import { demoTool, demoTools } from "./tools.ts"

/** The demo's one session. */
const sessionId = "demo"

/** Performs in the folder of a stage until the main agent has reported. */
export async function perform(folder: string): Promise<void> {
  const stage = stageIn(folder)
  const performance = readPerformance(folder)
  const { script } = performance
  const style = styleFor(process.stdout)
  const print = (text: string) => void process.stdout.write(`${text}\n`)
  const person =
    performance.answers === undefined
      ? keyboardPerson(userInfo().username, print, style)
      : listedPerson(performance.answers, print, style)
  const ended = Promise.withResolvers<void>()
  // started only once the gate stands, which it does before anybody is answered
  const goOn = async (): Promise<void> => {
    await play(
      script,
      script.main,
      backstage(await gate, performance, stage, (event) => print(tellingText(event, style)))
    )
  }
  const gate = openGate(performance, stage, person, print, () => void goOn().then(ended.resolve, ended.reject))
  const { close } = await gate
  try {
    if (wasKilled(folder)) print(style.dim("The gate stands again on the same database; what waited is taken over."))
    else void goOn().then(ended.resolve, ended.reject)
    await ended.promise
  } finally {
    await close()
  }
}

function openGate(
  { script, server }: Performance,
  stage: Stage,
  person: Person,
  print: (text: string) => void,
  goOn: () => void
): Promise<HostGate> {
  const { database, folder, home, project } = stage
  const originals = new Map<string, Json>()
  return createGate({
    database,
    folder: project,
    home,
    user: person.name,
    mainAgent: script.main,
    settings,
    trusted: true,
    tools: Object.fromEntries(
      demoTools.map(({ capability, execute, name }) => [
        name,
        {
          ...capability,
          // recovery runs an approved call by this, when the process that asked for it is gone
          execute: async (args: Json) => {
            const result = await execute(args, stage)
            print(`   run once by recovery: ${cut(oneLine(result), 110)}`)
            return result
          }
        }
      ])
    ),
    hooks: [
      {
        name: "sign-off",
        tools: ["Bash"],
        run: (call) => {
          const signed = signOff(call.arguments)
          if (signed === undefined) return null
          originals.set(call.toolCallId, call.arguments)
          return { updatedInput: signed, reason: "commits here are signed off" }
        }
      }
    ],
    parents: Object.fromEntries(
      Object.keys(script.agents).map((parent) => [
        parent,
        ({ call }) => {
          const judgement = script.judgements.find((one) => one.parent === parent && one.call === call.toolCallId)
          if (judgement?.dies === true) dieOnce(folder)
          return judgement === undefined
            ? { verdict: "escalate", reason: "nothing in my task says whether" }
            : { verdict: judgement.verdict, reason: withServer(judgement.reason, server), model: "scripted" }
        }
      ])
    ),
    askUser: async (call, card, decision) => {
      const view = viewOf(call, card, decision, script, originals.get(call.toolCallId))
      const { always, approved, reason } = await person.answer(view, call.toolCallId)
      return {
        approved,
        decidedBy: person.name,
        ...(reason === undefined ? {} : { reason }),
        ...(always ? { remember: "session" } : {})
      }
    },
    resume: { run: async () => goOn() }
  })
}

/** What the scripted agents reach of the gate. */
function backstage(gate: HostGate, { server }: Performance, stage: Stage, tell: Backstage["tell"]): Backstage {
  return {
    tell,
    call: async (agentId, toolCallId, toolName, input) => {
      const call = { sessionId, agentId, toolCallId, toolName, arguments: fill(input, server) }
      const done = await gate.run(call, async ({ arguments: args }) => {
        const tool = demoTool(toolName)
        if (tool === undefined) throw new Error(`there is no tool \`${toolName}\``)
        return tool.execute(args, stage)
      })
      const ground = groundOf(done.decision)
      if (done.status === "completed") return { status: "completed", text: done.value, ground }
      if (done.status === "failed") return { status: "failed", text: wordsOf(done.error), ground }
      return { status: "denied", text: done.result.text, ground }
    },
    spawn: async (parentId, _, agentId, task) => {
      try {
        if ((await agentStates(gate)).has(agentId)) await gate.agents.resume(sessionId, agentId)
        else await gate.agents.spawn({ sessionId, parentId, agentId, task })
        return { status: "completed", text: agentId }
      } catch (error) {
        return { status: "denied", text: wordsOf(error) }
      }
    },
    before: async (agentId, toolCallId) => {
      const [decided] = await gate.audit.list({ kind: "decision", sessionId, agentId, toolCallId })
      if (decided?.record.kind !== "decision") return undefined
      return { status: decided.record.decision === "allow" ? "completed" : "denied", text: "" } satisfies Went
    },
    spawned: async (agentId) => (await agentStates(gate)).get(agentId),
    settle: async (agentId) => void (await gate.agents.settle(await gate.agents.resume(sessionId, agentId)))
  }
}

async function agentStates(gate: HostGate): Promise<ReadonlyMap<string, "active" | "ended">> {
  const states = new Map<string, "active" | "ended">()
  const visit = (nodes: Awaited<ReturnType<HostGate["agents"]["tree"]>>): void => {
    for (const { agentId, children, status } of nodes) {
      states.set(agentId, status === "active" ? "active" : "ended")
      visit(children)
    }
  }
  visit(await gate.agents.tree(sessionId))
  return states
}

function viewOf(
  call: FrozenCall,
  card: Card,
  decision: GateDecision,
  script: Script,
  original: Json | undefined
): CardView {
  const { confirmationId, gate } = card.payload
  return {
    confirmationId,
    agentId: call.agentId,
    task: decision.adjudication?.childDescription ?? script.agents[call.agentId]?.task ?? "",
    tool: call.toolName,
    folder: call.folder,
    arguments: call.arguments,
    original,
    decision,
    chain: decision.adjudication?.chain ?? ([] as readonly AdjudicationChainEntry[]),
    refusedBefore: gate?.refusedBefore as unknown as CardView["refusedBefore"],
    // the narrowest comes first, and is what "always" takes
    offered: ((gate?.offered ?? []) as unknown as CardView["offered"]).slice(0, 1)
  }
}

/** A commit gets its sign-off; any other line is left alone. */
function signOff(args: Json): Json | undefined {
  if (typeof args !== "object" || args === null || !("command" in args) || typeof args.command !== "string")
    return undefined
  if (!args.command.startsWith("git commit ") || args.command.includes("--signoff")) return undefined
  return { ...args, command: args.command.replace("git commit ", "git commit --signoff ") }
}

const withServer = (text: string, server: string) => text.replaceAll("{server}", server)
const fill = (input: { readonly [name: string]: Json }, server: string): { readonly [name: string]: Json } =>
  Object.fromEntries(
    Object.entries(input).map(([name, value]) => [name, typeof value === "string" ? withServer(value, server) : value])
  )
const wordsOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
