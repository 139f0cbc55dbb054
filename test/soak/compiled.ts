/** A million small worlds, each call really read and the rules really compiled: kernel and reference say the same. */
import { agree } from "../reference/agree.ts"
import { compiled } from "../reference/compiled.ts"
import type { SoakOptions, SoakResult } from "./Soak.ts"

export const runs = 1_000_000
export const small = 20_000

/** Each run is one world. */
export const run = async (options: SoakOptions): Promise<SoakResult> => agree("real", compiled, options)
