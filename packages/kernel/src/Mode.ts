/** The posture an agent works in. Modes are never merged or compared: each agent is judged in its own. */
import { Schema } from "effect"

export const Mode = Schema.Literals(["default", "acceptEdits", "readOnly", "auto", "dontAsk", "yolo"])
export type Mode = typeof Mode.Type

/** What other programs call the same modes. */
const aliases: Readonly<Record<string, Mode>> = { plan: "readOnly", read_only: "readOnly", bypassPermissions: "yolo" }

/** The mode a word stands for; undefined for an unknown word. */
export function readMode(word: string): Mode | undefined {
  return Mode.literals.find((mode) => mode === word) ?? (Object.hasOwn(aliases, word) ? aliases[word] : undefined)
}
