/**
 * From a judgement to what is written and told of it: the one record of a terminal, and the events that go into the
 * outbox with it. Reason and chain stay in the record; no event that travels carries them.
 */
import type { AdjudicationChainEntry, FrozenCall, GateDecision, Json } from "@countersign/kernel"
import type { GateOptions } from "./GateOptions.ts"
import type { Judgement } from "./Judge.ts"
import { type ConfirmationPayload, EventName, type GateEvent } from "./Observer.ts"
import type { Case } from "./store/Case.ts"
import type { DecisionRecord, OutcomeRecord } from "./store/Record.ts"

/** The wire id of a call: its own for the main agent, below the agent's for a child (C18). */
export const confirmationIdOf = (
  call: { readonly agentId: string; readonly toolCallId: string },
  isMain: boolean
): string => (isMain ? call.toolCallId : `${call.agentId}/${call.toolCallId}`)

/** What a terminal adds to the judgement or the case that it ends. */
export interface Terminal {
  readonly id: string
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly node: string
  /** The terminal decision: allow or deny. An ask ends as a deny. */
  readonly decision: GateDecision
  readonly digest: string
  /** The id of the permit of an automatic allow. */
  readonly permitId?: string
  readonly shadow?: boolean
  readonly decidedBy?: string
  readonly answerReason?: string
  readonly savedGrantId?: string
  /** The digest of what was shown, when the person edited it. */
  readonly shownDigest?: string
}

/** The record of a terminal that no person had a part in and that never became a case. */
export function recordOfJudgement(judgement: Judgement, terminal: Terminal): DecisionRecord {
  return record(terminal, {
    call: judgement.call,
    userId: judgement.userId,
    settings: judgement.settings,
    lineage: judgement.lineage.map(({ agentId, mode, task }) => ({ agentId, task, mode })),
    chain: judgement.decision.classifierAdjudication === undefined ? [] : [judgement.decision.classifierAdjudication],
    more: {
      ...(judgement.original === undefined ? {} : { original: judgement.original }),
      ...(judgement.rewrites.length === 0 ? {} : { rewrites: judgement.rewrites }),
      ...(judgement.policySource === undefined ? {} : { policySource: judgement.policySource }),
      ...(judgement.grantId === undefined ? {} : { grantId: judgement.grantId }),
      ...(judgement.refusedBefore === undefined ? {} : { refusedBefore: plain(judgement.refusedBefore) }),
      ...(terminal.permitId === undefined ? {} : { caseId: terminal.permitId })
    }
  })
}

/** The record that settles a case; `settings` names those it was judged on last. */
export function recordOfCase(row: Case, terminal: Terminal, call: FrozenCall, settings: string): DecisionRecord {
  const asked = row.decision
  const chain = [...(asked.classifierAdjudication === undefined ? [] : [asked.classifierAdjudication]), ...row.chain]
  const edited = terminal.shownDigest !== undefined
  const parents = row.chain.filter(({ kind }) => kind === "parent")
  return record(terminal, {
    call,
    userId: row.userId,
    settings,
    lineage: row.lineage,
    chain,
    more: {
      ...(row.original === undefined && !edited ? {} : { original: row.original ?? row.call.arguments }),
      asked,
      // what the parents did not see they did not endorse
      ...(parents.length === 0 ? {} : { endorsed: !edited && parents.every(({ verdict }) => verdict === "endorse") }),
      ...(row.refusedBefore === undefined ? {} : { refusedBefore: plain(row.refusedBefore) }),
      caseId: row.id,
      confirmationId: row.confirmationId,
      askedAt: row.createdAt
    }
  })
}

interface Told {
  readonly call: FrozenCall
  readonly userId: string
  readonly settings: string
  readonly lineage: DecisionRecord["lineage"]
  readonly chain: readonly AdjudicationChainEntry[]
  readonly more: Partial<DecisionRecord>
}

function record(terminal: Terminal, { call, chain, lineage, more, settings, userId }: Told): DecisionRecord {
  const { decision } = terminal
  return {
    v: 1,
    kind: "decision",
    id: terminal.id,
    at: terminal.at,
    userId,
    sessionId: call.sessionId,
    agentId: call.agentId,
    toolCallId: call.toolCallId,
    toolName: call.toolName,
    folder: call.folder,
    arguments: call.arguments,
    digest: terminal.digest,
    decision: decision.decision === "allow" ? "allow" : "deny",
    source: decision.source,
    ruleId: decision.ruleId,
    ...pick(decision, ["basis", "matchedRule", "sourceLayer", "reason", "because"]),
    ...pick(terminal, ["shadow", "decidedBy", "answerReason", "savedGrantId", "shownDigest"]),
    lineage,
    ...(chain.length === 0 ? {} : { adjudicationChain: chain }),
    ...more,
    settings,
    node: terminal.node
  }
}

