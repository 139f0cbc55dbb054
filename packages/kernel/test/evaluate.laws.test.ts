/**
 * The invariants of `pipeline.md` 6 and the table of what satisfies which ask, as properties over small worlds:
 * tightening anything never loosens an outcome, and nothing that comes later turns a hard denial into anything else.
 */
import { type AskKind, evaluate, type Ruling } from "@countersign/kernel"
import { assert, describe, it } from "@effect/vitest"
import { handMade } from "../../../test/reference/handMade.ts"
import { seeded, type Random } from "../../../test/reference/random.ts"
import { smallWorld } from "../../../test/reference/smallWorld.ts"
import type { RuleRow, World, WorldAgent } from "../../../test/reference/World.ts"

const count = 20_000
const ruling = (world: World) => evaluate(handMade(world)).ruling

const strictness = ({ ask, decision }: Ruling) => (decision === "deny" ? 6 : ask === undefined ? 0 : askStrictness[ask])
const askStrictness: Readonly<Record<AskKind, number>> = {
  interaction: 5,
  forced: 5,
  alwaysAsk: 4,
  rule: 3,
  tier: 2,
  fallback: 1
}

type Change = (world: World, random: Random) => World

const row =
  (behavior: "ask" | "deny", layers: readonly [RuleRow[1], ...RuleRow[1][]]) =>
  ({ call }: World, random: Random): RuleRow => [
    behavior,
    random.pick(layers),
    call.tool,
    random.chance(0.5) ? undefined : call.content
  ]

const anyLayer = ["policy", "user", "projectLocal", "projectShared"] as const
const projectLayers = ["projectLocal", "projectShared"] as const

const withRow = (world: World, added: RuleRow): World => ({ ...world, rules: [...world.rules, added] })

/** A mode may be a condition of a rule; what changing it does to such rules is their authors' will. */
const withoutModeConditions = (world: World): World => ({
  ...world,
  rules: world.rules.filter((rule) => rule[4]?.modes === undefined)
})

const changeAgent = (world: World, random: Random, change: (agent: WorldAgent) => WorldAgent): World => {
  const chosen = random.below(world.lineage.length)
  return { ...world, lineage: world.lineage.map((agent, index) => (index === chosen ? change(agent) : agent)) }
}

const ancestor = (random: Random): WorldAgent => ({
  ...smallWorld(random.below(1_000_000), "abstract").lineage.at(-1)!,
  id: "elder"
})

/** What may be added to a world; each of it only tightens. */
const tightenings: Readonly<Record<string, Change>> = {
  "a forced confirm of a policy source": (world) => ({
    ...world,
    policy: world.policy === "deny" ? "deny" : "confirm"
  }),
  "a forced confirm of a hook": (world) => ({ ...world, hookForced: true }),
  "a policy source's denial": (world) => ({ ...world, policy: "deny" }),
  "a disallowed tool": (world) => ({ ...world, disallowed: [...world.disallowed, world.call.tool] }),
  "a tier that denies": (world) => ({ ...world, tier: "deny" }),
  "a deny rule": (world, random) => withRow(world, row("deny", anyLayer)(world, random)),
  "an ask rule": (world, random) => withRow(world, row("ask", anyLayer)(world, random)),
  "a layer that can't be read": (world, random) => ({ ...world, blind: [...world.blind, random.pick(anyLayer)] }),
  "a floor that may forbid": (world) => ({
    ...world,
    call: { ...world.call, floor: world.call.floor === "forbids" ? "forbids" : "may forbid" }
  }),
  "read-only mode": (world, random) => changeAgent(world, random, (agent) => ({ ...agent, mode: "readOnly" })),
  "an ancestor": (world, random) => ({ ...world, lineage: [...world.lineage, ancestor(random)] }),
  "a bound": (world, random) =>
    changeAgent(world, random, (agent) => ({ ...agent, tools: (agent.tools ?? ["Bash", "alpha"]).slice(1) })),
  "a spawn rule": (world, random) =>
    changeAgent(world, random, (agent) => ({
      ...agent,
      rules: [...agent.rules, row(random.pick(["ask", "deny"]), ["user"])(world, random)]
    })),
  "a refusal": (world) => ({ ...world, refusedAt: 21 }),
  "yolo switched off": (world) => ({ ...world, yoloDisabled: true }),
  "an untrusted project file's rule": (world, random) =>
    withRow(world, row(random.pick(["ask", "deny"]), projectLayers)(world, random)),
  "an untrusted project file's tier": (world, random) => ({
    ...world,
    tier: world.tier === "deny" ? "deny" : random.pick(["confirm", "deny"])
  }),
  "an untrusted project file's disallowed tool": (world) => ({
    ...world,
    disallowed: [...world.disallowed, world.call.tool]
  }),
  "an untrusted project file's `readOnly: false`": (world) => ({ ...world, call: { ...world.call, readOnly: false } }),
  "an untrusted project file's mode, as one more ancestor's": (world, random) => ({
    ...world,
    lineage: [
      ...world.lineage,
      { id: "project", mode: random.pick(["default", "acceptEdits", "readOnly", "yolo"]), tools: undefined, rules: [] }
    ]
  })
}

