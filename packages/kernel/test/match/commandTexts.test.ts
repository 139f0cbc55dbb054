import { assert, describe, it } from "@effect/vitest"
import { commandTexts } from "../../src/match/commandTexts.ts"
import type { CommandSubject, Form, PartWord } from "../../src/index.ts"
import { subjectOf } from "./asking.ts"

const textsOf = (line: string) => commandTexts(subjectOf(line).command!)

/** A command of one part, made by hand of these words. */
function made(...texts: readonly string[]): CommandSubject {
  const words = texts.map((text): PartWord => ({ text, value: text, glob: false }))
  const written = texts.join(" ")
  const form: Form = { words, written, plain: written, literalWords: 0, mustName: [] }
  const part = { text: written, allow: [form], ban: [form], unknown: false, readOnly: false }
  const more = { fileCommand: false, free: false, asks: undefined }
  return { text: written, parts: [{ ...part, ...more }], parsed: true, transparent: true }
}

describe("the texts of a command", () => {
  it("are one where all are the same, its words known", () => {
    const { bans, line, opaque, unsure } = textsOf("git push origin")
    assert.deepStrictEqual(bans, [line])
    assert.strictEqual(line.text, "git push origin")
    assert.deepStrictEqual(
      line.words?.map(({ text }) => text),
      ["git", "push", "origin"]
    )
    assert.isFalse(opaque || unsure.length > 0)
  })

  it("hold what is written and what it says, and each only once", () => {
    assert.deepStrictEqual(
      textsOf("git 'push' && git push").bans.map(({ text }) => text),
      ["git 'push'", "git push", "git 'push' && git push"]
    )
  })

  it("take no word for granted that holds a blank, a tab or a line break", () => {
    for (const word of ["a b", "a\tb", "a\nb"]) {
      const { bans } = commandTexts(made("git", word))
      assert.isTrue(bans.every(({ words }) => words === undefined))
      assert.strictEqual(bans[0]?.text, "git a b")
    }
  })
})
