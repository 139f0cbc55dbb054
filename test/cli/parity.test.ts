/** What `check` says of a call is what a gate would decide: both are asked about every case that both can be asked. */
import { createGate } from "@countersign/adjudicator"
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { lineJudge } from "../../packages/cli/src/check/checkLine.ts"

interface CaseLine {
  readonly id: string
  readonly rules: { readonly [layer: string]: object }
  readonly mode: string
  readonly dialect?: string
  readonly cwd: string
  readonly home: string
  readonly trusted: boolean
  readonly links?: object
  readonly call: { readonly tool: string; readonly input: object }
}

const cases = ["peers", "users", "extra"].flatMap((name) =>
  readFileSync(new URL(`../cases/${name}.ndjson`, import.meta.url), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as CaseLine)
)
// a gate reads the real file system, and settings given as objects are written in the native dialect
const common = cases.filter(({ links }) => links === undefined).map((line) => ({ ...line, dialect: "native" }))

describe("check and the gate", () => {
  it(`decide alike on ${common.length} cases`, async () => {
    const judge = lineJudge(Date.now())
    assert.isAbove(common.length, 200)
    for (const line of common) {
      const { call, cwd, home, id, mode, rules, trusted } = line
      const settings = Object.fromEntries(Object.entries(rules).map(([layer, permissions]) => [layer, { permissions }]))
      const gate = await createGate({ settings, trusted, folder: cwd, home, mode, grants: false })
      try {
        const { decision } = await gate.decide({ toolName: call.tool, arguments: call.input })
        const answer = judge(JSON.stringify(line))
        assert(!("error" in answer), JSON.stringify(answer))
        assert.deepStrictEqual(groundsOf(answer), groundsOf(decision), id)
      } finally {
        await gate.close()
      }
    }
  })
})

const groundsOf = (said: {
  readonly decision: string
  readonly source: string
  readonly ruleId: string
  readonly matchedRule?: string
  readonly sourceLayer?: string
}) => [said.decision, said.source, said.ruleId, said.matchedRule, said.sourceLayer]
