/** One agent's outcome, and the few ways to make one. Its rule ids are words of `Grounds.ts`. */
import type { Grant } from "./Grant.ts"
import type { Rule } from "./Rule.ts"
import type { RuleLayerName } from "./RuleLayer.ts"
import type { AskKind } from "./Ruling.ts"

/** One agent's outcome. */
export interface Outcome {
  readonly decision: "allow" | "ask" | "deny"
  readonly ruleId: string
  readonly ask?: AskKind
  readonly rule?: Rule
  readonly because?: string
  readonly grantId?: string
}

/** A denial on that ground; `because` are somebody's own words. */
export const deny = (ruleId: string, because?: string): Outcome => saying({ decision: "deny", ruleId }, because)

/** A demand for consent on that ground. */
export const ask = (kind: AskKind, ruleId: string, because?: string): Outcome =>
  saying({ decision: "ask", ask: kind, ruleId }, because)

/** Leave on that ground. */
export const allow = (ruleId: string): Outcome => ({ decision: "allow", ruleId })

/** A rule's denial, in the words of its author. */
export const denyBy = (rule: Rule): Outcome =>
  saying({ decision: "deny", ruleId: denyIds[rule.layer], rule }, rule.reason)

/** A rule's demand for consent. */
export const askBy = (rule: Rule): Outcome =>
  saying({ decision: "ask", ask: "rule", ruleId: askIds[rule.layer], rule }, rule.reason)

/** A rule's leave. */
export const allowBy = (rule: Rule): Outcome =>
  saying({ decision: "allow", ruleId: allowIds[rule.layer], rule }, rule.reason)

/** A grant's leave. */
export const allowByGrant = ({ id, sessionId }: Grant): Outcome => ({
  decision: "allow",
  ruleId: sessionId === undefined ? "rule.global.allow" : "rule.session.allow",
  grantId: id
})

/** A demand for consent because a ban of that layer may be meant; without a rule nobody can read which. */
export const askForBan = (layer: RuleLayerName, rule: Rule | undefined): Outcome => {
  const outcome: Outcome = { decision: "ask", ask: "forced", ruleId: possibleIds[layer] }
  return rule === undefined ? outcome : saying({ ...outcome, rule }, rule.reason)
}

const saying = (outcome: Outcome, because: string | undefined): Outcome =>
  because === undefined ? outcome : { ...outcome, because }

// made once: an id that is put together anew for every call costs more than finding its rule
const idsFor = (word: string): Readonly<Record<RuleLayerName, string>> => ({
  policy: `rule.policy.${word}`,
  user: `rule.user.${word}`,
  projectLocal: `rule.project.${word}`,
  projectShared: `rule.project.${word}`
})
const denyIds = idsFor("deny")
const possibleIds = idsFor("deny.possible")
const askIds = idsFor("ask")
const allowIds = idsFor("allow")
