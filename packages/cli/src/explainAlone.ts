/** Why the kernel alone says what it says of a call: `judgeAlone`'s verdict, taken apart. */
import { explainCall, type Explanation, type Mode } from "@countersign/kernel"
import { enter, type Verdict, type World } from "./judgeAlone.ts"

/** What there is to say beside the verdict. The JSON shape only grows. */
export type Explained = Pick<Explanation, "headline" | "parts" | "accesses" | "urls" | "unknown" | "suggestions">

/** Explains a verdict that was given on the same call, at the same time. */
export function explainAlone(
  world: World,
  call: { readonly tool: string; readonly input: unknown },
  options: { readonly mode: Mode; readonly now: number },
  verdict: Verdict
): Explained {
  const entered = enter(world, call, options)
  const { because, ruleId } = verdict.decision
  const denied = `denied, because ${verdict.reason}${because === undefined ? "" : `: ${because}`}`
  if ("refusal" in entered) return { headline: denied, parts: [], accesses: [], urls: [], unknown: [], suggestions: [] }
  const { accesses, headline, parts, suggestions, unknown, urls } = explainCall(entered.evaluation, world)
  // S22 stands behind the steps that are explained: what would be an ask is denied
  const asksNobody = ruleId === "mode.dontAsk"
  const why = asksNobody ? `${denied}; it would be ${headline}` : headline
  return { headline: why, parts, accesses, urls, unknown, suggestions }
}
