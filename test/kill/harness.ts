/** Kills a life at a fault point and looks at what the next ones find. */
import { execFile } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { faultPoints } from "../../packages/gate/src/store/Faults.ts"
import type { Found, Way } from "./scenario.ts"

/** A place to die at. */
export interface Death {
  readonly way: Way
  readonly point: string
}

const automatic = /^(terminal|finish)\./

// no call of the scenario stands on a grant that counts its uses
const points = faultPoints.filter((point) => !point.includes(".use."))

/** Every place at which each way can die. */
export const deaths: readonly Death[] = [
  ...points.filter((point) => !point.startsWith("terminal.")).map((point): Death => ({ way: "approve", point })),
  ...points
    .filter((point) => point.startsWith("settle.") && !point.includes(".grant."))
    .map((point): Death => ({ way: "refuse", point })),
  ...points.filter((point) => automatic.test(point)).map((point): Death => ({ way: "auto", point }))
]

/** What one trial showed. */
export interface Trial {
  /** False: the point was never passed, so nothing was tried. */
  readonly died: boolean
  readonly found: Found
  /** What broke; empty if nothing did. */
  readonly broken: readonly string[]
}

/** Dies at the point, starts again, starts once more: the second start must find what the first left. */
export async function tryDeath({ point, way }: Death): Promise<Trial> {
  const folder = await mkdtemp(join(tmpdir(), "countersign-kill-"))
  try {
    const { signal } = await life(["act", folder, way, point])
    const found = await later(folder, way)
    const again = await later(folder, way)
    return { died: signal === "SIGKILL", found, broken: [...broken({ point, way }, found), ...changed(found, again)] }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function broken({ point, way }: Death, found: Found): readonly string[] {
  const { consulted, decisions, grants, outcomes, pending, ran, undelivered } = found
  const [decision] = decisions
  const allowed = way !== "refuse"
  const saved = decision?.savedGrantId
  return [
    [ran <= 1, `it ran ${ran} times`],
    [decisions.length === 1, `it has ${decisions.length} decisions`],
    [decision?.decision === (allowed ? "allow" : "deny"), `it was ${decision?.decision}`],
    [allowed ? outcomes.length === 1 : outcomes.length === 0, `it has the outcomes ${outcomes.join(", ")}`],
    [ran === 1 || outcomes[0] !== "completed", "it is told as completed and never ran"],
    [ran === 0 || allowed, "it ran although it was refused"],
    [
      saved === undefined ? grants.length === 0 : grants.length === 1 && grants[0] === saved,
      "its grant and its record disagree"
    ],
    [
      way === "approve" ? saved !== undefined : saved === undefined,
      `it ${saved === undefined ? "has no" : "has a"} grant`
    ],
    [way === "auto" || decision?.parents === 1, `its record holds ${decision?.parents} parents' words`],
    // an entry that was committed is not asked for again
    [way === "auto" || !keptEntry.test(point) || consulted === 1, `its parent was consulted ${consulted} times`],
    [pending === 0, "it is pending still"],
    [undelivered === 0, `${undelivered} events were never delivered`]
  ].flatMap(([holds, what]) => (holds ? [] : [String(what)]))
}

const keptEntry = /^(appendEntry\.commit\.after|show|settle|claim|finish)/

const changed = (first: Found, second: Found): readonly string[] =>
  JSON.stringify(first) === JSON.stringify(second)
    ? []
    : [`a further start changed it: ${JSON.stringify([first, second])}`]

async function later(folder: string, way: Way): Promise<Found> {
  const { code, stderr, stdout } = await life(["goOn", folder, way])
  if (code !== 0) throw new Error(`a later life failed: ${stderr}`)
  return JSON.parse(stdout.trim().split("\n").at(-1)!) as Found
}

const child = fileURLToPath(new URL("child.ts", import.meta.url))

/** Runs one life to its end, however it ends. */
const life = (args: readonly string[]) =>
  new Promise<{
    readonly code: number
    readonly signal: string | undefined
    readonly stdout: string
    readonly stderr: string
  }>((resolve) => {
    const options = { timeout: 30_000, env: { ...process.env, NODE_OPTIONS: "" } }
    execFile(
      process.execPath,
      ["--conditions=source", "--disable-warning=ExperimentalWarning", child, ...args],
      options,
      (error, stdout, stderr) => {
        resolve({
          code: error === null ? 0 : Number(error.code ?? 1),
          signal: error?.signal ?? undefined,
          stdout,
          stderr
        })
      }
    )
  })
