/**
 * S21: the classifier's word on an ask that remains. It may tighten; it may release only a fallback ask of agents in
 * mode `auto`, within its radius, that no person refused before. Its failure changes nothing but the entry.
 */
import { type AdjudicationChainEntry, cleanReason, type GateDecision, ground } from "@countersign/kernel"
import { Cause, Clock, Effect, Predicate } from "effect"
import type { Classifier, Opinion } from "./Classifier.ts"
import { isBreakerOpen, isBudgetSpent, type Unconsulted } from "./Consultations.ts"
import type { SettingsView } from "./CurrentSettings.ts"
import type { Judgement } from "./Judge.ts"
import type { Store, StoreError } from "./store/Store.ts"

/** The asks it is consulted on; interaction, forced and alwaysAsk are a person's alone. */
const consulted: ReadonlySet<string> = new Set(["rule", "tier", "fallback"])

export const adviseAsk = Effect.fn("adviseAsk")(function* (
  classifier: Classifier["Service"],
  store: Store["Service"],
  judgement: Judgement,
  view: SettingsView
): Effect.fn.Return<Judgement, StoreError> {
  if (judgement.askKind === undefined || !consulted.has(judgement.askKind)) return judgement
  const unconsulted = yield* whyUnconsulted(store, judgement)
  const answer = unconsulted === undefined ? yield* consult(classifier, judgement) : failed(unconsulted)
  const entry: AdjudicationChainEntry = {
    kind: "classifier",
    verdict: verdicts[answer.verdict],
    reason: cleanReason(answer.reason),
    adjudicatorId: classifier.id,
    subjectAgentId: judgement.call.agentId,
    toolName: judgement.call.toolName,
    at: yield* Clock.currentTimeMillis,
    ...(answer.model === undefined ? {} : { model: answer.model }),
    ...(answer.usage === undefined ? {} : { usage: answer.usage }),
    ...(answer.failure === undefined ? {} : { failure: answer.failure })
  }
  const decision: GateDecision = { ...judgement.decision, classifierAdjudication: entry }
  if (answer.verdict === "dangerous") {
    const effect = classifier.rejectEffect
    return {
      ...judgement,
      decision: {
        ...decision,
        decision: effect,
        ruleId: `classifier.${effect}`,
        ...ground(`classifier.${effect}`),
        reason: entry.reason
      } as GateDecision
    }
  }
  if (answer.verdict === "safe" && releases(judgement, view)) {
    return {
      ...judgement,
      decision: {
        ...decision,
        decision: "allow",
        ruleId: "classifier.allow",
        ...ground("classifier.allow")
      } as GateDecision
    }
  }
  return { ...judgement, decision, ...(unconsulted === undefined ? {} : { unconsulted }) }
})

const whyUnconsulted = Effect.fnUntraced(function* (
  store: Store["Service"],
  { call: { sessionId }, lineage }: Judgement
): Effect.fn.Return<Unconsulted | undefined, StoreError> {
  if (yield* isBudgetSpent(store, sessionId, lineage)) return "budget_exceeded"
  return (yield* isBreakerOpen(store, sessionId)) ? "breaker_open" : undefined
})

const consult = (classifier: Classifier["Service"], { call, decision }: Judgement): Effect.Effect<Answered> =>
  Effect.suspend(() => classifier.consult(call, decision)).pipe(
    Effect.map(readOpinion),
    Effect.catchCause((cause) => Effect.succeed(failed(words(cause))))
  )

const verdicts = { safe: "endorse", dangerous: "reject", none: "escalate" } as const

type Answered = Opinion & { readonly failure?: string }

const failed = (failure: string): Answered => ({ verdict: "none", reason: "", failure })

/** An unknown word is no opinion. */
function readOpinion(answer: Opinion): Answered {
  if (Object.hasOwn(verdicts, answer.verdict)) return { ...answer, reason: String(answer.reason ?? "") }
  return failed(`unknown word \`${cleanReason(String(answer.verdict))}\``)
}

/** Every ask of the lineage is a fallback ask in mode `auto`, and the call lies within the radius. */
const releases = ({ askers, refusedBefore, subject }: Judgement, view: SettingsView): boolean =>
  !view.settings.disabled.auto &&
  refusedBefore === undefined &&
  subject !== undefined &&
  askers.every(({ ask, mode }) => ask === "fallback" && mode === "auto") &&
  (subject.family === "read" || subject.family === "edit") &&
  subject.insideWorkspace &&
  subject.protectedWrites.length === 0

const words = (cause: Cause.Cause<unknown>) => {
  const error = Cause.squash(cause)
  if (Predicate.isTagged(error, "TimeoutError")) return "timeout"
  return error instanceof Error ? error.message : String(error)
}
