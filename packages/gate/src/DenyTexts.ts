/**
 * What the model is told when a call does not run (deny-and-continue): why, that the same call must not be repeated or
 * worked around, and that the turn goes on. ack's hosts may put their own texts in the place of single ones.
 */
import type { FrozenCall, GateDecision } from "@countersign/kernel"
import { reasonFor } from "@countersign/kernel"
import { Context } from "effect"

export interface DenyTexts {
  /** A person refused; the same words on the live and the recovery path. */
  readonly HumanDenied: (call: FrozenCall, reason: string | undefined) => string
  readonly TierDisabled: (toolName: string) => string
  readonly Canceled: string
  readonly Expired: string
  readonly PersistFailed: string
  readonly Unavailable: (toolName: string, detail: string) => string
}

const onward =
  "Do not retry this call, and do not try to get the same effect another way; go on with the rest of the task."

export const defaultTexts: DenyTexts = {
  HumanDenied: (call, reason) =>
    `A person refused \`${call.toolName}\`${reason === undefined ? "" : `, saying: ${reason}`}. ${onward}`,
  TierDisabled: (toolName) => `The tool \`${toolName}\` is disabled. ${onward}`,
  Canceled: `The call was cancelled while it waited for a person; nobody refused it. ${onward}`,
  Expired: `The time to answer ran out before a person did; nobody refused it. ${onward}`,
  PersistFailed: `The request for consent could not be stored, so nobody could be asked. ${onward}`,
  Unavailable: (toolName, detail) => `The tool \`${toolName}\` was approved but is unavailable: ${detail}. ${onward}`
}

/** A host's texts over the defaults. ack has one text for both ends without a person: its own `Canceled` tells of time-outs, too. */
export const textsOver = (own: Partial<DenyTexts>): DenyTexts => ({
  ...defaultTexts,
  ...(own.Canceled === undefined ? {} : { Expired: own.Canceled }),
  ...own
})

/** The texts in force. */
export const DenyTexts = Context.Reference<DenyTexts>("@countersign/gate/DenyTexts", {
  defaultValue: () => defaultTexts
})

/** An error tool result, as the model gets it. */
export interface DenyResult {
  readonly isError: true
  readonly status: "denied"
  readonly tool: string
  readonly reason: string
  readonly ruleId: string
  readonly retry: false
  /** Everything above in one text. */
  readonly text: string
  /** The turn should end: budget spent, or the breaker open, and nobody there. */
  readonly endTurn?: boolean
}

/** The result that goes back to the model for a denied call. */
export function denyResult(
  call: FrozenCall,
  decision: GateDecision,
  texts: DenyTexts,
  answerReason?: string
): DenyResult {
  const reason = decision.reason ?? reasonFor(decision.ruleId, call.toolName)
  return {
    isError: true,
    status: "denied",
    tool: call.toolName,
    reason,
    ruleId: decision.ruleId,
    retry: false,
    text: denyText(call, decision, texts, reason, answerReason)
  }
}

/** The denial of what nobody is left to judge, neither a model nor a person: the turn should end. */
export const endingTurn = (result: DenyResult): DenyResult => ({
  ...result,
  text: result.text.replace(onward, () => halt),
  endTurn: true
})

const halt =
  "Do not retry this call, and do not try to get the same effect another way; end the turn, and say what is left to do."

function denyText(
  call: FrozenCall,
  decision: GateDecision,
  texts: DenyTexts,
  reason: string,
  answerReason: string | undefined
): string {
  switch (decision.ruleId) {
    case "user.denied": {
      const refused = texts.HumanDenied(call, answerReason)
      // a refusal must not destroy information: what the classifier said of it goes along
      return decision.reason === undefined || decision.reason === answerReason
        ? refused
        : `${refused} Reason: ${decision.reason}.`
    }
    case "tier.deny":
    case "policy.deny":
      return withBecause(texts.TierDisabled(call.toolName), decision)
    case "ask.canceled":
      return texts.Canceled
    case "ask.expired":
      return texts.Expired
    case "store.failed":
      return texts.PersistFailed
    default:
      return withBecause(
        `The call of \`${call.toolName}\` with ${argumentsOf(call)} was denied: ${reason}${byRule(decision)}. ${onward}`,
        decision
      )
  }
}

const withBecause = (text: string, { because }: GateDecision) =>
  because === undefined ? text : `${text} It was said: ${because}`

/** The rule that said so and its layer: who reads it knows what to change, or whom to ask. */
const byRule = ({ matchedRule, sourceLayer }: GateDecision) =>
  matchedRule === undefined ? "" : ` (\`${matchedRule}\`${sourceLayer === undefined ? "" : ` in layer ${sourceLayer}`})`

/** What was called, as far as a sentence holds it. */
function argumentsOf(call: FrozenCall): string {
  const text = JSON.stringify(call.arguments) ?? "null"
  return text.length > 400 ? `${text.slice(0, 399).toWellFormed()}…` : text
}
