/**
 * Plays an agent: turn after turn of its script, a child's whole play inside the turn that spawns it. A turn that the
 * record knows already is not taken again, so that a play can go on in another process.
 */
import type { Json } from "@countersign/kernel"
import type { Script, Step } from "./Script.ts"

/** How a call went. */
export interface Went {
  readonly status: "completed" | "denied" | "failed"
  /** The tool's result, or what the model is told instead. */
  readonly text: string
  /** What it rests on, in words. */
  readonly ground?: string
}

/** What playing needs of the gate behind it. */
export interface Backstage {
  /** Calls a tool as that agent. */
  readonly call: (agent: string, id: string, tool: string, input: { readonly [name: string]: Json }) => Promise<Went>
  /** Spawns a child, or takes it up again after a restart. */
  readonly spawn: (parent: string, id: string, child: string, task: string) => Promise<Went>
  /** How an earlier process left the call; undefined if it was never made. */
  readonly before: (agent: string, id: string) => Promise<Went | undefined>
  /** What an earlier process left of the agent; undefined if it never spawned it. */
  readonly spawned: (agent: string) => Promise<"active" | "ended" | undefined>
  readonly settle: (agent: string) => Promise<void>
  readonly tell: (event: Telling) => void
}

/** What happens, for whoever watches. */
export type Telling =
  | { readonly kind: "says"; readonly agent: string; readonly depth: number; readonly words: string }
  | { readonly kind: "went"; readonly agent: string; readonly depth: number; readonly step: Step; readonly went: Went }
  | { readonly kind: "report"; readonly agent: string; readonly depth: number; readonly words: string }

/** Plays the agent to its end and gives its report. */
export async function play(script: Script, agent: string, backstage: Backstage, depth = 0): Promise<string> {
  const { report, steps } = script.agents[agent]!
  const went = new Map<string, Went["status"]>()
  for (const step of steps) {
    if (step.ifDenied !== undefined && went.get(step.ifDenied) !== "denied") continue
    const earlier = step.spawn === undefined ? await backstage.before(agent, step.id) : undefined
    if (earlier !== undefined) {
      went.set(step.id, earlier.status)
      continue
    }
    const left = step.spawn === undefined ? undefined : await backstage.spawned(step.spawn)
    if (left === "ended") {
      went.set(step.id, "completed")
      continue
    }
    if (step.says !== undefined && left === undefined) backstage.tell({ kind: "says", agent, depth, words: step.says })
    const now = await take(script, agent, step, backstage)
    went.set(step.id, now.status)
    if (left === undefined) backstage.tell({ kind: "went", agent, depth, step, went: now })
    if (step.spawn !== undefined && now.status === "completed") await play(script, step.spawn, backstage, depth + 1)
  }
  backstage.tell({ kind: "report", agent, depth, words: report })
  if (agent !== script.main) await backstage.settle(agent)
  return report
}

const take = (script: Script, agent: string, step: Step, backstage: Backstage): Promise<Went> =>
  step.spawn === undefined
    ? backstage.call(agent, step.id, step.tool ?? "", step.input ?? {})
    : backstage.spawn(agent, step.id, step.spawn, script.agents[step.spawn]!.task)
