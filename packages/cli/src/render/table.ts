/** A table in plain text: columns as wide as they need, the last one cut to the width of the terminal. */
import { cut } from "./visible.ts"

/** Rows under a head, one line each. Cells hold no colour: their width is counted. */
export function tableLines(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  width = 140
): readonly string[] {
  const all = [head, ...rows]
  const widths = head.map((_, column) => Math.max(...all.map((row) => widthOf(row[column] ?? ""))))
  return all.map((row) =>
    cut(
      row
        .map((cell, column) => cell + " ".repeat(widths[column]! - widthOf(cell)))
        .join("  ")
        .trimEnd(),
      width
    )
  )
}

const widthOf = (text: string) => Array.from(text).length
