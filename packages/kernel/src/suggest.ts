/**
 * The narrowest rules that would let a call pass that is asked for now: one for each part, file or host that nothing
 * covers. Pure; whoever asks hands in how rules are compiled, and nothing is suggested that was not tried.
 */
import { evaluate, type Evaluation } from "./evaluate.ts"
import { parseRule } from "./parseRule.ts"
import type { Rule } from "./Rule.ts"
import type { RuleSet } from "./RuleSet.ts"
import type { CommandSubject, Part, Subject, Surroundings } from "./subject/Subject.ts"
import { alone, isCovered } from "./explain/alone.ts"
import { isBareLauncher } from "./suggest/launchers.ts"
import { pathRules } from "./suggest/paths.ts"
import { kindOf } from "./suggest/subcommands.ts"

export { isBareLauncher, isBroadFolder } from "./suggest/launchers.ts"

/** What suggestions need besides the call: where it happens, and the rules in force with some more. */
export interface Suggesting {
  readonly surroundings: Surroundings
  /** All rules in force, and these. */
  readonly withRules: (more: readonly Rule[]) => RuleSet
}

/** More rules than this are no suggestion that anyone would read. */
export const maxSuggested = 5

/**
 * Rule texts that together turn this ask into an allow, none of them more than it needs; empty where there are none,
 * or where they would be too broad.
 */
export function suggestRules(input: Evaluation, place: Suggesting): readonly string[] {
  if (evaluate(input).ruling.decision !== "ask") return []
  const wanted = candidates(input, place)
  if (wanted === undefined || wanted.length === 0) return []
  const rules = new Map<string, Rule>()
  for (const need of wanted) {
    const rule = need.map(allowRule).find((rule) => rule !== undefined && isEnough(rule, need.covers, place))
    if (rule === undefined) return []
    rules.set(rule.text, rule)
  }
  return smallest([...rules.values()], input, place)
}

/**
 * The exact content that a person is offered for the call as a whole; `undefined` where only a person can decide each
 * time. A command is its whole line; `whole` says that the tool has no content to be exact about.
 */
export function wholeCall(subject: Subject): { readonly content: string } | "whole" | undefined {
  switch (subject.family) {
    case "command":
      return subject.command !== undefined && isPlain(subject.command) ? { content: subject.command.text } : undefined
    case "read":
    case "edit": {
      const [path, ...others] = new Set(subject.accesses.map(({ glob, path }) => (glob ? undefined : path)))
      return path === undefined || others.length > 0 ? undefined : { content: path }
    }
    case "fetch":
      return subject.urls.length === 1 ? { content: subject.urls[0]! } : undefined
    case undefined:
      if (subject.fields.length > 1) return undefined
      return subject.fields.length === 1 ? { content: subject.fields[0]! } : "whole"
  }
}

/** Texts to choose from for one thing that nothing covers yet, the better first. */
type Need = readonly string[] & { readonly covers: (rules: RuleSet) => boolean }

const need = (texts: readonly string[], covers: (rules: RuleSet) => boolean): Need =>
  Object.assign([...texts], { covers })

function candidates(input: Evaluation, place: Suggesting): readonly Need[] | undefined {
  const { subject } = input
  switch (subject.family) {
    case "command":
      return subject.command && ofCommand(input, subject.command, place)
    case "read":
    case "edit": {
      const texts = pathRules(subject.toolName, subject.accesses, place.surroundings)
      return texts?.map((text) => need([text], () => true))
    }
    case "fetch": {
      const hosts = subject.urls.map(hostOf)
      if (hosts.includes(undefined)) return undefined
      return [...new Set(hosts)].map((host) => need([`${subject.toolName}(domain:${host})`], () => true))
    }
    case undefined:
      return [need(ofFields(subject), () => true)]
  }
}

