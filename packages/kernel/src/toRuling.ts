/** From an agent's outcome to the ruling: its ground and its plain words, looked up once for each rule id and tool. */
import type { Outcome } from "./Outcome.ts"
import { type Ground, ground, reasonFor } from "./Grounds.ts"
import type { Ruling, TraceEntry } from "./Ruling.ts"

/** What a rule id came to when it was asked for last. */
interface Told {
  readonly ground: Ground
  readonly tool: string
  readonly decision: Outcome["decision"]
  readonly reason: string
}

/** Hooks give ids of their own, so that there is no end of them. */
const maxTold = 512
const told = new Map<string, Told>()

function tell(ruleId: string, tool: string, decision: Outcome["decision"]): Told {
  const before = told.get(ruleId)
  if (before !== undefined && before.tool === tool && before.decision === decision) return before
  if (told.size >= maxTold) told.clear()
  const now = { ground: ground(ruleId), tool, decision, reason: reasonFor(ruleId, tool, decision) }
  told.set(ruleId, now)
  return now
}

type Writable<A> = { -readonly [Key in keyof A]: A[Key] }

/** The ruling that an outcome stands for. */
export function toRuling(
  { ask, because, decision, grantId, rule, ruleId }: Outcome,
  agentId: string,
  tool: string,
  trace: readonly TraceEntry[] | undefined
): Ruling {
  const { ground, reason } = tell(ruleId, tool, decision)
  const { basis, source } = ground
  const ruling: Writable<Ruling> = { decision, ruleId, source, reason, agentId }
  if (basis !== undefined) ruling.basis = basis
  if (rule !== undefined) {
    ruling.matchedRule = rule.text
    ruling.sourceLayer = rule.layer
  }
  if (because !== undefined) ruling.because = because
  if (ask !== undefined) ruling.ask = ask
  if (grantId !== undefined) ruling.grantId = grantId
  if (trace !== undefined) ruling.trace = trace
  return ruling
}
