/**
 * The checklist's rows about agents and their parents, end to end with the shipped defaults: who is heard, who decides,
 * and what a child can never do. G20–G27, U04–U09, U12, U17–U19, U21.
 */
import type { HostOptions, HostParent, Question } from "@countersign/adjudicator"
import { Parent } from "@countersign/adjudicator"
import { assert, describe, it } from "@effect/vitest"
import { databaseFile, fakeResume, type Host, type Said, until } from "./kit/host.ts"
import {
  asked,
  cardOf,
  denial,
  dies,
  fate,
  onStage,
  outcomesOf,
  recordOf,
  shown,
  spawn,
  spoken,
  statuses
} from "./kit/stage.ts"

/** Parents that answer with these words, and what they were asked. */
function parents(verdicts: Readonly<Record<string, "endorse" | "escalate" | "reject">>) {
  const questions: Question[] = []
  const entries = Object.entries(verdicts).map(([agentId, verdict]): readonly [string, HostParent] => [
    agentId,
    (question) => {
      questions.push(question)
      return { verdict, reason: `${agentId} thinks so` }
    }
  ])
  return { questions, parents: Object.fromEntries(entries) }
}

const deleteNote = (agentId: string, toolCallId = "c1"): Said & { readonly toolCallId: string } => ({
  toolName: "delete_note",
  toolCallId,
  agentId,
  arguments: { id: "n1" }
})
const line = (agentId: string, toolCallId: string, command = "rm -rf build") => ({
  toolName: "Bash",
  toolCallId,
  agentId,
  arguments: { command }
})

describe("the main agent's ask", () => {
  it("G20 has no adjudication, not even where its own judgement is bound", () => {
    const { questions, parents: bound } = parents({ R: "reject" })
    return onStage({ parents: bound }, async (host) => {
      const { item, running } = await asked(host, deleteNote("R"))
      assert.doesNotHaveAnyKeys(item.gate.decision, ["adjudication"])
      assert.doesNotHaveAnyKeys(item.gate, ["chain", "childAgentId", "childDescription", "endorsed"])
      await host.decide("c1", true)
      assert.notProperty((await running).decision, "adjudication")
      assert.doesNotHaveAnyKeys(await recordOf(host, "c1"), ["adjudicationChain", "endorsed"])
      assert.deepStrictEqual(questions, [])
    })
  })
})

