/**
 * Claude Code's settings made ours: what means the same is carried over, what does not is listed with the reason. A rule
 * that would allow more here than there is never carried over.
 */
import { type Behavior, type Json, parseRule, readMode, type RuleLayerName } from "@countersign/kernel"

/** Something that was left out, or that reaches differently. */
export interface Remark {
  /** Where it stands: `permissions.allow[2]`. */
  readonly at: string
  readonly carried: boolean
  /** Lower case, no final period, input in backticks. */
  readonly why: string
}

/** Settings of ours, and what there is to say of the way to them. */
export interface Imported {
  readonly settings: Json
  readonly remarks: readonly Remark[]
}

type Members = { readonly [name: string]: Json }

/** Translates the value of a settings file for one of our layers. */
export function fromClaude(value: Json, layer: RuleLayerName): Imported {
  const remarks: Remark[] = []
  const leave = (at: string, why: string) => void remarks.push({ at, carried: false, why })
  const permissions: Record<string, Json> = {}
  const disable: string[] = []
  for (const [key, member] of Object.entries(membersOf(value, "the file", leave))) {
    if (key === "permissions") {
      for (const [name, said] of Object.entries(membersOf(member, key, leave))) {
        const at = `permissions.${name}`
        if (name === "allow" || name === "ask" || name === "deny") {
          permissions[name] = listOf(said, at, leave).flatMap((rule, index) =>
            ruleOf(rule, name, `${at}[${index}]`, remarks)
          )
        } else if (name === "defaultMode") {
          const mode = modeOf(said, layer, at, leave)
          if (mode !== undefined) permissions[name] = mode
        } else if (name === "additionalDirectories") {
          permissions[name] = listOf(said, at, leave).filter((path, index) =>
            isOurs(path, layer, `${at}[${index}]`, leave)
          )
        } else if (Object.hasOwn(switchedOff, name) && said === "disable") {
          if (layer === "policy") disable.push(switchedOff[name]!)
          else leave(at, "only the policy file may switch a mode off")
        } else leave(at, "Countersign knows nothing like it")
      }
    } else if (key !== "$schema") leave(key, reasons[key] ?? "Countersign has no such setting")
  }
  return { settings: { permissions, ...(disable.length === 0 ? {} : { disable }) }, remarks }
}

const switchedOff: Readonly<Record<string, string>> = { disableBypassPermissionsMode: "yolo", disableAutoMode: "auto" }

const isProject = (layer: RuleLayerName) => layer === "projectLocal" || layer === "projectShared"

/** Why well-known settings stay behind. */
const reasons: Readonly<Record<string, string>> = {
  hooks: "hooks are given to Countersign by the program that embeds it, never by a settings file",
  env: "Countersign sets no environment variables; whoever starts the agent does",
  model: "which model answers is the agent's business",
  apiKeyHelper: "Countersign holds no credentials of models",
  sandbox: "Countersign decides about calls; the sandbox that they run in is the agent's",
  enableAllProjectMcpServers:
    "which servers are connected is the agent's business; rule their tools with `mcp__server`",
  enabledMcpjsonServers: "which servers are connected is the agent's business; rule their tools with `mcp__server`",
  disabledMcpjsonServers: "which servers are connected is the agent's business; deny their tools with `mcp__server`",
  allowManagedHooksOnly: "hooks never come from a settings file",
  allowManagedPermissionRulesOnly: "the policy file beats the other layers' allow rules by its own deny and ask rules"
}

type Leave = (at: string, why: string) => void

function membersOf(value: Json, at: string, leave: Leave): Members {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Members
  leave(at, "it is no object")
  return {}
}

function listOf(value: Json, at: string, leave: Leave): readonly Json[] {
  if (Array.isArray(value)) return value as readonly Json[]
  leave(at, "it is no list")
  return []
}

function modeOf(value: Json, layer: RuleLayerName, at: string, leave: Leave): string | undefined {
  const mode = typeof value === "string" ? readMode(value) : undefined
  if (mode === undefined) leave(at, `${quote(value)} is no mode of Countersign`)
  else if (isProject(layer) && (mode === "yolo" || mode === "auto")) leave(at, `a project may not set \`${mode}\``)
  else return mode
  return undefined
}

function isOurs(path: Json, layer: RuleLayerName, at: string, leave: Leave): boolean {
  if (typeof path !== "string" || path === "") leave(at, "it is no text")
  else if (isProject(layer) && (/^[/~]/.test(path) || path.split("/").includes("..")))
    leave(at, `\`${path}\`: a project may add directories only inside itself`)
  else return true
  return false
}

function ruleOf(value: Json, behavior: Behavior, at: string, remarks: Remark[]): readonly string[] {
  const leave = (why: string): readonly string[] => {
    remarks.push({ at, carried: false, why })
    return []
  }
  if (typeof value !== "string") return leave(`${quote(value)} is no rule`)
  const { faults, rule } = parseRule(value, behavior, "user")
  const fault = faults[0]?.message
  if (rule === undefined || fault !== undefined) return leave(fault ?? `\`${value}\` is no rule`)
  const { content, tool } = rule
  if (content === undefined || tool === "Bash" || tool === "WebFetch" || tool === "Agent") return [value]
  if (tool === "Task") return [`Agent(${content})`]
  if (!pathTools.has(tool)) {
    return leave(
      `\`${value}\`: Countersign does not know what contents of \`${tool}\` are compared with; a rule for all of \`${tool}\` would do`
    )
  }
  const path = pathOf(content, behavior)
  if ("why" in path) return leave(`\`${value}\`: ${path.why}`)
  if (path.remark !== undefined) remarks.push({ at, carried: true, why: `\`${value}\`: ${path.remark}` })
  return [path.content === content ? value : `${tool}(${path.content})`]
}

const pathTools: ReadonlySet<string> = new Set([
  "Read",
  "Grep",
  "Glob",
  "LS",
  "NotebookRead",
  "Edit",
  "Write",
  "MultiEdit",
  "NotebookEdit"
])

type Path = { readonly content: string; readonly remark?: string } | { readonly why: string }

/** A path content in our anchors: `//x` is `/x` here, `/x` is `./x`. */
function pathOf(content: string, behavior: Behavior): Path {
  if (content.startsWith("!")) return { why: "Countersign has no exceptions from a pattern" }
  const atRoot = content.startsWith("//")
  const atProject = !atRoot && content.startsWith("/")
  const ours = atRoot ? content.slice(1) : atProject ? `.${content}` : content
  if (behavior === "allow") {
    if (/(?<!\*\*)\/\*$/.test(ours))
      return { why: `a last \`/*\` means everything below here, one level there; write \`${ours}*\` if that is meant` }
    return { content: ours }
  }
  if (atProject && /\/(?:\*{1,2})?$/.test(ours))
    return { content: ours, remark: "here it also stops a folder of that name at any depth" }
  return { content: ours }
}

const quote = (value: Json) => `\`${JSON.stringify(value)}\``
