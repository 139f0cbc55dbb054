/**
 * The checklist's rows about what the three parts make together, end to end with the shipped defaults: the classifier's
 * place, answers that bind to what was shown, restarts, and the switches over everything. U01–U03, U05, U10, U11, U13,
 * U16, U20, U22–U26.
 */
import { createGate, Desk, DigestMismatch, type HostOptions } from "@countersign/adjudicator"
import { Gate, Store } from "@countersign/gate"
import type { FrozenCall } from "@countersign/kernel"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, ManagedRuntime } from "effect"
import { existsSync, readFileSync } from "node:fs"
import { database } from "../../packages/adjudicator/src/host/database.ts"
import { hostLayers } from "../../packages/adjudicator/src/host/hostLayers.ts"
import { databaseFile, fakeResume, type Host, historyOf, open, orphans, rejection } from "./kit/host.ts"
import {
  asked,
  denial,
  dies,
  fate,
  marksOf,
  onStage,
  outcomesOf,
  recordOf,
  shipped,
  shown,
  statuses,
  told,
  spawn,
  type Shown
} from "./kit/stage.ts"

const bash = (toolCallId: string, command: string) => ({ toolName: "Bash", toolCallId, arguments: { command } })
const user = (permissions: object) => ({ settings: { user: { permissions } } })

