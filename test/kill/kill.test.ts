import { assert, describe, it } from "vitest"
import { deaths, tryDeath } from "./harness.ts"

/** One of each kind of place; `npm run soak -- kill` dies at every one. */
const sample = [
  ["approve", "open.commit.before"],
  ["approve", "open.commit.after"],
  ["approve", "appendEntry.commit.after"],
  ["approve", "show.commit.after"],
  ["approve", "settle.commit.before"],
  ["approve", "settle.commit.after"],
  ["approve", "claim.commit.after"],
  ["approve", "finish.commit.before"],
  ["refuse", "settle.record.after"],
  ["auto", "finish.outcome.before"]
] as const

describe("A gate that is killed", () => {
  it.each(sample)(
    "on the way `%s` at `%s` loses nothing and runs nothing twice",
    async (way, point) => {
      assert.include(
        deaths.map(({ point }) => point),
        point
      )
      const { broken, died } = await tryDeath({ way, point })
      assert.isTrue(died, "the point was never passed")
      assert.deepStrictEqual(broken, [])
    },
    60_000
  )
})
