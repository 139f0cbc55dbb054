import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { check } from "./check.ts"
import type { Story } from "./Story.ts"
import { Theatre } from "./Theatre.ts"

/** Stories of what no part of the desk does: the words of a rule's denial (gate), and `lint` (kernel). */
const others: ReadonlySet<string> = new Set(["RB263", "RB275"])

const stories = readFileSync(new URL("../../../../test/cases/stories.ndjson", import.meta.url), "utf8")
  .split("\n")
  .filter((line) => line.trim() !== "")
  .map((line) => JSON.parse(line) as Story)
  .filter(({ id }) => !others.has(id))

describe("stories that users told", () => {
  for (const story of stories) {
    it.effect(`${story.id} ${story.why}`, () =>
      Effect.gen(function* () {
        const theatre = new Theatre(story)
        yield* theatre.start()
        for (const [index, step] of story.steps.entries()) {
          if (step.expect === undefined) yield* theatre.perform(step)
          else
            assert.strictEqual(
              yield* check(theatre, step.expect),
              undefined,
              `step ${index + 1}: ${JSON.stringify(step.expect)}`
            )
        }
        yield* theatre.stage.close
      })
    )
  }
})
