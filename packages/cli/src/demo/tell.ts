/** What the watcher of the demo reads: who says what, what was called, how it went and on what ground. */
import type { Style } from "../render/Style.ts"
import { cut, json, oneLine } from "../render/visible.ts"
import type { Telling } from "./play.ts"

/** An event as a line or two, indented by the agent's depth. */
export function tellingText(event: Telling, { bold, cyan, dim, green, red, yellow }: Style): string {
  const indent = "   ".repeat(event.depth)
  const who = bold(oneLine(event.agent))
  switch (event.kind) {
    case "says":
      return `${indent}${who}: ${oneLine(event.words)}`
    case "report":
      return `${indent}${who} ${dim("reports:")} ${oneLine(event.words)}`
    case "went": {
      const { step, went } = event
      if (step.spawn !== undefined && went.status === "completed")
        return `${indent}   ${cyan("spawned")} ${oneLine(step.spawn)}`
      const call = `${oneLine(step.tool ?? "Agent")} ${cut(json(step.input ?? { agent: step.spawn }), 90)}`
      const paint = went.status === "completed" ? green : went.status === "denied" ? red : yellow
      const ground = went.ground === undefined ? "" : dim(` · ${oneLine(went.ground)}`)
      return `${indent}   ${call}\n${indent}   ${paint(went.status)}${ground}  ${dim(cut(oneLine(went.text), 110))}`
    }
  }
}
