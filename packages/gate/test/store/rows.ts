/** Rows as the gate and the desk would make them, each with an id of its own. */
import type { Case, DecisionRecord, GateEvent, OutcomeRecord, Refusal, Settlement } from "@countersign/gate"
import type { AdjudicationChainEntry, GateDecision, Grant } from "@countersign/kernel"

let made = 0
/** A name that no other row has. */
export const fresh = (prefix: string) => `${prefix}-${++made}`

export const asks: GateDecision = { decision: "ask", source: "mode", ruleId: "mode.default", basis: "mode" }

/** A pending ask of the main agent; `node` is dead unless one is named. */
export function ask(
  more: Partial<Case> & { readonly session?: string; readonly agent?: string; readonly toolCallId?: string } = {}
): Case {
  const { agent = "root", session = "s1", toolCallId = fresh("call"), ...rest } = more
  return {
    id: fresh("case"),
    app: "ack",
    confirmationId: agent === "root" ? toolCallId : `${agent}/${toolCallId}`,
    userId: "u1",
    call: {
      sessionId: session,
      agentId: agent,
      toolCallId,
      toolName: "Bash",
      arguments: { command: "npm publish", tags: ["a", null, 1.5] },
      folder: "/srv/proj"
    },
    digest: "d1",
    decision: asks,
    askKind: "fallback",
    stage: "adjudicating",
    status: "pending",
    held: {},
    lineage: [{ agentId: agent, task: "" }],
    chain: [],
    key: "Bash npm publish",
    offered: [],
    face: "run",
    node: "a-dead-node",
    createdAt: ++made,
    ...rest
  }
}

/** The decision that ends a case (or an automatic one, without a case). */
export function decided(row: Case, more: Partial<DecisionRecord> = {}): DecisionRecord {
  const { agentId, folder, sessionId, toolCallId, toolName } = row.call
  return {
    v: 1,
    kind: "decision",
    id: fresh("record"),
    at: 1000,
    userId: row.userId,
    sessionId,
    agentId,
    toolCallId,
    toolName,
    folder,
    arguments: row.call.arguments,
    digest: row.digest,
    decision: "allow",
    source: "user",
    ruleId: "user.approved",
    lineage: row.lineage,
    caseId: row.id,
    settings: "settings-1",
    node: "n1",
    ...more
  }
}

/** How a case's call ended. */
export function ended(row: Case, more: Partial<OutcomeRecord> = {}): OutcomeRecord {
  const { agentId, sessionId, toolCallId, toolName } = row.call
  const named = { sessionId, agentId, toolCallId, toolName, caseId: row.id }
  return { v: 1, kind: "outcome", id: fresh("record"), at: 2000, ...named, outcome: "completed", node: "n1", ...more }
}

/** A person's yes. */
export const approval = (row: Case, revision: number, more: Partial<Settlement> = {}): Settlement => ({
  caseId: row.id,
  status: "approved",
  record: decided(row),
  decidedBy: "p1",
  revision,
  events: [event(`settled ${row.id}`)],
  ...more
})

/** A person's no, which sticks. */
export const refusal = (row: Case, revision: number, more: Partial<Omit<Refusal, "times">> = {}): Settlement =>
  approval(row, revision, {
    status: "denied",
    record: decided(row, { decision: "deny", ruleId: "user.denied" }),
    refusal: { sessionId: row.call.sessionId, key: row.key, agentId: row.call.agentId, by: "p1", at: 1000, ...more }
  })

/** A consent to a tool in session `s1`. */
export const grant = (more: Partial<Grant> = {}): Grant => ({
  id: fresh("grant"),
  userId: "u1",
  sessionId: "s1",
  toolName: "Bash",
  createdBy: "p1",
  createdAt: ++made,
  ...more
})

/** An event that can be told from others. */
export const event = (name: string): GateEvent => ({
  kind: "tool",
  event: { type: "tool.permission.requested", sessionId: "s1", toolCallId: name, name: "Bash" }
})

export const entry = (adjudicatorId: string): AdjudicationChainEntry => ({
  kind: "parent",
  verdict: "endorse",
  reason: "the task needs it",
  adjudicatorId,
  subjectAgentId: "child",
  toolName: "Bash",
  at: 500
})

/** An active agent of session `s1`. */
export const agent = (agentId: string) => ({
  agentId,
  sessionId: "s1",
  task: "",
  mode: "default" as const,
  status: "active" as const,
  createdAt: 1
})
