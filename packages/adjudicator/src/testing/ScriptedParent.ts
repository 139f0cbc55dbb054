/** A parent that answers from a list: the first consultation gets the first answer, later ones the last. */
import { Parent, type ParentAnswer, type Question } from "../Parent.ts"

/** One answer of a script: a judgement, a value that is none, a failure, or silence. */
export type ScriptedAnswer =
  | ParentAnswer
  | { readonly throws: string }
  | { readonly hangs: true }
  | { readonly says: unknown }

export interface ScriptedParent {
  readonly parent: Parent
  /** Every question it was asked, in order. */
  readonly questions: readonly Question[]
}

/** Makes a parent of a script; an empty one escalates. */
export function scriptedParent(
  answers: readonly ScriptedAnswer[],
  options: { readonly timeoutMs?: number } = {}
): ScriptedParent {
  const questions: Question[] = []
  const parent = Parent.fn((question) => {
    const answer = answers[Math.min(questions.length, answers.length - 1)]
    questions.push(question)
    if (answer === undefined) return { verdict: "escalate", reason: "cannot judge" }
    if ("throws" in answer) throw new Error(answer.throws)
    if ("hangs" in answer) return new Promise<never>(() => {})
    return "says" in answer ? answer.says : answer
  }, options)
  return { parent, questions }
}
