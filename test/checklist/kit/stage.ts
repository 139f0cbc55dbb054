/**
 * A gate with the shipped defaults behind its public face, agents that spawn one another, and lives that are killed:
 * `kit/host.ts` does the rest. The main agent is `R`.
 */
import type { Card, HostOptions, HostSpawn, PendingItem } from "@countersign/adjudicator"
import type {
  ConfirmationPayload,
  DecisionRecord,
  OutcomeRecord,
  RunResult,
  ToolPermissionEvent
} from "@countersign/gate"
import type { AdjudicationChainEntry, GateDecision } from "@countersign/kernel"
import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { type Host, plain, type Said, until, withHost } from "./host.ts"

/** What every stage is made of where a test says nothing else. */
export const shipped: HostOptions = { preset: "default", mainAgent: "R" }

/** Opens a gate with the shipped defaults for the body and closes it after. */
export const onStage = (options: HostOptions, body: (host: Host) => Promise<void>): Promise<void> =>
  withHost({ ...shipped, ...options }, body)

/** Spawns agents in session `s1`, each given as `parent/child`, all with the same words beside. */
export async function spawn(host: Host, paths: readonly string[], more: Partial<HostSpawn> = {}): Promise<void> {
  for (const path of paths) {
    const [parentId = "", agentId = ""] = path.split("/")
    await host.gate.agents.spawn({ sessionId: "s1", parentId, agentId, task: "tidy notes", ...more })
  }
}

/** A confirmation as the desk lists it: the decision and the chain read as what they are. */
export interface Shown extends Omit<PendingItem, "gate"> {
  readonly gate: {
    readonly digest: string
    readonly decision: GateDecision
    readonly chain?: readonly AdjudicationChainEntry[]
    readonly childAgentId?: string
    readonly childDescription?: string
    readonly endorsed?: boolean
    readonly offered: readonly { readonly scope: string; readonly text: string }[]
    readonly refusedBefore?: {
      readonly agentId: string
      readonly by: string
      readonly reason?: string
      readonly times: number
    }
  }
}

/** Waits until the confirmation is pending, and gives it. */
export const shown = async (host: Host, confirmationId: string): Promise<Shown> => {
  const find = async () => (await host.gate.desk.pending()).find((item) => item.confirmationId === confirmationId)
  return (await until(find, (item) => item !== undefined)) as unknown as Shown
}

/** Begins a call and waits for its card. */
export async function asked(
  host: Host,
  call: Said & { readonly toolCallId: string },
  confirmationId = call.toolCallId
) {
  const running = host.run(call)
  return { running, item: await shown(host, confirmationId) }
}

/** The card of a pending or settled confirmation of session `s1`. */
export async function cardOf(host: Host, confirmationId: string): Promise<Card> {
  const card = await host.gate.desk.card("s1", confirmationId)
  if (card === undefined) throw new Error(`there is no card of ${confirmationId}`)
  return card
}

/** What a confirmation's clients were told, in order. */
export const statuses = (host: Host, confirmationId: string): readonly ConfirmationPayload["status"][] =>
  host.cards(confirmationId).map(({ status }) => status)

/** The `tool.permission.*` events of a call, as a wire carries them. */
export const told = (host: Host, toolCallId: string): readonly ToolPermissionEvent[] =>
  host.events.flatMap(({ event, kind }) => (kind === "tool" && event.toolCallId === toolCallId ? [plain(event)] : []))

/** The one record of a call's decision. */
export async function recordOf(host: Host, toolCallId: string): Promise<DecisionRecord> {
  const records = await recordsOf(host, toolCallId)
  const decisions = records.flatMap((record) => (record.kind === "decision" ? [record] : []))
  if (decisions.length !== 1) throw new Error(`${toolCallId} has ${decisions.length} decisions on record`)
  return decisions[0]!
}

/** How a call's executions ended, oldest first. */
export const outcomesOf = async (host: Host, toolCallId: string): Promise<readonly OutcomeRecord["outcome"][]> =>
  (await recordsOf(host, toolCallId)).flatMap((record) => (record.kind === "outcome" ? [record.outcome] : [])).reverse()

const recordsOf = async (host: Host, toolCallId: string) =>
  (await host.gate.audit.list({ toolCallId })).map(({ record }) => record)

/** Ids and verdicts of a chain, in its order. */
export const spoken = (chain: readonly AdjudicationChainEntry[] | undefined): readonly string[] =>
  (chain ?? []).map(({ adjudicatorId, verdict }) => `${adjudicatorId} ${verdict}`)

/** The denial of a call, as the model gets it. */
export function denial(result: RunResult<unknown>) {
  if (result.status !== "denied") throw new Error(`it was not denied, but ${result.status}`)
  return result.result
}

/** In one word and its ground what became of a call. */
export const fate = ({ decision, status }: RunResult<unknown>): string => `${status} ${decision.ruleId}`

/**
 * A turn of a scripted model: it makes these calls one after the other, and before each it is told the results so far.
 * Gives what each of its requests was told, the last one included, in which it calls nothing more.
 */
export async function turn(host: Host, script: readonly Said[]): Promise<readonly (readonly unknown[])[]> {
  const results: unknown[] = []
  const requests: (readonly unknown[])[] = []
  for (const call of script) {
    requests.push([...results])
    const done = await host.run(call)
    results.push(done.status === "denied" ? done.result : done.status)
    if (done.status === "denied" && done.result.endTurn) return requests
  }
  return [...requests, results]
}

/** What a life of `kit/life.ts` does before it kills itself. */
export type Death = "card shown" | "second parent asked" | "tool running" | "permit claimed"

/** Lets a process of its own live on the database until it is killed; fails unless SIGKILL ended it. */
export const dies = (death: Death, database: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const flags = ["--conditions=source", "--disable-warning=ExperimentalWarning"]
    const options = { timeout: 60_000, env: { ...process.env, NODE_OPTIONS: "" } }
    execFile(process.execPath, [...flags, script, death, database], options, (error, _, stderr) => {
      if (error?.signal === "SIGKILL" && !error.killed) resolve()
      else reject(new Error(`the life did not end by its own hand: ${stderr}`, { cause: error }))
    })
  })

const script = fileURLToPath(new URL("life.ts", import.meta.url))

/** Where a life on this database writes down that its tool ran. */
export const marksOf = (database: string): string => `${database}.ran`
