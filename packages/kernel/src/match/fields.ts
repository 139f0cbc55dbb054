/**
 * permgate's contents, for tools without a family: exact, `prefix:*`, or `*` anywhere, compared with all subject
 * fields of the call. A ban needs one field that matches, an allow rule all of them.
 */
import type { Rule } from "../Rule.ts"
import { type Glob, globMatches, globMatchesLine, globOf } from "./glob.ts"

/** A content, compiled. */
export interface FieldPattern {
  /** `prefix:*`: the prefix, alone or followed by a blank or tab. */
  readonly prefix: string | undefined
  readonly glob: Glob
  readonly allows: boolean
}

/** Compiles a rule's content. */
export function fieldPattern({ behavior, exact, malformed }: Rule, content: string): FieldPattern {
  const allows = behavior === "allow"
  if (malformed === true) return { prefix: undefined, glob: [...globOf(content.replace(/:\*?$/, "")), ""], allows }
  if (exact === true) return { prefix: undefined, glob: [content], allows }
  if (content.endsWith(":*")) return { prefix: content.slice(0, -2), glob: [], allows }
  return { prefix: undefined, glob: globOf(content), allows }
}

/** Whether the content speaks of these fields. Without a field it never does. */
export function fieldsMatch(pattern: FieldPattern, fields: readonly string[]): boolean {
  if (fields.length === 0) return false
  if (pattern.allows) return fields.every((field) => fieldMatches(pattern, field))
  return fields.some((field) => fieldMatches(pattern, field))
}

function fieldMatches({ allows, glob, prefix }: FieldPattern, field: string): boolean {
  if (prefix === undefined) return allows ? globMatchesLine(glob, field) : globMatches(glob, field)
  if (!field.startsWith(prefix)) return false
  const next = field[prefix.length]
  // what follows the blank is any characters: as with a star, a line break among them counts for bans only
  return next === undefined || ((next === " " || next === "\t") && !(allows && field.includes("\n", prefix.length)))
}
