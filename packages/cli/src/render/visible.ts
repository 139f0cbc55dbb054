/**
 * Foreign words made harmless: nothing that comes from an agent, a file or a model reaches a terminal with control,
 * format or bidirectional characters in it. What was there stays visible as an escape.
 */

/** Shows a text on one line: line breaks and tabs as `\n` and `\t`, all else that is invisible as `\u{…}`. */
export function oneLine(text: string): string {
  return text.toWellFormed().replace(hidden, (char) => named[char] ?? code(char))
}

/** Shows a text as it stands, line by line; line breaks are kept and nothing else that steers a terminal is. */
export function lines(text: string): readonly string[] {
  return text.split("\n").map((line) => oneLine(line).replaceAll("\\t", "  "))
}

/** A value as JSON on one line. JSON leaves format characters as they are, so they are escaped here. */
export function json(value: unknown): string {
  return oneLine(JSON.stringify(value) ?? "null")
}

/** A value as JSON that a program can read: what would be invisible is escaped as JSON escapes it. */
export function safeJson(value: unknown): string {
  return (JSON.stringify(value) ?? "null").replace(hidden, (char) =>
    Array.from({ length: char.length }, (_, at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, "0")}`).join("")
  )
}

/** Cuts a text to a width, with an ellipsis. */
export function cut(text: string, width: number): string {
  const characters = Array.from(text)
  return characters.length <= width ? text : `${characters.slice(0, width - 1).join("")}…`
}

// controls, formats, line and paragraph separators, private use, unassigned, and whatever renders as nothing
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}]/gu
const named: Readonly<Record<string, string>> = { "\n": "\\n", "\t": "\\t", "\r": "\\r" }
const code = (char: string) => `\\u{${char.codePointAt(0)!.toString(16)}}`