describe("a child's ask", () => {
  it.each([
    ["G21", "G23", "endorse", true],
    ["G22", "G23", "escalate", false]
  ] as const)("%s %s rises with its parent's word and is not approved by it: %s", (_id, _and, verdict, endorsed) => {
    const { questions, parents: bound } = parents({ R: verdict })
    return onStage({ parents: bound }, async (host) => {
      await spawn(host, ["R/C"])
      const { item, running } = await asked(host, deleteNote("C"), "C/c1")
      assert.lengthOf(questions, 1)
      assert.deepStrictEqual(
        [questions[0]?.childAgentId, questions[0]?.childDescription, questions[0]?.call.arguments],
        ["C", "tidy notes", { id: "n1" }]
      )
      const { chain, childAgentId, childDescription, decision } = item.gate
      assert.deepStrictEqual(
        { chain: spoken(chain), childAgentId, childDescription, endorsed: item.gate.endorsed },
        { chain: [`R ${verdict}`], childAgentId: "C", childDescription: "tidy notes", endorsed }
      )
      assert.deepStrictEqual(decision.adjudication, {
        chain: chain!,
        childAgentId: "C",
        childDescription: "tidy notes",
        endorsed
      })
      assert.strictEqual(chain?.[0]?.reason, "R thinks so")
      assert.include((await cardOf(host, "C/c1")).text, "R thinks so")
      // a parent's word runs nothing: as long as the person is silent, so is the tool
      assert.strictEqual(await Promise.race([running.then(fate), settled(host)]), "still pending")
      assert.deepStrictEqual(host.ran, [])
      await host.decide("C/c1", true)
      assert.strictEqual(fate(await running), "completed user.approved")
      assert.lengthOf(host.ran, 1)
      assert.strictEqual((await recordOf(host, "c1")).endorsed, endorsed)
    })
  })

  const settled = async (host: Host) => {
    await new Promise((resolve) => setTimeout(resolve, 50))
    const [item] = await host.gate.desk.pending()
    return item === undefined ? "gone" : "still pending"
  }

  it("G24 that its parent rejects is denied without a dialog, and the child learns why", () =>
    onStage({ parents: parents({ R: "reject" }).parents }, async (host) => {
      await spawn(host, ["R/C"])
      const result = await host.run(deleteNote("C"))
      assert.strictEqual(fate(result), "denied adjudication.reject")
      assert.strictEqual(result.decision.source, "adjudicator")
      const { isError, text } = denial(result)
      assert.isTrue(isError)
      assert.include(text, "R thinks so")
      assert.deepStrictEqual(spoken((await recordOf(host, "c1")).adjudicationChain), ["R reject"])
      assert.deepStrictEqual([host.ran, host.cards("C/c1")], [[], []])
      assert.deepStrictEqual(
        host.permissions("c1").map(({ allowed, basis }) => [allowed, basis]),
        [[false, "adjudication"]]
      )
    }))

  it("G25 of two levels rises through both, the nearest first", () => {
    const { questions, parents: bound } = parents({ C1: "endorse", R: "escalate" })
    return onStage({ parents: bound }, async (host) => {
      await spawn(host, ["R/C1", "C1/G"])
      const { item, running } = await asked(host, deleteNote("G"), "G/c1")
      const { chain, childAgentId, endorsed } = item.gate
      assert.deepStrictEqual(spoken(chain), ["C1 endorse", "R escalate"])
      assert.deepStrictEqual([childAgentId, endorsed], ["G", false])
      // the farther parent knows what the nearer one said
      assert.deepStrictEqual(
        questions.map(({ chain, parentAgentId }) => [parentAgentId, ...spoken(chain)]),
        [["C1"], ["R", "C1 endorse"]]
      )
      await host.decide("G/c1", true)
      assert.strictEqual(fate(await running), "completed user.approved")
      assert.deepStrictEqual(spoken((await recordOf(host, "c1")).adjudicationChain), ["C1 endorse", "R escalate"])
    })
  })

  it("G26 that a farther parent rejects is denied, and nobody is asked", () =>
    onStage({ parents: parents({ C1: "endorse", R: "reject" }).parents }, async (host) => {
      await spawn(host, ["R/C1", "C1/G"])
      assert.strictEqual(fate(await host.run(deleteNote("G"))), "denied adjudication.reject")
      assert.deepStrictEqual(spoken((await recordOf(host, "c1")).adjudicationChain), ["C1 endorse", "R reject"])
      assert.deepStrictEqual([host.ran, host.cards("G/c1")], [[], []])
    }))

  it("G26 that the nearest parent rejects does not trouble the others", () => {
    const { questions, parents: bound } = parents({ C1: "reject", R: "endorse" })
    return onStage({ parents: bound }, async (host) => {
      await spawn(host, ["R/C1", "C1/G"])
      assert.strictEqual(fate(await host.run(deleteNote("G"))), "denied adjudication.reject")
      assert.deepStrictEqual(
        questions.map(({ parentAgentId }) => parentAgentId),
        ["C1"]
      )
    })
  })

  it("G27 has the classifier's entry first on record", () => {
    const consult = () => ({ verdict: "dangerous" as const, reason: "it deletes" })
    const options = { classifier: { id: "guard", consult }, parents: parents({ C1: "endorse", R: "escalate" }).parents }
    return onStage(options, async (host) => {
      await spawn(host, ["R/C1", "C1/G"])
      const { item, running } = await asked(host, deleteNote("G"), "G/c1")
      assert.deepStrictEqual(spoken(item.gate.chain), ["C1 endorse", "R escalate"])
      await host.decide("G/c1", true)
      await running
      const { adjudicationChain } = await recordOf(host, "c1")
      assert.deepStrictEqual(spoken(adjudicationChain), ["guard reject", "C1 endorse", "R escalate"])
      assert.deepStrictEqual(
        adjudicationChain?.map(({ kind }) => kind),
        ["classifier", "parent", "parent"]
      )
    })
  })

  it("U06 that a policy forces goes to the parents and then to the person, whatever was granted", () => {
    let verdict = "abstain"
    const { questions, parents: bound } = parents({ R: "endorse" })
    return onStage({ parents: bound, sources: [{ name: "risk", consult: () => verdict }] }, async (host) => {
      await spawn(host, ["R/C"])
      const granted = await asked(host, deleteNote("C", "c0"), "C/c0")
      assert.isString((await host.decide("C/c0", true, { remember: "session" })).remembered)
      await granted.running
      assert.strictEqual(fate(await host.run(deleteNote("C", "covered"))), "completed rule.session.allow")
      verdict = "confirm"
      for (const id of ["c1", "c2"]) {
        questions.length = 0
        const { item, running } = await asked(host, deleteNote("C", id), `C/${id}`)
        assert.strictEqual(item.gate.decision.ruleId, "policy.forced")
        assert.deepStrictEqual(spoken(item.gate.chain), ["R endorse"])
        assert.lengthOf(questions, 1)
        assert.deepStrictEqual(item.gate.offered, [])
        assert.isNull((await host.decide(`C/${id}`, true, { remember: "session" })).remembered)
        assert.strictEqual(fate(await running), "completed user.approved")
      }
    })
  })

  it("U07 whose tier is deny is denied at once, and no parent is asked", () => {
    const { questions, parents: bound } = parents({ R: "endorse" })
    return onStage({ parents: bound, tiers: { delete_note: "deny" } }, async (host) => {
      await spawn(host, ["R/C"])
      assert.strictEqual(fate(await host.run(deleteNote("C"))), "denied tier.deny")
      assert.deepStrictEqual([questions, host.cards(), host.ran], [[], [], []])
    })
  })
})

