/**
 * The checklist's rows about the decision itself, end to end with the shipped defaults: what it says, what the model,
 * the person and the record are told of it, and what never travels. G02–G12, G15–G18, G28, G29, G32.
 */
import type { Answering, HostOptions } from "@countersign/adjudicator"
import type { Opinion } from "@countersign/gate"
import type { FrozenCall, GateDecision } from "@countersign/kernel"
import { assert, describe, it } from "@effect/vitest"
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { databaseFile, type Host, plain, until, withHost } from "./kit/host.ts"
import { asked, cardOf, denial, fate, onStage, outcomesOf, recordOf, spawn, statuses, told, turn } from "./kit/stage.ts"

const bash = (toolCallId: string, command: string) => ({ toolName: "Bash", toolCallId, arguments: { command } })
const user = (permissions: object) => ({ settings: { user: { permissions } } })

/** A classifier that says this of every call, and counts. */
function classifier(opinion: Opinion, rejectEffect: "ask" | "deny" = "ask") {
  const consulted: FrozenCall[] = []
  const consult = (call: FrozenCall): Answering<Opinion> => {
    consulted.push(call)
    return opinion
  }
  return { consulted, classifier: { id: "guard", rejectEffect, consult } }
}

const dangerous: Opinion = { verdict: "dangerous", reason: "it wipes the production database" }

describe("the rule that matched", () => {
  it.each(["Bash(rm -rf:*)", "Bash(rm  -rf  bäld*)", "Bash(*)"])(
    "G02 is told byte for byte as it was written: %s",
    (text) =>
      onStage(user({ deny: [text] }), async (host) => {
        const result = await host.run(bash("c1", "rm -rf bäld"))
        assert.strictEqual(fate(result), "denied rule.user.deny")
        assert.strictEqual(result.decision.matchedRule, text)
        const [decided, ...more] = told(host, "c1")
        assert.deepStrictEqual(more, [])
        assert.strictEqual(decided?.type === "tool.permission.decided" && decided.matchedRule, text)
        assert.strictEqual((await recordOf(host, "c1")).matchedRule, text)
      })
  )

  it("G03 is no key where none matched: an allow by yolo", () =>
    onStage({ mode: "yolo", ...user({ ask: ["Bash(make:*)"] }) }, async (host) => {
      const result = await host.run(bash("c1", "make all"))
      assert.strictEqual(fate(result), "completed mode.yolo")
      assert.notProperty(result.decision, "matchedRule")
      const events = told(host, "c1")
      assert.deepStrictEqual(
        events.map(({ type }) => type),
        ["tool.permission.decided"]
      )
      for (const event of events) assert.notProperty(event, "matchedRule")
    }))

  it("G03 is no key where none matched: a fallback ask, asked and answered", () =>
    onStage({}, async (host) => {
      const { item, running } = await asked(host, bash("c1", "make all"))
      assert.strictEqual(item.gate.decision.ruleId, "mode.default")
      assert.notProperty(item.gate.decision, "matchedRule")
      await host.decide("c1", true)
      assert.notProperty((await running).decision, "matchedRule")
      const events = told(host, "c1")
      assert.deepStrictEqual(
        events.map(({ type }) => type),
        ["tool.permission.requested", "tool.permission.decided"]
      )
      for (const event of events) assert.notProperty(event, "matchedRule")
      assert.notProperty(await recordOf(host, "c1"), "matchedRule")
    }))

  it("G32 stands in an event that has just these members", () =>
    onStage(user({ deny: ["Bash(rm:*)"], allow: ["Bash(make all)"] }), async (host) => {
      await host.run(bash("deny", "rm x"))
      await host.run(bash("allow", "make all"))
      const { running } = await asked(host, bash("ask", "make some"))
      await host.decide("ask", false, { reason: "not now" })
      await running
      const envelope = { type: "tool.permission.decided", sessionId: "s1" }
      assert.deepStrictEqual(
        ["deny", "allow", "ask"].map((id) => told(host, id).at(-1)),
        [
          { ...envelope, toolCallId: "deny", decision: "deny", decisionSource: "rule", matchedRule: "Bash(rm:*)" },
          {
            ...envelope,
            toolCallId: "allow",
            decision: "allow",
            decisionSource: "rule",
            matchedRule: "Bash(make all)"
          },
          { ...envelope, toolCallId: "ask", decision: "deny", decisionSource: "user" }
        ].map((event) => event as never)
      )
      assert.deepStrictEqual(told(host, "ask")[0], {
        type: "tool.permission.requested",
        sessionId: "s1",
        toolCallId: "ask",
        name: "Bash"
      })
    }))

  it("G15 takes effect while the session goes on, and the dialog shows whose it is", async () => {
    const folder = mkdtempSync(join(tmpdir(), "countersign-g15-"))
    mkdirSync(join(folder, ".countersign"))
    const files = [
      { layer: "user" as const, path: join(folder, "user.json") },
      { layer: "projectShared" as const, path: join(folder, ".countersign/settings.json") }
    ]
    const write = (file: number, permissions: object) =>
      writeFileSync(files[file]!.path, JSON.stringify({ permissions }))
    write(0, { allow: ["Bash(make:*)"] })
    await onStage({ folder, files }, async (host) => {
      assert.strictEqual(fate(await host.run(bash("c1", "make all"))), "completed rule.user.allow")
      write(1, { ask: ["Bash(make all)"] })
      const decision = () => host.gate.decide({ sessionId: "s1", ...bash("probe", "make all") })
      const { ruleId, sourceLayer } = (await until(decision, ({ decision }) => decision.decision === "ask")).decision
      assert.deepStrictEqual([ruleId, sourceLayer], ["rule.project.ask", "projectShared"])
      const { item, running } = await asked(host, bash("c2", "make all"))
      assert.strictEqual(item.gate.decision.sourceLayer, "projectShared")
      assert.include((await cardOf(host, "c2")).text, "Bash(make all) (this project's shared settings)")
      await host.decide("c2", true)
      assert.strictEqual(fate(await running), "completed user.approved")
      write(1, { deny: ["Bash(make all)"] })
      await until(decision, ({ decision }) => decision.decision === "deny")
      const denied = await host.run(bash("c3", "make all"))
      assert.deepStrictEqual([fate(denied), denied.decision.sourceLayer], ["denied rule.project.deny", "projectShared"])
    })
  })
})

