/** A rule with its place in the attribution, and for whom and when it counts. */
import { layerNames } from "../layerInRuleId.ts"
import type { Rule } from "../Rule.ts"
import type { Who } from "../RuleSet.ts"

/** A rule of a compiled set. */
export interface Entry {
  readonly rule: Rule
  /** The smaller, the earlier in attribution; no two rules of a set have the same. */
  readonly rank: number
  /** It counts for everybody, in every mode, for ever. */
  readonly always: boolean
}

/** Ranks rules: policy, user, projectLocal, projectShared, then the longer content, then the text; never by place. */
export function rankRules(rules: readonly Rule[]): readonly Entry[] {
  const keyed = rules.map((rule) => ({
    rule,
    layer: layerNames.indexOf(rule.layer),
    length: rule.content?.length ?? 0,
    rest:
      rule.agents || rule.modes || rule.reason || rule.expiresAt || rule.exact
        ? JSON.stringify(rule, Object.keys(rule).sort())
        : ""
  }))
  keyed.sort(
    (one, other) =>
      one.layer - other.layer ||
      other.length - one.length ||
      compare(one.rule.text, other.rule.text) ||
      compare(one.rest, other.rest)
  )
  return keyed.map(({ rule }, rank) => ({
    rule,
    rank,
    always: rule.agents === undefined && rule.modes === undefined && rule.expiresAt === undefined
  }))
}

/** Whether the rule counts for this agent, in this mode, at this time. */
export function counts({ always, rule }: Entry, who: Who): boolean {
  if (always) return true
  if (rule.agents !== undefined && !rule.agents.includes(who.agentId)) return false
  if (rule.modes !== undefined && !rule.modes.includes(who.mode)) return false
  return rule.expiresAt === undefined || rule.expiresAt > who.now
}

/** The first entry, of a list sorted by rank, that counts and comes before the best so far; else the best so far. */
export function firstCounting<E extends Entry>(list: readonly E[], who: Who, best: E | undefined): E | undefined {
  for (const entry of list) {
    if (best !== undefined && entry.rank >= best.rank) return best
    if (counts(entry, who)) return entry
  }
  return best
}

/** The one that comes first in attribution. */
export function earlier<E extends Entry>(one: E | undefined, other: E | undefined): E | undefined {
  if (one === undefined) return other
  return other === undefined || one.rank < other.rank ? one : other
}

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)
