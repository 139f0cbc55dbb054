/**
 * I-JSON (RFC 7493): the only form in which arguments enter the gate, and the canonical text
 * (RFC 8785) that digests are made of.
 *
 * What two parsers could read differently (a name given twice, half a surrogate pair, an integer
 * beyond 2^53) is refused here, so that the gate and whoever executes the call read the same.
 */
import { parseTree, type Node, type ParseError } from "jsonc-parser"
import canonicalizeJson from "canonicalize"

/** A JSON value, deeply read-only. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }

/** Why a value or a text is no I-JSON, and where. */
export interface JsonProblem {
  /** JSON pointer of the offending value. */
  readonly pointer: string
  readonly message: string
}

/** Values nested deeper than this are refused: they serve no tool and endanger every recursive reader. */
const maxDepth = 200

/** Values that hold more than this are refused: objects that share members can unfold into more than fits anywhere. */
const maxValues = 1_000_000

/** Reads a JSON text as I-JSON. */
export function parseIJson(text: string): { readonly value: Json } | { readonly problem: JsonProblem } {
  if (nestsDeeperThan(text, maxDepth)) return problem("", `nested deeper than ${maxDepth} levels`)
  const read = parsed(text)
  if (read === undefined) return problem("", "not a JSON text")
  const errors: ParseError[] = []
  const root = parseTree(text, errors, { allowTrailingComma: false, disallowComments: true })
  if (root === undefined || errors.length > 0) return problem("", "not a JSON text")
  const duplicate = duplicateName(root, "")
  if (duplicate !== undefined) return problem(duplicate, "an object holds this name twice")
  // INVARIANT: the value handed on is the platform's own reading; the tree only guards it
  return checkIJson(read.value)
}

function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

/** Checks that a value is I-JSON and gives a frozen copy without prototypes to be had through it. */
export function checkIJson(value: unknown): { readonly value: Json } | { readonly problem: JsonProblem } {
  const walk: Walk = { values: 0, problem: undefined }
  try {
    const copy = freeze(value, "", 0, walk)
    return walk.problem === undefined ? { value: copy } : { problem: walk.problem }
  } catch (cause) {
    // a getter or a proxy of the host's that throws
    return problem("", `can't be read: ${cause instanceof Error ? cause.message : typeof cause}`)
  }
}

/** The canonical text of a value (RFC 8785). */
export function canonicalize(value: Json): string {
  return canonicalizeJson(value) ?? "null"
}

/** The copying so far: the first problem ends it. */
interface Walk {
  values: number
  problem: JsonProblem | undefined
}

function freeze(value: unknown, pointer: string, depth: number, walk: Walk): Json {
  const refuse = (message: string) => {
    walk.problem ??= { pointer, message }
    return null
  }
  if (++walk.values > maxValues) return refuse(`holds more than ${maxValues} values`)
  if (depth > maxDepth) return refuse(`nested deeper than ${maxDepth} levels`)
  if (value === null || typeof value === "boolean") return value
  if (typeof value === "string") return value.isWellFormed() ? value : refuse("holds an unpaired surrogate")
  if (typeof value === "number") {
    if (!Number.isFinite(value)) return refuse("is not a finite number")
    return Number.isInteger(value) && !Number.isSafeInteger(value) ? refuse("is an integer beyond 2^53 - 1") : value
  }
  if (typeof value !== "object") return refuse("is no JSON value")
  if (Array.isArray(value)) {
    const items: Json[] = []
    for (let index = 0; index < value.length && walk.problem === undefined; index++) {
      items.push(freeze(value[index], `${pointer}/${index}`, depth + 1, walk))
    }
    return Object.freeze(items)
  }
  const prototype = Object.getPrototypeOf(value)
  if (prototype !== null && prototype !== Object.prototype) return refuse("is an object with a prototype of its own")
  const copy: Record<string, Json> = Object.create(null)
  for (const [name, member] of Object.entries(value)) {
    if (walk.problem !== undefined) break
    if (!name.isWellFormed()) return refuse("holds a name with an unpaired surrogate")
    copy[name] = freeze(member, `${pointer}/${escape(name)}`, depth + 1, walk)
  }
  return Object.freeze(copy)
}

function duplicateName(node: Node, pointer: string): string | undefined {
  if (node.type === "array") {
    return node.children
      ?.map((child, index) => duplicateName(child, `${pointer}/${index}`))
      .find((hit) => hit !== undefined)
  }
  if (node.type !== "object") return undefined
  const seen = new Set<string>()
  for (const property of node.children ?? []) {
    const [key, value] = property.children ?? []
    const name = String(key?.value)
    const at = `${pointer}/${escape(name)}`
    if (seen.has(name)) return at
    seen.add(name)
    const inner = value === undefined ? undefined : duplicateName(value, at)
    if (inner !== undefined) return inner
  }
  return undefined
}

/** Counts brackets outside strings, so that a hostile text is refused before anything recursive reads it. */
function nestsDeeperThan(text: string, limit: number): boolean {
  let depth = 0
  let quoted = false
  for (let index = 0; index < text.length; index++) {
    const char = text.charCodeAt(index)
    if (quoted) {
      if (char === 0x5c) index++
      else if (char === 0x22) quoted = false
    } else if (char === 0x22) quoted = true
    else if (char === 0x5b || char === 0x7b) {
      if (++depth > limit) return true
    } else if (char === 0x5d || char === 0x7d) depth--
  }
  return false
}

const escape = (name: string) => name.replaceAll("~", "~0").replaceAll("/", "~1")
const problem = (pointer: string, message: string) => ({ problem: { pointer, message } })
