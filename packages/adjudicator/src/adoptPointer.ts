/** Makes a row of a session's pointer that none belongs to, such as an older ack left: so that it can be answered. */
import {
  type Case,
  type ConfirmationPayload,
  GateOptions,
  type Judge,
  type Judgement,
  newId,
  Store,
  type StoreError
} from "@countersign/gate"
import { digestOf, type FrozenCall, type GateDecision, ground, readCall } from "@countersign/kernel"
import { Effect } from "effect"
import type { AgentRegistry } from "./Agents.ts"

/** Undefined if the pointer's call can't be read, or a row came up meanwhile. */
export const adoptPointer = Effect.fnUntraced(function* (
  payload: ConfirmationPayload,
  from: { readonly judge: Judge["Service"]; readonly registry: AgentRegistry["Service"]; readonly folder: string }
): Effect.fn.Return<Case | undefined, StoreError, Store> {
  const store = yield* Store
  const options = yield* GateOptions
  const { arguments: args, confirmationId, createdAt, sessionId, toolCallId, toolName } = payload
  const prefix = confirmationId.endsWith(`/${toolCallId}`) ? confirmationId.slice(0, -toolCallId.length - 1) : undefined
  const agentId = prefix ?? from.registry.mainOf(sessionId)
  const read = readCall({ sessionId, agentId, toolCallId, toolName, arguments: args ?? {}, folder: from.folder })
  if ("problem" in read) return undefined
  const draft = draftOf(read.call, confirmationId, createdAt, {
    id: yield* newId,
    app: options.app,
    userId: options.userOf(sessionId),
    node: store.node
  })
  const judged = yield* from.judge.again(draft, { consultPolicies: true })
  const row = withJudgement(draft, judged)
  const opened = yield* store.open(row, undefined)
  if (opened.kind !== "opened") return undefined
  return (yield* store.show(row.id, row.decision, [])) ? { ...row, stage: "asking" } : undefined
})

function draftOf(
  call: FrozenCall,
  confirmationId: string,
  createdAt: number,
  more: Pick<Case, "id" | "app" | "userId" | "node">
): Case {
  const { basis, source } = ground("mode.default")
  const decision: GateDecision = {
    decision: "ask",
    source,
    ruleId: "mode.default",
    ...(basis === undefined ? {} : { basis })
  }
  return {
    ...more,
    confirmationId,
    call,
    digest: digestOf(call),
    decision,
    askKind: "fallback",
    stage: "adjudicating",
    status: "pending",
    held: {},
    lineage: [{ agentId: call.agentId, task: "" }],
    chain: [],
    key: "",
    offered: [],
    face: "run",
    createdAt: typeof createdAt === "number" ? createdAt : 0
  }
}

const withJudgement = (draft: Case, { askKind, decision, held, lineage, subject }: Judgement): Case => ({
  ...draft,
  ...(decision.decision === "ask" ? { decision } : {}),
  ...(askKind === undefined ? {} : { askKind }),
  held,
  ...(lineage.length === 0 ? {} : { lineage: lineage.map(({ agentId, task }) => ({ agentId, task })) }),
  key: subject?.key ?? ""
})
