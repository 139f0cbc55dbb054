/** Bytes in, lines out: split at newlines only, checked to be UTF-8, bounded in length. */
import { isUtf8 } from "node:buffer"

/** Longer lines are no cases; they are skipped up to their newline, never kept. */
export const maxLineBytes = 32 * 1024 * 1024

/** A line, or why it can't be read. */
export type Line = { readonly text: string } | { readonly error: string }

/** The lines of a stream of bytes. Blank ones are left out; the last needs no newline. */
export async function* linesOf(source: AsyncIterable<Buffer | string>): AsyncGenerator<readonly Line[]> {
  let rest: Buffer[] = []
  let held = 0
  let tooLong = false
  for await (const piece of source) {
    const chunk = typeof piece === "string" ? Buffer.from(piece) : piece
    const lines: Line[] = []
    let start = 0
    for (let end = chunk.indexOf(0x0a); end !== -1; end = chunk.indexOf(0x0a, start)) {
      const last = chunk.subarray(start, end)
      if (tooLong) lines.push(overlong)
      else push(lines, rest.length === 0 ? last : Buffer.concat([...rest, last]))
      rest = []
      held = 0
      tooLong = false
      start = end + 1
    }
    const tail = chunk.subarray(start)
    held += tail.length
    if (held > maxLineBytes) {
      tooLong = true
      rest = []
    } else if (tail.length > 0) rest.push(tail)
    if (lines.length > 0) yield lines
  }
  const lines: Line[] = []
  if (tooLong) lines.push(overlong)
  else push(lines, Buffer.concat(rest))
  if (lines.length > 0) yield lines
}

const overlong: Line = { error: `the line is longer than ${maxLineBytes} bytes` }

function push(lines: Line[], bytes: Buffer): void {
  if (!isUtf8(bytes)) lines.push({ error: "the line is no UTF-8" })
  else {
    const text = bytes.toString("utf8")
    if (text.trim() !== "") lines.push({ text })
  }
}
