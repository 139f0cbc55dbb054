/**
 * The desk: where asks wait for a person. It fills the gate's port to whoever can answer, and keeps ack's contract for
 * those who answer: decide, pending, cancel, bind. What a case goes through stands in `Opening`, `Course`,
 * `Settlement` and `Recovery`.
 */
import {
  Asking,
  type Case,
  type ConfirmationPayload,
  confirmationPayload,
  type CurrentSettings,
  GateOptions,
  Ids,
  Judge,
  outcomeRecord,
  Outbox,
  readPointers,
  Sessions,
  type SessionsError,
  Store,
  type StoreError,
  Tools
} from "@countersign/gate"
import { checkIJson, type FrozenCall, type Principal } from "@countersign/kernel"
import { Clock, Context, Effect, FiberMap, Layer } from "effect"
import { adoptPointer } from "./adoptPointer.ts"
import { AgentRegistry } from "./Agents.ts"
import { type Card, cardOf } from "./Card.ts"
import { makeCourse } from "./Course.ts"
import { type DeskError, DigestMismatch, Forbidden, InvalidArguments, NotFound } from "./DeskError.ts"
import { DeskOptions } from "./DeskOptions.ts"
import { makeAsking } from "./makeAsking.ts"
import { rememberWords } from "./Offers.ts"
import { makeOpening } from "./Opening.ts"
import { makeRecovery } from "./Recovery.ts"
import type { ResumeRunner } from "./Runner.ts"
import { makeSettlement, type PersonsAnswer } from "./Settlement.ts"
import { makeWaiters } from "./Waiters.ts"
import { watch } from "./watch.ts"

/** A person's answer to a confirmation (ack's `Decision`, and what we add). */
export interface DeskAnswer {
  readonly sessionId: string
  readonly confirmationId: string
  readonly approved: boolean
  /** Empty or absent = the gateway's own user. */
  readonly decidedBy?: string
  /** Who answers, where a credential says so. An agent never answers. */
  readonly principal?: Principal
  /** From a child's card `session` means that agent and all below it; `session:all` is the whole session. */
  readonly remember?: string
  readonly reason?: string
  /** Arguments that the person puts in the place of the call's. */
  readonly updatedInput?: unknown
  /** The digest of what was shown; where it is given it has to be the pending call's. */
  readonly digest?: string
}

/** What became of an answer. */
export interface Decided {
  readonly path: "live" | "recovery"
  /** `denied` after a yes: a ban came in between, and `ruleId` names it. */
  readonly outcome: "approved" | "denied"
  readonly ruleId?: string
  /** The lasting grant that was saved, as rule text; null: it was asked for and nothing of the kind was on offer. */
  readonly remembered?: string | null
}

/** A confirmation that waits for a person. */
export interface PendingItem extends ConfirmationPayload {
  /** False: its run is gone. */
  readonly live: boolean
}

/** Why an answer was not taken, or could not be. */
export type DecideError = DeskError | StoreError | SessionsError

export class Desk extends Context.Service<
  Desk,
  {
    /** Takes a person's answer. The first one wins; it does not wait for what the session then does. */
    readonly decide: (answer: DeskAnswer) => Effect.Effect<Decided, DecideError>
    /** What waits for a person, oldest first; of one session with its pointers that no row belongs to. */
    readonly pending: (sessionId?: string) => Effect.Effect<readonly PendingItem[], StoreError | SessionsError>
    /** Stops an agent and all below it, or a session's whole run: nothing of it waits any more. */
    readonly cancel: (sessionId: string, agentId?: string) => Effect.Effect<void, StoreError>
    /** Binds what continues sessions after recovery. */
    readonly bind: (runner: ResumeRunner | null | undefined) => Effect.Effect<void, InvalidArguments>
    /** The card of a confirmation, open or settled. */
    readonly card: (sessionId: string, confirmationId: string) => Effect.Effect<Card | undefined, StoreError>
    /** Takes over what dead processes left, once the parents are bound: walks go on, approved calls run. */
    readonly start: Effect.Effect<void, StoreError>
    /** Judges everything pending again: denies act at once, a rule or grant that matches a call releases it. */
    readonly rejudge: Effect.Effect<void, StoreError>
    /**
     * From now on nobody's end settles anything, and whoever waits is interrupted. Closing the desk's scope does it
     * too; a host whose fibers end before that calls it first, so that an orderly shutdown is no refusal.
     */
    readonly close: Effect.Effect<void>
    /** The gate's side of the desk. */
    readonly asking: Asking["Service"]
  }
