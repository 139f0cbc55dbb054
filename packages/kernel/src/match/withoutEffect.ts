/** Rules that are sound and say nothing: each is skipped alone, with a warning that says why. */
import type { Rule } from "../Rule.ts"
import { isServerGlob, isToolGlob } from "./tool.ts"
import { hostIsSound } from "./url.ts"

const pathTools = new Set([
  "Read",
  "Grep",
  "Glob",
  "LS",
  "NotebookRead",
  "Edit",
  "Write",
  "MultiEdit",
  "NotebookEdit",
  "ApplyPatch"
])

/** The parameters that are what a built-in tool's rules speak of anyway. */
const subjectOf: Readonly<Record<string, string>> = {
  Bash: "command",
  Read: "file_path",
  Edit: "file_path",
  Write: "file_path",
  MultiEdit: "file_path",
  Grep: "path",
  LS: "path",
  Glob: "path",
  NotebookRead: "notebook_path",
  NotebookEdit: "notebook_path",
  WebFetch: "url",
  Agent: "subagent_type"
}

/** Why a rule has no effect, or another one than its author may think; undefined for a rule that speaks. */
export function withoutEffect(rule: Rule): string | undefined {
  const { behavior, content, exact, text, tool } = rule
  const allows = behavior === "allow"
  if (allows && isToolGlob(tool) && !isServerGlob(tool)) {
    const why = "an allow rule holds a `*` in its tool only behind a literal MCP server, as in `mcp__github__get_*`"
    return `\`${text}\` has no effect: ${why}`
  }
  if (content === undefined || exact === true) return undefined
  if (pathTools.has(tool) && content.endsWith(":*")) {
    return allows
      ? `\`${text}\` has no effect: \`:*\` is for commands, a folder is written \`${content.slice(0, -2)}/**\``
      : `\`${text}\`: \`:*\` is for commands; every path that begins so is meant`
  }
  if (Object.hasOwn(subjectOf, tool) && content.startsWith(`${subjectOf[tool]}:`)) {
    return `\`${text}\` has no effect: contents of \`${tool}\` are compared with \`${subjectOf[tool]}\` anyway`
  }
  if (tool === "WebFetch" && allows && !hostIsSound(content)) {
    const why = "write `domain:host` or `scheme://host/path`, the host literal or behind a leading `*.`"
    return `\`${text}\` has no effect: ${why}`
  }
  return undefined
}
