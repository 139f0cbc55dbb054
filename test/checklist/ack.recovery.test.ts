/**
 * The checklist's rows about ack's confirmations whose run is gone, with preset `ack`: a second gate on the database of
 * one that ended while calls waited. A45–A58, A60.
 */
import { createGate, type HostOptions, InvalidArguments, NotBound, NotFound, RunActive } from "@countersign/adjudicator"
import { defaultTexts } from "@countersign/gate"
import { assert, describe, it } from "@effect/vitest"
import {
  databaseFile,
  fakeResume,
  historyOf,
  orphans,
  plain,
  rejection,
  stateKeys,
  textOf,
  until,
  withHost
} from "./kit/host.ts"

/** What both gates have in common, the runner that is bound to it, and what its tool `x` was run with. */
function ground(more: HostOptions = {}) {
  const ran: unknown[] = []
  const { resume, resumed } = fakeResume()
  const database = databaseFile()
  const options: HostOptions = {
    database,
    tiers: { x: "confirm" },
    resume,
    resolver: () => ({
      x: (args, call) => {
        ran.push(plain({ arguments: args, sessionId: call.sessionId, toolCallId: call.toolCallId }))
        return { done: true }
      }
    }),
    ...more
  }
  return { database, options, ran, resumed }
}

const waiting = { toolName: "x", toolCallId: "c1", arguments: { id: "n1" } }
const refusal = defaultTexts.HumanDenied({ toolName: "x" } as never, undefined)

describe("what waits", () => {
  it("A45 a live waiter and a stored orphan are two items, `live` true and false", async () => {
    const { options } = ground()
    await orphans(options, [waiting])
    await withHost(options, async (host) => {
      void host.run({ ...waiting, toolCallId: "c2" })
      const items = await host.shown(2, "s1")
      assert.deepStrictEqual(
        items.map(({ confirmationId, live }) => [confirmationId, live]),
        [
          ["c1", false],
          ["c2", true]
        ]
      )
    })
  })

  it("A46 after a restart it is `live:false`, and else as it was", async () => {
    const { options } = ground()
    const [before] = await orphans(options, [waiting])
    assert.strictEqual(before!.live, true)
    await withHost(options, async (host) => {
      assert.deepStrictEqual(plain(await host.gate.desk.pending("s1")), [plain({ ...before!, live: false })])
      assert.deepStrictEqual(
        [host.cards(), host.permissions()],
        [[], []],
        "it is not told anew, and nothing settled it"
      )
    })
  })
})

