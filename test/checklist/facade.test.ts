/**
 * The checklist's rows about GateDecision and the hierarchy as far as the kernel alone answers them, with the shipped
 * defaults: G01, G03, G13, G14, G19, G30, G31, U17, U19, U20, U24. The gate's tests hold the rest of them.
 */
import { readFileSync } from "node:fs"
import {
  type Adjudication,
  AdjudicationChainEntry,
  type Bounds,
  type DecisionSource,
  evaluate,
  GateDecision,
  type Grant,
  ground,
  type Mode,
  readCall,
  reasonFor,
  RuleLayerName,
  type Ruling
} from "@countersign/kernel"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { expectTypeOf } from "vitest"
import { handMade } from "../reference/handMade.ts"
import { smallWorld } from "../reference/smallWorld.ts"
import { judged, main, rule } from "./kit/judged.ts"

const layers = ["policy", "user", "projectLocal", "projectShared"] as const
const sources = ["rule", "user", "mode", "policy", "hook", "builtin", "classifier", "adjudicator"] as const
const worldRulings = Array.from({ length: 5_000 }, (_, seed) => evaluate(handMade(smallWorld(seed, "abstract"))).ruling)

describe("a ruling", () => {
  it("G01 has one of three decisions and one of eight sources, and nothing else", () => {
    for (const ruling of worldRulings) {
      assert.include(["allow", "ask", "deny"], ruling.decision)
      assert.include(sources, ruling.source)
      assert.deepStrictEqual({ source: ruling.source, basis: ruling.basis }, { ...ground(ruling.ruleId) })
    }
    assert.deepStrictEqual(new Set(worldRulings.map(({ decision }) => decision)), new Set(["allow", "ask", "deny"]))
    expectTypeOf<Ruling["decision"]>().toEqualTypeOf<"allow" | "ask" | "deny">()
    expectTypeOf<DecisionSource>().toEqualTypeOf<(typeof sources)[number]>()
  })

  it("G01 G03 of a real call has them too, whatever the tool, the input and the mode", () => {
    const inputs = [
      null,
      42,
      '"text"',
      [],
      {},
      { command: "ls" },
      { command: "rm -rf /" },
      { command: 1 },
      { file_path: "/etc/x" }
    ]
    for (const tool of [
      "Bash",
      "Read",
      "Edit",
      "Write",
      "WebFetch",
      "Agent",
      "mcp__x__y",
      "__proto__",
      "constructor"
    ]) {
      for (const input of inputs) {
        for (const mode of ["default", "acceptEdits", "readOnly", "auto", "dontAsk", "yolo"] as const) {
          const ruling = rule({ tool, input, agents: main(mode) })
          assert.include(["allow", "ask", "deny"], ruling.decision)
          assert.include(sources, ruling.source)
          assert.doesNotHaveAnyKeys(ruling, ["matchedRule", "sourceLayer"], "no rule is set")
        }
      }
    }
  })

  it("G03 has no matchedRule where no rule matched: yolo and the fallback", () => {
    const call = {
      tool: "Bash",
      input: { command: "make all" },
      layers: { user: { ask: ["Bash(make all)"], deny: ["Bash(rm:*)"] } }
    }
    const yolo = rule({ ...call, agents: main("yolo") })
    assert.strictEqual(`${yolo.decision} ${yolo.ruleId}`, "allow mode.yolo")
    assert.doesNotHaveAnyKeys(yolo, ["matchedRule", "sourceLayer"])
    const fallback = rule({ ...call, input: { command: "make some" } })
    assert.strictEqual(`${fallback.decision} ${fallback.ruleId}`, "ask mode.default")
    assert.doesNotHaveAnyKeys(fallback, ["matchedRule", "sourceLayer"])
  })

  it("G13 has a sourceLayer exactly where it has a matchedRule, and only on hits of a layer's rule", () => {
    for (const ruling of worldRulings) {
      assert.strictEqual("sourceLayer" in ruling, "matchedRule" in ruling, ruling.ruleId)
      const byRule = /^rule\.(policy|user|project)\.(allow|ask|deny)(\.possible)?$/.exec(ruling.ruleId)
      if (byRule === null) assert.notProperty(ruling, "matchedRule", ruling.ruleId)
      else if (byRule[3] === undefined) assert.property(ruling, "matchedRule", ruling.ruleId)
      if (ruling.sourceLayer !== undefined) {
        assert.strictEqual(byRule?.[1], ruling.sourceLayer.replace(/^project.*/, "project"))
      }
    }
  })

  it("G13 names projectShared for its deny rule, and no layer for a yolo allow", () => {
    const deny = { projectShared: { deny: ["Bash(rm -rf:*)"] } }
    const denied = rule({ tool: "Bash", input: { command: "rm -rf build" }, layers: deny, agents: main("yolo") })
    assert.deepStrictEqual([denied.decision, denied.sourceLayer], ["deny", "projectShared"])
    assert.notProperty(
      rule({ tool: "Bash", input: { command: "make" }, layers: deny, agents: main("yolo") }),
      "sourceLayer"
    )
  })

  it.each(layers)("G14 names the layer and the text of a deny rule in %s", (layer) => {
    const text = "Bash(rm -rf:*)"
    const { decision, matchedRule, ruleId, source, sourceLayer } = rule({
      tool: "Bash",
      input: { command: "rm -rf build" },
      layers: {
        ...Object.fromEntries(layers.map((each) => [each, { ask: ["Bash(rm:*)"] }])),
        [layer]: { deny: [text] }
      }
    })
    assert.deepStrictEqual(
      { decision, matchedRule, ruleId, source, sourceLayer },
      {
        decision: "deny",
        matchedRule: text,
        ruleId: `rule.${layer === "policy" || layer === "user" ? layer : "project"}.deny`,
        source: "rule",
        sourceLayer: layer
      }
    )
  })

  it("G14 names the strongest layer when all of them deny", () => {
    const all = (among: readonly RuleLayerName[]) =>
      Object.fromEntries(among.map((layer) => [layer, { deny: ["Bash(rm:*)"] }]))
    for (const [index, layer] of layers.entries()) {
      const { sourceLayer } = rule({ tool: "Bash", input: { command: "rm x" }, layers: all(layers.slice(index)) })
      assert.strictEqual(sourceLayer, layer)
    }
  })

  it("G19 has no updatedArgs: only the facade puts arguments in the place of the call's", () => {
    expectTypeOf<Ruling>().not.toHaveProperty("updatedArgs")
    expectTypeOf<GateDecision>().toHaveProperty("updatedArgs")
    for (const ruling of worldRulings) assert.notProperty(ruling, "updatedArgs")
  })
})

