/**
 * The checklist's rows about what ack's gateway decides by itself, with preset `ack`: tiers, policy sources, endorsement
 * and forced confirmation, and the grants that an earlier answer left. A01–A28, A59.
 */
import type { HostOptions } from "@countersign/adjudicator"
import { defaultTexts } from "@countersign/gate"
import { assert, describe, it } from "@effect/vitest"
import { vi } from "vitest"
import { type Host, plain, type Said, textOf, until, withHost } from "./kit/host.ts"

/** A named source that always says the same. */
const says = (name: string, verdict: string) => ({ name, consult: () => verdict })

/** The PermissionEvent of a call in session `s1`, without arguments. */
const event = (toolCallId: string, toolName: string, allowed: boolean, basis: string, ruleId: string, source = "") => ({
  call: { sessionId: "s1", toolCallId, toolName, arguments: {} },
  agentId: "main",
  allowed,
  basis,
  source,
  ruleId
})

/** Runs one call and gives its only terminal, with the text that the model gets if it is denied. */
async function terminal(host: Host, call: Said & { readonly toolCallId: string }) {
  const result = await host.run(call)
  const told = host.permissions(call.toolCallId)
  assert.strictEqual(told.length, 1, `${call.toolCallId} has one terminal`)
  assert.strictEqual(told[0]!.allowed, result.status === "completed")
  assert.strictEqual(
    host.ran.filter(({ toolCallId }) => toolCallId === call.toolCallId).length,
    told[0]!.allowed ? 1 : 0
  )
  assert.deepStrictEqual(host.cards(call.toolCallId), [])
  return { event: told[0]!, text: textOf(result) }
}

/** Begins a call that has to wait for a person: one card, nothing executed, no terminal. */
async function asks(host: Host, call: Said & { readonly toolCallId: string }) {
  const running = host.run(call)
  await host.shown(1, call.sessionId ?? "s1")
  const cards = await until(
    () => host.cards(call.toolCallId),
    ({ length }) => length > 0
  )
  assert.deepStrictEqual(
    cards.map(({ status }) => status),
    ["pending"]
  )
  assert.deepStrictEqual(host.permissions(call.toolCallId), [])
  assert.notInclude(
    host.ran.map(({ toolCallId }) => toolCallId),
    call.toolCallId
  )
  return { running }
}

/** Asks for a call and approves it. */
async function approve(host: Host, call: Said & { readonly toolCallId: string }, remember?: "session" | "global") {
  const sessionId = call.sessionId ?? "s1"
  const running = host.run(call)
  await host.shown(1, sessionId)
  const decided = await host.decide(call.toolCallId, true, {
    sessionId,
    decidedBy: "p1",
    ...(remember === undefined ? {} : { remember })
  })
  assert.strictEqual((await running).status, "completed")
  return decided
}