describe("the classifier", () => {
  /** Judges everything safe, and writes down what it was asked. */
  function counting() {
    const consulted: FrozenCall[] = []
    const consult = (call: FrozenCall) => {
      consulted.push(call)
      return { verdict: "dangerous" as const, reason: "always" }
    }
    return { consulted, classifier: { id: "guard", rejectEffect: "deny" as const, consult } }
  }

  const decided: readonly (readonly [string, HostOptions, string])[] = [
    ["deny by a rule", user({ deny: ["x"] }), "denied rule.user.deny"],
    ["deny by tier", { tiers: { x: "deny" } }, "denied tier.deny"],
    ["deny by mode", { mode: "readOnly" }, "denied mode.readOnly"],
    ["allow by yolo", { mode: "yolo" }, "completed mode.yolo"],
    ["allow by a rule", user({ allow: ["x"] }), "completed rule.user.allow"],
    ["allow by being read-only", { tools: { x: { readOnly: true } } }, "completed cap.readOnly"]
  ]
  it.each(decided)("U01 is not consulted on a call that is decided: %s", (_, options, expected) => {
    const { classifier, consulted } = counting()
    return onStage({ classifier, ...options }, async (host) => {
      assert.strictEqual(fate(await host.run({ toolName: "x", toolCallId: "c1" })), expected)
      assert.deepStrictEqual(consulted, [])
      assert.notProperty(await recordOf(host, "c1"), "adjudicationChain")
    })
  })

  const persons: readonly (readonly [string, HostOptions, string])[] = [
    ["forced by a policy", { sources: [{ name: "p", consult: () => "confirm" }] }, "policy.forced"],
    ["forced by a hook", { hooks: [{ name: "h", run: () => ({ decision: "ask" }) }] }, "hook.forced"],
    ["talking with the person", { tools: { x: { requiresUserInteraction: true } } }, "tool.userInteraction"],
    ["always asked", { tools: { x: { alwaysAsk: true } } }, "tool.alwaysAsk"]
  ]
  it.each(persons)("U02 is not consulted on an ask that is a person's alone: %s", (_, options, ruleId) => {
    const { classifier, consulted } = counting()
    return onStage({ classifier, ...options }, async (host) => {
      const { item, running } = await asked(host, { toolName: "x", toolCallId: "c1" })
      assert.strictEqual(item.gate.decision.ruleId, ruleId)
      assert.notProperty(item.gate.decision, "classifierAdjudication")
      await host.decide("c1", true)
      assert.strictEqual(fate(await running), "completed user.approved")
      assert.deepStrictEqual(consulted, [])
    })
  })

  type Consult = NonNullable<HostOptions["classifier"]>["consult"]
  const failing: Readonly<Record<string, Consult>> = {
    "is silent": () => new Promise<never>(() => {}),
    throws: () => {
      throw new Error("the model is gone")
    },
    "says an unknown word": () => ({ verdict: "allow", reason: "go" }) as never,
    "says nothing": () => undefined as never,
    "says an inherited name": () => ({ verdict: "constructor", reason: "go" }) as never
  }
  it.each(Object.keys(failing))("U03 that %s leaves the ask an ask, and its entry tells of the failure", (name) =>
    onStage(
      { mode: "auto", classifier: { id: "guard", rejectEffect: "deny", timeoutMs: 50, consult: failing[name]! } },
      async (host) => {
        const write = { toolName: "Write", toolCallId: "c1", arguments: { file_path: "/srv/proj/a", content: "" } }
        const { item, running } = await asked(host, write)
        const { classifierAdjudication, ruleId, source } = item.gate.decision
        assert.deepStrictEqual([ruleId, source], ["mode.default", "mode"])
        assert.strictEqual(classifierAdjudication?.verdict, "escalate")
        assert.isNotEmpty(classifierAdjudication?.failure)
        await host.decide("c1", false)
        assert.strictEqual(fate(await running), "denied user.denied")
        const [entry] = (await recordOf(host, "c1")).adjudicationChain ?? []
        assert.deepStrictEqual(entry, classifierAdjudication)
      }
    )
  )

  const runAll = async (host: Host, ids: readonly string[]) => {
    const results = []
    for (const id of ids) results.push(await host.run({ toolName: "x", toolCallId: id }))
    return results
  }

  it("U05 whose budget is spent is not consulted: nobody there, the call is denied and the turn ends", async () => {
    const { classifier, consulted } = counting()
    const database = databaseFile()
    const options = {
      database,
      asking: false,
      classifier: { ...classifier, rejectEffect: "ask" as const },
      bounds: { budget: 1 }
    }
    await onStage(options, async (host) => {
      const [first, second] = await runAll(host, ["c1", "c2"])
      assert.strictEqual(fate(first!), "denied ask.nobody")
      assert.notProperty(denial(first!), "endTurn")
      assert.strictEqual(fate(second!), "denied ask.nobody")
      assert.isTrue(denial(second!).endTurn)
      assert.lengthOf(consulted, 1)
      const [entry] = (await recordOf(host, "c2")).adjudicationChain ?? []
      assert.deepStrictEqual([entry?.verdict, entry?.failure], ["escalate", "budget_exceeded"])
    })
    // a restart refills nothing
    await onStage(options, async (host) => {
      const again = await host.run({ toolName: "x", toolCallId: "c9" })
      assert.isTrue(denial(again).endTurn)
      assert.lengthOf(consulted, 1)
    })
  })

  it("U05 whose budget is spent is not consulted: somebody there, the person is asked", () => {
    const { classifier, consulted } = counting()
    return onStage({ classifier, bounds: { budget: 1 } }, async (host) => {
      assert.strictEqual(fate(await host.run({ toolName: "x", toolCallId: "c1" })), "denied classifier.deny")
      const { item, running } = await asked(host, { toolName: "x", toolCallId: "c2" })
      assert.strictEqual(item.gate.decision.ruleId, "mode.default")
      await host.decide("c2", true)
      assert.strictEqual(fate(await running), "completed user.approved")
      assert.lengthOf(consulted, 1)
    })
  })

  it("U05 that a session's parents used the budget up for is not consulted either", () => {
    const { classifier, consulted } = counting()
    const parents = { R: () => ({ verdict: "endorse" as const, reason: "" }) }
    return onStage({ classifier: { ...classifier, rejectEffect: "ask" }, parents }, async (host) => {
      await spawn(host, ["R/C"], { bounds: { budget: 2 } })
      const first = await asked(host, { toolName: "x", agentId: "C", toolCallId: "c1" }, "C/c1")
      const entries = (item: Shown) =>
        [item.gate.decision.classifierAdjudication, item.gate.chain?.[0]].map((entry) => entry?.failure)
      assert.deepStrictEqual(entries(first.item), [undefined, undefined])
      // what waits has cost as much as what is settled
      const second = await asked(host, { toolName: "x", agentId: "C", toolCallId: "c2" }, "C/c2")
      assert.deepStrictEqual(entries(second.item), ["budget_exceeded", "budget_exceeded"])
      assert.lengthOf(consulted, 1)
      for (const id of ["C/c1", "C/c2"]) await host.decide(id, false)
    })
  })

  it("U05 that denied three in a row is not consulted any more: the person is asked, or the turn ends", async () => {
    const { classifier, consulted } = counting()
    const database = databaseFile()
    await onStage({ database, classifier }, async (host) => {
      const denied = await runAll(host, ["c1", "c2", "c3"])
      assert.deepStrictEqual(denied.map(fate), Array(3).fill("denied classifier.deny"))
      const { item, running } = await asked(host, { toolName: "x", toolCallId: "c4" })
      assert.strictEqual(item.gate.decision.classifierAdjudication?.failure, "breaker_open")
      await host.decide("c4", true)
      assert.strictEqual(fate(await running), "completed user.approved")
    })
    await onStage({ database, classifier, asking: false }, async (host) => {
      const [result] = await runAll(host, ["c5"])
      assert.deepStrictEqual([fate(result!), denial(result!).endTurn], ["denied ask.nobody", true])
      assert.match(denial(result!).text, /end the turn/)
      // another session has a breaker of its own
      const other = await host.run({ toolName: "x", sessionId: "s2", toolCallId: "c6" })
      assert.deepStrictEqual([fate(other), denial(other).endTurn], ["denied classifier.deny", undefined])
    })
    assert.lengthOf(consulted, 4)
  })

  it("U05 that denied twenty of a session is not consulted any more, and asks do not count", () => {
    let verdict: "dangerous" | "none" = "none"
    let times = 0
    const consult = () => {
      times++
      return { verdict, reason: "so it is" }
    }
    const classifier = { id: "guard", rejectEffect: "deny" as const, consult }
    return onStage({ asking: false, classifier }, async (host) => {
      for (let round = 0; round < 10; round++) {
        for (verdict of ["none", "dangerous", "dangerous"] as const) {
          const [result] = await runAll(host, [`c${times}`])
          assert.notProperty(denial(result!), "endTurn")
        }
      }
      assert.strictEqual(times, 30)
      const [result] = await runAll(host, ["last"])
      assert.deepStrictEqual([fate(result!), denial(result!).endTurn, times], ["denied ask.nobody", true, 30])
    })
  })
})