describe("tightening (6.2)", () => {
  for (const [name, change] of Object.entries(tightenings)) {
    it(`${name} never makes an outcome more permissive`, () => {
      let stricter = 0
      for (let seed = 0; seed < count; seed++) {
        const random = seeded(seed + 7_000_000)
        const drawn = smallWorld(seed, "abstract")
        const world = name === "read-only mode" ? withoutModeConditions(drawn) : drawn
        const before = ruling(world)
        const after = ruling(change(world, random))
        if (strictness(after) < strictness(before)) assert.fail(JSON.stringify({ seed, before, after, world }))
        if (strictness(after) > strictness(before)) stricter++
      }
      assert.isAbove(stricter, 20, "hardly any world was tightened: the property is empty")
    })
  }
})

/** What may be changed after the fact; none of it reaches a hard denial. */
const loosenings: Readonly<Record<string, Change>> = {
  "a later allow rule, pre-approval and white list": (world) => ({
    ...withRow(world, ["allow", "policy", world.call.tool]),
    preapproved: "tool.webfetch.preapproved",
    whiteList: [world.call.tool]
  }),
  "grants of every reach": (world) => ({
    ...world,
    grants: (["session", "agent", "global"] as const).map((reach) => ({ reach, at: 22 }))
  }),
  "a tier that allows": (world) => ({ ...world, tier: world.tier === "deny" ? "deny" : "allow" }),
  "an endorsement": (world) => ({ ...world, policy: world.policy === "deny" ? "deny" : "allow" }),
  "no demand of a hook": (world) => ({ ...world, hookForced: false }),
  "a tool that always asks, with a grant": (world) => ({
    ...world,
    alwaysAsk: world.lineage.some(({ mode }) => mode === "readOnly") ? world.alwaysAsk : true,
    grants: [{ reach: "session", at: 22 }]
  }),
  "a tool that talks with the person": (world) => ({
    ...world,
    interaction: world.lineage.some(({ mode }) => mode === "readOnly") ? world.interaction : true
  })
}