describe("the facade's types", () => {
  const source = (name: string) => readFileSync(new URL(`../../packages/kernel/src/${name}`, import.meta.url), "utf8")
  const importsOf = (text: string) =>
    [...text.matchAll(/\b(?:from|import)\s*\(?\s*["']([^"']+)["']/g)].map(([, name = ""]) => name)
  const reach = (name: string, seen = new Set<string>()): ReadonlySet<string> => {
    if (seen.has(name)) return seen
    seen.add(name)
    for (const next of importsOf(source(name))) if (next.startsWith("./")) reach(next.slice(2), seen)
    return seen
  }

  it("G30 import nothing of the rule engine, not even by a detour", () => {
    for (const name of ["GateDecision.ts", "AdjudicationChainEntry.ts"]) {
      const reached = [...reach(name)]
      assert.deepStrictEqual(
        reached.filter((file) => /(^|\/)(Rule|Ruling|evaluate|Settings|Subject|compile)/.test(file)),
        [],
        name
      )
      for (const each of reached) {
        assert.deepStrictEqual(
          importsOf(source(each)).filter((from) => !from.startsWith("./") && from !== "effect"),
          [],
          each
        )
      }
    }
    assert.include([...reach("Ruling.ts")], "RuleLayer.ts", "the detours are really followed")
  })

  it("G30 spell the layers' names out as a union of literals", () => {
    assert.match(
      source("GateDecision.ts"),
      /sourceLayer:[^\n]*Literals\(\["policy", "user", "projectLocal", "projectShared"\]\)/
    )
    assert.notMatch(source("GateDecision.ts"), /RuleLayer/)
  })

  it("G31 agree with the engine's in both directions", () => {
    expectTypeOf<NonNullable<GateDecision["sourceLayer"]>>().toEqualTypeOf<RuleLayerName>()
    expectTypeOf<GateDecision["decision"]>().toEqualTypeOf<Ruling["decision"]>()
    expectTypeOf<GateDecision["source"]>().toEqualTypeOf<Ruling["source"]>()
    expectTypeOf<GateDecision["basis"]>().toEqualTypeOf<Ruling["basis"]>()
    expectTypeOf<GateDecision["sourceLayer"]>().toEqualTypeOf<Ruling["sourceLayer"]>()
    expectTypeOf<NonNullable<GateDecision["classifierAdjudication"]>>().toEqualTypeOf<AdjudicationChainEntry>()
    expectTypeOf<Adjudication["chain"][number]>().toEqualTypeOf<AdjudicationChainEntry>()
    expectTypeOf<NonNullable<GateDecision["adjudication"]>>().toEqualTypeOf<Adjudication>()
    expectTypeOf<AdjudicationChainEntry>().toEqualTypeOf<Entry>()
    const isLayer = Schema.is(GateDecision.fields.sourceLayer.schema)
    for (const layer of RuleLayerName.literals) assert.isTrue(isLayer(layer), layer)
    assert.deepStrictEqual(Object.keys(AdjudicationChainEntry.fields), [
      "kind",
      "verdict",
      "reason",
      "adjudicatorId",
      "subjectAgentId",
      "toolName",
      "at",
      "model",
      "usage",
      "failure"
    ])
  })
})

/** The entry as the contract spells it. */
interface Entry {
  readonly kind: "parent" | "classifier"
  readonly verdict: "endorse" | "escalate" | "reject"
  readonly reason: string
  readonly adjudicatorId: string
  readonly subjectAgentId: string
  readonly toolName: string
  readonly at: number
  readonly model?: string
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number }
  readonly failure?: string
}

