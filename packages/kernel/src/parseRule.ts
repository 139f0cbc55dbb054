/**
 * One rule text, or rule object, read. What is not well formed never loosens: an allow rule with a fault is void,
 * a deny or ask rule acts on what can be read of it.
 */
import type { Mode } from "./Mode.ts"
import { modeWords, readMode } from "./readMode.ts"
import type { Behavior, Rule } from "./Rule.ts"
import type { RuleLayerName } from "./RuleLayer.ts"
import { meant } from "./settings/nearest.ts"

/** A fault of a rule, and which part of a rule object it lies in. */
export interface RuleFault {
  /** Lower case, no final period, input in backticks. */
  readonly message: string
  /** The key of the rule object; undefined for the rule as a whole. */
  readonly key?: string
}

/** A call that the rule has to match, or must not: the text of its subject, or its arguments. */
export interface RuleExample {
  readonly key: "match" | "notMatch"
  /** Its place in the list. */
  readonly index: number
  readonly call: string | object
}

/** What could be read of a rule. */
export interface ParsedRule {
  /** Undefined: void. For a ban that means that not even a tool can be read: every call may be banned by it. */
  readonly rule: Rule | undefined
  readonly faults: readonly RuleFault[]
  /** Not tried yet; absent where there are none. */
  readonly examples?: readonly RuleExample[]
}

/** Reads `Tool` or `Tool(content)`; `Tool(*)` is `Tool`. */
export function parseRule(text: string, behavior: Behavior, layer: RuleLayerName): ParsedRule {
  const { content, fault, tool } = split(text)
  const faults = fault === undefined ? [] : [{ message: fault }]
  if (tool === "" || (fault !== undefined && behavior === "allow")) return { rule: undefined, faults }
  return {
    rule: {
      text,
      behavior,
      layer,
      tool,
      ...(content === undefined || (content === "*" && fault === undefined) ? {} : { content }),
      ...(fault === undefined ? {} : { malformed: true })
    },
    faults
  }
}

/** The members a rule object may have. */
export const ruleKeys = [
  "rule",
  "reason",
  "agents",
  "modes",
  "expiresAt",
  "exact",
  "during",
  "limit",
  "match",
  "notMatch"
]

/** Members that the grammar knows and this version does not act on. */
const later = new Set(["during", "limit"])

/** Reads a rule object: `{ rule, reason?, agents?, modes?, expiresAt?, exact?, match?, notMatch? }`. */
export function parseRuleObject(
  members: ReadonlyMap<string, unknown>,
  behavior: Behavior,
  layer: RuleLayerName
): ParsedRule {
  const text = members.get("rule")
  if (typeof text !== "string") {
    const message = members.has("rule") ? "`rule` is not a text" : "a rule object without `rule`"
    return { rule: undefined, faults: [{ message, ...(members.has("rule") ? { key: "rule" } : {}) }] }
  }
  const parsed = parseRule(text, behavior, layer)
  const faults = parsed.faults.map((fault): RuleFault => ({ ...fault, key: "rule" }))
  const more: Partial<Rule> = {}
  const examples: RuleExample[] = []
  for (const [key, value] of members) {
    if (key === "rule") continue
    if (key === "match" || key === "notMatch") {
      if (isCalls(value)) examples.push(...value.map((call, index): RuleExample => ({ key, index, call })))
      else faults.push({ message: `\`${key}\` is not a list of examples, each a text or the arguments of a call`, key })
      continue
    }
    const read = readMember(key, value)
    if ("fault" in read) faults.push({ message: read.fault, key })
    else Object.assign(more, read.member)
  }
  const { rule } = parsed
  if (rule === undefined || (faults.length > 0 && behavior === "allow")) return { rule: undefined, faults }
  // `Tool(*)` with `exact` means the star itself
  const star = more.exact === true && rule.content === undefined && text.trim().endsWith("(*)")
  return {
    rule: { ...rule, ...(star ? { content: "*" } : {}), ...more },
    faults,
    ...(examples.length === 0 ? {} : { examples })
  }
}