describe("a hard denial (6.1)", () => {
  for (const [name, change] of Object.entries(loosenings)) {
    it(`outlives ${name}`, () => {
      for (let seed = 0; seed < count; seed++) {
        const world = smallWorld(seed, "abstract")
        const before = ruling(world)
        // C7: a session grant lets a tool that always asks run even in read-only mode, so S8's denial is not hard
        if (before.decision !== "deny" || (before.ruleId === "mode.readOnly" && world.alwaysAsk)) continue
        const after = ruling(change(world, seeded(seed)))
        if (after.decision !== "deny") assert.fail(JSON.stringify({ seed, before, after, world }))
      }
    })
  }

  it("outlives any mode, where no mode was its ground", () => {
    for (let seed = 0; seed < count; seed++) {
      const world = withoutModeConditions(smallWorld(seed, "abstract"))
      const before = ruling(world)
      if (before.decision !== "deny" || before.ruleId === "mode.readOnly") continue
      for (const mode of ["default", "acceptEdits", "auto", "dontAsk", "yolo"] as const) {
        const after = ruling({ ...world, lineage: world.lineage.map((agent) => ({ ...agent, mode })) })
        if (after.decision !== "deny") assert.fail(JSON.stringify({ seed, mode, before, after, world }))
      }
    }
  })
})

/** The columns of the document's table 5 that belong to S2 to S20. */
const satisfiers: Readonly<Record<string, Change>> = {
  "session grant": (world) => ({ ...world, grants: [...world.grants, { reach: "session", at: 22 }] }),
  "agent grant": (world) => ({ ...world, grants: [...world.grants, { reach: "agent", at: 22 }] }),
  "global grant": (world) => ({ ...world, grants: [...world.grants, { reach: "global", at: 22 }] }),
  endorsement: (world) => ({ ...world, policy: world.policy === "confirm" ? "confirm" : "allow" }),
  yolo: (world) => ({ ...world, lineage: world.lineage.map((agent) => ({ ...agent, mode: "yolo" })) }),
  acceptEdits: (world) => ({ ...world, lineage: world.lineage.map((agent) => ({ ...agent, mode: "acceptEdits" })) }),
  "allow rule": (world) => withRow(world, ["allow", "user", world.call.tool]),
  "pre-approve hook": (world) => ({ ...world, preapproved: "tool.webfetch.preapproved" }),
  "white list": (world) => ({ ...world, whiteList: [world.call.tool] })
}

const satisfied: Readonly<Record<AskKind, readonly string[]>> = {
  interaction: [],
  forced: [],
  alwaysAsk: ["session grant", "agent grant"],
  rule: ["yolo"],
  tier: ["session grant", "agent grant", "global grant", "endorsement", "yolo"],
  fallback: Object.keys(satisfiers)
}

describe("what satisfies which ask (table 5)", () => {
  for (const [kind, names] of Object.entries(satisfied)) {
    for (const [name, change] of Object.entries(satisfiers)) {
      it(`${kind} ask: ${name} ${names.includes(name) ? "satisfies it" : "does not"}`, () => {
        let tried = 0
        for (let seed = 0; seed < count; seed++) {
          const world = forTable(smallWorld(seed, "abstract"))
          const before = ruling(world)
          if (before.ask !== kind) continue
          tried++
          const after = ruling(change(world, seeded(seed)))
          if ((after.decision === "allow") !== names.includes(name))
            assert.fail(JSON.stringify({ seed, before, after, world }))
        }
        assert.isAbove(tried, 50, "hardly any world asked in this way")
      })
    }
  }
})

/** The world with what the table leaves out taken away: conditions on modes, earlier refusals, switches, non-edits. */
function forTable(world: World): World {
  const { refusedAt: _, ...rest } = withoutModeConditions(world)
  const lineage = rest.lineage.slice(0, 1)
  return { ...rest, lineage, refusedAt: undefined, yoloDisabled: false, call: { ...rest.call, edit: true } }
}

describe("a refusal", () => {
  it("takes older grants and endorsements out of account, and no newer grant", () => {
    for (let seed = 0; seed < count; seed++) {
      const world = smallWorld(seed, "abstract")
      const refused: World = { ...world, refusedAt: 21 }
      const policy = world.policy === "allow" ? "abstain" : world.policy
      const without: World = {
        ...world,
        refusedAt: undefined,
        policy,
        grants: world.grants.filter(({ at }) => at > 21)
      }
      assert.deepStrictEqual(ruling(refused), ruling(without), `seed ${seed}`)
    }
  })
})
