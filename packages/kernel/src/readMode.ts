/** The words for the modes, without any schema: what the settings parser and the fast entry read them by. */
import type { Mode } from "./Mode.ts"

/** The modes, by their own names. */
export const modeWords = ["default", "acceptEdits", "readOnly", "auto", "dontAsk", "yolo"] as const

/** What other programs call the same modes. */
const aliases: Readonly<Record<string, Mode>> = { plan: "readOnly", read_only: "readOnly", bypassPermissions: "yolo" }

/** The mode a word stands for; undefined for an unknown word. */
export function readMode(word: string): Mode | undefined {
  return modeWords.find((mode) => mode === word) ?? (Object.hasOwn(aliases, word) ? aliases[word] : undefined)
}