describe("tiers", () => {
  it("A01 default tier: a tool that nobody classified runs, basis `tier`, without a card", () =>
    withHost({}, async (host) => {
      const { event: told } = await terminal(host, { toolName: "read_note", toolCallId: "c1" })
      assert.deepStrictEqual(plain(told), event("c1", "read_note", true, "tier", "tier.allow") as never)
      assert.deepStrictEqual(host.cards(), [])
    }))

  it("A02 static tier confirm: blocks, one `tool_confirmation` with status `pending`, no PermissionEvent yet", () =>
    withHost({ tiers: { delete_note: "confirm" } }, async (host) => {
      await asks(host, { toolName: "delete_note", toolCallId: "c1", arguments: { id: "n1" } })
      const custom = host.events.filter(({ kind }) => kind === "confirmation")
      assert.strictEqual(custom.length, 1)
      const [only] = custom
      assert(only?.kind === "confirmation")
      assert.deepStrictEqual(
        [only.event.type, only.event.name, only.event.value.status],
        ["CUSTOM", "tool_confirmation", "pending"]
      )
      assert.deepStrictEqual(host.permissions(), [])
      assert.deepStrictEqual(host.ran, [])
    }))

  it("A03 static tier deny: refused, basis `tier`, the model is told TierDisabled and not to retry", () =>
    withHost({ tiers: { drop_db: "deny" } }, async (host) => {
      const { event: told, text } = await terminal(host, { toolName: "drop_db", toolCallId: "c1" })
      assert.deepStrictEqual(plain(told), event("c1", "drop_db", false, "tier", "tier.deny") as never)
      assert.strictEqual(text, defaultTexts.TierDisabled("drop_db"))
      assert.include(text, "Do not retry")
    }))

  it("A04 TierFunc beats the map: it may look at the arguments, and what it leaves open the map decides", async () => {
    const tierFunc: HostOptions["tierFunc"] = ({ arguments: args }) =>
      (args as { readonly force?: boolean }).force === true ? "confirm" : undefined
    await withHost({ tiers: { x: "allow" }, tierFunc }, async (host) => {
      await asks(host, { toolName: "x", toolCallId: "forced", arguments: { force: true } })
      assert.strictEqual((await terminal(host, { toolName: "x", toolCallId: "plain" })).event.basis, "tier")
    })
    await withHost({ tiers: { x: "allow" }, tierFunc: () => "confirm" }, async (host) => {
      await asks(host, { toolName: "x", toolCallId: "c1" })
    })
    await withHost({ tiers: { x: "deny" }, tierFunc: () => "allow" }, async (host) => {
      assert.isTrue((await terminal(host, { toolName: "x", toolCallId: "c1" })).event.allowed)
    })
  })

  it("A05 the map beats the default", () =>
    withHost({ defaultTier: "deny", tiers: { x: "allow" } }, async (host) => {
      const { event: x } = await terminal(host, { toolName: "x", toolCallId: "c1" })
      const { event: y } = await terminal(host, { toolName: "y", toolCallId: "c2" })
      assert.deepStrictEqual(plain([x, y]), [
        event("c1", "x", true, "tier", "tier.allow"),
        event("c2", "y", false, "tier", "tier.deny")
      ] as never)
    }))

  it("A06 tier deny is absolute: neither a policy's allow nor a global grant lifts it", async () => {
    let tier = "confirm"
    let verdict = "abstain"
    const options: HostOptions = { tierFunc: () => tier, sources: [{ name: "ok", consult: () => verdict }] }
    await withHost(options, async (host) => {
      await approve(host, { toolName: "x", toolCallId: "c1" }, "global")
      assert.strictEqual((await terminal(host, { toolName: "x", toolCallId: "c2" })).event.basis, "grant")
      tier = "deny"
      verdict = "allow"
      const { event: told } = await terminal(host, { toolName: "x", toolCallId: "c3" })
      assert.deepStrictEqual(plain(told), event("c3", "x", false, "tier", "tier.deny") as never)
    })
  })
})

