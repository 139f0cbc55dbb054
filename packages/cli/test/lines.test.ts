/** Bytes into lines. */
import { assert, describe, it } from "@effect/vitest"
import { linesOf, maxLineBytes, type Line } from "../src/check/lines.ts"

async function all(...pieces: readonly (string | Buffer)[]): Promise<readonly Line[]> {
  async function* source() {
    yield* pieces
  }
  const lines: Line[] = []
  for await (const some of linesOf(source())) lines.push(...some)
  return lines
}

describe("linesOf", () => {
  it("puts lines together across pieces, in the middle of a character too", async () => {
    const bytes = Buffer.from(`{"a":"ü"}\n{"b":1}`)
    for (let cut = 0; cut <= bytes.length; cut++) {
      assert.deepStrictEqual(await all(bytes.subarray(0, cut), bytes.subarray(cut)), [
        { text: `{"a":"ü"}` },
        { text: `{"b":1}` }
      ])
    }
  })

  it("leaves blank lines out and needs no last newline", async () => {
    assert.deepStrictEqual(await all("a\n\n  \r\nb"), [{ text: "a" }, { text: "b" }])
  })

  it("refuses bytes that are no UTF-8, and goes on", async () => {
    assert.deepStrictEqual(await all(Buffer.from([0xff, 0x0a]), "b\n"), [
      { error: "the line is no UTF-8" },
      { text: "b" }
    ])
  })

  it("skips a line that is too long without keeping it, and goes on", async () => {
    const piece = Buffer.alloc(maxLineBytes / 2, 0x61)
    assert.deepStrictEqual(await all(piece, piece, piece, piece, "\nb\n"), [
      { error: `the line is longer than ${maxLineBytes} bytes` },
      { text: "b" }
    ])
  })
})