describe("an orphan that is answered", () => {
  it("A47 approved: the gateway runs the tool once, its result is in the history, one continuation begins", async () => {
    const { database, options, ran, resumed } = ground()
    await orphans(options, [waiting])
    await withHost(options, async (host) => {
      assert.deepStrictEqual(await host.decide("c1", true, { decidedBy: "p1" }), {
        path: "recovery",
        outcome: "approved"
      })
      assert.deepStrictEqual(ran, [{ arguments: { id: "n1" }, sessionId: "s1", toolCallId: "c1" }])
      assert.deepStrictEqual(await historyOf(database), [{ role: "tool", toolCallId: "c1", content: { done: true } }])
      assert.deepStrictEqual(resumed, [{ sessionId: "s1", userId: "u1" }])
      assert.deepStrictEqual(
        host.cards("c1").map(({ decidedBy, status }) => [status, decidedBy]),
        [["approved", "p1"]]
      )
      assert.deepStrictEqual([host.permissions(), await host.gate.desk.pending()], [[], []])
      assert.instanceOf(await rejection(host.decide("c1", true)), NotFound)
      assert.deepStrictEqual([ran.length, resumed.length], [1, 1])
      assert.deepStrictEqual(stateKeys(database), [])
    })
  })

  it("A47 approved and remembered: the grant is there for the continuation", async () => {
    const { options } = ground()
    await orphans(options, [waiting])
    await withHost(options, async (host) => {
      await host.decide("c1", true, { remember: "session", decidedBy: "p1" })
      const [{ createdAt: _, id: _id, ...grant } = { createdAt: 0, id: "" }] = await host.gate.grants.list()
      assert.deepStrictEqual(grant, { userId: "u1", sessionId: "s1", toolName: "x", createdBy: "p1" })
      assert.strictEqual((await host.run({ toolName: "x" })).decision.basis, "grant")
    })
  })

  it("A48 refused: the tool does not run, the history has HumanDenied as it is told live, a continuation begins", async () => {
    const { database, options, ran, resumed } = ground()
    await orphans(options, [waiting])
    await withHost(options, async (host) => {
      assert.deepStrictEqual(await host.decide("c1", false), { path: "recovery", outcome: "denied" })
      assert.deepStrictEqual(await historyOf(database), [
        { role: "tool", toolCallId: "c1", content: refusal, isError: true }
      ])
      assert.deepStrictEqual([ran, resumed], [[], [{ sessionId: "s1", userId: "u1" }]])
      assert.deepStrictEqual(host.permissions(), [])
      const live = host.run({ ...waiting, toolCallId: "c2" })
      await host.shown()
      await host.decide("c2", false)
      assert.strictEqual(textOf(await live), refusal)
    })
  })

  it("A49 A50 A51 a tool that is unknown, without resolver, or fails: the continuation sees Unavailable", async () => {
    const unknown = "there is no such tool any more"
    const fails = () => {
      throw new Error("disk full")
    }
    for (const [resolver, detail] of [
      [() => ({ y: () => "never" }), unknown],
      [undefined, unknown],
      [() => ({ x: fails }), "disk full"],
      [() => ({ x: () => Promise.reject(new Error("disk full")) }), "disk full"],
      [fails, "disk full"]
    ] as const) {
      const { database, options, resumed } = ground()
      const { resolver: _, ...without } = options
      const given = resolver === undefined ? without : { ...without, resolver }
      await orphans(given, [waiting])
      await withHost(given, async (host) => {
        assert.deepStrictEqual(await host.decide("c1", true), { path: "recovery", outcome: "approved" })
        assert.deepStrictEqual(await historyOf(database), [
          { role: "tool", toolCallId: "c1", content: defaultTexts.Unavailable("x", detail), isError: true }
        ])
        assert.strictEqual(resumed.length, 1)
      })
    }
  })

  it("A52 the resolver is called when the answer arrives: a tool swapped meanwhile is the one that runs", async () => {
    const ran: string[] = []
    const tool = (mark: string) => ({ x: () => void ran.push(mark) })
    let tools = tool("old")
    const { options } = ground({ resolver: () => tools })
    await orphans(options, [waiting])
    await withHost(options, async (host) => {
      await host.shown()
      tools = tool("new")
      await host.decide("c1", true)
      assert.deepStrictEqual(ran, ["new"])
    })
  })

  it("A53 without a runner: ErrNotBound, whatever the answer; it is pending as before and can be answered once bound", async () => {
    const { database, options, ran } = ground()
    const { resume, ...unbound } = options
    const [before] = await orphans(options, [waiting])
    await withHost(unbound, async (host) => {
      for (const approved of [true, false]) {
        const error = await rejection(host.decide("c1", approved))
        assert.instanceOf(error, NotBound)
        assert.strictEqual(error.message, "ack: resume runner not bound")
      }
      assert.deepStrictEqual(plain(await host.gate.desk.pending("s1")), [plain({ ...before!, live: false })])
      assert.deepStrictEqual([ran, host.cards(), stateKeys(database).length], [[], [], 1])
      await host.gate.desk.bind(resume)
      assert.strictEqual((await host.decide("c1", true)).path, "recovery")
      assert.strictEqual(ran.length, 1)
    })
  })

  it("A54 binding nothing, or what can't run, is an error, and what is bound stays", async () => {
    const { options, resumed } = ground()
    await orphans(options, [waiting])
    await withHost(options, async (host) => {
      for (const nothing of [null, undefined, {} as never]) {
        assert.instanceOf(await rejection(host.gate.desk.bind(nothing)), InvalidArguments)
      }
      await host.decide("c1", true)
      assert.strictEqual(resumed.length, 1)
    })
  })

  it("A55 a run is active: ErrRunActive with the runner's own error inside; it can be answered after that", async () => {
    class RunConflict extends Error {}
    const conflict = new RunConflict("run r1 already exists")
    let active = true
    const { options, ran, resumed } = ground()
    const resume: HostOptions["resume"] = {
      ...options.resume!,
      ready: () => (active ? Promise.reject(conflict) : undefined)
    }
    await orphans(options, [waiting])
    await withHost({ ...options, resume }, async (host) => {
      const error = await rejection(host.decide("c1", true))
      assert.instanceOf(error, RunActive)
      assert.strictEqual(error.message, "ack: run active on session")
      assert.strictEqual(error.cause, conflict)
      assert.deepStrictEqual([ran, resumed, (await host.gate.desk.pending("s1")).length], [[], [], 1])
      active = false
      assert.strictEqual((await host.decide("c1", true)).path, "recovery")
      assert.deepStrictEqual([ran.length, resumed.length], [1, 1])
    })
  })

  it("A56 the answer does not wait for the continuation's end", async () => {
    const { resume, resumed } = fakeResume(() => new Promise<never>(() => {}))
    const { options, ran } = ground({ resume })
    await orphans(options, [waiting])
    await withHost(options, async (host) => {
      assert.deepStrictEqual(await host.decide("c1", true), { path: "recovery", outcome: "approved" })
      assert.deepStrictEqual([ran.length, resumed.length], [1, 1])
    })
  })

  it("A57 the continuation is under the gate: its calls are asked for as ever", async () => {
    const continued: { run?: () => Promise<unknown> } = {}
    const { resume } = fakeResume(() => continued.run?.())
    const { options } = ground({ resume })
    await orphans(options, [waiting])
    await withHost(options, async (host) => {
      continued.run = () => host.run({ ...waiting, toolCallId: "next" })
      await host.decide("c1", true)
      const [item] = await host.shown(1, "s1")
      assert.deepStrictEqual([item!.confirmationId, item!.live], ["next", true])
      assert.deepStrictEqual(
        host.cards("next").map(({ status }) => status),
        ["pending"]
      )
      assert.deepStrictEqual(await host.decide("next", true), { path: "live", outcome: "approved" })
    })
  })
})

