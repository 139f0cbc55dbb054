/**
 * Whether one rule speaks of every call that another one speaks of. Only where that is sure: each star of the narrower
 * rule becomes a text that nothing but a star of the wider one can match.
 */
import { commandMatches, commandPattern, joinAllBlanks } from "../match/command.ts"
import { type FieldPattern, fieldPattern, fieldsMatch } from "../match/fields.ts"
import { globMatches, globOf } from "../match/glob.ts"
import { parameterPattern } from "../match/parameters.ts"
import { pathPattern } from "../match/path.ts"
import { inSegment, type PathGlob, pathGlobMatches, segments } from "../match/pathGlob.ts"
import { isServerGlob, isToolGlob } from "../match/tool.ts"
import { hostKey, readUrl, urlMatches, type UrlPattern, urlPattern } from "../match/url.ts"
import { withoutEffect } from "../match/withoutEffect.ts"
import type { Rule } from "../Rule.ts"
import type { Bench } from "./Bench.ts"

/** A rule's content, ready to be compared: what it matches, and texts that stand for everything it matches. */
interface Shape {
  /** It speaks of every call of its tool. */
  readonly all: boolean
  readonly language: string
  readonly matches: (probe: string) => boolean
  /** Undefined: it can't be told what stands for all of it. */
  readonly probes: readonly string[] | undefined
}

/** Makes the comparison for the rules on a bench. */
export function containment(bench: Bench): (wide: Rule, narrow: Rule) => boolean {
  const shapes = new Map<Rule, Shape>()
  const shapeOf = (rule: Rule) => {
    const known = shapes.get(rule)
    if (known !== undefined) return known
    const made = makeShape(rule, bench)
    shapes.set(rule, made)
    return made
  }
  return (wide, narrow) => {
    if (wide.malformed === true || narrow.malformed === true) return false
    if (!coversTool(wide, narrow, bench) || !coversConditions(wide, narrow)) return false
    const one = shapeOf(wide)
    if (one.all) return true
    const other = shapeOf(narrow)
    if (other.all || one.language !== other.language) return false
    if (wide.content === narrow.content && wide.exact === narrow.exact && wide.tool === narrow.tool) return true
    return other.probes !== undefined && other.probes.length > 0 && other.probes.every(one.matches)
  }
}

function coversTool(wide: Rule, narrow: Rule, bench: Bench): boolean {
  if (wide.tool === narrow.tool) return true
  if (isToolGlob(narrow.tool)) return false
  if (isToolGlob(wide.tool)) {
    return (wide.behavior !== "allow" || isServerGlob(wide.tool)) && globMatches(globOf(wide.tool), narrow.tool)
  }
  if (wide.tool.startsWith("mcp__")) return narrow.tool.startsWith(`${wide.tool}__`)
  const { family } = bench.capabilityOf(narrow.tool)
  if (wide.tool === "Edit") return family === "edit"
  return wide.tool === "Read" && (family === "read" || (wide.behavior === "deny" && family === "edit"))
}

/** The wider one counts whenever the narrower does. */
function coversConditions(wide: Rule, narrow: Rule): boolean {
  const same = (one: unknown, other: unknown) => one === undefined || JSON.stringify(one) === JSON.stringify(other)
  return (
    same(wide.agents, narrow.agents) &&
    same(wide.modes, narrow.modes) &&
    (wide.expiresAt === undefined || (narrow.expiresAt !== undefined && wide.expiresAt >= narrow.expiresAt))
  )
}

/** A character that no rule's text holds. */
const any = "\uE000"
const deep = Array.from({ length: 12 }, () => any).join("/")

const nothing: Omit<Shape, "language"> = { all: false, matches: () => false, probes: undefined }

function makeShape(rule: Rule, bench: Bench): Shape {
  const { behavior, content, layer, tool } = rule
  const exact = rule.exact === true
  if (content === undefined) return { ...nothing, all: true, language: "all" }
  const { family, parameters = [] } = bench.capabilityOf(tool)
  const parameter = exact || content.endsWith(":*") ? undefined : parameterPattern(content, false, false)?.name
  if (withoutEffect(rule) !== undefined || content.includes(any)) return { ...nothing, language: "none" }
  switch (family) {
    case "command": {
      if (parameter !== undefined && parameters.includes(parameter)) return { ...nothing, language: "parameter" }
      const allows = behavior === "allow"
      const pattern = commandPattern(content, allows, exact, false)
      const probes = [pattern.glob.join(any), ...(pattern.open ? [`${pattern.glob.join(any)} ${any}`] : [])]
      const matches = (probe: string) => commandMatches(pattern, allows ? probe : joinAllBlanks(probe))
      return { all: false, language: "command", matches, probes }
    }
    case "read":
    case "edit": {
      const reading = { behavior, dialect: bench.place.dialectOf(layer), exact, malformed: false }
      const { globs, ignoreCase } = pathPattern(content, reading, bench.place)
      const matches = (probe: string) =>
        globs.some((glob) => pathGlobMatches(glob, ignoreCase ? probe.toLowerCase() : probe))
      return { all: false, language: "path", matches, probes: globs.flatMap(pathProbes) }
    }
    case "fetch": {
      const pattern = urlPattern(content, behavior, exact, false)
      if (pattern === undefined) return { ...nothing, language: "none" }
      return {
        all: false,
        language: "url",
        matches: urlTest(pattern),
        probes: urlProbes(pattern, behavior === "allow")
      }
    }
    default: {
      if (parameter !== undefined) return { ...nothing, language: "parameter" }
      const pattern = fieldPattern(rule, content)
      const matches = (probe: string) => fieldsMatch(pattern, [probe])
      return { all: false, language: "fields", matches, probes: fieldProbes(pattern) }
    }
  }
}

const fieldProbes = ({ glob, prefix }: FieldPattern): readonly string[] =>
  prefix === undefined ? [glob.join(any)] : [prefix, `${prefix} ${any}`, `${prefix}\t${any}`]

/** A path for each depth that a star may stand for: more segments than any wider rule has stars for single ones. */
const pathProbes = (glob: PathGlob): readonly string[] =>
  [0, 1, 2].map((depth) =>
    glob
      .map((token) => {
        if (typeof token === "string") return token
        if (token === inSegment) return any
        if (token === segments) return ["", `${any}/`, `${deep}/`][depth]!
        return [any, `${any}/${any}`, deep][depth]!
      })
      .join("")
  )

const urlTest = (pattern: UrlPattern) => (probe: string) => {
  const url = readUrl(probe)
  return url !== undefined && urlMatches(pattern, url)
}

/** Addresses that stand for all hosts and schemes of the pattern; none where it has a path or inner stars. */
function urlProbes(pattern: UrlPattern, strict: boolean): readonly string[] | undefined {
  const { below, exact } = hostKey(pattern)
  const hosts = exact === undefined ? (below === undefined ? [] : [`zz0.${below}`, `zz0.zz1.${below}`]) : [exact]
  const anyHost = pattern.host.kind === "any" ? ["zz0.test", "zz0.zz1.example"] : []
  const all = [...hosts, ...anyHost]
  if (all.length === 0) return undefined
  if (pattern.path !== undefined) return undefined
  const schemes =
    pattern.scheme === undefined ? ["https", "http", "ftp"] : pattern.scheme.length > 1 ? [] : pattern.scheme
  const ports = pattern.port === undefined || !strict ? ["", ":8443"] : [""]
  return schemes.flatMap((scheme) =>
    all.flatMap((host) => ports.flatMap((port) => ["/", "/zz/zz"].map((path) => `${scheme}://${host}${port}${path}`)))
  )
}
