/**
 * Whether a model may still be consulted: the budget of an agent's bounds, and the classifier's breaker. Both are
 * counted from the record and from what is pending, so that a restart refills nothing and closes nothing.
 */
import type { AdjudicationChainEntry, Lineage } from "@countersign/kernel"
import { Effect } from "effect"
import type { Store, StoreError } from "./store/Store.ts"

/** Why nobody was consulted: the words that the entry carries as its failure. */
export type Unconsulted = "budget_exceeded" | "breaker_open"

/**
 * Whether a budget of the lineage is used up. A bound covers the calls of the agent that it was given to, and of all
 * below it; each consultation of the classifier or of a parent on one of them costs one.
 */
export const isBudgetSpent = Effect.fnUntraced(function* (
  store: Store["Service"],
  sessionId: string,
  lineage: Lineage | readonly []
): Effect.fn.Return<boolean, StoreError> {
  const limits = lineage.flatMap(({ agentId, bounds }) =>
    bounds?.budget === undefined ? [] : [{ agentId, budget: bounds.budget }]
  )
  if (limits.length === 0) return false
  const settled = (yield* decisions(store, sessionId)).map(({ adjudicationChain = [], lineage }) => ({
    lineage,
    entries: adjudicationChain
  }))
  const pending = (yield* store.cases.pending(sessionId)).map(({ chain, decision, lineage }) => ({
    lineage,
    entries: decision.classifierAdjudication === undefined ? chain : [decision.classifierAdjudication, ...chain]
  }))
  const consultations = [...settled, ...pending].map(({ entries, lineage }) => ({
    lineage,
    count: entries.filter(wasConsulted).length
  }))
  return limits.some(({ agentId, budget }) => {
    const own = consultations.filter(({ lineage }) => lineage.some((agent) => agent.agentId === agentId))
    return own.reduce((sum, { count }) => sum + count, 0) >= budget
  })
})

/** Denials by the classifier, one after the other and in all, after which a session consults it no more. */
const mostInARow = 3
const mostInASession = 20

/** Whether the classifier has denied so much of the session that it can't be what the session needs. */
export const isBreakerOpen = Effect.fnUntraced(function* (
  store: Store["Service"],
  sessionId: string
): Effect.fn.Return<boolean, StoreError> {
  const denials = (yield* decisions(store, sessionId)).flatMap(({ adjudicationChain = [], ruleId }) =>
    adjudicationChain.some((entry) => entry.kind === "classifier" && wasConsulted(entry))
      ? [ruleId === "classifier.deny"]
      : []
  )
  const latest = denials.slice(0, mostInARow)
  return (
    (latest.length === mostInARow && latest.every((denied) => denied)) ||
    denials.filter((denied) => denied).length >= mostInASession
  )
})

/** Newest first. */
const decisions = (store: Store["Service"], sessionId: string) =>
  store.records
    .list({ sessionId, kind: "decision" })
    .pipe(Effect.map((stored) => stored.flatMap(({ record }) => (record.kind === "decision" ? [record] : []))))

const unconsulted: ReadonlySet<string> = new Set(["budget_exceeded", "breaker_open", "not_bound"])
const wasConsulted = ({ failure }: AdjudicationChainEntry) => failure === undefined || !unconsulted.has(failure)
