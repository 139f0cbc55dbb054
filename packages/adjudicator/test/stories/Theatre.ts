/** The stage of a story: one gate on a fresh database, virtual tools, files and clock, and the log of what ran. */
import type { HookAnswer, RunResult, SettingsSource } from "@countersign/gate"
import type { Json, RuleLayerName, SettingsFile } from "@countersign/kernel"
import { Effect, type Fiber } from "effect"
import { TestClock } from "effect/testing"
import type { Decided } from "../../src/Desk.ts"
import { type DeskError, errorWord } from "../../src/DeskError.ts"
import type { HostOptions } from "../../src/host/HostOptions.ts"
import { base, databaseFile, open, turn } from "../stage.ts"
import { maybe, type Step, type Story, text } from "./Story.ts"

type Stage = Effect.Success<ReturnType<typeof open>>

/** A call of the story, as it went. */
export interface Played {
  readonly id: string
  readonly sessionId: string
  readonly agentId: string
  readonly toolCallId: string
  readonly confirmationId: string
  readonly fiber: Fiber.Fiber<RunResult<unknown>>
}

export class Theatre {
  readonly calls = new Map<string, Played>()
  readonly answers = new Map<string, Decided | { readonly error: string }>()
  readonly answered = new Map<string, string>()
  readonly ran: { readonly id: string; readonly input: Json }[] = []
  readonly resumed: string[] = []
  readonly consulted = new Map<string, number>()
  readonly asked = new Set<string>()
  readonly statuses = new Map<string, string[]>()
  readonly problems: string[] = []
  readonly files = new Map<string, string>()
  readonly given = new Map<string, string>()
  trusted: boolean
  stage!: Stage
  private readonly options: HostOptions
  private readonly source: SettingsSource
  private current: readonly SettingsFile[] = []

  constructor(story: Story) {
    this.trusted = story.trusted ?? true
    for (const [layer, permissions] of Object.entries(story.rules ?? {}))
      this.files.set(layer, JSON.stringify({ permissions }))
    for (const [layer, words] of Object.entries(story.files ?? {})) this.files.set(layer, words)
    for (const [layer, words] of this.files) this.given.set(layer, words)
    this.source = { look: () => this.current }
    this.reread()
    const parents = story.parents ?? {}
    this.options = {
      ...base,
      database: databaseFile(),
      ...(story.mode === undefined ? {} : { mode: story.mode }),
      ...(story.asking === false ? { asking: false } : {}),
      ...(typeof story.asking === "object" ? { askUser: this.scripted("askUser", story.asking.answers) as never } : {}),
      ...(story.askTimeoutMs === undefined ? {} : { askTimeoutMs: story.askTimeoutMs }),
      hooks: (story.hooks ?? []).map(({ answers, ...hook }) => ({
        ...hook,
        run: this.scripted(hook.name, answers) as () => HookAnswer
      })),
      sources: (story.sources ?? []).map(({ answers, name }) => ({
        name,
        consult: this.scripted(name, answers) as () => string
      })),
      parents: Object.fromEntries(
        ["root", "C", "G", "D", ...Object.keys(parents)].map((agent) => [
          agent,
          () => this.scripted(agent, parents[agent] ?? [{ verdict: "escalate", reason: "cannot judge" }])() as never
        ])
      ),
      resume: { run: ({ sessionId }) => void this.resumed.push(sessionId) },
      resolver: () => Object.fromEntries(toolNames.map((name) => [name, this.tool])),
      observer: (event) => {
        if (event.kind !== "confirmation") return
        const { confirmationId, sessionId, status } = event.event.value
        const key = `${sessionId}/${confirmationId}`
        this.statuses.set(key, [...(this.statuses.get(key) ?? []), status])
        if (status === "pending") this.asked.add(key)
      }
    }
  }

  private readonly tool = (
    args: Json,
    call: { readonly toolCallId: string; readonly sessionId: string; readonly agentId: string }
  ) => {
    const played = [...this.calls.values()].find(
      (known) =>
        known.toolCallId === call.toolCallId && known.sessionId === call.sessionId && known.agentId === call.agentId
    )
    this.ran.push({ id: played?.id ?? call.toolCallId, input: args })
    return "done"
  }

  /** The n-th consultation gets the n-th answer, later ones the last. */
  private scripted(name: string, answers: readonly unknown[]) {
    return () => {
      const count = this.consulted.get(name) ?? 0
      this.consulted.set(name, count + 1)
      const answer = answers[Math.min(count, answers.length - 1)]
      if (typeof answer === "object" && answer !== null && "throws" in answer) throw new Error(String(answer.throws))
      if (typeof answer === "object" && answer !== null && "hangs" in answer) return new Promise<never>(() => {})
      return answer
    }
  }

  private reread(): void {
    this.current = Array.from(this.files, ([layer, words]) => ({
      layer: layer as RuleLayerName,
      file: layer,
      text: words,
      trusted: this.trusted
    }))
  }

  readonly start = () =>
    Effect.gen({ self: this }, function* () {
      this.stage = yield* open(this.options, { settings: this.source })
      yield* this.rest
    })

  /** Until nothing moves any more. */
  get rest(): Effect.Effect<void> {
    return Effect.gen({ self: this }, function* () {
      let before = ""
      for (let still = 0; still < 6;) {
        yield* turn
        const now = JSON.stringify([
          this.ran.length,
          this.resumed.length,
          this.asked.size,
          [...this.consulted.values()],
          this.stage.events.length,
          this.answers.size,
          [...this.calls.values()].map(({ fiber }) => fiber.pollUnsafe() !== undefined)
        ])
        still = now === before ? still + 1 : 0
        before = now
      }
    })
  }

