/** A resume runner that writes down which sessions it was asked to continue. */
import { Effect } from "effect"
import type { ResumeRunner } from "../Runner.ts"

export interface FakeRunner extends ResumeRunner {
  /** The sessions that were continued, in order. */
  readonly resumed: readonly string[]
  /** While set, every session is busy with this as the framework's own conflict error. */
  busy: unknown
}

/** `endless`: the continuation never ends. */
export function fakeRunner(options: { readonly endless?: boolean } = {}): FakeRunner {
  const resumed: string[] = []
  const runner: FakeRunner = {
    resumed,
    busy: undefined,
    ready: () => Effect.suspend(() => (runner.busy === undefined ? Effect.void : Effect.fail(runner.busy))),
    run: ({ sessionId }) =>
      Effect.suspend(() => {
        resumed.push(sessionId)
        return options.endless === true ? Effect.never : Effect.void
      })
  }
  return runner
}