describe("a parent", () => {
  const hangs = () => new Promise<never>(() => {})
  const said = (words: unknown) => () => words as never
  const failing: Readonly<Record<string, HostParent>> = {
    "broken JSON": said('{"verdict":"endorse","reason":"the'),
    "JSON in a text": said('{"verdict":"endorse","reason":"fine"}'),
    "an unknown word": said({ verdict: "allow", reason: "go" }),
    "no reason": said({ verdict: "endorse" }),
    nothing: said(undefined),
    silence: Parent.fn(hangs, { timeoutMs: 30 }),
    "an error": () => {
      throw new Error("the model is gone")
    }
  }

  it.each(Object.keys(failing))("U04 that answers with %s escalates, and vouches for nothing", (name) =>
    onStage({ parents: { R: failing[name]! } }, async (host) => {
      await spawn(host, ["R/C"])
      const { item, running } = await asked(host, deleteNote("C"), "C/c1")
      assert.deepStrictEqual([spoken(item.gate.chain), item.gate.endorsed], [["R escalate"], false])
      assert.isNotEmpty(item.gate.chain?.[0]?.failure)
      assert.deepStrictEqual(host.ran, [])
      await host.decide("C/c1", false)
      assert.strictEqual(fate(await running), "denied user.denied")
    })
  )

  it("U05 whose child's budget is spent is not consulted any more, not after a restart either", async () => {
    const database = databaseFile()
    const { questions, parents: bound } = parents({ R: "endorse" })
    const ask = async (host: Host, id: string) => {
      const { item, running } = await asked(host, deleteNote("C", id), `C/${id}`)
      await host.decide(`C/${id}`, true)
      assert.strictEqual(fate(await running), "completed user.approved")
      return (item.gate.chain ?? []).map(({ failure, verdict }) => [verdict, failure ?? ""].join(" ").trim())
    }
    await onStage({ database, parents: bound }, async (host) => {
      await spawn(host, ["R/C"], { bounds: { budget: 1 } })
      assert.deepStrictEqual(await ask(host, "c1"), ["endorse"])
      assert.deepStrictEqual(await ask(host, "c2"), ["escalate budget_exceeded"])
    })
    await onStage({ database, parents: bound }, async (host) => {
      await host.gate.agents.resume("s1", "C")
      assert.deepStrictEqual(await ask(host, "c3"), ["escalate budget_exceeded"])
    })
    assert.lengthOf(questions, 1)
  })

  it("U08 that still judges when its child is cancelled changes nothing, and what was said is kept", () => {
    const { parents: bound } = parents({ C1: "endorse" })
    let thinking = false
    const silent = () => {
      thinking = true
      return hangs()
    }
    return onStage({ parents: { ...bound, R: silent } }, async (host) => {
      await spawn(host, ["R/C1", "C1/G"])
      const running = host.run(deleteNote("G"))
      await until(
        () => thinking,
        (begun) => begun
      )
      await host.gate.desk.cancel("s1", "G")
      const result = await running
      assert.strictEqual(fate(result), "denied ask.canceled")
      const { adjudicationChain, basis } = await recordOf(host, "c1")
      assert.deepStrictEqual([basis, ...spoken(adjudicationChain)], ["canceled", "C1 endorse"])
      assert.deepStrictEqual([host.ran, host.cards("G/c1"), await host.gate.desk.pending()], [[], [], []])
      assert.deepStrictEqual(
        host.permissions("c1").map(({ basis }) => basis),
        ["canceled"]
      )
    })
  })

  it.each(["settle", "revoke"] as const)("U09 that is %sd stops a child that waits before its tool runs", (end) =>
    onStage({ parents: parents({ C1: "endorse", R: "endorse" }).parents }, async (host) => {
      await spawn(host, ["R/C1", "C1/G"])
      const { running } = await asked(host, deleteNote("G"), "G/c1")
      const parent = await host.gate.agents.resume("s1", "C1")
      assert.isTrue(await host.gate.agents[end](parent))
      assert.strictEqual(fate(await running), "denied ask.canceled")
      const late = await host.decide("G/c1", true).catch(({ message }: Error) => message)
      assert.strictEqual(late, "ack: confirmation not found")
      assert.strictEqual(fate(await host.run(deleteNote("G", "c2"))), "denied agent.revoked")
      assert.deepStrictEqual([host.ran, statuses(host, "G/c1")], [[], ["pending", "canceled"]])
    })
  )
})

