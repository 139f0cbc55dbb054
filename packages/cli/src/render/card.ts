/**
 * The card: what a person sees before they decide. Who asks and for what task, the exact arguments, the chain, what
 * made it an ask, what was refused before. Everything foreign goes through `visible`; the chain only informs.
 */
import type { AdjudicationChainEntry, GateDecision, Json } from "@countersign/kernel"
import { reasonFor } from "@countersign/kernel"
import { chainLines } from "./chain.ts"
import type { Style } from "./Style.ts"
import { json, lines, oneLine } from "./visible.ts"

/** What a card is made of. */
export interface CardView {
  readonly confirmationId: string
  readonly agentId: string
  readonly task: string
  readonly tool: string
  readonly folder: string
  /** The final arguments: what runs. */
  readonly arguments: Json
  /** As the agent gave them, when a hook put others in their place. */
  readonly original: Json | undefined
  readonly decision: GateDecision
  readonly chain: readonly AdjudicationChainEntry[]
  readonly refusedBefore:
    | { readonly agentId: string; readonly by: string; readonly reason?: string; readonly at: number }
    | undefined
  /** Lasting grants on offer, word for word. */
  readonly offered: readonly { readonly scope: string; readonly text: string }[]
}

/** The lines of a card. */
export function cardLines(card: CardView, style: Style, now: number): readonly string[] {
  const { bold, cyan, dim, yellow } = style
  const task = card.task === "" ? "" : dim(` · ${oneLine(card.task)}`)
  const body = [
    ...field("runs", [bold(oneLine(card.tool)), ...argumentLines(card.arguments)], style),
    ...field("in", [oneLine(card.folder)], style),
    ...rewrittenLines(card, style),
    ...field("why", whyLines(card), style),
    ...(card.chain.length === 0 ? [] : field("chain", chainLines(card.chain), style)),
    ...(card.refusedBefore === undefined ? [] : field("before", [yellow(refusalText(card.refusedBefore, now))], style)),
    ...(card.offered.length === 0 ? [] : field("offered", card.offered.map(offerText), style))
  ]
  return [
    `${cyan("┌")} ${bold(oneLine(card.agentId))} asks${task}`,
    ...body.map((line) => `${cyan("│")} ${line}`),
    cyan("└")
  ]
}

/** For whom an offer would hold. */
export const scopeText = ({ scope }: { readonly scope: string }): string =>
  `always for ${scope === "agent" ? "this agent" : scope === "session" ? "the whole session" : "all sessions"}`

/** An offer as the person reads it. */
export const offerText = (offer: { readonly scope: string; readonly text: string }): string =>
  `${scopeText(offer)}: ${oneLine(offer.text)}`

function argumentLines(args: Json): readonly string[] {
  if (typeof args !== "object" || args === null || Array.isArray(args)) return [json(args)]
  return Object.entries(args).flatMap(([name, value]) => {
    if (typeof value !== "string") return [`${oneLine(name)}: ${json(value)}`]
    const [first = "", ...rest] = lines(value)
    return [`${oneLine(name)}: ${first}`, ...rest.map((line) => `  ${line}`)]
  })
}

function rewrittenLines({ decision, original }: CardView, style: Style): readonly string[] {
  if (original !== undefined) return field("asked for", [`${json(original)} (a hook rewrote it)`], style)
  return decision.updatedArgs === undefined ? [] : field("asked for", ["something else (a hook rewrote it)"], style)
}

function whyLines({ decision, tool }: CardView): readonly string[] {
  const { because, matchedRule, ruleId, sourceLayer } = decision
  return [
    matchedRule === undefined
      ? `${oneLine(reasonFor(ruleId, tool))} (${oneLine(ruleId)})`
      : `the rule ${oneLine(matchedRule)} in layer ${sourceLayer ?? "?"} (${oneLine(ruleId)})`,
    ...(because === undefined ? [] : [`it says: ${oneLine(because)}`])
  ]
}

function refusalText({ agentId, at, by, reason }: NonNullable<CardView["refusedBefore"]>, now: number): string {
  const words = reason === undefined ? "" : `, saying: ${oneLine(reason)}`
  return `${oneLine(by)} refused the same to ${oneLine(agentId)} ${ago(now - at)}${words}`
}

/** How long ago, as people say it. */
export function ago(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000))
  if (seconds < 60) return seconds <= 1 ? "a moment ago" : `${seconds} seconds ago`
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return minutes === 1 ? "a minute ago" : `${minutes} minutes ago`
  const hours = Math.round(minutes / 60)
  return hours === 1 ? "an hour ago" : `${hours} hours ago`
}

function field(name: string, values: readonly string[], { dim }: Style): readonly string[] {
  return values.map((value, index) => `${dim((index === 0 ? name : "").padEnd(10))}${value}`)
}
