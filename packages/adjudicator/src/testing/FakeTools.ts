/** A tool resolver whose tools can be swapped, and that writes down what it ran. */
import type { FrozenCall, Json } from "@countersign/kernel"
import { Effect } from "effect"
import type { CallableTool, ToolResolver } from "../Runner.ts"

export interface FakeTools {
  readonly resolver: ToolResolver
  /** What is resolved from now on. */
  tools: Readonly<Record<string, CallableTool>>
  /** Every call that a tool made by `tool` ran. */
  readonly ran: readonly FrozenCall[]
  /** A tool that answers with this. */
  readonly tool: (result: Json) => CallableTool
}

/** A resolver without tools yet. */
export function fakeTools(): FakeTools {
  const ran: FrozenCall[] = []
  const fake: FakeTools = {
    tools: {},
    ran,
    resolver: Effect.sync(() => new Map(Object.entries(fake.tools))),
    tool: (result) => (_, call) =>
      Effect.sync(() => {
        ran.push(call)
        return result
      })
  }
  return fake
}