describe("policy sources", () => {
  it("A07 a policy's deny: basis `verdict` with its name, whatever the tier", () =>
    withHost({ tiers: { read_note: "allow" }, sources: [says("risk", "deny")] }, async (host) => {
      const { event: told, text } = await terminal(host, { toolName: "read_note", toolCallId: "c1" })
      assert.deepStrictEqual(plain(told), event("c1", "read_note", false, "verdict", "policy.deny", "risk") as never)
      assert.strictEqual(text, defaultTexts.TierDisabled("read_note"))
    }))

  it("A08 the first denying source is named", () =>
    withHost({ sources: [says("p1", "abstain"), says("p2", "deny"), says("p3", "deny")] }, async (host) => {
      const { event: told } = await terminal(host, { toolName: "x", toolCallId: "c1" })
      assert.deepStrictEqual([told.basis, told.source], ["verdict", "p2"])
    }))

  it("A09 an anonymous source has no name", () =>
    withHost({ sources: [{ consult: () => "deny" }] }, async (host) => {
      const { event: told } = await terminal(host, { toolName: "x", toolCallId: "c1" })
      assert.deepStrictEqual(plain(told), event("c1", "x", false, "verdict", "policy.deny", "") as never)
    }))

  it("A10 named ones are consulted first, anonymous ones after", async () => {
    const order: string[] = []
    const noted = (mark: string) => () => {
      order.push(mark)
      return "abstain"
    }
    const sources = [{ consult: noted("a") }, { name: "n", consult: noted("n") }]
    await withHost({ sources }, async (host) => {
      await host.run({ toolName: "x" })
      assert.deepStrictEqual(order, ["n", "a"])
    })
  })

  it("A11 an endorsement lowers tier confirm, under its source's name and without a card", () =>
    withHost({ tiers: { x: "confirm" }, sources: [says("ok", "allow")] }, async (host) => {
      const { event: told } = await terminal(host, { toolName: "x", toolCallId: "c1" })
      assert.deepStrictEqual(plain(told), event("c1", "x", true, "endorsement", "policy.endorsed", "ok") as never)
    }))

  it("A11 the first endorsing source is named", () =>
    withHost(
      { tiers: { x: "confirm" }, sources: [says("p1", "abstain"), says("p2", "allow"), says("p3", "allow")] },
      async (host) => {
        assert.strictEqual((await terminal(host, { toolName: "x", toolCallId: "c1" })).event.source, "p2")
      }
    ))

  it("A12 an endorsement changes nothing of tier allow: basis `tier`, no source", () =>
    withHost({ tiers: { x: "allow" }, sources: [says("ok", "allow")] }, async (host) => {
      const { event: told } = await terminal(host, { toolName: "x", toolCallId: "c1" })
      assert.deepStrictEqual(plain(told), event("c1", "x", true, "tier", "tier.allow") as never)
    }))

  it("A13 a forced confirm asks for a tool of tier allow; only a person ends it", () =>
    withHost({ tiers: { x: "allow" }, sources: [says("risk", "confirm")] }, async (host) => {
      const { running } = await asks(host, { toolName: "x", toolCallId: "c1" })
      await host.decide("c1", true)
      assert.strictEqual((await running).status, "completed")
      assert.deepStrictEqual(host.permissions(), [])
    }))

  it("A14 a forced confirm ignores grants, of the session and global", async () => {
    let verdict = "abstain"
    await withHost({ tiers: { x: "confirm" }, sources: [{ name: "risk", consult: () => verdict }] }, async (host) => {
      await approve(host, { toolName: "x", toolCallId: "c1" }, "session")
      await approve(host, { toolName: "x", toolCallId: "c2", sessionId: "s2" }, "global")
      assert.strictEqual((await terminal(host, { toolName: "x", toolCallId: "c3" })).event.basis, "grant")
      verdict = "confirm"
      await asks(host, { toolName: "x", toolCallId: "c4" })
      assert.deepStrictEqual(host.permissions("c4"), [])
    })
  })

  it("A15 a forced confirm beats an endorsement, whichever spoke first", async () => {
    for (const words of [
      ["allow", "confirm"],
      ["confirm", "allow"]
    ] as const) {
      const sources = words.map((word, index) => says(`p${index + 1}`, word))
      await withHost({ tiers: { x: "confirm" }, sources }, async (host) => {
        await asks(host, { toolName: "x", toolCallId: "c1" })
        assert.deepStrictEqual(host.permissions(), [])
      })
    }
  })

  it("A16 a deny beats all other verdicts", () =>
    withHost(
      { tiers: { x: "confirm" }, sources: [says("p1", "confirm"), says("p2", "allow"), says("p3", "deny")] },
      async (host) => {
        const { event: told } = await terminal(host, { toolName: "x", toolCallId: "c1" })
        assert.deepStrictEqual(plain(told), event("c1", "x", false, "verdict", "policy.deny", "p3") as never)
      }
    ))

  it("A17 who abstains takes no part", () =>
    withHost(
      { tiers: { x: "confirm" }, sources: [says("p1", "abstain"), { consult: () => "abstain" }] },
      async (host) => {
        await asks(host, { toolName: "x", toolCallId: "c1" })
        assert.deepStrictEqual(host.permissions(), [])
      }
    ))

  it("A18 a source that fails, or says no known word, forces a card and one log line names the error", async () => {
    const fails = () => {
      throw new Error("risk is unreachable")
    }
    for (const [consult, words] of [
      [fails, "risk is unreachable"],
      [() => Promise.reject(new Error("risk timed out")), "risk timed out"],
      [() => "ok", "unknown word `ok`"]
    ] as const) {
      const lines: string[] = []
      const write = vi
        .spyOn(console, "log")
        .mockImplementation((...line) => void lines.push(line.map(String).join(" ")))
      try {
        await withHost({ tiers: { x: "allow" }, sources: [{ name: "risk", consult }] }, async (host) => {
          await asks(host, { toolName: "x", toolCallId: "c1" })
          assert.deepStrictEqual([host.permissions(), host.ran], [[], []])
        })
      } finally {
        write.mockRestore()
      }
      assert.strictEqual(lines.length, 1, lines.join("\n"))
      assert.include(lines[0], words)
      assert.include(lines[0], "risk")
    }
  })

  it("A19 a host fails open by itself: its source catches and abstains", async () => {
    const consult = () => {
      try {
        throw new Error("risk is unreachable")
      } catch {
        return "abstain"
      }
    }
    await withHost({ tiers: { x: "allow" }, sources: [{ name: "risk", consult }] }, async (host) => {
      const { event: told } = await terminal(host, { toolName: "x", toolCallId: "c1" })
      assert.deepStrictEqual(plain(told), event("c1", "x", true, "tier", "tier.allow") as never)
    })
  })

  it("A20 consulted for every call, with session, call, tool and arguments", async () => {
    const asked: unknown[] = []
    const consult: NonNullable<HostOptions["sources"]>[number]["consult"] = (call) => {
      const { arguments: args, sessionId, toolCallId, toolName } = call
      asked.push(plain({ sessionId, toolCallId, toolName, arguments: args }))
      return "abstain"
    }
    await withHost({ sources: [{ name: "risk", consult }] }, async (host) => {
      await host.run({ toolName: "x", toolCallId: "c1", arguments: { n: 1 } })
      await host.run({ toolName: "x", toolCallId: "c2", sessionId: "s2", arguments: { n: 2 } })
      assert.deepStrictEqual(asked, [
        { sessionId: "s1", toolCallId: "c1", toolName: "x", arguments: { n: 1 } },
        { sessionId: "s2", toolCallId: "c2", toolName: "x", arguments: { n: 2 } }
      ])
    })
  })
})