describe("an answer", () => {
  it("U10 to something else than what is pending is refused, and the call goes on waiting", () =>
    onStage({}, async (host) => {
      const first = await asked(host, { toolName: "x", toolCallId: "c1", arguments: { id: 1 } })
      const other = await asked(host, { toolName: "x", toolCallId: "c2", arguments: { id: 2 } })
      for (const digest of [other.item.gate.digest, "", first.item.gate.digest.toUpperCase()]) {
        assert.instanceOf(await rejection(host.decide("c1", true, { digest })), DigestMismatch)
      }
      assert.strictEqual((await shown(host, "c1")).status, "pending")
      assert.deepStrictEqual([host.ran, statuses(host, "c1")], [[], ["pending"]])
      await host.decide("c1", true, { digest: first.item.gate.digest })
      assert.strictEqual(fate(await first.running), "completed user.approved")
      assert.deepStrictEqual(
        host.ran.map(({ arguments: args }) => args),
        [{ id: 1 }]
      )
      await host.decide("c2", false)
    }))

  it("U11 in the very tick in which the event is seen is taken, a thousand times", async () => {
    const paths: Promise<string>[] = []
    let answer: ((confirmationId: string) => Promise<string>) | undefined
    const observer: NonNullable<HostOptions["observer"]> = ({ event, kind }) => {
      if (kind === "confirmation" && event.value.status === "pending") paths.push(answer!(event.value.confirmationId))
    }
    await onStage({ observer }, async (host) => {
      answer = async (id) => (await host.decide(id, true)).path
      for (let i = 0; i < 1000; i++) {
        const result = await host.run({ toolName: "x", toolCallId: `c${i}` })
        assert.strictEqual(fate(result), "completed user.approved")
      }
      assert.deepStrictEqual(new Set(await Promise.all(paths)), new Set(["live"]))
      assert.deepStrictEqual([paths.length, host.ran.length], [1000, 1000])
    })
  }, 120_000)
})

