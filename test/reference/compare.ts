/** Whether kernel and reference say the same of a world, and how it is told when they do not. */
import { evaluate, type Evaluation, type Ruling } from "@countersign/kernel"
import { type Answer, referenceEvaluate } from "./evaluate.ts"
import type { World } from "./World.ts"

/** A world on which the two disagree, with everything that is needed to see it again. */
export interface Disagreement {
  readonly seed: number
  readonly reference: Answer
  readonly kernel: Answer
  readonly world: World
}

/** The part of a ruling that the reference answers for. */
export function answerOf(ruling: Ruling): Answer {
  const { agentId, basis, decision, matchedRule, ruleId, source, sourceLayer } = ruling
  return {
    decision,
    ruleId,
    source,
    basis: basis ?? "",
    ...(matchedRule === undefined ? {} : { matchedRule }),
    ...(sourceLayer === undefined ? {} : { sourceLayer }),
    agentId
  }
}

/** Undefined where they agree. */
export function disagreement(
  seed: number,
  world: World,
  build: (world: World) => Evaluation,
  rule: (input: Evaluation) => Ruling = (input) => evaluate(input).ruling
): Disagreement | undefined {
  const reference = referenceEvaluate(world)
  const kernel = answerOf(rule(build(world)))
  return same(reference, kernel) ? undefined : { seed, reference, kernel, world }
}

/** Whether two answers are equal in every field. */
export const same = (one: Answer, other: Answer): boolean =>
  one.decision === other.decision &&
  one.ruleId === other.ruleId &&
  one.source === other.source &&
  one.basis === other.basis &&
  one.matchedRule === other.matchedRule &&
  one.sourceLayer === other.sourceLayer &&
  one.agentId === other.agentId