describe("a denial's reason", () => {
  const secret = "secret-reason-123"
  const endings: Readonly<Record<string, HostOptions>> = {
    hook: { hooks: [{ name: "h", tools: ["x"], run: () => ({ decision: "deny", reason: secret }) }] },
    source: {
      sources: [{ consult: ({ toolName }) => (toolName === "x" ? { verdict: "deny", because: secret } : "abstain") }]
    },
    rule: { settings: { user: { permissions: { deny: [{ rule: "x", reason: secret }] } } } },
    classifier: { classifier: classifier({ verdict: "dangerous", reason: secret }, "deny").classifier },
    parent: { parents: { R: () => ({ verdict: "reject", reason: secret }) } },
    person: {
      observer: ({ event, kind }) => {
        if (kind === "confirmation" && event.value.status === "pending") personAnswers?.(event.value.confirmationId)
      }
    }
  }
  let personAnswers: ((confirmationId: string) => void) | undefined

  it.each(Object.keys(endings))("G04 by a %s reaches the model and the record, and no event", (by) =>
    onStage(endings[by]!, async (host) => {
      personAnswers = (confirmationId) => void host.decide(confirmationId, false, { reason: secret })
      await spawn(host, ["R/C"])
      const result = await host.run({ toolName: "x", agentId: "C", toolCallId: "c1" })
      assert.include(denial(result).text, secret)
      assert.include(JSON.stringify(await recordOf(host, "c1")), secret)
      assert.isNotEmpty(told(host, "c1"))
      for (const { event, kind } of host.events) if (kind === "tool") assert.notInclude(JSON.stringify(event), secret)
    })
  )

  const continues = async (host: Host, ruleId: string, reason: string) => {
    const requests = await turn(host, [
      { toolName: "x", toolCallId: "c1" },
      { toolName: "y", toolCallId: "c2" }
    ])
    // the first request, one after the denial, and one after what was done instead
    assert.lengthOf(requests, 3)
    const [told] = requests[1] as readonly [ReturnType<typeof denial>]
    assert.deepStrictEqual(
      { isError: told.isError, status: told.status, tool: told.tool, ruleId: told.ruleId, retry: told.retry },
      { isError: true, status: "denied", tool: "x", ruleId, retry: false }
    )
    assert.include(told.text, reason)
    assert.match(told.text, /do not retry/i)
    assert.deepStrictEqual(
      host.ran.map(({ toolName }) => toolName),
      ["y"]
    )
  }

  it("G05 by the classifier goes back as an error result, and the same turn goes on", () => {
    const { classifier: guard } = classifier(dangerous, "deny")
    return onStage({ classifier: guard, ...user({ allow: ["y"] }) }, (host) =>
      continues(host, "classifier.deny", dangerous.reason)
    )
  })

  it("G06 by a hook goes back as an error result, and the same turn goes on", () => {
    const reason = "no x on Fridays"
    const hook = { name: "weekday", tools: ["x"], run: () => ({ decision: "deny", reason }) }
    return onStage({ mode: "yolo", hooks: [hook] }, async (host) => {
      await continues(host, "hook.deny", reason)
      const { decision, source } = await recordOf(host, "c1")
      assert.deepStrictEqual([decision, source], ["deny", "hook"])
    })
  })

  it("G07 by the floor goes back too, in yolo and with a grant for the whole tool", async () => {
    const database = databaseFile()
    // ack's grants are for a whole tool
    await withHost({ preset: "ack", database, tiers: { Bash: "confirm" } }, async (host) => {
      const running = host.run(bash("c1", "ls"))
      await host.shown()
      await host.decide("c1", true, { remember: "global" })
      await running
    })
    for (const mode of ["default", "yolo"]) {
      await onStage({ mode, database, tiers: { Bash: "confirm" } }, async (host) => {
        assert.lengthOf(await host.gate.grants.list(), 1)
        const result = await host.run(bash(`floor-${mode}`, "rm -rf /"))
        assert.match(fate(result), /^denied floor\./)
        assert.strictEqual(result.decision.source, "builtin")
        const { isError, text } = denial(result)
        assert.isTrue(isError)
        assert.isNotEmpty(result.decision.reason)
        assert.include(text, result.decision.reason!)
        assert.deepStrictEqual(host.ran, [])
      })
    }
  })
})

