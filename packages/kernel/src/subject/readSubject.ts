/**
 * What a call is about, read once: its command taken apart, the files it touches, the hosts it reaches. What is
 * malformed or missing reads as something that nothing allows.
 */
import type { Capability, Family } from "../Capability.ts"
import { canonicalize, type Json } from "../Json.ts"
import type { Preset } from "../Preset.ts"
import type { FrozenCall } from "../ToolCall.ts"
import { accessesOf, isInsideWorkspace, toolAccesses } from "./accesses.ts"
import { analyse } from "./command/analyse.ts"
import type { Analysis } from "./command/analysis.ts"
import {
  members,
  patchPaths,
  scalarParameters,
  subjectFieldNames,
  subjectFields,
  topLevelName,
  valuesAt
} from "./fields.ts"
import { type FloorAccess, floorOfAccesses, floorOfExhausted, floorOfVerbs } from "./floor.ts"
import { isProtected } from "./protected.ts"
import type { Access, CommandSubject, Subject, Surroundings } from "./Subject.ts"
import { builtinCapability } from "./tools.ts"

/** Reads what a call is about. What the registration says of the tool wins over what is known of its name. */
export function readSubject(
  call: FrozenCall,
  registered: Capability,
  surroundings: Surroundings,
  preset: Preset
): Subject {
  const builtin = builtinCapability(call.toolName)
  const capability: Capability = { ...builtin, ...registered }
  const family = capability.family
  const reading = readFamily(call, family, capability, surroundings)
  const accesses = reading.accesses.map(({ access }) => access)
  const insideWorkspace = !preset.families || accesses.every((access) => isInsideWorkspace(access, surroundings))
  const protectedWrites = protectedPaths(accesses)
  const readOnly = registered.readOnly ?? (preset.readOnlyTable && (builtin.readOnly ?? reading.readOnly))
  const subject = {
    toolName: call.toolName,
    names: capability.aliases === undefined ? [call.toolName] : [call.toolName, ...capability.aliases],
    declared: capability.parameters ?? [],
    floor: [
      ...floorOfAccesses(reading.accesses, surroundings),
      ...floorOfVerbs(reading.ownVerbs),
      ...(reading.exhausted ? floorOfExhausted : [])
    ],
    protectedWrites,
    readOnly,
    insideWorkspace,
    acceptEdits: insideWorkspace && protectedWrites.length === 0 && reading.edits,
    key: `${call.toolName}\0${reading.key ?? canonicalize(call.arguments)}`,
    arguments: call.arguments
  }
  if (family === undefined || !preset.families) {
    const fields = call.toolName === "Agent" ? agentFields(call.arguments) : subjectFields(call.arguments)
    const names = call.toolName === "Agent" ? agentNames : subjectFieldNames
    return {
      ...subject,
      family: undefined,
      command: undefined,
      accesses: [],
      urls: [],
      fields,
      parameters: scalarParameters(call.arguments, names)
    }
  }
  const parameters = scalarParameters(call.arguments, subjectNames(family, capability))
  return { ...subject, family, command: reading.command, accesses, urls: reading.urls, fields: [], parameters }
}

/** What a family's reading gives. */
interface Reading {
  readonly command: CommandSubject | undefined
  readonly accesses: readonly FloorAccess[]
  readonly urls: readonly string[]
  readonly ownVerbs: readonly string[]
  /** There is more in it than was looked at. */
  readonly exhausted: boolean
  /** It changes nothing, by what it does. */
  readonly readOnly: boolean
  /** It does nothing but edit, or run plain file commands. */
  readonly edits: boolean
  /** Names the subject; undefined where the arguments as a whole do. */
  readonly key: string | undefined
}

const blank: Reading = {
  command: undefined,
  accesses: [],
  urls: [],
  ownVerbs: [],
  exhausted: false,
  readOnly: false,
  edits: false,
  key: undefined
}

function readFamily(
  call: FrozenCall,
  family: Family | undefined,
  capability: Capability,
  surroundings: Surroundings
): Reading {
  switch (family) {
    case "command":
      return readCommand(valuesAt(call.arguments, capability.subjects?.command ?? "/command"), surroundings)
    case "read":
    case "edit":
      return readPaths(call, family, capability, surroundings)
    case "fetch":
      return readUrls((capability.subjects?.urls ?? ["/url"]).flatMap((pointer) => valuesAt(call.arguments, pointer)))
    case undefined:
      return readFamilyless(call, surroundings)
  }
}

/** A command that is no text, or of which there are several, is one that does not parse. */
const unreadable: Reading = {
  ...blank,
  command: { text: "", parts: [], parsed: false, transparent: false },
  exhausted: true
}

function readCommand(values: readonly (Json | undefined)[], surroundings: Surroundings): Reading {
  const [text] = values
  if (typeof text !== "string" || values.length !== 1) return unreadable
  const analysis = analyse(text, surroundings.folder, surroundings.home)
  const { exhausted, ownVerbs, parsed, parts, transparent } = analysis
  const accesses = commandAccesses(analysis, surroundings)
  const understood = parsed && transparent && parts.every(({ asks, unknown }) => asks === undefined && !unknown)
  const writes = accesses.some(({ access }) => access.kind !== "read")
  return {
    command: { text, parts, parsed, transparent },
    accesses,
    urls: [],
    ownVerbs,
    exhausted,
    readOnly: understood && !writes && parts.every(({ free, readOnly }) => readOnly || free),
    edits: understood && writes && parts.every(({ fileCommand, free, readOnly }) => readOnly || free || fileCommand),
    key: text
  }
}