/** The row of an automatic allow: claimed from the start, so that a crash before the outcome shows. */
export const automaticCase = (
  judgement: Judgement,
  app: string,
  id: string,
  digest: string,
  at: number,
  node: string
): Case => ({
  id,
  app,
  confirmationId: confirmationIdOf(judgement.call, judgement.lineage.length <= 1),
  userId: judgement.userId,
  call: judgement.call,
  digest,
  decision: judgement.decision,
  askKind: "fallback",
  stage: "asking",
  status: "approved",
  held: {},
  lineage: judgement.lineage.map(({ agentId, task }) => ({ agentId, task })),
  chain: [],
  key: judgement.subject?.key ?? "",
  offered: [],
  face: "run",
  node,
  createdAt: at,
  claimedBy: node
})

/** The second record of an allowed call. */
export function outcomeRecord(
  row: Pick<Case, "id" | "call">,
  outcome: {
    readonly id: string
    readonly at: number
    readonly node: string
    readonly outcome: OutcomeRecord["outcome"]
    readonly error?: string
  }
): OutcomeRecord {
  const { agentId, sessionId, toolCallId, toolName } = row.call
  const { error, id, at, node } = outcome
  return {
    v: 1,
    kind: "outcome",
    id,
    at,
    sessionId,
    agentId,
    toolCallId,
    toolName,
    caseId: row.id,
    outcome: outcome.outcome,
    ...(error === undefined ? {} : { error }),
    node
  }
}

/** ack's event of an automatic terminal; human decisions have none. */
export function permissionEvent(call: FrozenCall, decision: GateDecision, policySource?: string): GateEvent {
  const basis = decision.basis ?? "builtin"
  const named = basis === "verdict" || basis === "endorsement"
  return {
    kind: "permission",
    event: {
      call: {
        sessionId: call.sessionId,
        toolCallId: call.toolCallId,
        toolName: call.toolName,
        arguments: call.arguments
      },
      agentId: call.agentId,
      allowed: decision.decision === "allow",
      basis,
      source: named ? (policySource ?? "") : "",
      ruleId: decision.ruleId
    }
  }
}

/** `tool.permission.decided`: no reason, no chain, no classifier. */
export function decidedEvent(call: FrozenCall, decision: GateDecision): GateEvent {
  return {
    kind: "tool",
    event: {
      type: "tool.permission.decided",
      sessionId: call.sessionId,
      toolCallId: call.toolCallId,
      decision: decision.decision,
      decisionSource: decision.source,
      ...pick(decision, ["matchedRule"])
    }
  }
}

/** The two events of an automatic terminal. */
export const automaticEvents = (
  call: FrozenCall,
  decision: GateDecision,
  policySource?: string
): readonly GateEvent[] => [decidedEvent(call, decision), permissionEvent(call, decision, policySource)]

/** `tool.permission.requested`. */
export function requestedEvent(call: FrozenCall): GateEvent {
  const { sessionId, toolCallId, toolName } = call
  return { kind: "tool", event: { type: "tool.permission.requested", sessionId, toolCallId, name: toolName } }
}

/** ack's payload of a case, with our one key more unless the host speaks plain ack. */
export function confirmationPayload(row: Case, options: Pick<GateOptions, "ackPayload">): ConfirmationPayload {
  const { call, decision } = row
  const { adjudication } = decision
  return {
    confirmationId: row.confirmationId,
    toolCallId: call.toolCallId,
    toolName: call.toolName,
    ...(isEmpty(call.arguments) ? {} : { arguments: call.arguments }),
    sessionId: call.sessionId,
    status: row.status,
    ...pick(row, ["decidedBy"]),
    createdAt: row.createdAt,
    ...(options.ackPayload
      ? {}
      : {
          gate: {
            digest: row.digest,
            decision: plain(decision),
            ...(adjudication === undefined
              ? {}
              : {
                  chain: plain(adjudication.chain),
                  childAgentId: adjudication.childAgentId,
                  childDescription: adjudication.childDescription,
                  endorsed: adjudication.endorsed
                }),
            offered: row.offered.map(({ scope, text }) => ({ scope, text })),
            ...(row.refusedBefore === undefined ? {} : { refusedBefore: plain(row.refusedBefore) }),
            ...pick(row, ["expiresAt"])
          }
        })
  }
}

/** The card as an event: pending when shown, its end when settled. */
export const confirmationEvent = (row: Case, options: Pick<GateOptions, "ackPayload">): GateEvent => ({
  kind: "confirmation",
  event: { type: "CUSTOM", name: EventName, value: confirmationPayload(row, options) }
})

const isEmpty = (args: Json) => args === null || (typeof args === "object" && Object.keys(args).length === 0)
const plain = (value: unknown): Json => JSON.parse(JSON.stringify(value)) as Json

function pick<T extends object, K extends keyof T>(from: T, keys: readonly K[]): Pick<T, K> {
  return Object.fromEntries(keys.filter((key) => from[key] !== undefined).map((key) => [key, from[key]])) as Pick<T, K>
}
