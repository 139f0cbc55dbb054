/**
 * The checklist's rows about ack's confirmations while the run is alive, with preset `ack`: what is shown, who answers,
 * and how it ends with or without an answer. A29–A40, A61, A65.
 */
import { NotFound } from "@countersign/adjudicator"
import { defaultTexts, EventName, StateKey } from "@countersign/gate"
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import {
  asked,
  breakSession,
  databaseFile,
  fakeResume,
  orphans,
  rejection,
  sleep,
  stateKeys,
  statuses,
  textOf,
  until,
  withHost
} from "./kit/host.ts"

const tiers = { x: "confirm" }
const payloadKeys = [
  "confirmationId",
  "toolCallId",
  "toolName",
  "arguments",
  "sessionId",
  "status",
  "decidedBy",
  "createdAt"
]

const isNotFound = (error: unknown) => error instanceof NotFound && error.message === "ack: confirmation not found"

describe("what is shown", () => {
  it("A29 the payload has exactly ack's keys, and the confirmation is named by the tool call", () =>
    withHost({ tiers }, async (host) => {
      const before = Date.now()
      const { running } = await asked(host, { toolName: "x", toolCallId: "c1", arguments: { id: "n1" } })
      await host.decide("c1", true, { decidedBy: "p1" })
      await running
      const [pending, approved] = host.cards("c1")
      assert.deepStrictEqual(
        Object.keys(pending!),
        payloadKeys.filter((key) => key !== "decidedBy")
      )
      assert.deepStrictEqual(Object.keys(approved!), payloadKeys)
      const { createdAt, ...rest } = approved!
      assert.deepStrictEqual(rest, {
        confirmationId: "c1",
        toolCallId: "c1",
        toolName: "x",
        arguments: { id: "n1" },
        sessionId: "s1",
        status: "approved",
        decidedBy: "p1"
      })
      assert.strictEqual(pending!.createdAt, createdAt)
      assert.isTrue(Number.isInteger(createdAt) && createdAt >= before && createdAt <= Date.now())
    }))

  it("A29 without the preset it has one key more, `gate`", () =>
    withHost({ preset: "default", tiers, askTimeoutMs: 60_000 }, async (host) => {
      await asked(host, { toolName: "x", toolCallId: "c1", arguments: { id: "n1" } })
      const [pending] = host.cards("c1")
      assert.deepStrictEqual(Object.keys(pending!), [...payloadKeys.filter((key) => key !== "decidedBy"), "gate"])
      assert.deepStrictEqual(Object.keys(pending!.gate!), ["digest", "decision", "offered", "expiresAt"])
    }))

  it("A29 without the preset a child's has the chain as well, and a refusal from before", () =>
    withHost(
      { preset: "default", tiers, parents: { main: () => ({ verdict: "endorse", reason: "the task needs it" }) } },
      async (host) => {
        const parent = await host.gate.agents.open({ sessionId: "s1" })
        const agent = await host.gate.agents.spawn({ parent, agentId: "C", task: "tidy up" })
        await asked(host, { toolName: "x", toolCallId: "c0" })
        await host.decide("c0", false)
        void host.run({ agent, toolName: "x", toolCallId: "c1" })
        const [pending] = await until(
          () => host.cards("C/c1"),
          ({ length }) => length > 0
        )
        assert.deepStrictEqual(Object.keys(pending!.gate!), [
          "digest",
          "decision",
          "chain",
          "childAgentId",
          "childDescription",
          "endorsed",
          "offered",
          "refusedBefore"
        ])
        assert.deepStrictEqual(
          [pending!.gate!.childAgentId, pending!.gate!.childDescription, pending!.gate!.endorsed],
          ["C", "tidy up", true]
        )
      }
    ))

  it("A30 without arguments and undecided these keys are absent", () =>
    withHost({ tiers }, async (host) => {
      await asked(host, { toolName: "x", toolCallId: "c1", arguments: {} })
      assert.deepStrictEqual(
        Object.keys(host.cards("c1")[0]!),
        payloadKeys.filter((key) => key !== "arguments" && key !== "decidedBy")
      )
    }))

  it("A65 the seven constants are those of the golden file", async () => {
    const golden: unknown = JSON.parse(readFileSync(new URL("golden/wire.json", import.meta.url), "utf8"))
    const database = databaseFile()
    const { resume } = fakeResume()
    await orphans({ tiers, database }, [{ toolName: "x", toolCallId: "c1" }])
    await withHost({ tiers, database, resume }, async (host) => {
      const recovered = await host.decide("c1", true)
      await asked(host, { toolName: "x", toolCallId: "c2" })
      const keys = stateKeys(database)
      const live = await host.decide("c2", true)
      await asked(host, { toolName: "x", toolCallId: "c3" })
      await host.decide("c3", false)
      const custom = host.events.flatMap(({ event, kind }) => (kind === "confirmation" ? [event.name] : []))
      assert.deepStrictEqual(
        {
          PathLive: live.path,
          PathRecovery: recovered.path,
          EventName: custom[0],
          StateKey: keys[0]!["key"],
          StatusPending: statuses(host, "c2")[0],
          StatusApproved: statuses(host, "c2")[1],
          StatusDenied: statuses(host, "c3")[1]
        },
        golden as never
      )
      assert.deepStrictEqual([EventName, StateKey], [custom[0], keys[0]!["key"]] as never)
    })
  })
})

