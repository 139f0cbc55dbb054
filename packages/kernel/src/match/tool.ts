/**
 * Which rules speak of a tool, by the rule's tool alone: its name and aliases, the family it belongs to, its MCP
 * server, and globs. An allow rule may hold a glob only behind a literal MCP server.
 */
import type { Behavior } from "../Rule.ts"
import type { Subject } from "../subject/Subject.ts"
import { globMatches, globOf, type Glob } from "./glob.ts"

/** The rule tools that cover a whole family of tools. */
const familyTools = { read: "Read", edit: "Edit" } as const

/** Whether a rule's tool is a glob. */
export const isToolGlob = (tool: string) => tool.includes("*")

/** Whether an allow rule's glob counts: `mcp__<server>__` without a star, then anything. */
export const isServerGlob = (tool: string) => /^mcp__[^*]+?__./.test(tool)

/** The glob of a rule's tool. */
export const toolGlob = (tool: string): Glob => globOf(tool)

/** Whether a glob speaks of one of the call's names. */
export const globSpeaksOf = (glob: Glob, subject: Subject) => subject.names.some((name) => globMatches(glob, name))

/**
 * The literal rule tools that speak of the call: exactly its names, the word for its family, its MCP server. For a
 * ban every prefix of a name that ends before `__` may be the server's name.
 */
export function toolsThatSpeak(subject: Subject, behavior: Behavior, families: boolean): readonly string[] {
  const tools = new Set(subject.names)
  if (families) {
    if (subject.family === "read" || subject.family === "edit") tools.add(familyTools[subject.family])
  } else if (tools.has("Write")) tools.add("Edit")
  for (const name of subject.names) {
    if (!name.startsWith("mcp__")) continue
    for (let end = name.indexOf("__", 5); end > 5; end = name.indexOf("__", end + 2)) {
      tools.add(name.slice(0, end))
      if (behavior === "allow") break
    }
  }
  return [...tools]
}
