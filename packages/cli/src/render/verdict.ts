/** What `check` says of a call: the decision, its ground, the rule that spoke; and mistakes in settings files. */
import type { SettingsProblem } from "@countersign/kernel"
import type { Verdict } from "../judgeAlone.ts"
import { ofDecision, type Style } from "./Style.ts"
import { json, oneLine } from "./visible.ts"

/** The text of a verdict. */
export function verdictText(
  call: { readonly tool: string; readonly input: unknown },
  { decision, reason }: Verdict,
  style: Style,
  options: { readonly fileOf: (layer: string) => string | undefined }
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
  return lines.join("\n")
}

/** One mistake in a settings file, with its place. */
export function problemText({ column, file, layer, line, message, severity }: SettingsProblem, style: Style): string {
  const paint = severity === "error" ? style.red : style.yellow
  return `${oneLine(file ?? layer)}:${line}:${column}: ${paint(severity)}: ${oneLine(message)}`
}
