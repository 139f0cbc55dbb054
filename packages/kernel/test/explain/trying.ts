/** One call, rule lines and a world: the evaluation that is explained, and the rules with some more. */
import {
  compileRules,
  type Evaluation,
  type Mode,
  plainEvaluation,
  presets,
  type Rule,
  type Suggesting
} from "../../src/index.ts"
import { placeOf, ruleOf, subjectOf, surroundingsOf, type World } from "../match/asking.ts"

/** A command line, or a tool with its input. */
export type Call = string | readonly [tool: string, input: unknown]

/** What `explainCall` and `suggestRules` are asked with. */
export interface Tried {
  readonly input: Evaluation
  readonly place: Suggesting
}

/** The call under the rules (`allow Bash(ls:*)`). */
export function tryCall(
  lines: readonly string[],
  call: Call,
  more: World & { readonly mode?: Mode; readonly evaluation?: Partial<Evaluation> } = {}
): Tried {
  return tryRules(
    lines.map((line) => ruleOf(line)),
    call,
    more
  )
}

/** The same with rules that have been read. */
export function tryRules(
  rules: readonly Rule[],
  call: Call,
  more: World & { readonly mode?: Mode; readonly evaluation?: Partial<Evaluation> } = {}
): Tried {
  const withRules = (added: readonly Rule[]) =>
    compileRules({ rules: [...rules, ...added] }, placeOf(more), presets.default)
  return {
    place: { surroundings: surroundingsOf(more), withRules },
    input: plainEvaluation(subjectOf(call, more), withRules([]), { mode: more.mode ?? "default", ...more.evaluation })
  }
}