describe("a dangerous call", () => {
  /** A dialog that writes down what it gets and answers. */
  const dialog = (answer: boolean) => {
    const seen: GateDecision[] = []
    const askUser: NonNullable<HostOptions["askUser"]> = (_call, _card, decision) => {
      seen.push(decision)
      return answer
    }
    return { seen, askUser }
  }

  it("G08 becomes an ask, and the dialog gets the whole decision", () => {
    const { seen, askUser } = dialog(true)
    const { classifier: guard } = classifier(dangerous)
    return onStage({ askUser, classifier: guard, ...user({ ask: ["x"] }) }, async (host) => {
      const before = (await host.gate.decide({ toolName: "x", arguments: {}, sessionId: "s1" })).decision
      assert.strictEqual(fate(await host.run({ toolName: "x", toolCallId: "c1" })), "completed user.approved")
      assert.lengthOf(seen, 1)
      const [{ classifierAdjudication, ...decision }] = plain(seen) as [GateDecision]
      assert.deepStrictEqual(decision, {
        decision: "ask",
        source: "classifier",
        ruleId: "classifier.ask",
        basis: "classifier",
        reason: dangerous.reason,
        matchedRule: "x",
        sourceLayer: "user"
      })
      assert.deepStrictEqual(
        [classifierAdjudication?.kind, classifierAdjudication?.verdict, classifierAdjudication?.reason],
        ["classifier", "reject", dangerous.reason]
      )
      const { classifierAdjudication: _, ...same } = plain(before)
      assert.deepStrictEqual(same, decision)
    })
  })

  it("G09 that the person then refuses is denied, and the model gets the reason", () => {
    const { askUser } = dialog(false)
    return onStage({ askUser, classifier: classifier(dangerous).classifier }, async (host) => {
      const result = await host.run({ toolName: "x", toolCallId: "c1" })
      assert.strictEqual(fate(result), "denied user.denied")
      assert.isTrue(denial(result).isError)
      assert.include(denial(result).text, dangerous.reason)
      assert.deepStrictEqual(host.ran, [])
    })
  })

  it("G10 that nobody can be asked about is denied, and the model gets the reason", () =>
    onStage({ asking: false, classifier: classifier(dangerous).classifier }, async (host) => {
      const result = await host.run({ toolName: "x", toolCallId: "c1" })
      assert.strictEqual(fate(result), "denied ask.nobody")
      assert.include(denial(result).text, dangerous.reason)
      assert.deepStrictEqual(host.ran, [])
    }))

  it("G11 is denied without a dialog where that is its posture", () => {
    const { seen, askUser } = dialog(true)
    return onStage({ askUser, classifier: classifier(dangerous, "deny").classifier }, async (host) => {
      const result = await host.run({ toolName: "x", toolCallId: "c1" })
      assert.strictEqual(fate(result), "denied classifier.deny")
      assert.strictEqual(result.decision.source, "classifier")
      assert.include(denial(result).text, dangerous.reason)
      assert.deepStrictEqual([seen, host.ran, host.cards()], [[], [], []])
    })
  })

  it("G12 alone has a reason among asks: neither a rule's nor the fallback's has one", () =>
    onStage(user({ ask: [{ rule: "y", reason: "ask me" }] }), async (host) => {
      for (const [toolName, ruleId] of [
        ["x", "mode.default"],
        ["y", "rule.user.ask"]
      ] as const) {
        const { decision } = await host.gate.decide({ toolName, arguments: {}, sessionId: "s1" })
        const { item, running } = await asked(host, { toolName, toolCallId: toolName })
        for (const seen of [decision, item.gate.decision]) {
          assert.strictEqual(`${seen.decision} ${seen.ruleId}`, `ask ${ruleId}`)
          assert.notProperty(seen, "reason")
        }
        await host.decide(toolName, true)
        await running
      }
    }))

  it("G28 stays what it was when the entry is forged afterwards, and no event has the entry", () => {
    const forge = (decision: GateDecision) => {
      const entry = decision.classifierAdjudication
      assert.strictEqual(entry?.verdict, "reject")
      // a frozen entry can't be forged, and that is as good
      Reflect.set(entry as object, "verdict", "endorse")
    }
    const askUser: NonNullable<HostOptions["askUser"]> = (_call, _card, decision) => {
      forge(decision)
      return false
    }
    return onStage({ mode: "auto", askUser, classifier: classifier(dangerous).classifier }, async (host) => {
      const edit = { toolName: "Write", toolCallId: "c1", arguments: { file_path: "/srv/proj/a", content: "" } }
      const judged = await host.gate.decide({ sessionId: "s1", ...edit })
      forge(judged.decision)
      assert.strictEqual(fate(await host.run(edit)), "denied user.denied")
      assert.deepStrictEqual(host.ran, [])
      const { adjudicationChain, asked } = await recordOf(host, "c1")
      assert.deepStrictEqual(
        adjudicationChain?.map(({ kind, verdict }) => `${kind} ${verdict}`),
        ["classifier reject"]
      )
      assert.strictEqual(asked?.classifierAdjudication?.verdict, "reject")
      const tools = host.events.filter(({ kind }) => kind === "tool")
      assert.isNotEmpty(tools)
      assert.notMatch(JSON.stringify(tools), /classifier(Adjudication|")|guard|wipes/)
    })
  })
})

describe("arguments that a hook puts in", () => {
  const rewriter = (updatedInput: unknown) => ({ hooks: [{ name: "rewriter", run: () => ({ updatedInput }) }] })

  it("G16 G17 are what the person is shown, and what runs", () =>
    onStage(rewriter({ path: "b" }), async (host) => {
      const { item, running } = await asked(host, { toolName: "touch", toolCallId: "c1", arguments: { path: "a" } })
      assert.deepStrictEqual(item.arguments, { path: "b" })
      assert.deepStrictEqual(host.cards("c1")[0]?.arguments, { path: "b" })
      assert.deepStrictEqual(item.gate.decision.updatedArgs, { path: "b" })
      const { text } = await cardOf(host, "c1")
      assert.include(text, 'arguments: {"path":"b"}')
      assert.include(text, 'as the agent gave them: {"path":"a"}')
      await host.decide("c1", true)
      assert.strictEqual(fate(await running), "completed user.approved")
      assert.deepStrictEqual(
        host.ran.map(({ arguments: args }) => args),
        [{ path: "b" }]
      )
      const { arguments: args, original } = await recordOf(host, "c1")
      assert.deepStrictEqual([args, original], [{ path: "b" }, { path: "a" }])
    }))

  it("G17 are shown by the host's own dialog, too", () => {
    const seen: unknown[] = []
    const askUser: NonNullable<HostOptions["askUser"]> = (call, card, { updatedArgs }) => {
      seen.push(call.arguments, card.payload.arguments, updatedArgs)
      return true
    }
    return onStage({ askUser, ...rewriter({ path: "b" }) }, async (host) => {
      await host.run({ toolName: "touch", arguments: { path: "a" } })
      assert.deepStrictEqual(seen, [{ path: "b" }, { path: "b" }, { path: "b" }])
      assert.deepStrictEqual(host.ran[0]?.arguments, { path: "b" })
    })
  })

  it.each([
    ["ls", "rm -rf build"],
    ["rm -rf build", "ls"]
  ])("G18 are judged again, and so are those before them: %s became %s", (given, made) =>
    onStage(
      { ...rewriter({ command: made }), ...user({ allow: ["Bash(ls)"], deny: ["Bash(rm:*)"] }) },
      async (host) => {
        const result = await host.run(bash("c1", given))
        assert.strictEqual(fate(result), "denied rule.user.deny")
        assert.strictEqual(result.decision.source, "rule")
        assert.strictEqual(result.decision.matchedRule, "Bash(rm:*)")
        assert.deepStrictEqual([host.ran, host.cards()], [[], []])
      }
    )
  )

  it("G18 the bans on the call before them stand at the settlement, too", async () => {
    const folder = mkdtempSync(join(tmpdir(), "countersign-g18-"))
    const path = join(folder, "user.json")
    const write = (deny: readonly string[]) => writeFileSync(path, JSON.stringify({ permissions: { deny } }))
    write([])
    await onStage({ folder, files: [{ layer: "user", path }], ...rewriter({ command: "make" }) }, async (host) => {
      const { running } = await asked(host, bash("c1", "rm -rf build"))
      write(["Bash(rm:*)"])
      // whoever looks first finds the ban: the answer, or the desk by itself
      await host.decide("c1", true).catch(() => undefined)
      assert.strictEqual(fate(await running), "denied rule.user.deny")
      assert.deepStrictEqual(host.ran, [])
    })
  })
})

describe("the record", () => {
  it("G29 keeps one decision of every call, however it ended", () =>
    onStage(user({ allow: ["a"], deny: ["d"] }), async (host) => {
      await host.run({ toolName: "a", toolCallId: "allowed" })
      await host.run({ toolName: "d", toolCallId: "denied" })
      for (const [id, approved] of [
        ["approved", true],
        ["refused", false]
      ] as const) {
        const { running } = await asked(host, { toolName: "x", toolCallId: id, arguments: { id } })
        await host.decide(id, approved)
        await running
      }
      const aborted = new AbortController()
      const running = host.run({ toolName: "x", toolCallId: "canceled" }, { signal: aborted.signal })
      await host.shown()
      aborted.abort()
      await running.catch(() => undefined)
      await until(
        () => statuses(host, "canceled"),
        ({ length }) => length === 2
      )
      const kept = async (id: string) => {
        const { decision, source, toolCallId, toolName } = await recordOf(host, id)
        return [toolName, toolCallId, decision, source, ...(await outcomesOf(host, id))].join(" ")
      }
      assert.deepStrictEqual(await Promise.all(["allowed", "denied", "approved", "refused", "canceled"].map(kept)), [
        "a allowed allow rule completed",
        "d denied deny rule",
        "x approved allow user completed",
        "x refused deny user",
        "x canceled deny builtin"
      ])
    }))
})
