/**
 * Fault points: a name before and after every statement of the Store's verbs. Nothing happens at them, unless a test
 * that wants to know what survives puts something in their place: a SIGKILL.
 */
import { Context } from "effect"

export interface Faults {
  readonly at: (point: string) => void
}

export const Faults = Context.Reference<Faults>("@countersign/gate/store/Faults", {
  defaultValue: () => ({ at: () => {} })
})

/** The statements of each verb, in order; a statement that a call doesn't need is passed over. */
const statements = {
  terminal: ["begin", "use", "record", "case", "outbox", "commit"],
  open: ["begin", "find", "count", "case", "commit"],
  appendEntry: ["begin", "chain", "commit"],
  show: ["begin", "stage", "outbox", "commit"],
  settle: ["begin", "revision", "case", "grant", "refusal", "use", "bump", "record", "outbox", "commit"],
  claim: ["begin", "claim", "commit"],
  finish: ["begin", "outcome", "record", "commit"]
} as const

export type Verb = keyof typeof statements

/** Every point, as `verb.statement.before` and `verb.statement.after`. */
export const faultPoints: readonly string[] = Object.entries(statements).flatMap(([verb, list]) =>
  list.flatMap((statement) => [`${verb}.${statement}.before`, `${verb}.${statement}.after`])
)

/** Runs one statement of a verb between its two points. */
export interface AtPoints {
  <A>(statement: string, run: () => Promise<A>): Promise<A>
}

/** The points of one verb. */
export const pointsOf =
  (faults: Faults, verb: Verb): AtPoints =>
  async (statement, run) => {
    faults.at(`${verb}.${statement}.before`)
    const result = await run()
    faults.at(`${verb}.${statement}.after`)
    return result
  }