describe("after a restart", () => {
  it("U12 a child's ask still has its chain, and the person's yes runs it once", async () => {
    const database = databaseFile()
    await dies("card shown", database)
    const { questions, parents: bound } = parents({ C1: "reject", R: "reject" })
    const { resume, resumed } = fakeResume()
    const ran: unknown[] = []
    const resolver: NonNullable<HostOptions["resolver"]> = () => ({ delete_note: (args) => void ran.push(args) })
    await onStage({ database, parents: bound, resume, resolver }, async (host) => {
      const { arguments: args, gate, live } = await shown(host, "G/c1")
      assert.deepStrictEqual(
        { live, args, chain: spoken(gate.chain), child: gate.childAgentId, task: gate.childDescription },
        { live: false, args: { id: "n1" }, chain: ["C1 endorse", "R endorse"], child: "G", task: "tidy notes" }
      )
      assert.isTrue(gate.endorsed)
      assert.deepStrictEqual(gate.decision.adjudication?.chain, gate.chain)
      assert.deepStrictEqual(await host.decide("G/c1", true), { path: "recovery", outcome: "approved" })
      assert.deepStrictEqual(ran, [{ id: "n1" }])
      assert.deepStrictEqual(await outcomesOf(host, "c1"), ["completed"])
      assert.deepStrictEqual(spoken((await recordOf(host, "c1")).adjudicationChain), ["C1 endorse", "R endorse"])
    })
    assert.lengthOf(resumed, 1)
    // both had spoken
    assert.deepStrictEqual(questions, [])
  })

  it("U12 between two parents' answers the walk goes on at the second", async () => {
    const database = databaseFile()
    await dies("second parent asked", database)
    const { questions, parents: bound } = parents({ C1: "reject", R: "escalate" })
    await onStage({ database, parents: bound, resume: fakeResume().resume }, async (host) => {
      const { gate } = await shown(host, "G/c1")
      assert.deepStrictEqual(spoken(gate.chain), ["C1 endorse", "R escalate"])
      assert.deepStrictEqual([gate.childAgentId, gate.childDescription, gate.endorsed], ["G", "tidy notes", false])
      assert.deepStrictEqual(
        questions.map(({ chain, parentAgentId }) => [parentAgentId, ...spoken(chain)]),
        [["R", "C1 endorse"]]
      )
      assert.strictEqual((await host.decide("G/c1", false)).outcome, "denied")
      assert.deepStrictEqual(spoken((await recordOf(host, "c1")).adjudicationChain), ["C1 endorse", "R escalate"])
    })
  })
})

