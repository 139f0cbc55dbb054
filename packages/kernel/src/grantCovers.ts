/** Whether a person's earlier consent covers a call: its tool, its content read as an allow rule, and its folder. */
import { compileRules, type Place } from "./compileRules.ts"
import type { Grant } from "./Grant.ts"
import { leaveSuffices } from "./match/allowance.ts"
import type { Preset } from "./Preset.ts"
import type { RuleSet, Who } from "./RuleSet.ts"
import type { Subject } from "./subject/Subject.ts"

/** Whether tool, content and folder of a grant cover the call; session, agent, use and time are the caller's to look at. */
export function grantCovers(grant: Grant, subject: Subject, folder: string, place: Place, preset: Preset): boolean {
  if (grant.folder !== undefined && grant.folder !== folder) return false
  if (!subject.names.includes(grant.toolName)) return false
  if (grant.content === undefined) return leaveSuffices(subject)
  const { command } = subject
  // INVARIANT: an exact grant of a command is the whole line that a person saw, and never one part of another line
  if (grant.exact === true && command !== undefined) return command.parsed && command.text === grant.content
  return rulesOf(grant, place, preset).allow(subject, anybody, false)?.by === "rule"
}

/** A grant has been asked for its agent and time already. */
const anybody: Who = { agentId: "", mode: "default", now: 0 }

/** More grants than this are not kept compiled for one place. */
const maxCompiled = 512
const compiled = new WeakMap<Place, Map<string, RuleSet>>()

function rulesOf({ content, exact, toolName }: Grant, place: Place, preset: Preset): RuleSet {
  let ofPlace = compiled.get(place)
  if (ofPlace === undefined) compiled.set(place, (ofPlace = new Map()))
  const key = JSON.stringify([toolName, content, exact === true, preset.families, preset.readOnlyTable])
  const before = ofPlace.get(key)
  if (before !== undefined) return before
  const rule = {
    text: `${toolName}(${content})`,
    behavior: "allow" as const,
    layer: "user" as const,
    tool: toolName,
    ...(content === undefined || content === "*" || content === "" ? {} : { content }),
    ...(exact === true ? { exact } : {})
  }
  const rules = compileRules({ rules: [rule] }, { ...place, dialectOf: () => "native" }, preset)
  if (ofPlace.size >= maxCompiled) ofPlace.delete(ofPlace.keys().next().value!)
  ofPlace.set(key, rules)
  return rules
}