function commandAccesses({ touches }: Analysis, surroundings: Surroundings): readonly FloorAccess[] {
  return touches.flatMap(({ emptied, filtered, path, searched, tree, ...kind }) =>
    accessesOf(
      path,
      {
        glob: kind.glob,
        kind: kind.kind,
        part: kind.part,
        redirect: kind.redirect,
        uncertain: kind.uncertain,
        whole: kind.whole
      },
      surroundings
    ).map((access) => ({ access, emptied, filtered, searched, tree }))
  )
}

const ofTool = (access: Access): FloorAccess => ({
  access,
  tree: false,
  searched: false,
  filtered: false,
  emptied: undefined
})

function readPaths(
  { arguments: args, toolName }: FrozenCall,
  family: "read" | "edit",
  capability: Capability,
  surroundings: Surroundings
): Reading {
  const kind = family === "read" ? "read" : "write"
  const accesses = pathsOf(toolName, args, capability).flatMap(({ path, ...more }) =>
    toolAccesses(path, { kind, ...more }, surroundings)
  )
  return {
    ...blank,
    accesses: accesses.map(ofTool),
    readOnly: false,
    edits: family === "edit" && accesses.length > 0,
    key: accesses.every(({ path }) => path !== undefined) ? accesses.map(({ path }) => path).join("\0") : undefined
  }
}

interface ToolPath {
  readonly path: unknown
  readonly whole?: boolean
  readonly glob?: boolean
}

/** The paths a path tool is given; one that is missing or no text stays in the list as what it is. */
function pathsOf(toolName: string, args: Json, { subjects }: Capability): readonly ToolPath[] {
  const given = members(args)
  if (toolName === "ApplyPatch" && subjects?.paths === undefined) return patchedPaths(args)
  if (toolName === "Grep" || toolName === "LS" || toolName === "Glob") {
    const path = Object.hasOwn(given, "path") ? given["path"] : "."
    const searched: ToolPath = { path, whole: toolName !== "Glob" }
    const pattern = given["pattern"]
    return toolName === "Glob" && pattern !== undefined ? [searched, ...globPaths(path, pattern)] : [searched]
  }
  const pointers =
    subjects?.paths ?? ["file_path", "path", "notebook_path"].filter((name) => Object.hasOwn(given, name))
  const paths = pointers.flatMap((pointer) => valuesAt(args, pointer)).map((path) => ({ path }))
  return paths.length === 0 ? [{ path: undefined }] : paths
}

/** A pattern that leaves the searched folder, or may. */
function globPaths(path: unknown, pattern: Json): readonly ToolPath[] {
  if (typeof pattern !== "string" || typeof path !== "string") return [{ path: undefined }]
  if (!pattern.includes("/") && !pattern.includes("..")) return []
  // `..` behind a star or within braces leads nobody knows where
  if (pattern.includes("..") && /[*?[{]/.test(pattern)) return [{ path: undefined }]
  if (/[{}]/.test(pattern))
    return pattern.startsWith("/") || pattern.includes("{/") ? [{ path: undefined }] : [{ path, whole: true }]
  const rooted = pattern.startsWith("/") || pattern.startsWith("~")
  return [{ path: rooted ? pattern : `${path}/${pattern}`, glob: true }]
}

function patchedPaths(args: Json): readonly ToolPath[] {
  const given = members(args)
  const texts =
    typeof args === "string"
      ? [args]
      : ["patch", "patch_text", "input", "diff"].flatMap((name) =>
          typeof given[name] === "string" ? [given[name]] : []
        )
  const paths = texts.flatMap((text) => patchPaths(text as string))
  return paths.length === 0 ? [{ path: undefined }] : paths.map((path) => ({ path }))
}

/** A URL that is no text reads as the empty one, which is no host's. */
function readUrls(values: readonly (Json | undefined)[]): Reading {
  const urls = values.length === 0 ? [""] : values.map((value) => (typeof value === "string" ? value : ""))
  return { ...blank, urls, key: urls.join("\0") }
}

/** A tool without a family is ruled by its fields; the paths among them still have to lie in the workspace. */
function readFamilyless({ arguments: args, toolName }: FrozenCall, surroundings: Surroundings): Reading {
  const given = members(args)
  const paths = ["file_path", "path"].filter((name) => typeof given[name] === "string")
  const accesses = paths.flatMap((name) => toolAccesses(given[name], { kind: "read" }, surroundings))
  return { ...blank, accesses: accesses.map(ofTool), readOnly: toolName === "Agent" }
}

const agentNames: ReadonlySet<string> = new Set(["subagent_type"])

function agentFields(args: Json): readonly string[] {
  const type = members(args)["subagent_type"]
  return typeof type === "string" ? [type] : []
}

function protectedPaths(accesses: readonly Access[]): readonly string[] {
  const paths = new Set<string>()
  for (const { kind, path, real } of accesses) {
    if (kind === "read" || path === undefined) continue
    if (isProtected(path)) paths.add(path)
    else if (real !== undefined && real !== path && isProtected(real)) paths.add(real)
  }
  return [...paths]
}

const defaults: Readonly<Record<Family, readonly string[]>> = {
  command: ["command"],
  read: ["file_path", "path", "notebook_path"],
  edit: ["file_path", "path", "notebook_path"],
  fetch: ["url"]
}

function subjectNames(family: Family, { subjects }: Capability): ReadonlySet<string> {
  const pointers =
    family === "command"
      ? subjects?.command === undefined
        ? undefined
        : [subjects.command]
      : family === "fetch"
        ? subjects?.urls
        : subjects?.paths
  return new Set((pointers ?? defaults[family]).map(topLevelName))
}
