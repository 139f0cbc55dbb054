/**
 * A call on its way: the row that the Store keeps of an ask from the moment it is opened (S23) until its outcome is
 * known (S27), and of an automatic allow from its claim on.
 */
import type {
  AdjudicationChainEntry,
  AskKind,
  FrozenCall,
  GateDecision,
  Grant,
  PolicyVerdict
} from "@countersign/kernel"

export type CaseStage = "adjudicating" | "asking"
export type CaseStatus = "pending" | "approved" | "denied" | "canceled" | "expired"
/** How a claimed call ended. `unknown`: whoever claimed it died before saying; it is never run again by itself. */
export type Outcome = "completed" | "failed" | "unknown" | "handed-over"

/** A lasting grant on offer, shown word for word. */
export interface Offer {
  readonly scope: "agent" | "session" | "global"
  /** As rule text, e.g. `exactly: Bash(git push origin main)`. */
  readonly text: string
  /** The grant it becomes; who gave it and when are filled in at settlement. */
  readonly grant: Omit<Grant, "id" | "createdBy" | "createdAt">
}

/** What was found out when the call was judged and is kept when it is judged again. */
export interface Held {
  /** The first verdict of the policy sources; asked anew only on recovery. */
  readonly policy?: PolicyVerdict
  readonly hookForced?: { readonly because?: string }
  readonly preapproved?: string
}

/** A person's refusal that sticks to the session: the same tool and subject, whoever asks. */
export interface Refusal {
  readonly sessionId: string
  readonly key: string
  readonly agentId: string
  readonly by: string
  readonly reason?: string
  /** Milliseconds since the epoch. */
  readonly at: number
  /** How often it was refused. */
  readonly times: number
}

export interface Case {
  /** The Store's own name of it; also the permit's. */
  readonly id: string
  /** The wire id: `toolCallId` for the main agent, `<agentId>/<toolCallId>` for a child. */
  readonly confirmationId: string
  /** ack's app: a gate of another one leaves it alone. */
  readonly app: string
  readonly userId: string
  /** The final, frozen call: what is shown is what runs. */
  readonly call: FrozenCall
  /** The arguments as the agent gave them, when a hook put others in their place. */
  readonly original?: FrozenCall["arguments"]
  readonly digest: string
  /** The ask; grows its `adjudication` when the walk is over. */
  readonly decision: GateDecision
  readonly askKind: AskKind
  readonly stage: CaseStage
  readonly status: CaseStatus
  readonly held: Held
  /** Caller first; ids and tasks as they were when it asked. */
  readonly lineage: readonly { readonly agentId: string; readonly task: string }[]
  /** Parents' entries as they arrive, nearest first. */
  readonly chain: readonly AdjudicationChainEntry[]
  /** Names tool and subject (`Subject.key`). */
  readonly key: string
  readonly refusedBefore?: Refusal
  readonly offered: readonly Offer[]
  /** `run`: somebody waits in the process that opened it. `submit`: the host comes back with `resume`. */
  readonly face: "run" | "submit"
  /** The node incarnation that opened it, or took it over. */
  readonly node: string
  readonly createdAt: number
  readonly expiresAt?: number
  readonly decidedBy?: string
  readonly decidedAt?: number
  /** The person's words. */
  readonly answerReason?: string
  readonly claimedBy?: string
  readonly outcome?: Outcome
}