function ofFields({ fields, toolName }: Subject): readonly string[] {
  const [field, ...others] = new Set(fields)
  if (toolName.startsWith("mcp__") || field === undefined) return [toolName]
  return others.length > 0 || !isLiteral(field) ? [] : [`${toolName}(${field})`]
}

function ofCommand(input: Evaluation, command: CommandSubject, place: Suggesting): readonly Need[] | undefined {
  const { subject } = input
  // a heredoc is not among the words of a part: nobody would see what the rule lets in
  if (!isPlain(command, true)) return undefined
  const who = { agentId: input.lineage[0]!.agentId, mode: input.lineage[0]!.mode, now: input.now }
  const ofPart = (part: Part, index: number): readonly Need[] | undefined => {
    const own = alone.part(subject, index)
    const covers = (rules: RuleSet) => isCovered(own, rules, who, input, place.surroundings)
    if (covers(input.rules)) return []
    if (!isKnown(part) || isBare(part)) return undefined
    return [need(partTexts(part, subject.toolName), covers)]
  }
  const parts = command.parts.map(ofPart)
  if (parts.includes(undefined)) return undefined
  const writes = subject.accesses.filter(
    (access) =>
      access.redirect &&
      access.kind !== "read" &&
      !isCovered(alone.access(subject, access), input.rules, who, input, place.surroundings)
  )
  const files = pathRules("Edit", writes, place.surroundings)
  if (files === undefined) return undefined
  return [...parts.flatMap((each) => each ?? []), ...files.map((text) => need([text], () => true))]
}

/** A kind of command where it is a known one, else exactly this command; harmless launchers are left out. */
function partTexts({ allow }: Part, toolName: string): readonly string[] {
  const form = allow.at(-1)
  if (form === undefined) return []
  const kind = kindOf(form.words.map(({ value }) => value ?? ""))
  const contents = [...(kind === undefined ? [] : [`${kind}:*`]), ...(isLiteral(form.written) ? [form.written] : [])]
  return contents.map((content) => `${toolName}(${content})`)
}

/** The smallest part of the rules that is enough; empty if not even all of them are. */
function smallest(rules: readonly Rule[], input: Evaluation, place: Suggesting): readonly string[] {
  const allows = (some: readonly Rule[]) =>
    evaluate({ ...input, rules: place.withRules(some) }).ruling.decision === "allow"
  if (!allows(rules)) return []
  let kept = rules
  for (const rule of rules) {
    const fewer = kept.filter((each) => each !== rule)
    if (allows(fewer)) kept = fewer
  }
  return kept.length > maxSuggested ? [] : kept.map(({ text }) => text)
}

const isEnough = (rule: Rule, covers: Need["covers"], place: Suggesting) => covers(place.withRules([rule]))

const allowRule = (text: string): Rule | undefined => {
  const { faults, rule } = parseRule(text, "allow", "user")
  return faults.length > 0 ? undefined : rule
}

/** A content that means itself and nothing more. */
const isLiteral = (content: string) => !/[*\n\r]|:$/.test(content) && content.trim() !== ""

const isStatic = ({ words }: Part["allow"][number]) => words.every(({ value }) => value !== undefined)

function hostOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined
  const { hostname } = new URL(url)
  return hostname === "" || hostname.includes("*") ? undefined : hostname
}

/** A line that says what it runs, nothing of it read from elsewhere; `partly`: its parts are looked at by others. */
function isPlain({ parsed, parts, text, transparent }: CommandSubject, partly = false): boolean {
  if (!parsed || !transparent || parts.length === 0 || text.includes("<<")) return false
  return partly || parts.every((part) => isKnown(part) && !isBare(part))
}

/** A launcher with nothing to launch, in front of everything or behind others. */
const isBare = ({ ban, text }: Part) => isBareLauncher(text) || ban.some(({ plain }) => isBareLauncher(plain))

const isKnown = ({ allow, asks, unknown }: Part) => !unknown && asks === undefined && allow.every(isStatic)