describe("a person's answer", () => {
  it("A31 approve: path `live`, the tool runs once, the card says who; no PermissionEvent", () =>
    withHost({ tiers }, async (host) => {
      const { running } = await asked(host, { toolName: "x", toolCallId: "c1" })
      assert.deepStrictEqual(await host.decide("c1", true, { decidedBy: "p1" }), { path: "live", outcome: "approved" })
      const result = await running
      assert(result.status === "completed")
      assert.strictEqual(result.value, "ran x")
      assert.strictEqual(host.ran.length, 1)
      assert.deepStrictEqual(
        host.cards("c1").map(({ decidedBy, status }) => [status, decidedBy]),
        [
          ["pending", undefined],
          ["approved", "p1"]
        ]
      )
      assert.deepStrictEqual(host.permissions(), [])
      assert.deepStrictEqual(await host.gate.desk.pending(), [])
    }))

  it("A32 refuse: path `live`, the tool does not run, the model gets HumanDenied; no PermissionEvent", () =>
    withHost({ tiers }, async (host) => {
      const { running } = await asked(host, { toolName: "x", toolCallId: "c1" })
      assert.deepStrictEqual(await host.decide("c1", false), { path: "live", outcome: "denied" })
      const text = textOf(await running)
      assert.strictEqual(text, defaultTexts.HumanDenied({ toolName: "x" } as never, undefined))
      assert.include(text, "Do not retry")
      assert.deepStrictEqual(host.ran, [])
      assert.deepStrictEqual(statuses(host, "c1"), ["pending", "denied"])
      assert.deepStrictEqual(host.permissions(), [])
    }))

  it("A33 who decided is the gateway's user, where nobody says", () =>
    withHost({ tiers }, async (host) => {
      for (const [id, more] of [
        ["c1", {}],
        ["c2", { decidedBy: "" }]
      ] as const) {
        await asked(host, { toolName: "x", toolCallId: id })
        await host.decide(id, true, more)
        assert.strictEqual(host.cards(id).at(-1)!.decidedBy, "u1")
      }
    }))

  it("A34 the first of two parallel answers wins, whichever it is; the other gets ErrNotFound", async () => {
    for (const first of [true, false]) {
      await withHost({ tiers }, async (host) => {
        const { running } = await asked(host, { toolName: "x", toolCallId: "c1" })
        const answers = await Promise.allSettled([host.decide("c1", first), host.decide("c1", !first)])
        const won = answers.flatMap((answer) => (answer.status === "fulfilled" ? [answer.value] : []))
        const lost = answers.flatMap((answer) => (answer.status === "rejected" ? [answer.reason as unknown] : []))
        assert.strictEqual(won.length, 1)
        assert.isTrue(lost.length === 1 && isNotFound(lost[0]))
        const result = await running
        assert.strictEqual(result.status, won[0]!.outcome === "approved" ? "completed" : "denied")
        assert.strictEqual(host.ran.length, won[0]!.outcome === "approved" ? 1 : 0)
        assert.deepStrictEqual(statuses(host, "c1"), ["pending", won[0]!.outcome])
      })
    }
  })

  it("A35 a second answer gets ErrNotFound, after a yes and after a no", () =>
    withHost({ tiers }, async (host) => {
      for (const approved of [true, false]) {
        const toolCallId = `c-${approved}`
        await asked(host, { toolName: "x", toolCallId })
        await host.decide(toolCallId, approved)
        for (const again of [true, false]) assert.isTrue(isNotFound(await rejection(host.decide(toolCallId, again))))
        assert.deepStrictEqual(statuses(host, toolCallId).length, 2)
      }
    }))

  it("A36 an unknown confirmation or session gets ErrNotFound, and nothing happens to what waits", () =>
    withHost({ tiers }, async (host) => {
      await asked(host, { toolName: "x", toolCallId: "c1" })
      assert.isTrue(isNotFound(await rejection(host.decide("c2", true))))
      assert.isTrue(isNotFound(await rejection(host.decide("c1", true, { sessionId: "s2" }))))
      await host.shown(1)
      assert.deepStrictEqual(host.ran, [])
    }))
})

