/** What `check` says of a call: the decision, its ground, the rule that spoke, and with `explain` every step. */
import type { SettingsProblem, TraceEntry } from "@countersign/kernel"
import type { Verdict } from "../judgeAlone.ts"
import { ofDecision, type Style } from "./Style.ts"
import { json, oneLine } from "./visible.ts"

/** The text of a verdict. */
export function verdictText(
  call: { readonly tool: string; readonly input: unknown },
  { decision, reason, trace }: Verdict,
  style: Style,
  options: { readonly fileOf: (layer: string) => string | undefined; readonly explain: boolean }
): string {
  const { because, decision: word, matchedRule, ruleId, source, sourceLayer } = decision
  const file = sourceLayer === undefined ? undefined : options.fileOf(sourceLayer)
  const input = typeof call.input === "string" ? oneLine(call.input) : json(call.input)
  const lines = [
    `${ofDecision(style, word)(style.bold(word))}  ${oneLine(call.tool)} ${input}`,
    `  why     ${oneLine(reason)}`,
    `  ground  ${oneLine(ruleId)} (${source})`
  ]
  if (matchedRule !== undefined) lines.push(`  rule    ${oneLine(matchedRule)}`)
  if (sourceLayer !== undefined) lines.push(`  layer   ${sourceLayer}${file === undefined ? "" : `, ${oneLine(file)}`}`)
  if (because !== undefined) lines.push(`  said    ${oneLine(because)}`)
  if (options.explain) lines.push("", "steps", ...trace.map((entry) => stepText(entry, style)))
  return lines.join("\n")
}

/** One mistake in a settings file, with its place. */
export function problemText({ column, file, layer, line, message, severity }: SettingsProblem, style: Style): string {
  const paint = severity === "error" ? style.red : style.yellow
  return `${oneLine(file ?? layer)}:${line}:${column}: ${paint(severity)}: ${oneLine(message)}`
}

function stepText({ agentId, effect, ruleId, step }: TraceEntry, style: Style): string {
  const words = effect === "pass" ? style.dim("nothing to say") : ofDecision(style, effect)(effect)
  const id = ruleId === undefined ? "" : `  ${oneLine(ruleId)}`
  return `  ${step.padEnd(22)} ${oneLine(agentId).padEnd(14)} ${words}${id}`
}