>()("@countersign/adjudicator/Desk") {
  static readonly layer = Layer.effect(
    Desk,
    Effect.gen(function* () {
      const services = yield* Effect.context<Store | CurrentSettings>()
      const store = yield* Store
      const sessions = yield* Sessions
      const outbox = yield* Outbox
      const tools = yield* Tools
      const registry = yield* AgentRegistry
      const judge = yield* Judge
      const gate = yield* GateOptions
      const options = yield* DeskOptions
      const makeId = yield* Ids
      const scope = yield* Effect.scope
      const waiters = makeWaiters()
      /** Pending cases that this process took over and nobody waits for. */
      const orphans = new Set<string>()
      const watching = yield* FiberMap.make<"watch">()

      const settlement = yield* makeSettlement(waiters)
      const recovery = yield* makeRecovery({
        resolver: options.resolver,
        runner: options.runner,
        isOrphan: ({ id }) => orphans.has(id),
        scope
      })
      const course = yield* makeCourse({
        settlement,
        recovery,
        orphans,
        answer: (row, answer) =>
          decide(
            { ...answer, sessionId: row.call.sessionId, confirmationId: row.confirmationId, digest: row.digest },
            "dialog"
          ).pipe(
            Effect.asVoid,
            // somebody else was quicker
            Effect.catchTag("NotFound", () => Effect.void),
            Effect.catch((error) =>
              Effect.logError("the answer of the host's dialog was not taken; the call goes on waiting", error)
            )
          )
      })

      const begin = (row: Case) =>
        course.begin(row).pipe(
          Effect.andThen(
            watch({
              waiting: () => waiters.ids().length > 0 || orphans.size > 0,
              rejudge,
              refresh: options.sharesStore ? refresh : undefined
            }).pipe(Effect.provide(services), (loop) => FiberMap.run(watching, "watch", loop, { onlyIfMissing: true }))
          ),
          Effect.asVoid
        )

      const desk = yield* makeAsking({
        waiters,
        settlement,
        course,
        orphans,
        begin,
        open: yield* makeOpening(waiters, settlement)
      })

      const isLive = Effect.fnUntraced(function* ({ face, id, node }: Case) {
        if (face === "submit" || waiters.find(id) !== undefined) return true
        return node !== store.node && (yield* store.isAlive(node))
      })

      /** This app's cases: a database may hold another's, and those are left alone. */
      const isOurs = (row: Case) => row.app === gate.app
      const cases = {
        byConfirmation: (sessionId: string, confirmationId: string) =>
          store.cases
            .byConfirmation(sessionId, confirmationId)
            .pipe(Effect.map((row) => (row !== undefined && isOurs(row) ? row : undefined))),
        pending: (sessionId?: string) => store.cases.pending(sessionId).pipe(Effect.map((rows) => rows.filter(isOurs))),
        approvedUnclaimed: store.cases.approvedUnclaimed.pipe(Effect.map((rows) => rows.filter(isOurs)))
      }

      const sessionOf = (sessionId: string) => ({ app: gate.app, userId: gate.userOf(sessionId), sessionId })

      /** The pending case that an answer means. */
      const find = Effect.fnUntraced(function* (
        sessionId: string,
        confirmationId: string
      ): Effect.fn.Return<Case, DecideError> {
        const row = yield* cases.byConfirmation(sessionId, confirmationId)
        if (row !== undefined) {
          // before the parents have spoken there is no card that could have been seen
          if (row.status !== "pending" || row.stage !== "asking") return yield* new NotFound()
          return row
        }
        const pointer = (yield* readPointers(sessions, sessionOf(sessionId))).find(
          (payload) => payload.confirmationId === confirmationId
        )
        if (pointer === undefined) return yield* new NotFound()
        yield* recovery.ready(sessionId)
        const adopted = yield* adoptPointer(pointer, { judge, registry, folder: options.folder }).pipe(
          Effect.provide(services)
        )
        return adopted ?? (yield* new NotFound())
      })

      const decide = Effect.fn("Desk.decide")(function* (
        answer: DeskAnswer,
        within?: "dialog"
      ): Effect.fn.Return<Decided, DecideError> {
        const { approved, confirmationId, digest, principal, reason, sessionId } = answer
        if (principal?.kind === "agent")
          return yield* new Forbidden({ problem: `the agent \`${principal.id}\` can't answer for a person` })
        if (typeof approved !== "boolean")
          return yield* new InvalidArguments({ problem: "`approved` is neither true nor false" })
        const remember = answer.remember ? rememberWords.find((word) => word === answer.remember) : undefined
        if (answer.remember && remember === undefined) {
          const known = rememberWords.map((word) => `\`${word}\``).join(", ")
          return yield* new InvalidArguments({ problem: `unknown scope \`${answer.remember}\`; use one of ${known}` })
        }
        const row = yield* find(sessionId, confirmationId)
        if (digest !== undefined && digest !== row.digest) return yield* new DigestMismatch()
        const edited = answer.updatedInput === undefined ? undefined : yield* edit(row, answer.updatedInput)
        const live = yield* isLive(row)
        if (!live) {
          // INVARIANT: whether recovery can go on is known before anything is settled: the answer can come again
          yield* recovery.ready(sessionId)
          if (row.node !== store.node) yield* store.takeOver(row.id)
          orphans.add(row.id)
        }
        const given: PersonsAnswer = {
          approved,
          decidedBy: principal?.id ?? (answer.decidedBy || gate.userOf(sessionId)),
          ...(reason === undefined ? {} : { reason }),
          ...(remember === undefined ? {} : { remember }),
          ...(edited === undefined ? {} : { edited })
        }
        const ended = yield* course.end(row, settlement.byPerson(row.id, given, { consultPolicies: !live }), within)
        if (ended === undefined) return yield* new NotFound()
        // what was remembered may cover what else waits; whoever answered is not kept from it by a failure there
        if (ended.saved !== undefined)
          yield* rejudge.pipe(Effect.catch((error) => Effect.logError("what waits could not be judged again", error)))
        const { decision } = ended.answer
        const passed = decision.decision === "allow"
        return {
          path: live ? "live" : "recovery",
          outcome: passed ? "approved" : "denied",
          ...(decision.ruleId.startsWith("user.") ? {} : { ruleId: decision.ruleId }),
          ...(remember === undefined || !passed ? {} : { remembered: ended.saved?.text ?? null })
        }
      })

      const edit = Effect.fnUntraced(function* (
        row: Case,
        updated: unknown
      ): Effect.fn.Return<FrozenCall, InvalidArguments> {
        const read = checkIJson(updated)
        if ("problem" in read) {
          const { message, pointer } = read.problem
          return yield* new InvalidArguments({
            problem: `the edited arguments are not I-JSON: \`${pointer || "/"}\`: ${message}`
          })
        }
        const tool = yield* tools.find(row.call.toolName)
        const wrong = tool === undefined ? "its tool is not registered" : tool.validate?.(read.value)
        if (wrong !== undefined)
          return yield* new InvalidArguments({ problem: `the edited arguments don't fit: ${wrong}` })
        return Object.freeze({ ...row.call, arguments: read.value })
      })

      const pending = Effect.fn("Desk.pending")(function* (sessionId?: string) {
        const rows = (yield* cases.pending(sessionId)).filter(({ stage }) => stage === "asking")
        const items = yield* Effect.forEach(rows, (row) =>
          isLive(row).pipe(Effect.map((live): PendingItem => ({ ...confirmationPayload(row, gate), live })))
        )
        if (sessionId === undefined) return items
        const stray: PendingItem[] = []
        for (const pointer of yield* readPointers(sessions, sessionOf(sessionId))) {
          const row = yield* cases.byConfirmation(sessionId, pointer.confirmationId)
          if (row === undefined) stray.push({ ...pointer, live: false })
        }
        return [...items, ...stray]
      })

      const rejudge: Effect.Effect<void, StoreError> = Effect.gen(function* () {
        for (const row of yield* cases.pending()) {
          // what lives in another process is judged there; what nobody waits for is released by a person alone
          if (row.node !== store.node) continue
          yield* course.end(row, settlement.again(row.id, { releases: !orphans.has(row.id) }))
        }
      })

      /** Wakes who waits here for what another process settled. */
      const refresh: Effect.Effect<void, StoreError> = Effect.gen(function* () {
        for (const id of waiters.ids()) {
          const row = yield* store.cases.byId(id)
          const answer = row === undefined ? undefined : yield* settlement.stored(row)
          if (answer !== undefined) waiters.wake(answer, answer.digest !== waiters.find(id)?.digest)
        }
      })

      const start = Effect.gen(function* () {
        yield* outbox.flush
        for (const row of yield* cases.pending()) {
          if (row.node === store.node || !(yield* store.takeOver(row.id))) continue
          if (row.face === "run") orphans.add(row.id)
          yield* begin({ ...row, node: store.node })
        }
        for (const row of yield* cases.approvedUnclaimed) {
          if (row.face !== "run" || row.node === store.node) continue
          // nobody waits for it here, and the start does not wait for a tool
          yield* recovery.run(row).pipe(
            Effect.catch((error) => Effect.logError(`the approved call \`${row.confirmationId}\` was not run`, error)),
            Effect.forkIn(scope)
          )
        }
      })

      yield* registry.listen({
        changed: rejudge,
        stopped: (sessionId, agentIds) =>
          Effect.gen(function* () {
            for (const row of yield* cases.pending(sessionId)) {
              if (row.lineage.some(({ agentId }) => agentIds.has(agentId))) yield* course.endAlone(row, "ask.canceled")
            }
          })
      })

      // who died while a call ran left it without an outcome; nobody runs it again by itself
      const sweptAt = yield* Clock.currentTimeMillis
      yield* store.sweepClaims((row) =>
        outcomeRecord(row, { id: makeId(), at: sweptAt, node: store.node, outcome: "unknown" })
      )
      // INVARIANT: added last, so it runs first: an orderly shutdown settles nothing
      yield* Effect.addFinalizer(() => desk.close)

      return Desk.of({
        decide: (answer) => decide(answer),
        pending,
        cancel: Effect.fn("Desk.cancel")((sessionId: string, agentId?: string) =>
          agentId === undefined || registry.isMain(sessionId, agentId)
            ? registry.cancel(sessionId)
            : Effect.asVoid(registry.revoke(sessionId, agentId))
        ),
        bind: (runner) =>
          typeof runner?.run === "function"
            ? recovery.bind(runner)
            : Effect.fail(new InvalidArguments({ problem: "there is no resume runner to bind" })),
        card: Effect.fn("Desk.card")(function* (sessionId: string, confirmationId: string) {
          const row = yield* cases.byConfirmation(sessionId, confirmationId)
          return row === undefined ? undefined : cardOf(row, gate)
        }),
        start,
        rejudge,
        close: desk.close,
        asking: desk.asking
      })
    })
  )

  /** Fills the gate's port. */
  static readonly layerAsking = Layer.effect(
    Asking,
    Effect.map(Desk, ({ asking }) => asking)
  )
}