describe("an end without a person", () => {
  const canceled = (ruleId: string) => ({
    call: { sessionId: "s1", toolCallId: "c1", toolName: "x", arguments: {} },
    agentId: "main",
    allowed: false,
    basis: "canceled",
    source: "",
    ruleId
  })

  it("A37 cancelled by its own run: basis `canceled`; a later answer gets ErrNotFound, nothing is pending", () =>
    withHost({ tiers }, async (host) => {
      const run = new AbortController()
      const { running } = await asked(host, { toolName: "x", toolCallId: "c1" }, { signal: run.signal })
      const reason = new Error("the person left")
      run.abort(reason)
      assert.strictEqual(await rejection(running), reason)
      await until(
        () => host.permissions(),
        ({ length }) => length > 0
      )
      assert.deepStrictEqual(host.permissions(), [canceled("ask.canceled")] as never)
      assert.deepStrictEqual(await host.gate.desk.pending(), [])
      assert.isTrue(isNotFound(await rejection(host.decide("c1", true))))
      assert.deepStrictEqual(host.ran, [])
    }))

  it("A37 cancelled with its session: the same, and the model is told Canceled", () =>
    withHost({ tiers }, async (host) => {
      const { running } = await asked(host, { toolName: "x", toolCallId: "c1" })
      await host.gate.desk.cancel("s1")
      const result = await running
      assert.deepStrictEqual([result.decision.basis, textOf(result)], ["canceled", defaultTexts.Canceled])
      assert.deepStrictEqual(host.permissions(), [canceled("ask.canceled")] as never)
      assert.deepStrictEqual(await host.gate.desk.pending(), [])
      assert.isTrue(isNotFound(await rejection(host.decide("c1", true))))
      assert.deepStrictEqual(host.ran, [])
    }))

  it("A38 out of time: basis `canceled`, rule `ask.expired`; the text says that the time ran out and nobody refused", () =>
    withHost({ tiers, askTimeoutMs: 100 }, async (host) => {
      const began = Date.now()
      const result = await host.run({ toolName: "x", toolCallId: "c1" })
      assert.isAtLeast(Date.now() - began, 95)
      assert.deepStrictEqual([result.decision.basis, result.decision.ruleId], ["canceled", "ask.expired"])
      const text = textOf(result)
      assert.match(text, /time .*ran out/)
      assert.include(text, "nobody refused")
      assert.include(text, "Do not retry")
      assert.deepStrictEqual(host.permissions(), [canceled("ask.expired")] as never)
      assert.isTrue(isNotFound(await rejection(host.decide("c1", true))))
      assert.deepStrictEqual(await host.gate.desk.pending(), [])
    }))

  it("A39 the observer of a cancelled call is not cancelled itself: its IO completes", async () => {
    const seen: unknown[] = []
    const run = new AbortController()
    const observer = async (
      { event, kind }: { readonly event: object; readonly kind: string },
      options: { readonly signal: AbortSignal }
    ) => {
      if (kind !== "permission") return
      const before = options.signal.aborted
      await sleep(20)
      seen.push([(event as { readonly basis: string }).basis, before, options.signal.aborted])
    }
    await withHost({ tiers, observer }, async (host) => {
      const { running } = await asked(host, { toolName: "x", toolCallId: "c1" }, { signal: run.signal })
      run.abort()
      await rejection(running)
      assert.deepStrictEqual(
        await until(
          () => seen,
          ({ length }) => length > 0
        ),
        [["canceled", false, false]]
      )
    })
  })

  it("A40 the pointer can't be stored: basis `persist-failed`, PersistFailed, and nobody waits", async () => {
    const database = databaseFile()
    await withHost({ tiers, database }, async (host) => {
      breakSession(database, "s1")
      const result = await host.run({ toolName: "x", toolCallId: "c1" })
      assert.strictEqual(textOf(result), defaultTexts.PersistFailed)
      assert.deepStrictEqual(host.permissions(), [{ ...canceled("store.failed"), basis: "persist-failed" }] as never)
      assert.deepStrictEqual([host.cards(), host.ran], [[], []])
      assert.deepStrictEqual(await host.gate.desk.pending("s1"), [])
      assert.isTrue(isNotFound(await rejection(host.decide("c1", true))))
      assert.strictEqual((await host.gate.audit.list({ toolCallId: "c1" })).length, 1)
      await asked(host, { toolName: "x", toolCallId: "c2", sessionId: "s2" })
    })
  })

  it("A61 own texts: Canceled is the host's, all others stay", () =>
    withHost({ tiers: { ...tiers, off: "deny" }, texts: { Canceled: "gone; do not try again" } }, async (host) => {
      const refused = host.run({ toolName: "x", toolCallId: "c0" })
      await host.shown()
      await host.decide("c0", false)
      assert.strictEqual(textOf(await refused), defaultTexts.HumanDenied({ toolName: "x" } as never, undefined))
      assert.strictEqual(textOf(await host.run({ toolName: "off" })), defaultTexts.TierDisabled("off"))
      const { running } = await asked(host, { toolName: "x", toolCallId: "c1" })
      await host.gate.desk.cancel("s1")
      assert.strictEqual(textOf(await running), "gone; do not try again")
    }))

  it("A38 A61 a host's Canceled is told of a time-out as well, unless it has a text of its own for that", async () => {
    for (const [texts, expected] of [
      [{ Canceled: "gone" }, "gone"],
      [{ Canceled: "gone", Expired: "too late" }, "too late"]
    ] as const) {
      await withHost({ tiers, askTimeoutMs: 20, texts }, async (host) => {
        assert.strictEqual(textOf(await host.run({ toolName: "x", toolCallId: "c1" })), expected)
      })
    }
  })
})
