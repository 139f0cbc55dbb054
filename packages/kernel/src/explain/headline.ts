/** The one sentence that answers "why was I asked?", for somebody who never read the rule language. */
import type { ExplainedAccess, ExplainedPart, ExplainedUrl, Explanation } from "../explain.ts"
import type { RuleLayerName } from "../RuleLayer.ts"
import type { Ruling } from "../Ruling.ts"
import type { Subject } from "../subject/Subject.ts"

/** A call's pieces, explained. */
type Pieces = Pick<Explanation, "parts" | "accesses" | "urls">

/** Says why, beginning with what was decided. */
export function headlineOf(ruling: Ruling, subject: Subject, pieces: Pieces, unknown: readonly string[]): string {
  const begin = { allow: "allowed", ask: "asked", deny: "denied" }[ruling.decision]
  return `${begin}, because ${why(ruling, subject, pieces, unknown)}`
}

function why(ruling: Ruling, subject: Subject, pieces: Pieces, unknown: readonly string[]): string {
  const { because, matchedRule, reason, ruleId, sourceLayer } = ruling
  const says = because === undefined ? "" : `: ${because}`
  if (ruleId.endsWith(".deny.possible")) {
    const what = unknown[0] ?? "what it touches is known only when it runs"
    if (matchedRule === undefined)
      return `${settingsOf(sourceLayer)} can't be read in full, so a rule in them may forbid it`
    return `${what}, and it may be what the rule \`${matchedRule}\` in ${settingsOf(sourceLayer)} forbids${says}`
  }
  if (matchedRule !== undefined) {
    const rule = `the rule \`${matchedRule}\` in ${settingsOf(sourceLayer)}`
    if (ruling.decision === "allow") return `${rule} allows ${restOf(pieces)}${says}`
    const verb = ruling.decision === "deny" ? "forbids" : "wants a person to decide on"
    return `${rule} ${verb} ${spokenOf(pieces, matchedRule, subject)}${says}`
  }
  if (ruleId === "mode.default") return uncovered(subject, pieces, unknown)
  if (ruleId === "cap.readOnly") return `${nameOf(subject)} only reads, inside the working folder`
  if (ruleId === "protected.path")
    return `${because ?? "it writes a protected path"}, which decides what runs later, and no allow rule names it`
  return `${reason}${says}`
}

/** Where a layer's rules come from, as people call it. */
const settingsOf = (layer: RuleLayerName | undefined): string => (layer === undefined ? "the settings" : words[layer])

const words: Readonly<Record<RuleLayerName, string>> = {
  policy: "the policy settings",
  user: "the user's settings",
  projectLocal: "the project's local settings",
  projectShared: "the project's settings"
}

const restOf = ({ parts }: Pieces) =>
  parts.length > 1 && parts.some(({ verdict }) => verdict === "read-only") ? "it, and the rest only reads" : "it"

/** What of the call the rule speaks of: the one part or file, if it is one of several. */
function spokenOf({ accesses, parts, urls }: Pieces, rule: string, subject: Subject): string {
  const part = parts.find((each) => each.rule === rule)
  if (part !== undefined) return `\`${part.text}\``
  const access = accesses.find((each) => each.rule === rule && each.path !== undefined)
  if (access !== undefined) return `${doing(access)} \`${access.path}\``
  const url = urls.find((each) => each.rule === rule)
  return url === undefined ? nameOf(subject) : `\`${url.url}\``
}

/** Why nothing allowed it: the pieces that nobody speaks for. */
function uncovered(subject: Subject, pieces: Pieces, unknown: readonly string[]): string {
  const { command } = subject
  if (command !== undefined && (!command.parsed || !command.transparent)) return `${unknown[0]}`
  const left = [...partsLeft(pieces), ...filesLeft(pieces, subject), ...urlsLeft(pieces)]
  const stopped = pieces.parts.find(({ asks, verdict }) => asks !== undefined && verdict === "nothing")
  if (stopped !== undefined) return `a person decides each time on ${stopped.asks}: \`${stopped.text}\``
  if (left.length === 0) return `no rule allows ${nameOf(subject)}, and it is not known to only read`
  const shown = left.slice(0, 3).join(" and ")
  const more = left.length > 3 ? ` and ${left.length - 3} more` : ""
  const doubt = unknown[0] === undefined ? "" : `; ${unknown[0]}`
  return `no rule allows ${shown}${more}${doubt || outside(pieces)}`
}

const partsLeft = ({ parts }: Pieces) =>
  parts.filter(({ verdict }) => verdict === "nothing").map(({ text }: ExplainedPart) => `\`${text}\``)

const filesLeft = ({ accesses }: Pieces, { command }: Subject) =>
  accesses
    .filter(
      ({ kind, redirect, verdict }) => verdict === "nothing" && (command === undefined || (redirect && kind !== "read"))
    )
    .map(
      (access) => `${doing(access)} ${access.path === undefined ? "a file that is not known" : `\`${access.path}\``}`
    )

const urlsLeft = ({ urls }: Pieces) =>
  urls.filter(({ verdict }) => verdict === "nothing").map(({ url }: ExplainedUrl) => `fetching \`${url}\``)

/** Reading needs no rule, but for where it reads. */
function outside({ accesses }: Pieces): string {
  const away = accesses.find(({ inWorkspace, kind, path }) => kind === "read" && !inWorkspace && path !== undefined)
  return away === undefined ? "" : `; \`${away.path}\` lies outside the working folder`
}

const doing = ({ kind }: ExplainedAccess) => ({ read: "reading", remove: "removing", write: "writing" })[kind]

const nameOf = ({ command, toolName }: Subject) => (command === undefined ? `\`${toolName}\`` : `\`${command.text}\``)
