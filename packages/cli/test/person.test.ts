/** The person of the demo: keys, and lists of answers. */
import { assert, describe, it } from "@effect/vitest"
import { keyboardPerson, listedPerson } from "../src/demo/person.ts"
import type { CardView } from "../src/render/card.ts"
import { plain } from "../src/render/Style.ts"

const card = (offered: CardView["offered"] = []): CardView => ({
  confirmationId: "c",
  agentId: "a",
  task: "t",
  tool: "Bash",
  folder: "/p",
  arguments: { command: "x" },
  original: undefined,
  decision: { decision: "ask", source: "mode", ruleId: "mode.default" },
  chain: [],
  refusedBefore: undefined,
  offered
})
const offer = [{ scope: "agent", text: "exactly: Bash(x)" }]

function typing(keys: readonly string[], line = "") {
  const left = [...keys]
  const shown: string[] = []
  const keyboard = { nextKey: async () => left.shift()!, nextLine: async () => line }
  return { shown, left, person: keyboardPerson("ada", (text) => shown.push(text), plain, keyboard) }
}

describe("keyboardPerson", () => {
  it("approves with a, and with l for good where something is offered", async () => {
    assert.deepStrictEqual(await typing(["a"]).person.answer(card(), "c"), { approved: true, always: false })
    assert.deepStrictEqual(await typing(["l"]).person.answer(card(offer), "c"), { approved: true, always: true })
  })

  it("refuses with r, with a reason or without one", async () => {
    const why = await typing(["r"], "not now").person.answer(card(), "c")
    assert.deepStrictEqual(why, { approved: false, always: false, reason: "not now" })
    assert.deepStrictEqual(await typing(["r"]).person.answer(card(), "c"), { approved: false, always: false })
  })

  it("takes nothing else for an answer: no other key, and no l where nothing is offered", async () => {
    const { left, person, shown } = typing(["\r", "y", "l", "\u001b[A", "r"])
    assert.strictEqual((await person.answer(card(), "c")).approved, false)
    assert.deepStrictEqual(left, [])
    assert.deepStrictEqual(
      shown.filter((line) => line.endsWith("is no answer")),
      ["  \\r is no answer", "  y is no answer", "  l is no answer", "  \\u{1b}[A is no answer"]
    )
  })
})

describe("listedPerson", () => {
  it("answers what is listed, and refuses what is not", async () => {
    const person = listedPerson([{ call: "c", answer: "always" }], () => {}, plain)
    assert.deepStrictEqual(await person.answer(card(offer), "c"), { approved: true, always: true })
    assert.strictEqual((await person.answer(card(), "other")).approved, false)
  })
})
