/**
 * The lists of tools that are allowed or disallowed as a whole. A ban covers families, servers and globs, as deny
 * rules do.
 */
import type { Subject } from "../subject/Subject.ts"
import type { Glob } from "./glob.ts"
import { globSpeaksOf, isServerGlob, isToolGlob, toolGlob, toolsThatSpeak } from "./tool.ts"

export interface ToolList {
  readonly empty: boolean
  /** Whether the list speaks of the call's tool. */
  readonly holds: (subject: Subject) => boolean
}

/** Compiles a list of tool names. */
export function toolList(names: readonly string[], behavior: "allow" | "deny", families: boolean): ToolList {
  const literal = new Set(names.filter((name) => !isToolGlob(name)))
  const globs: readonly Glob[] = names
    .filter((name) => isToolGlob(name) && (behavior === "deny" || isServerGlob(name)))
    .map(toolGlob)
  return {
    empty: literal.size === 0 && globs.length === 0,
    holds: (subject) =>
      // a white list names tools, not families
      toolsThatSpeak(subject, behavior, families).some(
        (tool) => literal.has(tool) && (behavior === "deny" || isOwn(tool, subject))
      ) || globs.some((glob) => globSpeaksOf(glob, subject))
  }
}

const isOwn = (tool: string, subject: Subject) =>
  subject.names.some((name) => name === tool || (tool.startsWith("mcp__") && name.startsWith(`${tool}__`)))
