/**
 * An explanation as text: the first line answers "why", then come the pieces of the call with who decided each, what
 * nobody can know, every step, and what would allow it.
 */
import type { ExplainedAccess, ExplainedPart, ExplainedUrl, Piece, PieceVerdict, TraceEntry } from "@countersign/kernel"
import type { Explained } from "../explainAlone.ts"
import type { Verdict } from "../judgeAlone.ts"
import { ofDecision, type Style } from "./Style.ts"
import { json, oneLine } from "./visible.ts"

/** The text of an explanation. */
export function explanationText(
  call: { readonly tool: string; readonly input: unknown },
  explained: Explained,
  { decision, reason, trace }: Verdict,
  style: Style,
  fileOf: (layer: string) => string | undefined
): string {
  const { accesses, headline, parts, suggestions, unknown, urls } = explained
  const { because, decision: word, matchedRule, ruleId, source, sourceLayer } = decision
  const file = sourceLayer === undefined ? undefined : fileOf(sourceLayer)
  const input = typeof call.input === "string" ? oneLine(call.input) : json(call.input)
  const [first = "", ...rest] = headline.split(", ")
  const row = (name: string, value: string) => `  ${style.dim(name.padEnd(8))}${value}`
  const optional = (name: string, value: string | undefined) => (value === undefined ? [] : [row(name, oneLine(value))])
  const section = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ["", style.bold(title), ...lines.map((line) => `  ${line}`)]
  return [
    `${ofDecision(style, word)(style.bold(oneLine(first)))}, ${oneLine(rest.join(", "))}`,
    row("call", `${oneLine(call.tool)} ${input}`),
    row("ground", `${oneLine(ruleId)} (${source}): ${oneLine(reason)}`),
    ...optional("rule", matchedRule),
    ...optional("layer", sourceLayer && `${sourceLayer}${file === undefined ? "" : `, ${file}`}`),
    ...optional("said", because),
    ...section(
      parts.length === 1 ? "the command" : "the commands in it",
      parts.map((part) => partText(part, style))
    ),
    ...section(
      "files",
      accesses.map((access) => accessText(access, style))
    ),
    ...section(
      "addresses",
      urls.map((url) => urlText(url, style))
    ),
    ...section("known only when it runs", unknown.map(oneLine)),
    ...section(
      "steps",
      trace.map((entry) => stepText(entry, style))
    ),
    ...suggestionLines(suggestions, word, style)
  ].join("\n")
}

function suggestionLines(suggestions: readonly string[], decision: string, style: Style): readonly string[] {
  if (decision !== "ask") return []
  if (suggestions.length === 0) return ["", style.dim("no rule that is narrow enough would let it pass without asking")]
  return [
    "",
    style.bold(`to let it pass without asking, add to ${style.bold("permissions.allow")} of your settings`),
    ...suggestions.map((rule) => `  ${style.green(json(rule))}`)
  ]
}

const partText = (part: ExplainedPart, style: Style) =>
  `${mark(part.verdict, style)} ${oneLine(part.text) || "(a redirect)"}  ${style.dim(pieceText(part))}${
    part.asks === undefined ? "" : ` ${oneLine(part.asks)}`
  }`

function accessText(access: ExplainedAccess, style: Style): string {
  const path = access.path === undefined ? "a file that is known only when it runs" : oneLine(access.path)
  const notes = [
    ...(access.real === undefined ? [] : [`really ${oneLine(access.real)}`]),
    ...(access.reach === "one" ? [] : [access.reach === "glob" ? "a pattern" : "with all below it"]),
    ...(access.inWorkspace ? [] : ["outside the working folder"]),
    ...(access.protected ? ["protected"] : [])
  ]
  const words = access.verdict === "not needed" ? "its command decides" : pieceText(access)
  return `${mark(access.verdict, style)} ${access.kind.padEnd(6)} ${path}${
    notes.length === 0 ? "" : ` (${notes.join(", ")})`
  }  ${style.dim(words)}`
}

const urlText = (url: ExplainedUrl, style: Style) =>
  `${mark(url.verdict, style)} ${oneLine(url.url)}  ${style.dim(pieceText(url))}`

function pieceText({ layer, rule, verdict }: Piece): string {
  const by =
    rule === undefined
      ? layer === undefined
        ? ""
        : ` settings of ${layer}`
      : ` ${oneLine(rule)}${layer === undefined ? "" : ` (${layer})`}`
  return `${words[verdict]}${by}`
}

const words: Readonly<Record<PieceVerdict, string>> = {
  deny: "denied by",
  "possible deny": "may be what is denied by",
  ask: "asked for by",
  allow: "allowed by",
  "accept edits": "allowed by the mode acceptEdits",
  "read-only": "only reads",
  "not needed": "needs no rule",
  nothing: "nothing allows it"
}

function mark(verdict: PieceVerdict, { green, red, yellow }: Style): string {
  if (verdict === "deny") return red("✗")
  return verdict === "possible deny" || verdict === "ask" || verdict === "nothing" ? yellow("?") : green("✓")
}

function stepText({ agentId, effect, ruleId, step }: TraceEntry, style: Style): string {
  const words = effect === "pass" ? style.dim("nothing to say") : ofDecision(style, effect)(effect)
  const id = ruleId === undefined ? "" : `  ${oneLine(ruleId)}`
  return `${step.padEnd(22)} ${oneLine(agentId).padEnd(14)} ${words}${id}`
}
