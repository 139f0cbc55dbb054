/** The chain of responsibility in words: who vouched, who passed it on, who refused, and why they say so. */
import type { AdjudicationChainEntry } from "@countersign/kernel"
import { oneLine } from "./visible.ts"

/** One judgement as a sentence. */
export function entryText({
  adjudicatorId,
  failure,
  kind,
  reason,
  subjectAgentId,
  toolName,
  verdict
}: AdjudicationChainEntry): string {
  const who = `${kind} ${oneLine(adjudicatorId)}`
  const what = `${kind === "parent" ? "child" : "agent"} ${oneLine(subjectAgentId)}'s ${oneLine(toolName)}`
  const why = reason === "" ? "" : ` because ${oneLine(reason)}`
  const failed = failure === undefined ? "" : ` (no judgement came: ${oneLine(failure)})`
  switch (verdict) {
    case "endorse":
      return `${who} vouches for ${what}${why}${failed}`
    case "reject":
      return `${who} refuses ${what}${why}${failed}`
    case "escalate":
      return `${who} passes ${what} on${why}${failed}`
  }
}

/** A chain as a tree: the nearest parent first, each next one a level further up. */
export const chainLines = (chain: readonly AdjudicationChainEntry[]): readonly string[] =>
  chain.map((entry, level) => `${"   ".repeat(level)}└─ ${entryText(entry)}`)