describe("grants", () => {
  const tiers = { x: "confirm", y: "confirm" }

  it("A21 a session grant: the tool passes in that session, whatever its arguments, and asks in another", () =>
    withHost({ tiers }, async (host) => {
      const decided = await approve(host, { toolName: "x", toolCallId: "c1", arguments: { id: 1 } }, "session")
      assert.strictEqual(decided.path, "live")
      const { event: told } = await terminal(host, { toolName: "x", toolCallId: "c2" })
      assert.deepStrictEqual(plain(told), event("c2", "x", true, "grant", "rule.session.allow") as never)
      await asks(host, { toolName: "x", toolCallId: "c3", sessionId: "s2" })
      await asks(host, { toolName: "y", toolCallId: "c4" })
    }))

  it("A22 a global grant: the tool passes in every session of the user, and asks another user", () =>
    withHost({ tiers, user: (sessionId) => (sessionId === "s3" ? "u2" : "u1") }, async (host) => {
      await approve(host, { toolName: "x", toolCallId: "c1" }, "global")
      const { event: told } = await terminal(host, { toolName: "x", toolCallId: "c2", sessionId: "s2" })
      assert.deepStrictEqual([told.allowed, told.basis, told.ruleId], [true, "grant", "rule.global.allow"])
      await asks(host, { toolName: "x", toolCallId: "c3", sessionId: "s3" })
    }))

  it("A23 the session's grant comes before the global one, though that is newer", () =>
    withHost({ tiers }, async (host) => {
      await approve(host, { toolName: "x", toolCallId: "c1" }, "session")
      await approve(host, { toolName: "x", toolCallId: "c2", sessionId: "s2" }, "global")
      const grants = await host.gate.grants.list()
      assert.deepStrictEqual(new Set(grants.map(({ sessionId }) => sessionId)), new Set(["s1", undefined]))
      await terminal(host, { toolName: "x", toolCallId: "c3" })
      const [stored] = await host.gate.audit.list({ toolCallId: "c3", kind: "decision" })
      assert(stored?.record.kind === "decision")
      assert.strictEqual(stored.record.grantId, grants.find(({ sessionId }) => sessionId === "s1")!.id)
      assert.strictEqual(stored.record.ruleId, "rule.session.allow")
    }))

  it("A24 what a grant holds: user, session, tool, who gave it, and when in milliseconds", () =>
    withHost({ tiers }, async (host) => {
      const before = Date.now()
      await approve(host, { toolName: "x", toolCallId: "c1", arguments: { id: 1 } }, "session")
      const after = Date.now()
      const [grant, ...others] = await host.gate.grants.list()
      assert.deepStrictEqual(others, [])
      const { createdAt, id, ...rest } = grant!
      assert.deepStrictEqual(rest, { userId: "u1", sessionId: "s1", toolName: "x", createdBy: "p1" })
      assert.isTrue(Number.isInteger(createdAt) && createdAt >= before && createdAt <= after, String(createdAt))
      assert.isNotEmpty(id)
    }))

  it("A25 a refusal leaves no grant", () =>
    withHost({ tiers }, async (host) => {
      const running = host.run({ toolName: "x", toolCallId: "c1" })
      await host.shown()
      assert.deepStrictEqual(await host.decide("c1", false, { remember: "global" }), {
        path: "live",
        outcome: "denied"
      })
      assert.strictEqual((await running).status, "denied")
      assert.deepStrictEqual(await host.gate.grants.list(), [])
      await asks(host, { toolName: "x", toolCallId: "c2" })
    }))

  it("A26 without `remember` there is no grant, and the next call asks", () =>
    withHost({ tiers }, async (host) => {
      assert.deepStrictEqual(await approve(host, { toolName: "x", toolCallId: "c1" }), {
        path: "live",
        outcome: "approved"
      })
      assert.deepStrictEqual(await host.gate.grants.list(), [])
      await asks(host, { toolName: "x", toolCallId: "c2" })
    }))

  it("A27 without a grant source `remember` is ignored", () =>
    withHost({ tiers, grants: false }, async (host) => {
      const decided = await approve(host, { toolName: "x", toolCallId: "c1" }, "session")
      assert.deepStrictEqual([decided.path, decided.outcome], ["live", "approved"])
      assert.deepStrictEqual(await host.gate.grants.list(), [])
      await asks(host, { toolName: "x", toolCallId: "c2" })
    }))

  it("A28 forced and remembered: the next call still asks", () =>
    withHost({ tiers, sources: [says("risk", "confirm")] }, async (host) => {
      const decided = await approve(host, { toolName: "x", toolCallId: "c1" }, "global")
      assert.deepStrictEqual(decided, { path: "live", outcome: "approved", remembered: null })
      await asks(host, { toolName: "x", toolCallId: "c2" })
      assert.deepStrictEqual(host.permissions(), [])
    }))

  it("A59 the user function says whose grants count; a fixed user is one for all sessions", async () => {
    await withHost({ tiers, user: () => "b" }, async (host) => {
      await approve(host, { toolName: "x", toolCallId: "c1" }, "global")
      assert.deepStrictEqual(
        (await host.gate.grants.list({ userId: "b" })).map(({ toolName }) => toolName),
        ["x"]
      )
      assert.deepStrictEqual(await host.gate.grants.list({ userId: "user" }), [])
      assert.strictEqual(
        (await terminal(host, { toolName: "x", toolCallId: "c2", sessionId: "s2" })).event.basis,
        "grant"
      )
    })
  })
})
