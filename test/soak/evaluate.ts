/** A million small worlds, made by hand: kernel and reference say the same of each. */
import { agree } from "../reference/agree.ts"
import { handMade } from "../reference/handMade.ts"
import type { SoakOptions, SoakResult } from "./Soak.ts"

export const runs = 1_000_000
export const small = 20_000

/** Each run is one world. */
export const run = async (options: SoakOptions): Promise<SoakResult> => agree("abstract", handMade, options)
