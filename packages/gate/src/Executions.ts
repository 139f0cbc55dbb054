/**
 * Calls that are being run in this process, so that whoever makes the same call meanwhile shares the outcome of the one
 * execution (C6). A call is here from the moment it is made: how quickly the first one ends makes no difference.
 */
import { Deferred } from "effect"

/** What those who make the same call at the same time have in common. */
export interface Execution<Result> {
  /** The outcome of the execution that took the permit of this case; undefined if none has. */
  readonly of: (caseId: string) => Deferred.Deferred<Result> | undefined
  /** The permit of this case was taken: its outcome is to be awaited from now on. */
  readonly begin: (caseId: string) => Deferred.Deferred<Result>
  /** One caller less; the last takes it all away. */
  readonly leave: () => void
}

export interface Executions<Result> {
  /** One caller more of this call. */
  readonly join: (call: Named) => Execution<Result>
}

interface Named {
  readonly sessionId: string
  readonly agentId: string
  readonly toolCallId: string
}

/** An empty register. */
export function makeExecutions<Result>(): Executions<Result> {
  const calls = new Map<string, { callers: number; readonly outcomes: Map<string, Deferred.Deferred<Result>> }>()
  return {
    join: ({ agentId, sessionId, toolCallId }) => {
      const key = JSON.stringify([sessionId, agentId, toolCallId])
      const call = calls.get(key) ?? { callers: 0, outcomes: new Map<string, Deferred.Deferred<Result>>() }
      calls.set(key, call)
      call.callers++
      return {
        of: (caseId) => call.outcomes.get(caseId),
        begin: (caseId) => {
          const outcome = Deferred.makeUnsafe<Result>()
          call.outcomes.set(caseId, outcome)
          return outcome
        },
        leave: () => {
          call.callers--
          if (call.callers === 0) calls.delete(key)
        }
      }
    }
  }
}
