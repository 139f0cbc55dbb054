/** Small worlds for the tests of rules: rule lines and a call in, what the rules say of it out. */
import {
  type Allowance,
  type Behavior,
  type Capability,
  compileRules,
  type Dialect,
  parseRule,
  type Place,
  type Preset,
  presets,
  readCall,
  readSubject,
  type Rule,
  type RuleLayerName,
  type RuleSet,
  type Subject,
  type Surroundings,
  type Who
} from "../../src/index.ts"

export const project = "/srv/proj"
export const home = "/home/u"
export const who: Who = { agentId: "main", mode: "default", now: 0 }

/** What surrounds a call, where a test wants it different. */
export interface World {
  readonly links?: Readonly<Record<string, string>>
  readonly caseInsensitive?: boolean
  readonly dialect?: Dialect
  readonly preset?: Preset
  readonly capability?: Capability
  readonly folder?: string
}

export const surroundingsOf = ({
  caseInsensitive = false,
  folder = project,
  links = {}
}: World = {}): Surroundings => ({
  folder,
  project,
  home,
  additionalDirectories: [],
  ownPaths: [],
  files: { readLink: (path) => (Object.hasOwn(links, path) ? links[path] : undefined) },
  caseInsensitive
})

export const placeOf = (world: World = {}): Place => ({
  ...surroundingsOf(world),
  dialectOf: () => world.dialect ?? "native",
  workspace: [world.folder ?? project]
})

/** Reads `allow Bash(ls:*)`: a behaviour and a rule. */
export function ruleOf(line: string, layer: RuleLayerName = "user"): Rule {
  const [behavior, text] = [line.slice(0, line.indexOf(" ")), line.slice(line.indexOf(" ") + 1)]
  const { rule } = parseRule(text, behavior as Behavior, layer)
  if (rule === undefined) throw new Error(`void: ${line}`)
  return rule
}

export const rulesOf = (lines: readonly string[], world: World = {}): RuleSet =>
  compileRules({ rules: lines.map((line) => ruleOf(line)) }, placeOf(world), world.preset ?? presets.default)

/** The subject of a call: a command line, or a tool with its input. */
export function subjectOf(call: string | readonly [tool: string, input: unknown], world: World = {}): Subject {
  const [toolName, input] = typeof call === "string" ? ["Bash", { command: call }] : call
  const read = readCall({
    sessionId: "s",
    agentId: "main",
    toolCallId: "t",
    toolName,
    arguments: input,
    folder: world.folder ?? project
  })
  if ("problem" in read) throw new Error(read.problem.message)
  return readSubject(read.call, world.capability ?? {}, surroundingsOf(world), world.preset ?? presets.default)
}

/** What the rules say, strictest first: deny, possible, ask, allow, acceptEdits; `-` when they say nothing. */
export function said(
  lines: readonly string[],
  call: string | readonly [tool: string, input: unknown],
  world: World = {}
): string {
  return saidBy(rulesOf(lines, world), subjectOf(call, world))
}

export function saidBy(rules: RuleSet, subject: Subject, viewer: Who = who, acceptEdits = false): string {
  if (rules.deny(subject, viewer) !== undefined) return "deny"
  if (rules.possibleDeny(subject, viewer) !== undefined) return "possible"
  if (rules.ask(subject, viewer) !== undefined) return "ask"
  const allowance: Allowance | undefined = rules.allow(subject, viewer, acceptEdits)
  return allowance === undefined ? "-" : allowance.by === "rule" ? "allow" : "acceptEdits"
}

/** Whole numbers below a bound, the same for the same seed. */
export function xorshift(seed: number): (below: number) => number {
  let state = seed | 0 || 1
  return (below) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % below
  }
}
