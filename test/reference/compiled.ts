/**
 * The kernel's input for a small world of the `real` kind, through the real reader of calls and the real compiler of
 * rules: what `handMade.ts` makes by hand has to come out of them too.
 */
import {
  type AgentView,
  type Capability,
  compileBounds,
  compileRules,
  type Evaluation,
  readCall,
  readSubject,
  type RuleSet,
  type Surroundings
} from "@countersign/kernel"
import { ruleOf, surroundings } from "./handMade.ts"
import type { RuleRow, World, WorldAgent, WorldCall } from "./World.ts"

/** What the kernel is asked about this world. */
export function compiled(world: World): Evaluation {
  const around = surroundings(world)
  const settings = {
    rules: world.rules.map(ruleOf),
    allowedTools: world.whiteList,
    disallowedTools: world.disallowed,
    blind: world.blind
  }
  return {
    ...around,
    subject: readSubject(frozen(world.call), capabilityOf(world.call), place, around.preset),
    rules: compileRules(settings, place, around.preset),
    lineage: world.lineage.map((agent) => view(agent, around.preset))
  }
}

const folder = "/srv/project"

/** Where the small worlds lie. */
export const place = {
  folder,
  project: folder,
  home: "/home/user",
  additionalDirectories: [],
  ownPaths: [],
  files: { readLink: () => undefined },
  caseInsensitive: false,
  dialectOf: () => "native"
} as const satisfies Surroundings & Parameters<typeof compileRules>[1]

/** What the tool declares of itself. */
export const capabilityOf = ({ readOnly, tool }: WorldCall): Capability => (tool === "Bash" ? {} : { readOnly })

/** The call as it is read and frozen. */
export function frozen({ content, tool }: WorldCall) {
  const input = tool === "Bash" ? { command: content } : { file_path: content }
  const read = readCall({
    sessionId: "session",
    agentId: "main",
    toolCallId: "call",
    toolName: tool,
    arguments: input,
    folder
  })
  if ("problem" in read) throw new Error(`a small world's call can't be read: ${read.problem.message}`)
  return read.call
}

const view = ({ id, mode, rules, tools }: WorldAgent, preset: Evaluation["preset"]): AgentView => ({
  agentId: id,
  mode,
  bounds: tools && compileBounds({ tools }, place, preset),
  rules: rules.length === 0 ? undefined : spawned(rules, preset)
})

const spawned = (rows: readonly RuleRow[], preset: Evaluation["preset"]): RuleSet =>
  compileRules({ rules: rows.map(ruleOf), allowedTools: [], disallowedTools: [], blind: [] }, place, preset)
