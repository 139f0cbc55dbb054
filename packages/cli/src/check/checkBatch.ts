/** `check --batch`: cases in, one answer a line out, in order, as fast as the reader takes them. */
import { once } from "node:events"
import type { Writable } from "node:stream"
import { lineJudge } from "./checkLine.ts"
import { linesOf } from "./lines.ts"

/** Answers each line of `input` on `output`; true if every one could be judged. */
export async function checkBatch(
  input: AsyncIterable<Buffer | string>,
  output: Writable,
  now: number
): Promise<boolean> {
  const judge = lineJudge(now)
  let answered = true
  for await (const lines of linesOf(input)) {
    let text = ""
    for (const line of lines) {
      const answer = "error" in line ? { id: null, error: line.error } : judge(line.text)
      if ("error" in answer) answered = false
      text += `${JSON.stringify(answer)}\n`
    }
    if (!output.write(text)) await once(output, "drain")
  }
  return answered
}
