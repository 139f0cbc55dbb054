/** The kernel against the reference once more, with calls really read and rules really compiled. */
import { assert, describe, it } from "@effect/vitest"
import { compiled } from "../../../test/reference/compiled.ts"
import { disagreement } from "../../../test/reference/compare.ts"
import { referenceEvaluate } from "../../../test/reference/evaluate.ts"
import { smallWorld } from "../../../test/reference/smallWorld.ts"

const worlds = Array.from({ length: 5_000 }, (_, seed) => smallWorld(seed, "real"))

describe("evaluate, with real subjects and rule sets", () => {
  it("agrees with the reference on 5 000 small worlds", () => {
    worlds.forEach((world, seed) => {
      const found = disagreement(seed, world, compiled)
      assert.isUndefined(found, JSON.stringify(found))
    })
  })

  it("was asked about each tool and each kind of rule", () => {
    const ends = worlds.map((world) => `${world.call.tool} ${referenceEvaluate(world).ruleId}`)
    for (const end of [
      "rule.user.deny",
      "rule.user.ask",
      "rule.user.allow",
      "rule.allowedTools",
      "rule.disallowedTools",
      "agent.bounds",
      "cap.readOnly",
      "mode.readOnly"
    ]) {
      for (const tool of ["Bash", "alpha"]) assert.include(ends, `${tool} ${end}`)
    }
    for (const end of ["floor.remove", "protected.path", "mode.acceptEdits", "rule.project.deny.possible"]) {
      assert.include(ends, `Bash ${end}`)
    }
  })
})