describe("a lineage", () => {
  const act = (agentId: string, toolName: string, toolCallId: string) => ({ agentId, toolName, toolCallId })

  it("U17 bounds are hard: neither yolo nor a global grant reaches beyond them", () => {
    const { questions, parents: bound } = parents({ R: "endorse" })
    return onStage({ parents: bound }, async (host) => {
      const elsewhere = await asked(host, { ...act("R", "delete", "c0"), sessionId: "s2" })
      await host.decide("c0", true, { sessionId: "s2", remember: "global" })
      await elsewhere.running
      await host.gate.agents.open({ sessionId: "s1", mode: "yolo" })
      await spawn(host, ["R/C"], { mode: "yolo", bounds: { tools: ["read"] } })
      await spawn(host, ["R/D"], { mode: "yolo", bounds: { tools: ["read", "Agent"] } })
      await spawn(host, ["R/free", "D/below"], { mode: "yolo" })
      assert.strictEqual(fate(await host.run(act("free", "delete", "free"))), "completed mode.yolo")
      const spawning = await spawn(host, ["C/no"]).catch(({ message }: Error) => message)
      assert.include(spawning, "`Agent` lies outside the bounds")
      for (const agentId of ["C", "below"]) {
        const denied = await host.run(act(agentId, "delete", agentId))
        assert.strictEqual(fate(denied), "denied agent.bounds")
        assert.strictEqual(denied.decision.source, "adjudicator")
        assert.strictEqual(fate(await host.run(act(agentId, "read", `${agentId}-read`))), "completed mode.yolo")
      }
      assert.deepStrictEqual([questions, host.cards("C/C"), host.cards("below/below")], [[], [], []])
    })
  })

  it("U18 a grant from a child's card covers what is below it, and neither sibling nor parent", () =>
    onStage({ parents: parents({ R: "endorse", C: "endorse" }).parents }, async (host) => {
      await spawn(host, ["R/C", "R/S", "C/D"])
      const { item, running } = await asked(host, deleteNote("C"), "C/c1")
      assert.deepStrictEqual(
        item.gate.offered.map(({ scope }) => scope),
        ["agent", "session", "global"]
      )
      assert.isString((await host.decide("C/c1", true, { remember: "session" })).remembered)
      await running
      for (const agentId of ["C", "D"]) {
        assert.strictEqual(fate(await host.run(deleteNote(agentId, `${agentId}2`))), "completed rule.session.allow")
      }
      for (const [agentId, id] of [
        ["S", "S/S2"],
        ["R", "R2"]
      ] as const) {
        const { running } = await asked(host, deleteNote(agentId, `${agentId}2`), id)
        await host.decide(id, false)
        assert.strictEqual(fate(await running), "denied user.denied")
      }
    }))

  it("U18 the whole session is a choice of its own", () =>
    onStage({ parents: parents({ R: "endorse" }).parents }, async (host) => {
      await spawn(host, ["R/C", "R/S"])
      const { running } = await asked(host, deleteNote("C"), "C/c1")
      await host.decide("C/c1", true, { remember: "session:all" })
      await running
      for (const agentId of ["C", "S", "R"]) {
        assert.strictEqual(fate(await host.run(deleteNote(agentId, `${agentId}2`))), "completed rule.session.allow")
      }
    }))

  it.each([
    ["readOnly", "denied mode.readOnly"],
    ["dontAsk", "denied mode.dontAsk"],
    ["default", "asked"]
  ])("U19 a child in yolo writes no more freely than its root in %s: %s", (mode, expected) =>
    onStage({ mode, parents: parents({ R: "endorse" }).parents }, async (host) => {
      await spawn(host, ["R/C"], { mode: "yolo" })
      await spawn(host, ["C/D"], { mode: "yolo" })
      for (const agentId of ["C", "D"]) {
        const write = { ...act(agentId, "Write", agentId), arguments: { file_path: "/srv/proj/a.txt", content: "a" } }
        const running = host.run(write)
        if (expected !== "asked") {
          assert.strictEqual(fate(await running), expected)
          assert.deepStrictEqual(host.cards(), [])
          continue
        }
        const { gate } = await shown(host, `${agentId}/${agentId}`)
        assert.strictEqual(gate.decision.ruleId, "mode.default")
        await host.decide(`${agentId}/${agentId}`, false)
        assert.strictEqual(fate(await running), "denied user.denied")
      }
      assert.deepStrictEqual(host.ran, [])
    })
  )
})

