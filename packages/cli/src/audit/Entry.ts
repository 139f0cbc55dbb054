/** The ledger as people read it: each decision beside the outcome of its call. */
import type { DecisionRecord, OutcomeRecord, StoredRecord } from "@countersign/gate"

/** A decision and what became of the call; no outcome for what was denied or is still running. */
export interface Entry {
  readonly seq: number
  readonly decision: DecisionRecord
  readonly outcome: OutcomeRecord | undefined
}

/** Decisions in the order in which they were written, each with its outcome. */
export function entriesOf(records: readonly StoredRecord[]): readonly Entry[] {
  const outcomes = new Map<string, OutcomeRecord>()
  for (const { record } of records) if (record.kind === "outcome") outcomes.set(record.caseId, record)
  return records
    .flatMap(({ record, seq }): readonly Entry[] => {
      if (record.kind !== "decision") return []
      return [{ seq, decision: record, outcome: record.caseId === undefined ? undefined : outcomes.get(record.caseId) }]
    })
    .sort((a, b) => a.seq - b.seq)
}

/** What decided, in words: the rule and its layer, the grant, the person, or the ground's id. */
export function groundOf({
  decidedBy,
  matchedRule,
  ruleId,
  source,
  sourceLayer
}: Pick<DecisionRecord, "matchedRule" | "ruleId" | "source" | "sourceLayer"> & {
  readonly decidedBy?: string
}): string {
  if (decidedBy !== undefined) return `${ruleId} by ${decidedBy}`
  if (matchedRule !== undefined) return `${ruleId}: ${matchedRule} (${sourceLayer ?? source})`
  return `${ruleId} (${source})`
}