describe("a lineage", () => {
  const everywhere: Grant = { id: "g", userId: "user", toolName: "delete", createdBy: "user", createdAt: 0 }

  it("U17 bounds are hard: neither yolo nor a global grant reaches beyond them", () => {
    const call = { tool: "delete", input: { note: "n1" }, grants: [everywhere] }
    const child = (mode: Mode, bounds?: Bounds) => [
      { id: "child", mode, ...(bounds && { bounds }) },
      { id: "main", mode }
    ]
    for (const mode of ["yolo", "default"] as const) {
      const { agentId, basis, decision, ruleId, source } = rule({ ...call, agents: child(mode, { tools: ["read"] }) })
      assert.deepStrictEqual(
        { agentId, basis, decision, ruleId, source },
        { agentId: "child", basis: "adjudication", decision: "deny", ruleId: "agent.bounds", source: "adjudicator" }
      )
    }
    assert.strictEqual(rule({ ...call, agents: child("yolo") }).ruleId, "mode.yolo")
    assert.strictEqual(
      rule({ ...call, agents: child("default") }).ruleId,
      "rule.global.allow",
      "the grant covers the call"
    )
    assert.strictEqual(rule({ ...call, tool: "read", agents: child("yolo", { tools: ["read"] }) }).ruleId, "mode.yolo")
  })

  it("U17 an ancestor's bounds hold for its descendants", () => {
    const agents = [
      { id: "grandchild", mode: "yolo" },
      { id: "child", mode: "yolo", bounds: { tools: ["read"] } },
      ...main("yolo")
    ] as const
    const { agentId, decision, ruleId } = rule({ tool: "delete", input: {}, grants: [everywhere], agents })
    assert.deepStrictEqual([decision, ruleId, agentId], ["deny", "agent.bounds", "child"])
  })

  it.each([
    ["readOnly", "deny", "mode.readOnly"],
    ["default", "ask", "mode.default"],
    ["dontAsk", "ask", "mode.default"]
  ] as const)("U19 no child outruns an ancestor: yolo under %s is %s", (mode, decision, ruleId) => {
    const { outcomes, ruling } = judged({
      tool: "Write",
      input: { file_path: "/repo/a.txt", content: "x" },
      agents: [{ id: "child", mode: "yolo" }, ...main(mode)]
    })
    assert.deepStrictEqual([ruling.decision, ruling.ruleId, ruling.agentId], [decision, ruleId, "main"])
    // what S22 looks at: the agent that asks, and its own mode
    assert.deepStrictEqual(
      outcomes.map((outcome) => [outcome.agentId, outcome.decision, outcome.mode]),
      [
        ["child", "allow", "yolo"],
        ["main", decision, mode]
      ]
    )
  })

  it("U19 a middle agent counts as the root does, and yolo under yolo passes", () => {
    const write = { tool: "Write", input: { file_path: "/repo/a.txt", content: "x" } }
    const middle = rule({
      ...write,
      agents: [{ id: "grandchild", mode: "yolo" }, { id: "child", mode: "readOnly" }, ...main("yolo")]
    })
    assert.deepStrictEqual([middle.decision, middle.ruleId, middle.agentId], ["deny", "mode.readOnly", "child"])
    const equal = rule({ ...write, agents: [{ id: "child", mode: "default" }, ...main("default")] })
    assert.deepStrictEqual([equal.ruleId, equal.agentId], ["mode.default", "child"], "the nearest of equals")
    assert.strictEqual(rule({ ...write, agents: [{ id: "child", mode: "yolo" }, ...main("yolo")] }).ruleId, "mode.yolo")
  })
})