type Member = { readonly member: Partial<Rule> } | { readonly fault: string }

function readMember(key: string, value: unknown): Member {
  if (later.has(key)) return { fault: `\`${key}\` is not supported yet` }
  switch (key) {
    case "reason":
      return typeof value === "string" ? { member: { reason: value } } : { fault: "`reason` is not a text" }
    case "exact":
      return typeof value === "boolean"
        ? { member: value ? { exact: true } : {} }
        : { fault: "`exact` is not true or false" }
    case "agents":
      return isTexts(value) ? { member: { agents: value } } : { fault: "`agents` is not a list of agent ids" }
    case "modes":
      return readModes(value)
    case "expiresAt":
      return readTime(value)
    default:
      return { fault: `unknown key \`${key}\` in a rule, ${meant(key, ruleKeys)}` }
  }
}

function readModes(value: unknown): Member {
  if (!isTexts(value)) return { fault: "`modes` is not a list of modes" }
  const modes: Mode[] = []
  for (const word of value) {
    const mode = readMode(word)
    if (mode === undefined) return { fault: `unknown mode \`${word}\`, ${meant(word, modeWords)}` }
    modes.push(mode)
  }
  return { member: { modes } }
}

/** Milliseconds since the epoch, or a date and time with its zone. */
function readTime(value: unknown): Member {
  if (typeof value === "number" && Number.isSafeInteger(value)) return { member: { expiresAt: value } }
  const zoned =
    typeof value === "string" && /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/.test(value)
  const time = zoned ? Date.parse(value) : Number.NaN
  if (!Number.isNaN(time)) return { member: { expiresAt: time } }
  return { fault: "`expiresAt` is neither milliseconds since the epoch nor a date like `2030-01-31T12:00:00Z`" }
}

interface Split {
  /** Empty when not even a tool can be read; a glob when only its beginning can. */
  readonly tool: string
  /** Up to the fault, if there is one. */
  readonly content: string | undefined
  readonly fault?: string
}

function split(given: string): Split {
  const text = given.trim()
  const open = text.indexOf("(")
  const name = (open === -1 ? text : text.slice(0, open)).trim()
  const tool = /^[^\s()"'`,]*/.exec(name)![0]
  if (text === "") return { tool: "", content: undefined, fault: "an empty rule" }
  if (tool === "") return { tool: "", content: undefined, fault: `\`${given}\` names no tool` }
  // where the name ends nobody can say then
  if (open === -1 && name.endsWith(")")) {
    return { tool: "", content: undefined, fault: `\`${given}\` is not a rule: its bracket is never opened` }
  }
  if (tool !== name) {
    // whatever begins like what can be read of the name
    const fault = `\`${given}\` is not a rule: \`${name}\` is not the name of a tool`
    return { tool: tool.endsWith("*") ? tool : `${tool}*`, content: undefined, fault }
  }
  if (open === -1) return { tool, content: undefined }
  if (!text.endsWith(")")) {
    const close = closing(text, open)
    // without its end nobody knows where a star stands: what is before the first one is sure
    const content = close === -1 ? text.slice(open + 1).replace(/:?\*.*$/s, "") : text.slice(open + 1, close)
    const fault = close === -1 ? "its bracket is never closed" : "something stands behind its bracket"
    return { tool, content, fault: `\`${given}\` is not a rule: ${fault}` }
  }
  const content = text.slice(open + 1, -1)
  if (content.trim() === "")
    return { tool, content: undefined, fault: `\`${given}\` is not a rule: its bracket is empty` }
  return { tool, content }
}

/** Where the bracket that opens here is closed; -1 if nowhere. */
function closing(text: string, open: number): number {
  let depth = 0
  for (let index = open; index < text.length; index++) {
    if (text[index] === "(") depth++
    else if (text[index] === ")" && --depth === 0) return index
  }
  return -1
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((each) => typeof each === "string")

const isCalls = (value: unknown): value is readonly (string | object)[] =>
  Array.isArray(value) &&
  value.every((each) => typeof each === "string" || (typeof each === "object" && each !== null && !Array.isArray(each)))
