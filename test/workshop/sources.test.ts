/** The tests run the TypeScript sources of the packages, under the pinned Node: a stale `dist` can hide nothing. */
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"

const sourceOf = (name: string) => new URL(`../../packages/${name}/src/index.ts`, import.meta.url)

describe("the test run", () => {
  for (const name of ["kernel", "gate", "adjudicator", "cli"]) {
    it(`takes the sources of @countersign/${name}`, () => {
      assert.strictEqual(fileURLToPath(import.meta.resolve(`@countersign/${name}`)), fileURLToPath(sourceOf(name)))
    })
  }

  it.effect("runs effects, and loads a package once however it is named", () =>
    Effect.gen(function* () {
      const named = yield* Effect.promise(() => import("@countersign/kernel"))
      const source = yield* Effect.promise(() => import("../../packages/kernel/src/ToolCall.ts"))
      assert.strictEqual(named.readCall, source.readCall)
    })
  )

  it("is under the pinned Node", () => {
    assert.match(process.version, /^v24\./)
  })
})
