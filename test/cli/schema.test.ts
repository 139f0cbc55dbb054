/** `countersign schema` prints the published schema. */
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { countersign } from "./program.ts"

describe("schema", () => {
  it("prints the published JSON Schema and nothing else", async () => {
    const { code, stderr, stdout } = await countersign(["schema"])
    const file = new URL("../../packages/kernel/src/settings/settings.schema.json", import.meta.url)
    assert.deepStrictEqual([code, stderr], [0, ""])
    assert.deepStrictEqual(JSON.parse(stdout), JSON.parse(readFileSync(file, "utf8")))
  })
})
