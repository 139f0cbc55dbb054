/** The kernel against the reference evaluator, on random small worlds with rule sets and subjects made by hand. */
import { bans, evaluate } from "@countersign/kernel"
import { assert, describe, it } from "@effect/vitest"
import { answerOf, disagreement } from "../../../test/reference/compare.ts"
import { referenceBans, referenceEvaluate } from "../../../test/reference/evaluate.ts"
import { handMade } from "../../../test/reference/handMade.ts"
import { quietWorld, smallWorld } from "../../../test/reference/smallWorld.ts"
import type { World } from "../../../test/reference/World.ts"

const worlds = Array.from({ length: 20_000 }, (_, seed) => smallWorld(seed, "abstract"))

/** Every way in which S2 to S20 can end. */
const ends = [
  "floor.remove",
  "tier.deny",
  "rule.disallowedTools",
  "agent.bounds",
  "rule.policy.deny",
  "rule.user.deny",
  "rule.project.deny",
  "policy.deny",
  "tool.userInteraction",
  "rule.session.allow",
  "mode.readOnly",
  "tool.alwaysAsk",
  "hook.forced",
  "rule.policy.deny.possible",
  "rule.user.deny.possible",
  "rule.project.deny.possible",
  "floor.possible",
  "protected.path",
  "policy.forced",
  "mode.yolo",
  "rule.policy.ask",
  "rule.user.ask",
  "rule.project.ask",
  "policy.endorsed",
  "rule.global.allow",
  "tier.confirm",
  "rule.policy.allow",
  "rule.user.allow",
  "rule.project.allow",
  "mode.acceptEdits",
  "tool.webfetch.preapproved",
  "rule.allowedTools",
  "tier.allow",
  "cap.readOnly",
  "mode.default"
]

describe("evaluate", () => {
  it("agrees with the reference on 20 000 small worlds", () => {
    worlds.forEach((world, seed) => {
      const found = disagreement(seed, world, handMade)
      assert.isUndefined(found, JSON.stringify(found))
    })
  })

  it("was asked about worlds that end in every possible way, each a hundred times at least", () => {
    const counts = new Map(ends.map((id) => [id, 0]))
    for (const { ruleId } of worlds.map(referenceEvaluate)) counts.set(ruleId, (counts.get(ruleId) ?? 0) + 1)
    assert.deepStrictEqual([...counts.keys()], ends)
    assert.deepStrictEqual(
      [...counts].filter(([, count]) => count < 100),
      []
    )
  })

  it("gives each agent's own outcome beside the strictest of them", () => {
    worlds.forEach((world, seed) => {
      const { outcomes, ruling } = evaluate(handMade(world))
      assert.deepStrictEqual(
        outcomes.map(({ agentId }) => agentId),
        world.lineage.map(({ id }) => id),
        `seed ${seed}`
      )
      const nearest = outcomes.find(({ agentId }) => agentId === ruling.agentId)
      assert.strictEqual(nearest?.ruleId, ruling.ruleId, `seed ${seed}`)
      const { agentId: _, ...alone } = answerOf(evaluate(handMade(asJudgedBy(world, ruling.agentId))).ruling)
      const { agentId: __, ...whole } = answerOf(ruling)
      if (ruling.agentId === world.lineage[0]!.id) assert.deepStrictEqual(alone, whole, `seed ${seed}`)
    })
  })

  it("traces one entry a step and agent, and says the same with a trace as without", () => {
    for (const [seed, world] of worlds.slice(0, 2_000).entries()) {
      const { trace, ...ruling } = evaluate(handMade(world), { trace: true }).ruling
      assert.deepStrictEqual(ruling, evaluate(handMade(world)).ruling, `seed ${seed}`)
      const ended = trace!.filter(({ effect }) => effect === "allow" || effect === "ask" || effect === "deny")
      assert.deepStrictEqual(
        ended.map(({ agentId }) => agentId),
        world.lineage.map(({ id }) => id),
        `seed ${seed}`
      )
    }
  })
})

describe("a pre-approve hook", () => {
  it("approves nothing under an id that is one of the pipeline's own grounds", () => {
    for (const preapproved of ["user.approved", "mode.yolo", "rule.session.allow", "cap.readOnly", "floor.remove"]) {
      const { decision, ruleId } = evaluate(handMade({ ...quietWorld, preapproved })).ruling
      assert.strictEqual(`${decision} ${ruleId}`, "ask mode.default", preapproved)
    }
  })
})

describe("bans", () => {
  it("agrees with the reference's S2 to S5", () => {
    worlds.forEach((world, seed) => {
      const ruling = bans(handMade(world))
      assert.deepStrictEqual(ruling && answerOf(ruling), referenceBans(world), `seed ${seed}`)
    })
  })

  it("says of one agent's call what evaluate says wherever a ban ends it, whatever policy sources would say", () => {
    worlds
      .filter(({ lineage }) => lineage.length === 1)
      .forEach((world, seed) => {
        const banned = bans(handMade(world))
        for (const policy of ["abstain", "allow", "confirm", "deny", undefined] as const) {
          const { ruling } = evaluate(handMade({ ...world, policy }))
          if (banned === undefined) assert.notInclude(beforeConsulting, ruling.ruleId, `seed ${seed}`)
          else assert.deepStrictEqual(ruling, banned, `seed ${seed}`)
        }
      })
  })

  it("means that evaluate denies, over any lineage", () => {
    worlds.forEach((world, seed) => {
      if (bans(handMade(world)) !== undefined) {
        assert.strictEqual(evaluate(handMade(world)).ruling.decision, "deny", `seed ${seed}`)
      }
    })
  })
})

const beforeConsulting = ends.slice(0, ends.indexOf("policy.deny"))

const asJudgedBy = (world: World, id: string): World => ({
  ...world,
  lineage: world.lineage.filter((agent) => agent.id === id)
})
