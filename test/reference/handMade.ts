/**
 * The kernel's input for a small world, with rule sets and subjects made by hand: so the order of the steps is
 * tested apart from the reading of calls and the matching of rules. `compiled.ts` is the way through both.
 */
import {
  type AgentView,
  type CompiledBounds,
  type Evaluation,
  type Grant,
  presets,
  type Rule,
  type RuleSet,
  type Subject
} from "@countersign/kernel"
import { layerOrder, matching, matchingOrPossible, namesProtected, possible, textOf } from "./match.ts"
import type { RuleRow, World, WorldAgent, WorldCall, WorldGrant } from "./World.ts"

/** What the kernel is asked about this world. */
export function handMade(world: World): Evaluation {
  return {
    ...surroundings(world),
    subject: subject(world),
    rules: ruleSet(world, world.rules),
    lineage: world.lineage.map((agent) => view(world, agent))
  }
}

/** The part of the input that neither the reader of calls nor the compiler of rules has to do with. */
export function surroundings(world: World): Omit<Evaluation, "subject" | "rules" | "lineage"> {
  return {
    preset: presets[world.preset],
    tier: world.tier,
    alwaysAsk: world.alwaysAsk,
    requiresUserInteraction: world.interaction,
    hookForced: world.hookForced ? {} : undefined,
    policy: world.policy === undefined ? undefined : { verdict: world.policy },
    preapproved: world.preapproved,
    grants: world.grants.map((grant) => grantFor(grant, world.call.tool)),
    refusedAt: world.refusedAt,
    disabled: { yolo: world.yoloDisabled, auto: false },
    now: world.now
  }
}

/** The rule that a row stands for. */
export function ruleOf(row: RuleRow): Rule {
  const [behavior, layer, tool, content, only] = row
  return {
    text: textOf(row),
    behavior,
    layer,
    tool,
    ...(content === undefined ? {} : { content }),
    ...(only?.agents === undefined ? {} : { agents: only.agents }),
    ...(only?.modes === undefined ? {} : { modes: only.modes }),
    ...(only?.expiresAt === undefined ? {} : { expiresAt: only.expiresAt })
  }
}

function view(world: World, agent: WorldAgent): AgentView {
  const { tools } = agent
  const bounds: CompiledBounds | undefined = tools && { inside: ({ toolName }) => tools.includes(toolName) }
  return {
    agentId: agent.id,
    mode: agent.mode,
    bounds,
    rules: agent.rules.length === 0 ? undefined : ruleSet({ ...world, blind: [] }, agent.rules)
  }
}

function ruleSet({ blind, call, disallowed, whiteList }: World, rows: readonly RuleRow[]): RuleSet {
  const viewer = ({ agentId, mode, now }: Parameters<RuleSet["deny"]>[1]) => ({ id: agentId, mode, now })
  const rule = (row: RuleRow | undefined) => row && ruleOf(row)
  return {
    deny: (_, who) => rule(matching("deny", rows, call, viewer(who))),
    possibleDeny: (_, who) => {
      const row = possible("deny", rows, call, viewer(who))
      if (row !== undefined) return { layer: row[1], rule: ruleOf(row) }
      const layer = layerOrder.find((name) => blind.includes(name))
      return layer && { layer, rule: undefined }
    },
    ask: (_, who) => rule(matchingOrPossible("ask", rows, call, viewer(who))),
    allow: (subject, who, acceptEdits) => {
      const row = matching("allow", rows, call, viewer(who))
      if (row !== undefined) return { by: "rule", rule: ruleOf(row) }
      return acceptEdits && subject.acceptEdits ? { by: "acceptEdits" } : undefined
    },
    namesProtected: (_, __, who) => namesProtected(rows, call, viewer(who)),
    disallowed: ({ toolName }) => disallowed.includes(toolName),
    whiteListed: ({ toolName }) => whiteList.includes(toolName)
  }
}

const subject = ({ call }: World): Subject => ({
  toolName: call.tool,
  names: [call.tool],
  family: undefined,
  command: undefined,
  accesses: [],
  urls: [],
  fields: [call.content],
  parameters: new Map(),
  declared: [],
  floor: floorOf(call),
  protectedWrites: call.protects === undefined ? [] : [call.content],
  readOnly: call.readOnly,
  insideWorkspace: call.insideWorkspace,
  acceptEdits: call.edit,
  key: `${call.tool}\n${call.content}`,
  arguments: call.content
})

const floorOf = ({ floor }: WorldCall): Subject["floor"] =>
  floor === "nothing" ? [] : [{ ruleId: "floor.remove", reason: "it removes", possible: floor === "may forbid" }]

const grantFor = ({ at, reach }: WorldGrant, toolName: string): Grant => ({
  id: `grant-${reach}`,
  userId: "user",
  toolName,
  ...(reach === "global" ? {} : { sessionId: "session" }),
  ...(reach === "agent" ? { agentId: "main" } : {}),
  createdBy: "user",
  createdAt: at
})
