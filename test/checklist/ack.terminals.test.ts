/**
 * The checklist's rows about ack's one terminal a call, with preset `ack`: the same confirmation id again, many calls at
 * once, and observers that fail. A41–A44, A68.
 */
import type { RunResult } from "@countersign/gate"
import { assert, describe, it } from "@effect/vitest"
import { asked, breakSession, databaseFile, type Host, open, sleep, statuses, until, withHost } from "./kit/host.ts"

const tiers = { x: "confirm" }

describe("the same confirmation id again", () => {
  const duplicate = (toolCallId: string) => ({
    call: { sessionId: "s1", toolCallId, toolName: "x", arguments: { id: 1 } },
    agentId: "main",
    allowed: true,
    basis: "duplicate",
    source: "",
    ruleId: "user.duplicate"
  })
  const call = { toolName: "x", toolCallId: "c1", arguments: { id: 1 } }

  it("A41 the first is pending: it joins the outcome, one card, one execution", async () => {
    for (const approved of [true, false]) {
      await withHost({ tiers }, async (host) => {
        const { running } = await asked(host, call)
        const second = host.run(call)
        await sleep(20)
        await host.decide("c1", approved)
        const results = await Promise.all([running, second])
        assert.deepStrictEqual(
          results.map(({ status }) => status),
          approved ? ["completed", "completed"] : ["denied", "denied"]
        )
        assert.strictEqual(host.ran.length, approved ? 1 : 0)
        assert.deepStrictEqual(statuses(host, "c1"), ["pending", approved ? "approved" : "denied"])
        assert.deepStrictEqual(host.permissions(), (approved ? [duplicate("c1")] : []) as never)
      })
    }
  })

  it("A41 the first is approved and still runs: allowed, basis `duplicate`, no second card; it shares the outcome", () =>
    withHost({ tiers }, async (host) => {
      let end: (value: string) => void = () => {}
      const executing = new Promise<string>((resolve) => (end = resolve))
      const { running } = await asked(host, call, { execute: () => executing })
      await host.decide("c1", true)
      await until(
        () => host.ran,
        ({ length }) => length === 1
      )
      const second = host.run(call, { execute: () => "never" })
      await until(
        () => host.permissions(),
        ({ length }) => length === 1
      )
      assert.deepStrictEqual(host.permissions(), [duplicate("c1")] as never)
      end("once")
      const values = (await Promise.all([running, second])).map(
        (result) => result.status === "completed" && result.value
      )
      assert.deepStrictEqual(values, ["once", "once"])
      assert.strictEqual(host.ran.length, 1)
      assert.deepStrictEqual(statuses(host, "c1"), ["pending", "approved"])
    }))

  it("A41 a host that only asks, twice about one execution, is allowed twice and gets one permit", () =>
    withHost({ tiers }, async (host) => {
      const first = host.gate.authorize({ sessionId: "s1", ...call })
      await host.shown()
      await host.decide("c1", true)
      const [one, two] = [await first, await host.gate.authorize({ sessionId: "s1", ...call })]
      assert.deepStrictEqual([one.allowed, two.allowed], [true, true])
      assert.deepStrictEqual(
        [one, two].map((answer) => answer.allowed && answer.permit !== undefined),
        [true, false]
      )
      assert.deepStrictEqual(host.permissions(), [duplicate("c1")] as never)
      assert.deepStrictEqual(statuses(host, "c1"), ["pending", "approved"])
    }))

  it("A41 with another digest, refused before, or run already: refused without a card", () =>
    withHost({ tiers }, async (host) => {
      const settled: [string, boolean, (() => unknown)?][] = [
        ["ran", true],
        ["failed", true, () => Promise.reject(new Error("no disk"))],
        ["refused", false]
      ]
      for (const [toolCallId, approved, execute] of settled) {
        const { running } = await asked(host, { ...call, toolCallId }, execute === undefined ? {} : { execute })
        await host.decide(toolCallId, approved)
        await running
      }
      await asked(host, { ...call, toolCallId: "pending" })
      const ran = host.ran.length
      const again = await Promise.all([
        ...settled.map(([toolCallId]) => host.run({ ...call, toolCallId })),
        host.run({ ...call, toolCallId: "pending", arguments: { id: 2 } }),
        host.run({ ...call, toolCallId: "ran", arguments: { id: 2 } })
      ])
      for (const result of again) {
        assert.deepStrictEqual([result.status, result.decision.ruleId], ["denied", "ask.duplicate"])
      }
      assert.strictEqual(host.ran.length, ran)
      assert.strictEqual(host.cards().filter(({ status }) => status === "pending").length, 4)
      assert.deepStrictEqual(
        host.permissions().map(({ allowed, ruleId }) => [allowed, ruleId]),
        again.map(() => [false, "ask.duplicate"])
      )
    }))
})