describe("a client that sees the event", () => {
  /** A store that takes its time to read a case: whoever waits for it comes late. */
  const slow = Layer.effectContext(
    Effect.gen(function* () {
      const built = yield* Layer.build(database())
      const store = Context.get(built, Store)
      const byId = (id: string) => Effect.andThen(Effect.sleep(20), store.cases.byId(id))
      return Context.add(built, Store, Store.of({ ...store, cases: { ...store.cases, byId } }))
    })
  )

  it("U11 is before nobody who waits, however slow the store is", async () => {
    const paths: Promise<string>[] = []
    const seen: NonNullable<HostOptions["observer"]> = ({ event, kind }) => {
      if (kind === "confirmation" && event.value.status === "pending") paths.push(runtime.runPromise(answer))
    }
    const runtime = ManagedRuntime.make(
      hostLayers({ ...shipped, folder: "/srv/proj", home: "/home/u", observer: seen }, { storage: slow })
    )
    const answer = Effect.gen(function* () {
      const { path } = yield* (yield* Desk).decide({ sessionId: "s1", confirmationId: "c1", approved: true })
      return path
    })
    const call = { sessionId: "s1", agentId: "R", toolCallId: "c1", toolName: "x", arguments: {}, folder: "/srv/proj" }
    const result = await runtime.runPromise(Effect.flatMap(Gate, (gate) => gate.run(call, () => Effect.succeed("ran"))))
    assert.strictEqual(fate(result), "completed user.approved")
    assert.deepStrictEqual(await Promise.all(paths), ["live"])
    await runtime.dispose()
  })
})

describe("after a restart", () => {
  it("U13 what was banned meanwhile does not run on a person's yes", async () => {
    const database = databaseFile()
    const call = { toolName: "delete_note", toolCallId: "c1", arguments: { id: "n1" } }
    await orphans({ ...shipped, database }, [call])
    const { resume, resumed } = fakeResume()
    const ran: unknown[] = []
    const resolver = () => ({ delete_note: (args: unknown) => void ran.push(args) })
    await onStage({ database, resume, resolver, tiers: { delete_note: "deny" } }, async (host) => {
      const decided = await host.decide("c1", true)
      assert.deepStrictEqual(decided, { path: "recovery", outcome: "denied", ruleId: "tier.deny" })
      assert.deepStrictEqual([ran, host.permissions("c1")], [[], []])
      const { decision, ruleId } = await recordOf(host, "c1")
      assert.deepStrictEqual([decision, ruleId, await outcomesOf(host, "c1")], ["deny", "tier.deny", []])
    })
    const [message, ...more] = await historyOf(database)
    assert.deepStrictEqual(more, [])
    assert.deepInclude(message, { role: "tool", toolCallId: "c1", isError: true })
    assert.include(JSON.stringify(message), "is disabled")
    assert.lengthOf(resumed, 1)
  })

  it("U13 a policy source is asked again, and its no counts", async () => {
    const database = databaseFile()
    await orphans({ ...shipped, database }, [{ toolName: "x", toolCallId: "c1" }])
    const ran: unknown[] = []
    const options = { database, resume: fakeResume().resume, resolver: () => ({ x: () => void ran.push(1) }) }
    await onStage({ ...options, sources: [{ name: "risk", consult: () => "deny" }] }, async (host) => {
      const decided = await host.decide("c1", true)
      assert.deepStrictEqual(decided, { path: "recovery", outcome: "denied", ruleId: "policy.deny" })
      assert.deepStrictEqual(ran, [])
    })
  })

  it.each([
    ["tool running", 1],
    ["permit claimed", 0]
  ] as const)("U22 a call killed with its permit taken is unknown and never runs again: %s", async (death, times) => {
    const database = databaseFile()
    await dies(death, database)
    const runs = () =>
      existsSync(marksOf(database)) ? readFileSync(marksOf(database), "utf8").split("\n").length - 1 : 0
    assert.strictEqual(runs(), times)
    const again: unknown[] = []
    const options = {
      database,
      resume: fakeResume().resume,
      resolver: () => ({ deploy: () => void again.push("recovered") })
    }
    for (const start of [1, 2]) {
      await onStage(options, async (host) => {
        assert.deepStrictEqual(await outcomesOf(host, "c1"), ["unknown"], `start ${start}`)
        const { id } = await recordOf(host, "c1")
        const kinds = (await host.gate.audit.show(id)).map(({ record }) => record.kind)
        assert.deepStrictEqual(kinds, ["decision", "outcome"])
        assert.deepStrictEqual(await host.gate.desk.pending(), [])
        assert.strictEqual((await rejection(host.decide("c1", true))).message, "ack: confirmation not found")
      })
    }
    await onStage(options, async (host) => {
      const call = { toolName: "deploy", agentId: "R", toolCallId: "c1" }
      assert.strictEqual(fate(await host.run(call)), "denied ask.duplicate")
      assert.deepStrictEqual(host.ran, [])
    })
    assert.deepStrictEqual([again, runs()], [[], times])
  })
})