  readonly perform = (step: Step): Effect.Effect<void, unknown> =>
    Effect.gen({ self: this }, function* () {
      switch (step.do) {
        case "call":
        case "decide":
          yield* this.enter(step)
          break
        case "parallel":
          yield* Effect.forEach(step["steps"] as readonly Step[], (inner) => this.enter(inner), {
            concurrency: "unbounded"
          })
          break
        case "restart":
          yield* this.stage.desk.close
          yield* this.stage.close
          yield* this.start()
          break
        case "clock":
          yield* TestClock.adjust(Number(step["advanceMs"]))
          break
        case "spawn": {
          yield* this.stage.agents.open({ sessionId: "s1" })
          const deny = step["deny"] as readonly string[] | undefined
          yield* this.stage.agents.spawn(
            {
              sessionId: "s1",
              parentId: text(step, "parent"),
              agentId: text(step, "agent"),
              task: maybe(step, "task") ?? "",
              ...(step["mode"] === undefined ? {} : { mode: text(step, "mode") }),
              ...(deny === undefined ? {} : { rules: { deny } })
            },
            this.stage.gate.authorize
          )
          break
        }
        case "cancel":
          yield* this.stage.desk.cancel("s1", text(step, "agent"))
          break
        case "mode":
          yield* this.stage.agents.open({ sessionId: "s1" })
          yield* this.stage.agents.setMode("s1", "root", text(step, "mode"))
          break
        case "write": {
          const layer = text(step, "layer")
          const words =
            step["rules"] === undefined
              ? (step["text"] as string | null)
              : JSON.stringify({ permissions: step["rules"] })
          if (words === null) this.files.delete(layer)
          else this.files.set(layer, words)
          this.given.set(layer, words ?? "")
          this.reread()
          yield* TestClock.adjust(100)
          break
        }
        case "trust":
          this.trusted = true
          this.reread()
          yield* TestClock.adjust(100)
          break
        case "revoke": {
          const played = this.calls.get(text(step, "grantOf"))!
          const row = yield* this.stage.store.cases.byConfirmation(played.sessionId, played.confirmationId)
          const [found] = yield* this.stage.store.records.list({ caseId: row!.id, kind: "decision" })
          if (found?.record.kind === "decision" && found.record.savedGrantId !== undefined) {
            yield* this.stage.store.grants.revoke(found.record.savedGrantId)
          }
          break
        }
        default:
          return yield* Effect.fail(new Error(`unknown verb \`${step.do}\``))
      }
      yield* this.rest
    })

  private enter(step: Step): Effect.Effect<void, unknown> {
    return step.do === "call" ? this.call(step) : this.decide(step)
  }

  private call(step: Step): Effect.Effect<void> {
    return Effect.gen({ self: this }, function* () {
      const id = text(step, "id")
      const agentId = maybe(step, "agent") ?? "root"
      const toolCallId = maybe(step, "toolCallId") ?? id
      const sessionId = maybe(step, "session") ?? "s1"
      const call = this.stage.call({
        sessionId,
        agentId,
        toolCallId,
        toolName: text(step, "tool"),
        arguments: step["input"]
      })
      const fiber = yield* Effect.forkDetach(
        this.stage.gate.run(call, (final) =>
          Effect.sync(() => {
            this.ran.push({ id, input: final.arguments })
            return "done"
          })
        )
      )
      const confirmationId = agentId === "root" ? toolCallId : `${agentId}/${toolCallId}`
      this.calls.set(id, { id, sessionId, agentId, toolCallId, confirmationId, fiber })
    })
  }

  private decide(step: Step): Effect.Effect<void, unknown> {
    return Effect.gen({ self: this }, function* () {
      const played = this.calls.get(maybe(step, "call") ?? "")
      const sessionId = played?.sessionId ?? "s1"
      const confirmationId = played?.confirmationId ?? text(step, "confirmation")
      const shown = this.calls.get(maybe(step, "digestOf") ?? "") ?? { sessionId, confirmationId }
      const card = yield* this.stage.desk.card(shown.sessionId, shown.confirmationId)
      const digest = card?.payload.gate?.digest
      if (played !== undefined) this.answered.set(text(step, "id"), played.id)
      const answer = yield* Effect.result(
        this.stage.desk.decide({
          sessionId,
          confirmationId,
          approved: step["approved"] === true,
          decidedBy: maybe(step, "by") ?? "p1",
          ...(digest === undefined ? {} : { digest }),
          ...(step["reason"] === undefined ? {} : { reason: text(step, "reason") }),
          ...(step["remember"] === undefined ? {} : { remember: text(step, "remember") }),
          ...(step["updatedInput"] === undefined ? {} : { updatedInput: step["updatedInput"] })
        })
      )
      this.answers.set(
        text(step, "id"),
        answer._tag === "Success"
          ? answer.success
          : { error: errorWord[answer.failure._tag as DeskError["_tag"]] ?? answer.failure.message }
      )
    })
  }
}

/** Every tool is virtual; these are those that stories recover. */
const toolNames = ["Bash", "Edit", "Write", "Read", "delete_note", "eval", "WebFetch"]
