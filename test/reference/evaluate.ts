/**
 * A slow and obvious evaluator of S2 to S20, written from `pipeline.md` alone and knowing nothing of the kernel.
 * Each row of the table is a row of the document; the kernel has to agree with it on every small world.
 */
import { layerOrder, matching, matchingOrPossible, namesProtected, possible, textOf } from "./match.ts"
import type { Layer, RuleRow, World, WorldAgent } from "./World.ts"

export interface Answer {
  readonly decision: "allow" | "ask" | "deny"
  readonly ruleId: string
  readonly source: string
  readonly basis: string
  readonly matchedRule?: string
  readonly sourceLayer?: Layer
  readonly agentId: string
}

/** How strict an outcome is, table 5 of `pipeline.md`: only among asks does it matter which one. */
type Weight = "allow" | "fallback" | "tier" | "rule" | "alwaysAsk" | "forced" | "interaction" | "deny"

interface End {
  readonly weight: Weight
  readonly ruleId: string
  readonly rule?: RuleRow | undefined
}

/** A line of the table: the step, when it ends the walk, and how. */
type Line = readonly [step: string, applies: boolean, weight: Weight, ruleId: string, rule?: RuleRow | undefined]

/** What the pipeline says of the world's call, over its whole lineage. */
export function referenceEvaluate(world: World): Answer {
  let strictest: { readonly end: End; readonly agent: WorldAgent } | undefined
  for (const agent of world.lineage) {
    const end = first(table(world, agent))
    if (strictest === undefined || rank[end.weight] > rank[strictest.end.weight]) strictest = { end, agent }
  }
  return answer(strictest!.end, strictest!.agent)
}

/** What the bans that need no consultation (S2 to S5) say of the world's call: the nearest agent's first one. */
export function referenceBans(world: World): Answer | undefined {
  for (const agent of world.lineage) {
    const line = table(world, agent).find(([step, applies]) => ["S2", "S3", "S4", "S5"].includes(step) && applies)
    if (line !== undefined) return answer({ weight: line[2], ruleId: line[3], rule: line[4] }, agent)
  }
  return undefined
}