describe("an unknown word", () => {
  it.each(["perhaps", "Allow", "ALLOW", "", "constructor"])("U16 of a policy source forces an ask: %j", (word) =>
    onStage({ mode: "yolo", sources: [{ name: "p", consult: () => word }] }, async (host) => {
      const { item, running } = await asked(host, { toolName: "x", toolCallId: "c1" })
      assert.strictEqual(item.gate.decision.ruleId, "policy.forced")
      await host.decide("c1", false)
      assert.strictEqual(fate(await running), "denied user.denied")
    })
  )

  it("U16 of a tier fails the start and is named", async () => {
    for (const options of [
      { tiers: { x: "confrim" } },
      { tools: { x: { tier: "confrim" as never } } },
      { defaultTier: "confrim" }
    ]) {
      const { message } = await rejection(createGate({ ...shipped, ...options }))
      assert.include(message, "`confrim`")
      assert.match(message, /tiers\.x|tools\.x\.tier|defaultTier/)
    }
  })

  it("U16 of a tier in a settings file is an error with its place, and the tool is confirmed", () => {
    const text = '{\n  "permissions": { "allow": ["x", "y"] },\n  "tools": { "x": { "tier": "confrim" } }\n}'
    return onStage({ settings: { user: text } }, async (host) => {
      const [problem, ...more] = await host.gate.problems()
      assert.deepStrictEqual(more, [])
      assert.deepInclude(problem, { severity: "error", layer: "user", line: 3 })
      assert.include(problem?.message, "`confrim`")
      assert.isAbove(problem?.column ?? 0, 1)
      assert.strictEqual(fate(await host.run({ toolName: "y" })), "completed rule.user.allow")
      const { item } = await asked(host, { toolName: "x", toolCallId: "c1" })
      assert.strictEqual(item.gate.decision.ruleId, "tier.confirm")
      await host.decide("c1", false)
    })
  })

  it("U16 of a tier function, of a remembered scope and of an answer opens nothing", () =>
    onStage({ mode: "default", tierFunc: () => "confrim", ...user({ allow: ["x"] }) }, async (host) => {
      const { item, running } = await asked(host, { toolName: "x", toolCallId: "c1" })
      assert.strictEqual(item.gate.decision.ruleId, "tier.confirm")
      await rejection(host.decide("c1", true, { remember: "forever" }))
      await rejection(host.decide("c1", "yes" as never))
      assert.strictEqual((await shown(host, "c1")).status, "pending")
      await host.decide("c1", false)
      assert.strictEqual(fate(await running), "denied user.denied")
    }))
})

describe("a possible ban", () => {
  const command = "X=rm; $X -rf build"
  it("U20 asks a person in yolo, and no grant is offered", () =>
    onStage({ mode: "yolo", ...user({ deny: ["Bash(rm:*)"] }) }, async (host) => {
      const { item, running } = await asked(host, bash("c1", command))
      assert.deepStrictEqual(
        [item.gate.decision.ruleId, item.gate.decision.matchedRule, item.gate.offered],
        ["rule.user.deny.possible", "Bash(rm:*)", []]
      )
      await host.decide("c1", true)
      assert.strictEqual(fate(await running), "completed user.approved")
      assert.strictEqual(fate(await host.run(bash("c2", "make all"))), "completed mode.yolo")
    }))

  it("U20 is denied where nobody can be asked", () =>
    onStage({ mode: "yolo", asking: false, ...user({ deny: ["Bash(rm:*)"] }) }, async (host) => {
      assert.strictEqual(fate(await host.run(bash("c1", command))), "denied ask.nobody")
      assert.deepStrictEqual(host.ran, [])
    }))
})

