/**
 * Reading subjects out of a call's arguments: JSON pointers, the fields that a tool without a family is ruled by,
 * its scalar parameters, the paths of a patch.
 */
import type { Json } from "../Json.ts"
import { lexicallyClean } from "./path.ts"

type Members = { readonly [name: string]: Json }

/** The value as an object's members; none for anything else. */
export const members = (value: Json): Members =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Members) : {}

/**
 * The values a JSON pointer leads to, `*` standing for every member of an array. A place that holds nothing gives
 * `undefined`, so that what is missing is never taken for what needs no rule.
 */
export function valuesAt(value: Json, pointer: string): readonly (Json | undefined)[] {
  const steps = pointer.split("/").slice(pointer.startsWith("/") ? 1 : 0)
  let values: readonly (Json | undefined)[] = [value]
  for (const raw of steps) {
    const step = raw.replaceAll("~1", "/").replaceAll("~0", "~")
    values = values.flatMap((each) => (step === "*" ? everyMember(each) : [memberOf(each, step)]))
  }
  return values
}

function everyMember(value: Json | undefined): readonly (Json | undefined)[] {
  if (Array.isArray(value)) return value
  return typeof value === "object" && value !== null ? Object.values(value) : [undefined]
}

function memberOf(value: Json | undefined, name: string): Json | undefined {
  if (Array.isArray(value)) return /^\d+$/.test(name) ? value[Number(name)] : undefined
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Members)[name]
    : undefined
}

/** The first name of a pointer: the top-level argument it leads into. */
export const topLevelName = (pointer: string) => (pointer.startsWith("/") ? pointer.slice(1) : pointer).split("/")[0]!

const fieldNames = ["command", "url", "file_path", "path", "pattern", "patch_text"] as const
const pathNames: ReadonlySet<string> = new Set(["file_path", "path"])

/** The subject fields of a tool without a family, paths cleaned; the string itself where the arguments are one. */
export function subjectFields(value: Json): readonly string[] {
  if (typeof value === "string") return [value]
  const all = members(value)
  return fieldNames.flatMap((name) => {
    const field = Object.hasOwn(all, name) ? all[name] : undefined
    return typeof field !== "string" ? [] : [pathNames.has(name) ? lexicallyClean(field) : field]
  })
}

/** Names of the fields above that the arguments hold. */
export const subjectFieldNames: ReadonlySet<string> = new Set(fieldNames)

/** The top-level scalars as text, without those that are subjects. */
export function scalarParameters(value: Json, subjects: ReadonlySet<string>): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>()
  for (const [name, member] of Object.entries(members(value))) {
    if (!subjects.has(name) && (typeof member !== "object" || member === null)) parameters.set(name, String(member))
  }
  return parameters
}

const headers =
  /^(?:\*\*\* (?:Add|Update|Delete) File: |\*\*\* Move to: |\+\+\+ |--- |rename (?:from|to) |copy to )(.*)$/gm

/** Every path that a patch names: of the envelope form and of unified diffs. */
export function patchPaths(text: string): readonly string[] {
  const paths = new Set<string>()
  for (const [line, name] of text.matchAll(headers)) {
    const path = name!.trim().split("\t")[0]!
    if (path === "" || path === "/dev/null") continue
    const prefixed = (line.startsWith("+++ ") || line.startsWith("--- ")) && /^[ab]\//.test(path)
    paths.add(prefixed ? path.slice(2) : path)
    // with `-p0` the prefix belongs to the path
    if (prefixed) paths.add(path)
  }
  return [...paths]
}
