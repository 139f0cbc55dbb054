/**
 * S24: a child's ask climbs from its nearest parent to the root. Each judgement is stored as it arrives, so that after
 * a crash the walk goes on at the first ancestor that has not spoken. Only `reject` ends an ask here; the rest rises to
 * the person.
 */
import { Agents, type Case, isBudgetSpent, Store, type StoreError } from "@countersign/gate"
import { type Adjudication, type AdjudicationChainEntry, cleanReason } from "@countersign/kernel"
import { Cause, Clock, Context, Effect, Layer, Predicate, Schema } from "effect"
import { type Question, Parents, unbound } from "./Parent.ts"

/** How a walk ended. */
export type Walked =
  | { readonly kind: "rejected"; readonly entry: AdjudicationChainEntry }
  /** It rises to the person. Without an adjudication when the main agent itself asks. */
  | { readonly kind: "rises"; readonly adjudication?: Adjudication }
  /** The case was settled while a parent thought. */
  | { readonly kind: "settled" }

export class Adjudicator extends Context.Service<
  Adjudicator,
  {
    /** Asks every ancestor that has no entry yet, nearest first, until one rejects. */
    readonly walk: (row: Case) => Effect.Effect<Walked, StoreError>
  }
>()("@countersign/adjudicator/Adjudicator") {
  static readonly layer = Layer.effect(
    Adjudicator,
    Effect.gen(function* () {
      const parents = yield* Parents
      const store = yield* Store
      const agents = yield* Agents

      const walk = Effect.fn("Adjudicator.walk")(function* (row: Case): Effect.fn.Return<Walked, StoreError> {
        const [child, ...ancestors] = row.lineage
        if (child === undefined || ancestors.length === 0) return { kind: "rises" }
        const chain: AdjudicationChainEntry[] = []
        for (const ancestor of ancestors) {
          const before = row.chain.find(
            ({ adjudicatorId, kind }) => kind === "parent" && adjudicatorId === ancestor.agentId
          )
          const entry = before ?? (yield* ask(row, child, ancestor, chain))
          if (before === undefined && !(yield* store.appendEntry(row.id, entry))) return { kind: "settled" }
          chain.push(entry)
          if (entry.verdict === "reject") return { kind: "rejected", entry }
        }
        return {
          kind: "rises",
          adjudication: {
            chain,
            childAgentId: child.agentId,
            childDescription: child.task,
            endorsed: chain.every(({ verdict }) => verdict === "endorse")
          }
        }
      })

      const ask = Effect.fnUntraced(function* (
        row: Case,
        child: Case["lineage"][number],
        ancestor: Case["lineage"][number],
        chain: readonly AdjudicationChainEntry[]
      ): Effect.fn.Return<AdjudicationChainEntry, StoreError> {
        const question: Question = {
          call: row.call,
          childAgentId: child.agentId,
          childDescription: child.task,
          decision: row.decision,
          chain: [...chain],
          parentAgentId: ancestor.agentId,
          parentTask: ancestor.task
        }
        const spent = yield* isSpent(row)
        const answer: Heard = spent
          ? failed("budget_exceeded")
          : yield* parents.judge(ancestor.agentId, question).pipe(
              Effect.map(hear),
              Effect.catchCause((cause) =>
                Cause.hasInterruptsOnly(cause)
                  ? Effect.interrupt
                  : Effect.logWarning(`the parent \`${ancestor.agentId}\` failed; its child's ask rises`, cause).pipe(
                      Effect.as(failed(cleanReason(words(cause))))
                    )
              )
            )
        return {
          kind: "parent",
          ...answer,
          adjudicatorId: ancestor.agentId,
          subjectAgentId: child.agentId,
          toolName: row.call.toolName,
          at: yield* Clock.currentTimeMillis
        }
      })

      const isSpent = Effect.fnUntraced(function* ({ call }: Case): Effect.fn.Return<boolean, StoreError> {
        const { agentId, sessionId } = call
        const known = yield* agents.lineage(sessionId, agentId)
        // whoever was stopped consults nobody any more
        if ("problem" in known) return true
        return yield* isBudgetSpent(store, sessionId, known.lineage)
      })

      return Adjudicator.of({ walk })
    })
  )
}

type Heard = Pick<AdjudicationChainEntry, "verdict" | "reason" | "model" | "usage" | "failure">

const failed = (failure: string): Heard => ({ verdict: "escalate", reason: "", failure })

const Answer = Schema.Struct({
  verdict: Schema.Literals(["endorse", "escalate", "reject"]),
  reason: Schema.String,
  model: Schema.optionalKey(Schema.String),
  usage: Schema.optionalKey(Schema.Struct({ inputTokens: Schema.Number, outputTokens: Schema.Number }))
})
const isAnswer = Schema.is(Answer)

/** Only an exact answer counts; nonsense is a parent that failed. */
function hear(answer: unknown): Heard {
  if (answer === unbound) return failed("not_bound")
  if (!isAnswer(answer)) {
    const word = Predicate.isObject(answer) && "verdict" in answer ? answer.verdict : undefined
    return failed(typeof word === "string" && !isVerdict(word) ? `unknown word ${cleanReason(word)}` : "not an answer")
  }
  const { model, reason, usage, verdict } = answer
  return {
    verdict,
    reason: cleanReason(reason),
    ...(model === undefined ? {} : { model }),
    ...(usage === undefined ? {} : { usage })
  }
}

const isVerdict = (word: string) => ["endorse", "escalate", "reject"].includes(word)

function words(cause: Cause.Cause<unknown>): string {
  const error = Cause.squash(cause)
  if (Predicate.isTagged(error, "TimeoutError")) return "timeout"
  return error instanceof Error ? error.message : String(error)
}