describe("a root that nobody attends", () => {
  it.each(["default", "yolo", "auto"])("U19 denies what it would ask, whatever asks below it: %s", (mode) => {
    const { questions, parents: bound } = parents({ R: "endorse" })
    return onStage({ mode: "dontAsk", parents: bound }, async (host) => {
      await spawn(host, ["R/C"], { mode })
      assert.strictEqual(fate(await host.run(deleteNote("C"))), "denied mode.dontAsk")
      assert.deepStrictEqual([host.ran, host.cards(), questions], [[], [], []])
    })
  })
})

describe("rules given at a spawn", () => {
  it("U19 hold for the agent and all below it, in yolo too, and for nobody else", () =>
    onStage({ mode: "yolo", parents: parents({ R: "endorse", C: "endorse" }).parents }, async (host) => {
      await spawn(host, ["R/C"], { mode: "yolo", rules: { deny: ["Bash(rm:*)", "x"], ask: ["y"] } })
      await spawn(host, ["C/D", "R/S"], { mode: "yolo" })
      for (const agentId of ["C", "D"]) {
        const denied = await host.run(line(agentId, `${agentId}1`))
        assert.deepStrictEqual([fate(denied), denied.decision.matchedRule], ["denied rule.user.deny", "Bash(rm:*)"])
        assert.strictEqual(
          fate(await host.run({ toolName: "x", agentId, toolCallId: `${agentId}2` })),
          "denied rule.user.deny"
        )
        const { item, running } = await asked(host, line(agentId, `${agentId}3`, "$X build"), `${agentId}/${agentId}3`)
        assert.strictEqual(item.gate.decision.ruleId, "rule.user.deny.possible")
        await host.decide(`${agentId}/${agentId}3`, false)
        await running
      }
      for (const agentId of ["R", "S"])
        assert.strictEqual(fate(await host.run(line(agentId, `${agentId}1`))), "completed mode.yolo")
    }))

  it("U19 ask where the mode asks, below the agent too", () =>
    onStage({ settings: { user: { permissions: { allow: ["y"] } } } }, async (host) => {
      await spawn(host, ["R/C"], { rules: { ask: ["y"] } })
      await spawn(host, ["C/D"])
      assert.strictEqual(fate(await host.run({ toolName: "y" })), "completed rule.user.allow")
      const { item } = await asked(host, { toolName: "y", agentId: "D", toolCallId: "d1" }, "D/d1")
      assert.deepStrictEqual([item.gate.decision.ruleId, item.gate.decision.matchedRule], ["rule.user.ask", "y"])
      await host.decide("D/d1", false)
    }))
})