describe("a call", () => {
  it("U20 that may be banned asks a person, in yolo too", () => {
    const command = "X=rm; $X -rf build"
    const ruled = (layer: RuleLayerName) =>
      rule({ tool: "Bash", input: { command }, layers: { [layer]: { deny: ["Bash(rm:*)"] } }, agents: main("yolo") })
    const { ask, decision, matchedRule, ruleId, source } = ruled("user")
    assert.deepStrictEqual(
      { ask, decision, matchedRule, ruleId, source },
      { ask: "forced", decision: "ask", matchedRule: "Bash(rm:*)", ruleId: "rule.user.deny.possible", source: "rule" }
    )
    assert.strictEqual(ruled("projectShared").ruleId, "rule.project.deny.possible")
    assert.strictEqual(
      rule({ tool: "Bash", input: { command }, agents: main("yolo") }).ruleId,
      "mode.yolo",
      "without the ban"
    )
  })

  it("U24 whose arguments name a member twice is no call", () => {
    const call = { sessionId: "s", agentId: "main", toolCallId: "c", toolName: "Bash", folder: "/repo" }
    assert.deepStrictEqual(readCall({ ...call, arguments: `{"command":"ls","command":"rm x"}` }), {
      problem: { pointer: "/command", message: "an object holds this name twice" }
    })
    for (const text of [`{"command":"ls`, `{"command":"\\ud800"}`, `{"timeout":9007199254740993}`, "ls"]) {
      assert.property(readCall({ ...call, arguments: text }), "problem", text)
    }
    const read = readCall({ ...call, arguments: `{"command":"ls"}` })
    assert("call" in read)
    assert.isTrue(Object.isFrozen(read.call) && Object.isFrozen(read.call.arguments))
    assert.deepStrictEqual(ground("call.invalid"), { source: "builtin", basis: "builtin" })
    assert.match(reasonFor("call.invalid", "Bash"), /`Bash`.*I-JSON/)
  })
})
