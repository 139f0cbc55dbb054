/**
 * The tools that agents commonly come with: what each is about and can do, unless its registration says otherwise.
 */
import type { Capability } from "../Capability.ts"

const file = (readOnly: boolean, pointer: string): Capability => ({
  family: readOnly ? "read" : "edit",
  ...(readOnly ? { readOnly } : {}),
  subjects: { paths: [pointer] }
})

const tools: Readonly<Record<string, Capability>> = {
  Bash: {
    family: "command",
    subjects: { command: "/command" },
    parameters: ["description", "timeout", "run_in_background"]
  },
  Read: { ...file(true, "/file_path"), parameters: ["offset", "limit", "pages"] },
  Grep: { ...file(true, "/path"), parameters: ["pattern", "glob", "type", "output_mode"] },
  LS: { ...file(true, "/path"), parameters: ["ignore"] },
  Glob: { ...file(true, "/path"), parameters: ["pattern"] },
  NotebookRead: { ...file(true, "/notebook_path"), parameters: ["cell_id"] },
  NotebookEdit: { ...file(false, "/notebook_path"), parameters: ["cell_id", "cell_type", "edit_mode"] },
  Edit: { ...file(false, "/file_path"), parameters: ["replace_all"] },
  Write: file(false, "/file_path"),
  MultiEdit: file(false, "/file_path"),
  ApplyPatch: { family: "edit" },
  WebFetch: { family: "fetch", subjects: { urls: ["/url"] }, parameters: ["prompt"] },
  Agent: { readOnly: true, parameters: ["model", "description", "prompt", "run_in_background", "isolation"] }
}

const unknown: Capability = {}

/** What is known of a tool by its name alone; nothing for a name that is not common. */
export function builtinCapability(toolName: string): Capability {
  return Object.hasOwn(tools, toolName) ? tools[toolName]! : unknown
}

/** The names of the common tools. */
export const builtinTools: readonly string[] = Object.keys(tools)
