/**
 * What a person is shown of a confirmation, as text: who asks, for what task, the exact arguments, why it is an ask,
 * who vouches for it, and what was refused before. What comes from an agent is escaped and can't draw on the screen.
 */
import { type Case, confirmationPayload, type ConfirmationPayload, type GateOptions } from "@countersign/gate"
import { cleanReason, type GateDecision, reasonFor } from "@countersign/kernel"

/** A card: ack's payload with our key, and the same as text. */
export interface Card {
  readonly payload: ConfirmationPayload
  readonly text: string
}

/** The card of a case as it stands. */
export const cardOf = (row: Case, options: Pick<GateOptions, "ackPayload">): Card => ({
  payload: confirmationPayload(row, options),
  text: cardText(row)
})

/** The text of a card; it holds no control, format or bidirectional character but the newline. */
export function cardText(row: Case): string {
  const { call, decision } = row
  const [child, ...ancestors] = row.lineage
  const parents = ancestors.map(({ agentId }) => agentId)
  return [
    `${parents.length === 0 ? "agent" : "child agent"} ${call.agentId} asks to run ${call.toolName}`,
    ...(parents.length === 0 ? [] : [`  for the task: ${child?.task ?? ""}`, `  spawned by: ${parents.join(", by ")}`]),
    `  arguments: ${JSON.stringify(call.arguments)}`,
    ...(row.original === undefined ? [] : [`  as the agent gave them: ${JSON.stringify(row.original)}`]),
    `  in the folder: ${call.folder}`,
    `  why: ${why(decision, call.toolName)}`,
    ...(decision.because === undefined ? [] : [`  it was said: ${cleanReason(decision.because)}`]),
    ...(decision.reason === undefined ? [] : [`  the classifier says: ${cleanReason(decision.reason)}`]),
    ...(decision.adjudication?.chain ?? row.chain).map((entry) => `  ${vouching(entry, call.agentId, call.toolName)}`),
    ...(row.refusedBefore === undefined ? [] : [`  refused before: ${refusal(row.refusedBefore)}`]),
    ...(row.offered.length === 0
      ? []
      : [`  may be remembered: ${row.offered.map(({ scope, text }) => `${text} (${scope})`).join("; ")}`]),
    `  digest: ${row.digest}`,
    ...(row.status === "pending" ? [] : [`  ${row.status}${row.decidedBy === undefined ? "" : ` by ${row.decidedBy}`}`])
  ]
    .map(visible)
    .join("\n")
}

/** Makes every character that can't be seen, or that moves others, visible. */
export const visible = (text: string): string =>
  text.toWellFormed().replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (char) => `\\u{${char.codePointAt(0)!.toString(16)}}`)

function why({ matchedRule, ruleId, sourceLayer }: GateDecision, tool: string): string {
  const words = reasonFor(ruleId, tool)
  if (matchedRule === undefined) return `${words} [${ruleId}]`
  return `${words}: ${matchedRule}${sourceLayer === undefined ? "" : ` (${layerNames[sourceLayer]})`} [${ruleId}]`
}

const layerNames = {
  policy: "the organisation's policy",
  user: "your own settings",
  projectLocal: "this project's local settings",
  projectShared: "this project's shared settings"
} as const

function vouching(entry: Case["chain"][number], child: string, tool: string): string {
  const { adjudicatorId, failure, reason, verdict } = entry
  const words = cleanReason(reason)
  const because = words === "" ? "" : ` because ${words}`
  if (failure !== undefined) return `parent ${adjudicatorId} gave no judgement (${failure})`
  if (verdict === "endorse") return `parent ${adjudicatorId} vouches for ${child}'s ${tool}${because}`
  if (verdict === "reject") return `parent ${adjudicatorId} rejects ${child}'s ${tool}${because}`
  return `parent ${adjudicatorId} can't decide on ${child}'s ${tool}${because}`
}

const refusal = ({ agentId, at, by, reason, times }: NonNullable<Case["refusedBefore"]>): string =>
  `${by} refused the same to ${agentId}${times > 1 ? ` (${times} times)` : ""} at ${new Date(at).toISOString()}${
    reason === undefined ? "" : `, saying: ${cleanReason(reason)}`
  }`
