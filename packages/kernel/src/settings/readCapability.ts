/** What a settings file says of one tool. A malformed entry counts as tier `confirm`, a readable `deny` stays. */
import type { Node } from "jsonc-parser"
import type { Capability, Family, Subjects, Tier } from "../Capability.ts"
import { meant, nearest } from "./nearest.ts"
import { membersOf, type SettingsReader, valueOf } from "./SettingsReader.ts"

/** The members a tool's entry may have. */
export const capabilityKeys = [
  "tier",
  "readOnly",
  "alwaysAsk",
  "requiresUserInteraction",
  "family",
  "aliases",
  "parameters",
  "subjects"
]
const tiers: readonly Tier[] = ["allow", "confirm", "deny"]
const families: readonly Family[] = ["command", "read", "edit", "fetch"]

type Read = { readonly value: Partial<Capability> } | { readonly fault: string }

/** A tool's entry, as far as it could be read. */
export interface ReadCapability {
  readonly entry: Capability
  /** What is missing in it may be what rules for the tool need to match, or a ban: any call may be banned by it. */
  readonly blind: boolean
}

/** Reads a tool's entry. A malformed one counts as tier `confirm`; what can still be read as stricter is. */
export function readCapability(name: string, node: Node, reader: SettingsReader): ReadCapability {
  if (node.type !== "object") {
    reader.error(node, `the entry of the tool \`${name}\` is not an object, so it counts as tier \`confirm\``)
    return { entry: { tier: "confirm" }, blind: true }
  }
  let entry: Capability = {}
  let sound = true
  let blind = false
  for (const { key, node: at, twice, value } of membersOf(node)) {
    const read: Read = twice ? { fault: `\`${key}\` is given twice` } : readMember(key, valueOf(value))
    if ("value" in read) entry = { ...entry, ...read.value }
    else {
      sound = false
      const part = sternest(key, valueOf(value))
      if (part === undefined) blind = true
      else entry = { ...entry, ...part }
      reader.error(
        capabilityKeys.includes(key) && !twice ? value : at,
        `tool \`${name}\`: ${read.fault}, so it counts as tier \`confirm\``
      )
    }
  }
  return { entry: sound || entry.tier === "deny" ? entry : { ...entry, tier: "confirm" }, blind }
}

/** What a faulty member means at its strictest, if that can be said of the tool alone. */
function sternest(key: string, value: unknown): Capability | undefined {
  if (key === "readOnly") return { readOnly: false }
  if (key !== "tier" || typeof value !== "string") return undefined
  const near = tiers.find((tier) => tier === (nearest(value, tiers) ?? value))
  return near === undefined ? undefined : near === "deny" ? { tier: "deny" } : {}
}

/** What of an entry tightens, and the names of what does not. */
export function tighteningPart(entry: Capability): { readonly kept: Capability; readonly dropped: readonly string[] } {
  const kept: Capability = {
    ...(entry.tier === undefined || entry.tier === "allow" ? {} : { tier: entry.tier }),
    ...(entry.readOnly === false ? { readOnly: false } : {})
  }
  return { kept, dropped: Object.keys(entry).filter((key) => !Object.hasOwn(kept, key)) }
}

function readMember(key: string, value: unknown): Read {
  switch (key) {
    case "tier":
      return readWord("tier", value, tiers, (tier) => ({ tier }))
    case "family":
      return readWord("family", value, families, (family) => ({ family }))
    case "readOnly":
    case "alwaysAsk":
    case "requiresUserInteraction":
      return typeof value === "boolean" ? { value: { [key]: value } } : { fault: `\`${key}\` is not true or false` }
    case "aliases":
    case "parameters":
      return isNames(value) ? { value: { [key]: value } } : { fault: `\`${key}\` is not a list of names` }
    case "subjects":
      return readSubjects(value)
    default:
      return { fault: `unknown key \`${key}\`, ${meant(key, capabilityKeys)}` }
  }
}

function readWord<Word extends string>(
  key: string,
  value: unknown,
  words: readonly Word[],
  wrap: (word: Word) => Partial<Capability>
): Read {
  const word = words.find((word) => word === value)
  if (word !== undefined) return { value: wrap(word) }
  if (typeof value !== "string") return { fault: `\`${key}\` is not a text` }
  return { fault: `unknown ${key} \`${value}\`, ${meant(value, words)}` }
}

function readSubjects(value: unknown): Read {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return { fault: "`subjects` is not an object" }
  const subjects: { -readonly [Key in keyof Subjects]: Subjects[Key] } = {}
  for (const [key, pointer] of Object.entries(value)) {
    if (key === "command") {
      if (!isPointer(pointer)) return { fault: "`subjects.command` is not a JSON pointer" }
      subjects.command = pointer
    } else if (key === "paths" || key === "urls") {
      if (!Array.isArray(pointer) || !pointer.every(isPointer))
        return { fault: `\`subjects.${key}\` is not a list of JSON pointers` }
      subjects[key] = pointer
    } else return { fault: `unknown subject \`${key}\`, ${meant(key, ["command", "paths", "urls"])}` }
  }
  return { value: { subjects } }
}

const isPointer = (value: unknown): value is string => typeof value === "string" && value.startsWith("/")

const isNames = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((name) => typeof name === "string" && name !== "")