describe("arguments that are not I-JSON", () => {
  it.each([
    ["a name twice", '{"command":"ls","command":"rm x"}'],
    ["a name twice below", '{"command":"ls","more":[{"a":1,"a":2}]}'],
    ["a name twice by an escape", '{"command":"ls","c\\u006fmmand":"rm x"}'],
    ["an unpaired surrogate", '{"command":"ls","a":"\\ud800"}'],
    ["an unsafe integer", '{"command":"ls","a":9007199254740993}'],
    ["no JSON at all", "{command: ls}"]
  ])("U24 are no call: %s", (_, text) =>
    onStage({ mode: "yolo", ...user({ allow: ["Bash"] }) }, async (host) => {
      const result = await host.run({ toolName: "Bash", toolCallId: "c1", arguments: text })
      assert.strictEqual(fate(result), "denied call.invalid")
      assert.isTrue(denial(result).isError)
      assert.deepStrictEqual([host.ran, host.cards()], [[], []])
      const { ruleId, source } = await recordOf(host, "c1")
      assert.deepStrictEqual([ruleId, source, told(host, "c1").length], ["call.invalid", "builtin", 1])
    })
  )

  it("U24 in a text that is sound are a call like any other", () =>
    onStage({ mode: "yolo" }, async (host) => {
      const result = await host.run({ toolName: "Bash", toolCallId: "c1", arguments: '{"command":"ls"}' })
      assert.strictEqual(fate(result), "completed mode.yolo")
      assert.deepStrictEqual(host.ran[0]?.arguments, { command: "ls" })
    }))
})

describe("a project that nobody trusts", () => {
  const calls: readonly { readonly toolName: string; readonly arguments: unknown }[] = [
    { toolName: "x", arguments: { cmd: "ls", path: "/srv/proj/a", extra: 1 } },
    { toolName: "deploy", arguments: { to: "production" } },
    bash("c", "make all"),
    bash("c", "ls"),
    bash("c", "cat /srv/other/a"),
    { toolName: "Write", arguments: { file_path: "/srv/proj/a.txt", content: "a" } },
    { toolName: "Write", arguments: { file_path: "/srv/proj/.git/hooks/pre-commit", content: "a" } },
    { toolName: "Read", arguments: { file_path: "/srv/other/a.txt" } },
    { toolName: "WebFetch", arguments: { url: "https://example.com/" } }
  ]
  const loosely: Readonly<Record<string, object>> = {
    "permissions.allow": {
      permissions: { allow: ["x", "Bash", "Write", "Edit(/srv/proj/.git/**)", "Read", "WebFetch", "deploy"] }
    },
    "permissions.defaultMode yolo": { permissions: { defaultMode: "yolo" } },
    "permissions.defaultMode auto": { permissions: { defaultMode: "auto" } },
    "permissions.defaultMode acceptEdits": { permissions: { defaultMode: "acceptEdits" } },
    "permissions.additionalDirectories": { permissions: { additionalDirectories: ["/srv/other"] } },
    allowedTools: { allowedTools: ["x", "Bash", "Write", "Read", "WebFetch", "deploy"] },
    "tools.tier": { tools: { x: { tier: "allow" }, deploy: { tier: "allow" } } },
    "tools.readOnly": { tools: { x: { readOnly: true }, deploy: { readOnly: true }, Write: { readOnly: true } } },
    "tools.alwaysAsk": { tools: { deploy: { alwaysAsk: true }, x: { alwaysAsk: false } } },
    "tools.requiresUserInteraction": { tools: { deploy: { requiresUserInteraction: true } } },
    "tools.family": { tools: { x: { family: "read" } } },
    "tools.aliases": { tools: { Read: { aliases: ["deploy"] } } },
    "tools.parameters": { tools: { x: { parameters: ["extra"] } } },
    "tools.subjects": { tools: { x: { subjects: { command: "/cmd" } } } },
    disable: { disable: ["lastingGrants"] }
  }
  const situations: readonly HostOptions[] = [
    { mode: "default", tools: { x: {}, deploy: { alwaysAsk: true }, Bash: {}, Write: {}, Read: {}, WebFetch: {} } },
    { mode: "readOnly" },
    { mode: "acceptEdits" },
    { mode: "yolo" },
    { mode: "dontAsk", tiers: { x: "confirm" } }
  ]
  const outcomes = async (options: HostOptions) => {
    const host = await open({ ...shipped, ...options })
    try {
      const decisions = []
      for (const call of calls) decisions.push((await host.gate.decide({ sessionId: "s1", ...call })).decision)
      return {
        outcomes: decisions.map(({ decision, ruleId }) => `${decision} ${ruleId}`),
        problems: await host.gate.problems()
      }
    } finally {
      await host.gate.close()
    }
  }

  it.each(Object.keys(loosely))("U23 loosens nothing, and a warning says so: %s", async (key) => {
    for (const layer of ["projectShared", "projectLocal"] as const) {
      for (const situation of situations) {
        const without = await outcomes(situation)
        const { outcomes: found, problems } = await outcomes({ ...situation, settings: { [layer]: loosely[key]! } })
        const changed = calls.flatMap((_, index) =>
          found[index] === without.outcomes[index] ? [] : [`${without.outcomes[index]} became ${found[index]}`]
        )
        // an untrusted default mode is one more ancestor's: it may turn an allow into an ask
        const worse = key.startsWith("permissions.defaultMode") ? changed.filter((text) => !tightens(text)) : changed
        assert.deepStrictEqual(worse, [], `${layer} in ${situation.mode}`)
        assert.deepStrictEqual(without.problems, [])
        const warned = problems.some((problem) => problem.layer === layer && problem.severity === "warning")
        // this mode acts, as an ancestor's
        assert.strictEqual(warned, key !== "permissions.defaultMode acceptEdits", `a warning of ${key} in ${layer}`)
      }
    }
  })

  const tightens = (change: string) => /^allow .* became (ask|deny) |^ask .* became deny /.test(change)
})