describe("a refusal", () => {
  it("U21 sticks: a sibling's card shows it, nothing older satisfies it, and the third ask gets no card", () => {
    let verdict = "abstain"
    const { questions, parents: bound } = parents({ R: "endorse" })
    return onStage({ parents: bound, sources: [{ name: "ok", consult: () => verdict }] }, async (host) => {
      await spawn(host, ["R/A", "R/B"])
      // an older grant: B was allowed the same before
      const first = await asked(host, line("B", "b1"), "B/b1")
      await host.decide("B/b1", true, { remember: "session" })
      await first.running
      assert.strictEqual(fate(await host.run(line("B", "b2"))), "completed rule.session.allow")

      const refused = await asked(host, line("A", "a1"), "A/a1")
      await host.decide("A/a1", false, { reason: "keep the build", decidedBy: "p1" })
      assert.strictEqual(fate(await refused.running), "denied user.denied")

      verdict = "allow"
      const { item, running } = await asked(host, line("B", "b3"), "B/b3")
      const { agentId, by, reason, times } = item.gate.refusedBefore ?? {}
      assert.deepStrictEqual([agentId, by, reason, times], ["A", "p1", "keep the build", 1])
      assert.include((await cardOf(host, "B/b3")).text, "refused before: p1 refused the same to A")
      assert.deepStrictEqual(spoken(item.gate.chain), ["R endorse"])
      assert.deepStrictEqual(
        host.ran.map(({ toolCallId }) => toolCallId),
        ["b1", "b2"]
      )
      await host.decide("B/b3", false)
      await running

      questions.length = 0
      for (const [agentId, id] of [
        ["A", "a2"],
        ["B", "b4"],
        ["R", "r1"]
      ] as const) {
        const third = await host.run(line(agentId, id))
        assert.strictEqual(fate(third), "denied ask.refused")
        assert.include(denial(third).text, "a person refused this before")
        assert.deepStrictEqual(statuses(host, id).concat(statuses(host, `${agentId}/${id}`)), [])
      }
      assert.deepStrictEqual(questions, [])
      // what is not the same is no third of it: endorsed as it is, it runs
      assert.strictEqual(fate(await host.run(line("R", "r2", "make all"))), "completed policy.endorsed")
    })
  })

  it("U21 is not satisfied by a classifier's word", () => {
    const safe = { id: "guard", consult: () => ({ verdict: "safe" as const, reason: "fine" }) }
    const write = (agentId: string, toolCallId: string) => ({
      toolName: "Write",
      toolCallId,
      agentId,
      arguments: { file_path: "/srv/proj/a.txt", content: "a" }
    })
    let enabled = false
    const classifier = { ...safe, consult: () => (enabled ? safe.consult() : { verdict: "none" as const, reason: "" }) }
    return onStage({ mode: "auto", classifier, parents: parents({ R: "endorse" }).parents }, async (host) => {
      await spawn(host, ["R/A", "R/B"])
      const refused = await asked(host, write("A", "a1"), "A/a1")
      await host.decide("A/a1", false)
      await refused.running
      enabled = true
      const other = { ...write("B", "b0"), arguments: { file_path: "/srv/proj/b.txt", content: "b" } }
      assert.strictEqual(fate(await host.run(other)), "completed classifier.allow")
      const { item, running } = await asked(host, write("B", "b1"), "B/b1")
      assert.strictEqual(item.gate.refusedBefore?.agentId, "A")
      // a later yes takes it away
      await host.decide("B/b1", true)
      await running
      assert.strictEqual(fate(await host.run(write("A", "a2"))), "completed classifier.allow")
    })
  })
})