function table(world: World, agent: WorldAgent): readonly Line[] {
  const { call, preset, rules } = world
  const own = { id: agent.id, mode: agent.mode, now: world.now }
  const caller = { id: world.lineage[0]!.id, mode: world.lineage[0]!.mode, now: world.now }

  const deny = matching("deny", rules, call, own) ?? matching("deny", agent.rules, call, own)
  const ask = matchingOrPossible("ask", rules, call, own) ?? matchingOrPossible("ask", agent.rules, call, own)
  const allow = matching("allow", rules, call, caller)

  const mayDeny = possible("deny", rules, call, own)
  const blind = layerOrder.find((layer) => world.blind.includes(layer))
  const spawnedMayDeny = possible("deny", agent.rules, call, own)
  const strikes = preset !== "permgate" && call.floor === "forbids"
  const mayStrike = preset !== "permgate" && call.floor === "may forbid"
  const unnamed = preset !== "permgate" && call.protects !== undefined && !namesProtected(rules, call, caller)

  const forcing: readonly (readonly [applies: boolean, ruleId: string, rule?: RuleRow | undefined])[] = [
    [world.hookForced, "hook.forced"],
    [mayDeny !== undefined, `rule.${mayDeny && word(mayDeny[1])}.deny.possible`, mayDeny],
    [blind !== undefined, `rule.${blind && word(blind)}.deny.possible`],
    [spawnedMayDeny !== undefined, `rule.${spawnedMayDeny && word(spawnedMayDeny[1])}.deny.possible`, spawnedMayDeny],
    [mayStrike, "floor.possible"],
    [unnamed, "protected.path"],
    [world.policy === "confirm", "policy.forced"]
  ]
  const forced = forcing.find(([applies]) => applies)

  const refused = world.refusedAt !== undefined
  const endorsed = world.policy === "allow" && !refused
  const grants = world.grants.filter((grant) => !refused || grant.at > world.refusedAt!)
  const sessionGrant = grants.some((grant) => grant.reach !== "global")
  const anyGrant = grants.length > 0
  const grantId = sessionGrant ? "rule.session.allow" : "rule.global.allow"

  const readOnlyMode = agent.mode === "readOnly"
  const yolo = agent.mode === "yolo" && !world.yoloDisabled
  const confirm = world.tier === "confirm"

  return [
    ["S2", strikes, "deny", "floor.remove"],
    ["S3", world.tier === "deny", "deny", "tier.deny"],
    ["S4", world.disallowed.includes(call.tool), "deny", "rule.disallowedTools"],
    ["S4", agent.tools !== undefined && !agent.tools.includes(call.tool), "deny", "agent.bounds"],
    ["S5", deny !== undefined, "deny", `rule.${deny && word(deny[1])}.deny`, deny],
    ["S6", world.policy === "deny", "deny", "policy.deny"],
    ["S7", world.interaction, "interaction", "tool.userInteraction"],
    ["S8a", world.alwaysAsk && !forced && sessionGrant, "allow", "rule.session.allow"],
    ["S8b", world.alwaysAsk && readOnlyMode && !call.readOnly, "deny", "mode.readOnly"],
    ["S8c", world.alwaysAsk && forced !== undefined, "forced", forced?.[1] ?? "", forced?.[2]],
    ["S8c", world.alwaysAsk, "alwaysAsk", "tool.alwaysAsk"],
    ["S9", readOnlyMode && !call.readOnly, "deny", "mode.readOnly"],
    ["S10", forced !== undefined, "forced", forced?.[1] ?? "", forced?.[2]],
    ["S11", yolo, "allow", "mode.yolo"],
    ["S12", ask !== undefined, "rule", `rule.${ask && word(ask[1])}.ask`, ask],
    ["S13", confirm && endorsed, "allow", "policy.endorsed"],
    ["S13", confirm && anyGrant, "allow", grantId],
    ["S13", confirm, "tier", "tier.confirm"],
    ["S14", readOnlyMode && call.readOnly && call.insideWorkspace, "allow", "mode.readOnly"],
    ["S15", allow !== undefined, "allow", `rule.${allow && word(allow[1])}.allow`, allow],
    ["S15", agent.mode === "acceptEdits" && call.edit, "allow", "mode.acceptEdits"],
    ["S16", world.preapproved !== undefined && world.preapproved !== "", "allow", world.preapproved ?? ""],
    ["S17", world.whiteList.includes(call.tool), "allow", "rule.allowedTools"],
    ["S17", world.tier === "allow", "allow", "tier.allow"],
    ["S18", anyGrant, "allow", grantId],
    ["S19", call.readOnly && call.insideWorkspace, "allow", "cap.readOnly"],
    ["S20", endorsed, "allow", "policy.endorsed"],
    ["S20", true, "fallback", "mode.default"]
  ]
}

function first(lines: readonly Line[]): End {
  const [, , weight, ruleId, rule] = lines.find(([, applies]) => applies)!
  return { weight, ruleId, rule }
}

function answer({ weight, ruleId, rule }: End, agent: WorldAgent): Answer {
  const decision = weight === "allow" || weight === "deny" ? weight : "ask"
  const [source, basis] = grounds.find(([pattern]) => pattern.test(ruleId))!.slice(1) as [string, string]
  const matched = rule === undefined ? {} : { matchedRule: textOf(rule), sourceLayer: rule[1] }
  return { decision, ruleId, source, basis, ...matched, agentId: agent.id }
}

const rank: Readonly<Record<Weight, number>> = {
  allow: 0,
  fallback: 1,
  tier: 2,
  rule: 3,
  alwaysAsk: 4,
  forced: 5,
  interaction: 5,
  deny: 6
}

/** The document's table of grounds, as far as S2 to S20 reach; the last line is the id of a pre-approve hook. */
const grounds: readonly (readonly [ruleId: RegExp, source: string, basis: string])[] = [
  [/^floor\./, "builtin", "builtin"],
  [/^hook\.forced$/, "hook", "hook"],
  [/^tier\.(deny|allow|confirm)$/, "policy", "tier"],
  [/^policy\.(deny|forced)$/, "policy", "verdict"],
  [/^policy\.endorsed$/, "policy", "endorsement"],
  [/^agent\.bounds$/, "adjudicator", "adjudication"],
  [/^rule\.(session|global)\.allow$/, "user", "grant"],
  [/^mode\./, "mode", "mode"],
  [/^(tool\.(userInteraction|alwaysAsk)|cap\.readOnly|protected\.path)$/, "builtin", "builtin"],
  [/./, "rule", "rule"]
]

const word = (layer: Layer) => (layer === "policy" || layer === "user" ? layer : "project")
