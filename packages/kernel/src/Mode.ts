/** The posture an agent works in. Modes are never merged or compared: each agent is judged in its own. */
import { Schema } from "effect"
import { modeWords } from "./readMode.ts"

export const Mode = Schema.Literals(modeWords)
export type Mode = (typeof modeWords)[number]

export { readMode } from "./readMode.ts"
