/**
 * The scripted model: what each agent does, turn by turn, and how it judges its children's asks. Plain data, so that
 * `--task FILE` can play another one; `{server}` in an input stands for the loopback server's address.
 */
import { Schema } from "effect"

const optional = Schema.optionalKey

/** One turn of an agent: it calls a tool, or spawns a child and waits for its report. */
export const Step = Schema.Struct({
  /** Names the call: its `toolCallId`. Unique in the script. */
  id: Schema.NonEmptyString,
  /** What the model says before it. */
  says: optional(Schema.String),
  /** Only if that earlier step was denied: another way. */
  ifDenied: optional(Schema.String),
  tool: optional(Schema.NonEmptyString),
  input: optional(Schema.Record(Schema.String, Schema.Json)),
  /** The agent to spawn; in the place of a tool. */
  spawn: optional(Schema.NonEmptyString)
})
export type Step = typeof Step.Type

/** An agent: its task, its turns and what it reports to whoever spawned it. */
export const AgentScript = Schema.Struct({
  task: Schema.NonEmptyString,
  steps: Schema.Array(Step),
  report: Schema.String
})
export type AgentScript = typeof AgentScript.Type

/** How an agent judges one ask of a child. What is not listed is escalated. */
export const Judgement = Schema.Struct({
  parent: Schema.NonEmptyString,
  call: Schema.NonEmptyString,
  verdict: Schema.Literals(["endorse", "escalate", "reject"]),
  reason: Schema.String,
  /** The process is killed while this parent thinks, once. */
  dies: optional(Schema.Boolean)
})

/** The person's answer to the card of one call, where nobody sits at a terminal. */
export const Answer = Schema.Struct({
  call: Schema.NonEmptyString,
  answer: Schema.Literals(["approve", "refuse", "always"]),
  reason: optional(Schema.String)
})
export type Answer = typeof Answer.Type

/** A whole script. */
export const Script = Schema.Struct({
  task: Schema.NonEmptyString,
  /** The session's main agent. */
  main: Schema.NonEmptyString,
  agents: Schema.Record(Schema.String, AgentScript),
  judgements: Schema.Array(Judgement),
  answers: Schema.Array(Answer)
}).annotate({ identifier: "Script" })
export type Script = typeof Script.Type

/** What is wrong with a script beyond its form; undefined if nothing is. */
export function faultIn({ agents, answers, judgements, main }: Script): string | undefined {
  const steps = Object.values(agents).flatMap((agent) => agent.steps)
  const ids = steps.map(({ id }) => id)
  const twice = ids.find((id, index) => ids.indexOf(id) !== index)
  if (twice !== undefined) return `two steps are called \`${twice}\``
  if (!Object.hasOwn(agents, main)) return `there is no agent \`${main}\` to begin with`
  const stranger = steps.find(({ spawn }) => spawn !== undefined && !Object.hasOwn(agents, spawn))
  if (stranger !== undefined)
    return `the step \`${stranger.id}\` spawns \`${stranger.spawn}\`, and there is no such agent`
  const spawned = steps.flatMap(({ spawn }) => spawn ?? [])
  const again = spawned.find((name, index) => name === main || spawned.indexOf(name) !== index)
  if (again !== undefined) return `the agent \`${again}\` is begun twice`
  const idle = steps.find(({ spawn, tool }) => (spawn === undefined) === (tool === undefined))
  if (idle !== undefined) return `the step \`${idle.id}\` has to hold either \`tool\` or \`spawn\``
  const unknown = [...answers, ...judgements].find(({ call }) => !ids.includes(call))
  return unknown && `there is no step \`${unknown.call}\` to answer or judge`
}

/** Every step with the agent that takes it. */
export const stepsOf = ({ agents }: Script): readonly (Step & { readonly agent: string })[] =>
  Object.entries(agents).flatMap(([agent, { steps }]) => steps.map((step) => ({ ...step, agent })))