describe("exactly one terminal", () => {
  const bases = ["tier", "verdict", "endorsement", "grant", "duplicate", "canceled", "persist-failed"]

  /** How the calls of A42 end, in turn; the names are their tools. */
  const kinds = [
    "free",
    "off",
    "risky",
    "endorsed",
    "granted",
    "forced",
    "approved",
    "refused",
    "dropped",
    "lost"
  ] as const
  const mixed = {
    tiers: {
      off: "deny",
      endorsed: "confirm",
      granted: "confirm",
      approved: "confirm",
      refused: "confirm",
      dropped: "confirm",
      lost: "confirm"
    },
    sources: [
      {
        name: "risk",
        consult: ({ toolName }: { readonly toolName: string }) =>
          toolName === "risky"
            ? "deny"
            : toolName === "forced"
              ? "confirm"
              : toolName === "endorsed"
                ? "allow"
                : "abstain"
      }
    ]
  }

  it("A42 A43 100 mixed calls have 100 terminals, each a PermissionEvent or an answer; ack's seven bases only", async () => {
    const database = databaseFile()
    await withHost({ ...mixed, database }, async (host) => {
      const first = host.run({ toolName: "granted", toolCallId: "grant", sessionId: "s0" })
      await host.shown()
      await host.decide("grant", true, { sessionId: "s0", remember: "global" })
      await first
      breakSession(database, "broken")
      const answered: string[] = []
      const one = async (index: number): Promise<RunResult<unknown> | undefined> => {
        const toolName = kinds[index % kinds.length]!
        const toolCallId = `${toolName}-${index}`
        const run = new AbortController()
        const sessionId = toolName === "lost" ? "broken" : "s1"
        const running = host.run(
          { toolName, toolCallId, sessionId },
          toolName === "dropped" ? { signal: run.signal } : {}
        )
        if (["approved", "refused", "forced", "dropped"].includes(toolName)) {
          await until(
            () => host.cards(toolCallId),
            ({ length }) => length > 0
          )
          if (toolName === "dropped") run.abort()
          else {
            await host.decide(toolCallId, toolName !== "refused")
            answered.push(toolCallId)
          }
        }
        return running.catch(() => undefined)
      }
      const results = await Promise.all(Array.from({ length: 100 }, (_, index) => one(index)))
      const told = await until(
        () => host.permissions(),
        ({ length }) => length >= 70
      )
      assert.strictEqual(told.length + answered.length, 100)
      assert.strictEqual(new Set([...told.map(({ call }) => call.toolCallId), ...answered]).size, 100)
      assert.includeMembers(
        bases,
        told.map(({ basis }) => basis)
      )
      assert.deepStrictEqual(
        Object.fromEntries([...Map.groupBy(told, ({ basis }) => basis)].map(([basis, all]) => [basis, all.length])),
        { tier: 20, verdict: 10, endorsement: 10, grant: 10, canceled: 10, "persist-failed": 10 }
      )
      assert.deepStrictEqual(
        results.map((result) => result?.status),
        Array.from({ length: 10 }, () => kinds.map((kind) => ends[kind])).flat()
      )
      const executed = kinds.filter((kind) => ends[kind] === "completed").length * 10 + 1
      assert.strictEqual(new Set(host.ran.map(({ toolCallId }) => toolCallId)).size, executed)
      assert.strictEqual(host.ran.length, executed)
      assert.deepStrictEqual(await host.gate.desk.pending(), [])
      assert.strictEqual((await host.gate.audit.list({ kind: "decision", limit: 1000 })).length, 101)
    })
  })

  const ends: Readonly<Record<(typeof kinds)[number], RunResult<unknown>["status"] | undefined>> = {
    free: "completed",
    off: "denied",
    risky: "denied",
    endorsed: "completed",
    granted: "completed",
    forced: "completed",
    approved: "completed",
    refused: "denied",
    // its run is gone: there is nobody to tell
    dropped: undefined,
    lost: "denied"
  }

  it("A44 an observer that fails, or never told the truth, changes nothing", async () => {
    const observers = [
      () => {
        throw new Error("the observer is broken")
      },
      () => Promise.reject(new Error("the observer is broken")),
      () => ({ allowed: true, decision: "allow" })
    ]
    for (const observer of observers) {
      await withHost({ tiers: { ...tiers, off: "deny" }, observer }, async (host) => {
        const free = await host.run({ toolName: "free", toolCallId: "c0" })
        const off = await host.run({ toolName: "off", toolCallId: "c1" })
        const { running } = await asked(host, { toolName: "x", toolCallId: "c2" })
        await host.decide("c2", false)
        assert.deepStrictEqual([free.status, off.status, (await running).status], ["completed", "denied", "denied"])
        assert.strictEqual(host.ran.length, 1)
      })
    }
  })

  it(
    "A68 100 sessions of 10 calls in parallel, answered at random: one terminal each, and nobody waits forever",
    { timeout: 120_000 },
    async () => {
      const random = pseudoRandom(68)
      const answers = new Map<string, boolean>()
      const decided: Promise<unknown>[] = []
      let judged = 0
      const host: Host = await open({
        tierFunc: ({ toolName }) => {
          judged++
          return toolName === "x" ? "confirm" : "allow"
        },
        observer: ({ event, kind }) => {
          if (kind !== "confirmation" || event.value.status !== "pending") return
          const { confirmationId, sessionId } = event.value
          const approved = random() < 0.5
          answers.set(confirmationId, approved)
          decided.push(host.decide(confirmationId, approved, { sessionId }))
        }
      })
      const calls = Array.from({ length: 1000 }, (_, index) => ({
        toolName: random() < 0.5 ? "x" : "free",
        sessionId: `s${index % 100}`,
        toolCallId: `c${index}`
      }))
      const results = await Promise.all(calls.map((call) => host.run(call)))
      await Promise.all(decided)
      const told = host.permissions().map(({ call }) => call.toolCallId)
      assert.strictEqual(told.length + decided.length, 1000)
      assert.strictEqual(new Set([...told, ...answers.keys()]).size, 1000)
      for (const [index, { toolCallId, toolName }] of calls.entries()) {
        const passes = toolName === "free" || answers.get(toolCallId) === true
        assert.strictEqual(results[index]!.status, passes ? "completed" : "denied", toolCallId)
        assert.strictEqual(host.ran.filter((call) => call.toolCallId === toolCallId).length, passes ? 1 : 0, toolCallId)
      }
      assert.isTrue(decided.length > 400 && decided.length < 600)
      // once when it comes and once when it is answered: one call's answer does not have the others judged again
      assert.isAtMost(judged, 1000 + decided.length)
      assert.deepStrictEqual(await host.gate.desk.pending(), [])
      await host.gate.close()
    }
  )
})

/** The same numbers for the same seed (mulberry32). */
function pseudoRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
