/** Decisions as a table, and one decision whole with its chain drawn as a tree. */
import type { DecisionRecord } from "@countersign/gate"
import { type Entry, groundOf } from "../audit/Entry.ts"
import { entryText } from "./chain.ts"
import { ofDecision, type Style } from "./Style.ts"
import { tableLines } from "./table.ts"
import { cut, json, oneLine } from "./visible.ts"

/** The table of entries: every call and its ground. */
export function entryTable(entries: readonly Entry[], width: number): readonly string[] {
  return tableLines(
    ["seq", "agent", "call", "tool", "what", "decision", "ground", "outcome"],
    entries.map(({ decision, outcome, seq }) => [
      String(seq),
      oneLine(decision.agentId),
      cut(oneLine(decision.toolCallId), 22),
      oneLine(decision.toolName),
      cut(subjectOf(decision), 44),
      decision.decision,
      oneLine(groundOf(decision)),
      outcome?.outcome ?? "-"
    ]),
    width
  )
}

/** One entry, whole. */
export function entryLines({ decision, outcome, seq }: Entry, style: Style): readonly string[] {
  const { bold, dim } = style
  const word = ofDecision(style, decision.decision)
  const row = (name: string, value: string) => `${dim(name.padEnd(12))}${value}`
  const optional = (name: string, value: string | undefined) => (value === undefined ? [] : [row(name, oneLine(value))])
  return [
    `${word(bold(decision.decision))}  ${oneLine(decision.toolName)} ${json(decision.arguments)}`,
    row("record", `${decision.id} (${seq})`),
    row("at", new Date(decision.at).toISOString()),
    row(
      "call",
      `${oneLine(decision.toolCallId)} of ${oneLine(decision.agentId)} in session ${oneLine(decision.sessionId)}`
    ),
    row("ground", oneLine(groundOf(decision))),
    ...optional("reason", decision.reason),
    ...optional("said", decision.because),
    ...optional("answered", decision.answerReason),
    ...(decision.asked === undefined ? [] : optional("ask from", groundOf(decision.asked))),
    ...(decision.original === undefined ? [] : [row("original", json(decision.original))]),
    ...(decision.refusedBefore === undefined ? [] : [row("before", json(decision.refusedBefore))]),
    ...optional("grant", decision.savedGrantId ?? decision.grantId),
    row("digest", decision.digest),
    row(
      "outcome",
      outcome === undefined
        ? "-"
        : oneLine(`${outcome.outcome}${outcome.error === undefined ? "" : `: ${outcome.error}`}`)
    ),
    "",
    ...responsibilityLines(decision)
  ]
}

/** Who is responsible, as a tree: the agent that called, whoever judged on the way up, and what ended it. */
export function responsibilityLines(decision: DecisionRecord): readonly string[] {
  const task = decision.lineage[0]?.task
  const chain = decision.adjudicationChain ?? []
  const end = `${decision.decision} · ${oneLine(groundOf(decision))}${
    decision.answerReason === undefined ? "" : `: ${oneLine(decision.answerReason)}`
  }`
  return [
    `${oneLine(decision.agentId)}${task ? ` (${oneLine(task)})` : ""} calls ${oneLine(decision.toolName)}`,
    ...[...chain.map(entryText), end].map((line, level) => `${"   ".repeat(level)}└─ ${line}`)
  ]
}

/** What the call is about, on one line: its command, path or address, else its arguments. */
export function subjectOf({ arguments: args }: Pick<DecisionRecord, "arguments">): string {
  if (typeof args === "object" && args !== null && !Array.isArray(args)) {
    const fields = args as { readonly [name: string]: unknown }
    const found = ["command", "file_path", "path", "url", "agentId"]
      .map((name) => fields[name])
      .find((value) => typeof value === "string")
    if (typeof found === "string") return oneLine(found)
  }
  return json(args)
}