describe("a freeze", () => {
  it("U25 on one node denies the next call on every node, until it is lifted", async () => {
    const database = databaseFile()
    const settings = user({ allow: ["x"] })
    await onStage({ database, ...settings }, (one) =>
      onStage({ database, ...settings }, async (two) => {
        const both = async (id: string) => [
          fate(await one.run({ toolName: "x", toolCallId: `one-${id}` })),
          fate(await two.run({ toolName: "x", toolCallId: `two-${id}` })),
          fate(await two.run({ toolName: "x", toolCallId: `two-${id}`, sessionId: "s2" }))
        ]
        const runs = "completed rule.user.allow"
        const frozen = "denied session.frozen"
        assert.deepStrictEqual(await both("before"), [runs, runs, runs])
        await one.gate.freeze(true)
        assert.deepStrictEqual(await both("all"), [frozen, frozen, frozen])
        await two.gate.freeze(false)
        assert.deepStrictEqual(await both("lifted"), [runs, runs, runs])
        await two.gate.freeze(true, "s1")
        assert.deepStrictEqual(await both("one session"), [frozen, frozen, runs])
        await one.gate.freeze(false, "s1")
        assert.deepStrictEqual(await both("after"), [runs, runs, runs])
      })
    )
  })

  it("U25 denies what waits, on the other node too, and no yes comes through", async () => {
    const database = databaseFile()
    await onStage({ database }, (one) =>
      onStage({ database }, async (two) => {
        const { running } = await asked(two, { toolName: "x", toolCallId: "c1" })
        await one.gate.freeze(true)
        await two.decide("c1", true).catch(() => undefined)
        assert.strictEqual(fate(await running), "denied session.frozen")
        assert.deepStrictEqual(two.ran, [])
      })
    )
  })
})

describe("a shadow", () => {
  it("U26 runs what would be denied or asked, and the record says what would have been", () =>
    onStage({ enforce: false, ...user({ deny: ["x"] }) }, async (host) => {
      const denied = await host.run({ toolName: "x", toolCallId: "c1" })
      assert.strictEqual(denied.status, "completed")
      const { decision, ruleId, shadow } = await recordOf(host, "c1")
      assert.deepStrictEqual([decision, ruleId, shadow], ["deny", "rule.user.deny", true])
      assert.strictEqual((await host.run({ toolName: "y", toolCallId: "c2" })).status, "completed")
      const asked = await recordOf(host, "c2")
      assert.deepStrictEqual([asked.ruleId, asked.shadow], ["mode.default", true])
      assert.deepStrictEqual([host.cards(), await outcomesOf(host, "c1")], [[], ["completed"]])
    }))

  it("U26 is not cast on the floor, nor on what is no call", () =>
    onStage({ enforce: false }, async (host) => {
      assert.match(fate(await host.run(bash("c1", "rm -rf /"))), /^denied floor\./)
      const twice = { toolName: "Bash", toolCallId: "c2", arguments: '{"command":"ls","command":"rm x"}' }
      assert.strictEqual(fate(await host.run(twice)), "denied call.invalid")
      assert.deepStrictEqual(host.ran, [])
      assert.notProperty(await recordOf(host, "c1"), "shadow")
    }))
})
