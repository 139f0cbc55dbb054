/**
 * Handles: what a host holds of an agent that it opened, spawned or took back. A handle is a capability; an object that
 * looks like one but was not given out by this process is none.
 */

/** An agent of a session. Only the registry makes these. */
export interface AgentHandle {
  readonly id: string
  readonly sessionId: string
}

const given = new WeakSet<object>()

/** A fresh handle. For the registry alone: it is not exported from the package. */
export function makeHandle(sessionId: string, id: string): AgentHandle {
  const handle = Object.freeze({ id, sessionId })
  given.add(handle)
  return handle
}

/** Whether the registry of this process gave this very object out. */
export const isHandle = (value: unknown): value is AgentHandle =>
  typeof value === "object" && value !== null && given.has(value)
