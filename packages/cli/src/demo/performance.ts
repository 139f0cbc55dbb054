/** What a performance needs to know: one file in the stage's folder, so that it outlives a process. */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Answer, Script } from "./Script.ts"

/** The plan of a performance; the same for every process that plays a part of it. */
export interface Performance {
  readonly script: Script
  /** The loopback server's address. */
  readonly server: string
  /** Absent: a person at the terminal answers with keys. */
  readonly answers?: readonly Answer[]
}

/** Writes the plan. */
export const writePerformance = (folder: string, performance: Performance): void =>
  writeFileSync(join(folder, "performance.json"), JSON.stringify(performance, null, 2))

/** Reads the plan that `writePerformance` left. */
export const readPerformance = (folder: string): Performance =>
  JSON.parse(readFileSync(join(folder, "performance.json"), "utf8")) as Performance

/** Whether an earlier process of this performance was killed. */
export const wasKilled = (folder: string): boolean => existsSync(join(folder, "killed"))

/** Kills this process as an outage would, once in a performance; does nothing the second time. */
export function dieOnce(folder: string): void {
  if (wasKilled(folder)) return
  writeFileSync(join(folder, "killed"), new Date().toISOString())
  process.kill(process.pid, "SIGKILL")
}
