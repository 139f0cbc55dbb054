/** The two reference systems are what the one pipeline becomes under their presets: permgate's chain and ack's. */
import { type PolicySource, PolicySources } from "@countersign/gate"
import { evaluate, type FrozenCall, type PolicyVerdict, presets, type Ruling } from "@countersign/kernel"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Logger } from "effect"
import { ack, type AckAnswer, type AckCall, type AckSource, type AckVerdict } from "../reference/ack.ts"
import { handMade } from "../reference/handMade.ts"
import { permgate, type PermgateAnswer, type PermgateCall } from "../reference/permgate.ts"
import { seeded } from "../reference/random.ts"
import { quietWorld } from "../reference/smallWorld.ts"
import type { RuleRow, World } from "../reference/World.ts"

describe("parity with permgate", () => {
  it("P43 the order is pinned: 20 000 random calls end as in permgate's table of segments 1 to 14", () => {
    const random = seeded(43)
    for (let run = 0; run < 20_000; run++) {
      const call: PermgateCall = {
        mode: random.pick(["default", "yolo", "readOnly"]),
        readOnly: random.chance(0.5),
        alwaysAsk: random.chance(0.3),
        interaction: random.chance(0.15),
        disallowed: random.chance(0.15),
        deny: random.chance(0.15),
        ask: random.chance(0.3),
        allow: random.chance(0.3),
        preapproved: random.pick([undefined, "", "tool.webfetch.preapproved"]),
        whiteListed: random.chance(0.3),
        granted: random.chance(0.4)
      }
      const layer = random.pick(["projectLocal", "projectShared"])
      const content = random.pick([undefined, "src/a", "src*"])
      assert.deepStrictEqual(byPipeline(call, layer, content), permgate(call), JSON.stringify({ run, call }))
    }
  })

  it("U14 parity permgate: with ack's and the gate's parts neutral, every combination ends as in P43's table", () => {
    const met = new Set<string>()
    let compared = 0
    for (const call of allPermgateCalls()) {
      const expected = permgate(call)
      assert.deepStrictEqual(byPipeline(call, "projectShared", undefined), expected, JSON.stringify(call))
      met.add(`${expected.behavior} ${expected.ruleId}`)
      compared++
    }
    assert.strictEqual(compared, 3 * 3 * 2 ** 9)
    assert.deepStrictEqual([...met].sort(), [
      "allow cap.readOnly",
      "allow mode.readOnly",
      "allow mode.yolo",
      "allow rule.allowedTools",
      "allow rule.project.allow",
      "allow rule.session.allow",
      "allow tool.webfetch.preapproved",
      "ask mode.default",
      "ask rule.project.ask",
      "ask tool.alwaysAsk",
      "ask tool.userInteraction",
      "deny mode.readOnly",
      "deny rule.disallowedTools",
      "deny rule.project.deny"
    ])
  })
})

function byPipeline(call: PermgateCall, layer: RuleRow[1], content: string | undefined): PermgateAnswer {
  const rule = (behavior: RuleRow[0]): RuleRow => [behavior, layer, "alpha", content]
  const { decision, ruleId } = evaluate(
    handMade({
      ...quietWorld,
      preset: "permgate",
      call: { ...quietWorld.call, readOnly: call.readOnly },
      lineage: [{ ...quietWorld.lineage[0]!, mode: call.mode }],
      rules: [
        ...(call.allow ? [rule("allow")] : []),
        ...(call.ask ? [rule("ask")] : []),
        ...(call.deny ? [rule("deny")] : [])
      ],
      disallowed: call.disallowed ? ["alpha"] : [],
      whiteList: call.whiteListed ? ["alpha"] : [],
      alwaysAsk: call.alwaysAsk,
      interaction: call.interaction,
      preapproved: call.preapproved,
      grants: call.granted ? [{ reach: "session", at: 10 }] : []
    })
  ).ruling
  return { behavior: decision, ruleId }
}

