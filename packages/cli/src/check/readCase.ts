/**
 * One line of `check --batch`: a call, the rules around it and the little world it is judged in. Unknown keys are for
 * people; a known key with a value that is no word of the language is an error of that line and of no other.
 */
import { type Dialect, type Json, type Mode, parseIJson, readMode, RuleLayerName } from "@countersign/kernel"

/** A case, read. */
export interface Case {
  readonly id: string | number
  /** The permissions of each layer, as a settings file would hold them. */
  readonly rules: { readonly [layer in RuleLayerName]?: Json }
  readonly mode: Mode
  readonly dialect: Dialect
  readonly cwd: string
  readonly home: string
  readonly trusted: boolean
  /** The whole file system: what is not named here is no link. */
  readonly links: { readonly [path: string]: string }
  readonly tool: string
  readonly input: Json
}

/** What a line gave: a case, a call that no gate would read, or a line that is no case. */
export type ReadCase =
  | { readonly case: Case }
  | { readonly id: string | number; readonly unreadable: string }
  | { readonly id: string | number | null; readonly error: string }

/** Reads one line. Never throws. */
export function readCase(line: string): ReadCase {
  const read = parseIJson(line)
  if ("problem" in read) return notIJson(line, read.problem)
  const { value } = read
  if (!isObject(value)) return { id: null, error: "the line is no JSON object" }
  const id = typeof value.id === "string" || typeof value.id === "number" ? value.id : null
  if (id === null) return { id, error: "the line has no `id`" }
  try {
    return { case: { id, ...body(value) } }
  } catch (error) {
    if (error instanceof Misfit) return { id, error: error.message }
    throw error
  }
}

class Misfit extends Error {}

type Fields = { readonly [name: string]: Json }

function body(line: Fields): Omit<Case, "id"> {
  const call = object(line.call, "call")
  return {
    rules: readRules(line.rules),
    mode: readModeWord(line.mode),
    dialect: readDialect(line.dialect),
    cwd: absolute(line.cwd, "cwd"),
    home: absolute(line.home, "home"),
    trusted: readTrusted(line.trusted),
    links: readLinks(line.links),
    tool: text(call.tool, "call.tool"),
    input: call.input === undefined ? fail("`call.input` is missing") : call.input
  }
}

/** Faulty text inside the call's input is the call's fault, and a gate answers it; anywhere else it is the line's. */
function notIJson(
  line: string,
  { message, pointer }: { readonly pointer: string; readonly message: string }
): ReadCase {
  if (pointer === "") return { id: null, error: `the line is ${message}` }
  const { id: given } = JSON.parse(line) as { readonly id?: unknown }
  const id = typeof given === "string" || typeof given === "number" ? given : null
  if (id !== null && pointer.startsWith("/call/input")) return { id, unreadable: message }
  return { id, error: `\`${pointer}\`: ${message}` }
}

function readRules(value: Json | undefined): Case["rules"] {
  if (value === undefined) return {}
  const layers = object(value, "rules")
  for (const [layer, permissions] of Object.entries(layers)) {
    if (!isLayer(layer))
      fail(`unknown layer \`${layer}\`; use one of ${RuleLayerName.literals.map((name) => `\`${name}\``).join(", ")}`)
    object(permissions, `rules.${layer}`)
  }
  return layers
}

function readModeWord(value: Json | undefined): Mode {
  if (value === undefined) return "default"
  const word = text(value, "mode")
  return readMode(word) ?? fail(`unknown mode \`${word}\``)
}

function readDialect(value: Json | undefined): Dialect {
  if (value === undefined) return "native"
  return value === "native" || value === "claude"
    ? value
    : fail(`unknown dialect ${quote(value)}; use \`native\` or \`claude\``)
}

function readTrusted(value: Json | undefined): boolean {
  if (value === undefined) return false
  return typeof value === "boolean" ? value : fail("`trusted` is no boolean")
}

function readLinks(value: Json | undefined): Case["links"] {
  if (value === undefined) return {}
  const links = object(value, "links")
  const targets = Object.entries(links).map(([path, target]) => [
    absolute(path, "links"),
    text(target, `links.${path}`)
  ])
  return Object.fromEntries(targets)
}

const isObject = (value: Json | undefined): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)
const isLayer = (word: string): word is RuleLayerName => (RuleLayerName.literals as readonly string[]).includes(word)
const quote = (value: Json) => `\`${JSON.stringify(value)}\``

function fail(message: string): never {
  throw new Misfit(message)
}

function object(value: Json | undefined, name: string): Fields {
  if (value === undefined) return fail(`\`${name}\` is missing`)
  return isObject(value) ? value : fail(`\`${name}\` is no object`)
}

function text(value: Json | undefined, name: string): string {
  if (value === undefined) return fail(`\`${name}\` is missing`)
  return typeof value === "string" && value !== "" ? value : fail(`\`${name}\` is no text`)
}

function absolute(value: Json | undefined, name: string): string {
  const path = text(value, name)
  return path.startsWith("/") ? path : fail(`\`${name}\` is no absolute path: \`${path}\``)
}
