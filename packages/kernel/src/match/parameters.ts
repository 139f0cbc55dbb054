/** Parameter contents: `Tool(name:value)` compares a top-level scalar parameter, as text, with `*` for anything. */
import type { Subject } from "../subject/Subject.ts"
import { type Glob, globMatches, globOf } from "./glob.ts"

/** A parameter content, compiled. */
export interface ParameterPattern {
  readonly name: string
  readonly value: Glob
}

const shape = /^([A-Za-z_][A-Za-z0-9_-]*):(.*)$/s

/** Compiles a content that can be one of a parameter. */
export function parameterPattern(content: string, exact: boolean, malformed: boolean): ParameterPattern | undefined {
  const [, name, value] = shape.exec(content) ?? []
  if (name === undefined || value === undefined) return undefined
  return { name, value: exact ? [value] : globOf(value + (malformed ? "*" : "")) }
}

/** Whether the call holds the parameter with such a value; an absent one never matches. */
export function parameterMatches({ name, value }: ParameterPattern, subject: Subject): boolean {
  const given = subject.parameters.get(name)
  return given !== undefined && globMatches(value, given)
}