function* allPermgateCalls(): Generator<PermgateCall> {
  for (const mode of ["default", "yolo", "readOnly"] as const) {
    for (const preapproved of [undefined, "", "tool.webfetch.preapproved"]) {
      for (let bits = 0; bits < 2 ** 9; bits++) {
        const flag = (index: number) => (bits >> index) % 2 === 1
        yield {
          mode,
          preapproved,
          readOnly: flag(0),
          alwaysAsk: flag(1),
          interaction: flag(2),
          disallowed: flag(3),
          deny: flag(4),
          ask: flag(5),
          allow: flag(6),
          whiteListed: flag(7),
          granted: flag(8)
        }
      }
    }
  }
}

describe("parity with ack", () => {
  it.effect("U15 parity ack: every tier, every three sources' words and every grant end as ack's evaluation does", () =>
    Effect.gen(function* () {
      const met = new Set<string>()
      let compared = 0
      for (const sources of allSources()) {
        const policy = yield* consult(sources)
        for (const tier of ["allow", "confirm", "deny"] as const) {
          for (const grants of [[], ["session"], ["global"], ["session", "global"]] as const) {
            const call: AckCall = { tier, sources, granted: grants.length > 0 }
            const world: World = {
              ...quietWorld,
              preset: "ack",
              tier,
              grants: grants.map((reach) => ({ reach, at: 10 }))
            }
            const { ruling } = evaluate({ ...handMade(world), policy })
            const expected = ack(call)
            assert.deepStrictEqual(inAcksWords(ruling, policy), expected, JSON.stringify({ call, policy }))
            met.add(
              expected.ends === "ask"
                ? `ask ${expected.forced}`
                : `${expected.ends} ${expected.basis} ${expected.source}`
            )
            compared++
          }
        }
      }
      assert.strictEqual(compared, 2 * 5 ** 3 * 3 * 4)
      assert.deepStrictEqual([...met].sort(), [
        "allow endorsement ",
        "allow endorsement risk",
        "allow endorsement team",
        "allow grant ",
        "allow tier ",
        "ask false",
        "ask true",
        "deny tier ",
        "deny verdict ",
        "deny verdict risk",
        "deny verdict team"
      ])
    }).pipe(Effect.provide(Logger.layer([])))
  )

  it("U15 parity ack: a tool that nothing classifies has the tier `allow`", () => {
    assert.strictEqual(presets.ack.defaultTier, "allow")
  })
})

/** The words a person of ack would use for the pipeline's ruling. */
function inAcksWords({ ask, basis, decision }: Ruling, policy: PolicyVerdict): AckAnswer {
  if (decision === "ask") return { ends: "ask", forced: ask === "forced" }
  const source = basis === "verdict" || basis === "endorsement" ? (policy.source ?? "") : ""
  return { ends: decision, basis, source } as AckAnswer
}

/** Every word of three sources, two of them named; the anonymous one is given first or last. */
function* allSources(): Generator<readonly AckSource[]> {
  const words: readonly AckVerdict[] = ["abstain", "allow", "confirm", "deny", "error"]
  for (const risk of words) {
    for (const team of words) {
      for (const nobody of words) {
        const named = [
          { name: "risk", says: risk },
          { name: "team", says: team }
        ]
        const anonymous = { name: undefined, says: nobody }
        yield [anonymous, ...named]
        yield [...named, anonymous]
      }
    }
  }
}

const consult = (sources: readonly AckSource[]) =>
  Effect.gen(function* () {
    return yield* (yield* PolicySources).consult(frozenCall)
  }).pipe(Effect.provide(PolicySources.layer(sources.map(policySource))))

const policySource = ({ name, says }: AckSource): PolicySource => ({
  ...(name === undefined ? {} : { name }),
  consult: () => (says === "error" ? Effect.fail(new Error("the authority is out")) : Effect.succeed(says))
})

const frozenCall: FrozenCall = {
  sessionId: "s1",
  agentId: "main",
  toolCallId: "t1",
  toolName: "alpha",
  arguments: { path: "src/a" },
  folder: "/srv/project"
}