describe("the app and the user of a session", () => {
  it("A58 of another app nothing is pending, and its confirmations are not found; it leaves them alone", async () => {
    const { database, options, ran } = ground()
    const [before] = await orphans({ ...options, app: "notes" }, [waiting])
    for (const tiers of [{ x: "confirm" }, { x: "deny" }] as const) {
      await withHost({ ...options, tiers, app: "other" }, async (host) => {
        assert.deepStrictEqual([await host.gate.desk.pending("s1"), await host.gate.desk.pending()], [[], []])
        assert.instanceOf(await rejection(host.decide("c1", true)), NotFound)
        assert.isUndefined(await host.gate.desk.card("s1", "c1"))
        await host.gate.desk.rejudge()
        assert.deepStrictEqual([ran, host.cards(), host.permissions()], [[], [], []])
      })
    }
    await withHost({ ...options, app: "notes" }, async (host) => {
      assert.deepStrictEqual(plain(await host.gate.desk.pending("s1")), [plain({ ...before!, live: false })])
      assert.strictEqual((await host.decide("c1", true)).path, "recovery")
    })
    assert.strictEqual(ran.length, 1)
    assert.strictEqual((await historyOf(database, { app: "notes", userId: "u1", sessionId: "s1" })).length, 1)
  })

  it("A58 the same call in another app neither joins what waits there nor gets what was approved there", async () => {
    const { options } = ground()
    await orphans({ ...options, app: "notes" }, [waiting])
    const inOther = () =>
      withHost({ ...options, app: "other" }, async (host) => {
        const result = await host.run(waiting)
        assert.deepStrictEqual([result.status, result.decision.ruleId], ["denied", "ask.duplicate"])
        assert.deepStrictEqual([host.ran, host.cards()], [[], []])
      })
    await inOther()
    await withHost({ ...options, app: "notes" }, async (host) => {
      const running = host.run(waiting)
      await until(
        () => host.gate.desk.pending("s1"),
        ([item]) => item?.live === true
      )
      await host.decide("c1", true)
      assert.strictEqual((await running).status, "completed")
    })
    await inOther()
  })

  it("A60 without options the session store's key has app `ack` and user `user`", async () => {
    const { database, options } = ground()
    const gate = await createGate({ preset: "ack", database, tiers: options.tiers! })
    const running = gate.run({ ...waiting, sessionId: "s1" }, () => "never")
    await until(
      () => gate.desk.pending(),
      ({ length }) => length === 1
    )
    assert.deepStrictEqual(stateKeys(database), [
      { app: "ack", user_id: "user", session_id: "s1", key: "__pending_tool_confirmation__" }
    ])
    await gate.close()
    await rejection(running)
  })
})
