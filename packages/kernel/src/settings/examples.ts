/**
 * Examples of a rule, tried: whether it matches a call as its author says it does. They are judged in a neutral place
 * (a project, a home, no links), by the rule alone, as if it counted for everybody and for ever.
 */
import type { Capability } from "../Capability.ts"
import { compileRules, type Place } from "../compileRules.ts"
import type { Json } from "../Json.ts"
import type { RuleExample } from "../parseRule.ts"
import { presets } from "../Preset.ts"
import { readCall } from "../readCall.ts"
import type { Rule } from "../Rule.ts"
import type { RuleSet } from "../RuleSet.ts"
import type { Dialect } from "../Settings.ts"
import { readSubject } from "../subject/readSubject.ts"
import type { Subject, Surroundings } from "../subject/Subject.ts"
import { builtinCapability } from "../subject/tools.ts"

const project = "/project"

const surroundings: Surroundings = {
  folder: project,
  project,
  home: "/home/person",
  additionalDirectories: [],
  ownPaths: [],
  files: { readLink: () => undefined },
  caseInsensitive: false
}

const who = { agentId: "main", mode: "default", now: 0 } as const

/** What is wrong with an example; undefined when it holds. `declared` is what the same file says of the tool. */
export type TryExample = (example: RuleExample) => string | undefined

/** Makes the trial of one rule's examples. */
export function exampleTrial(given: Rule, declared: Capability | undefined, dialect: Dialect): TryExample {
  const { agents: _agents, expiresAt: _expiresAt, modes: _modes, ...rule } = given
  const place: Place = { ...surroundings, dialectOf: () => dialect, workspace: [project] }
  const rules = compileRules({ rules: [rule] }, place, presets.default)
  const toolName = rule.tool.replaceAll("*", "x")
  const capability: Capability = { ...builtinCapability(toolName), ...declared }
  return ({ call, key }) => {
    const shown = typeof call === "string" ? call : JSON.stringify(call)
    const text = JSON.stringify(typeof call === "string" ? argumentsOf(call, capability) : call)
    const read = readCall({
      sessionId: "s",
      agentId: "main",
      toolCallId: "t",
      toolName,
      arguments: text,
      folder: project
    })
    if ("problem" in read) return `the example \`${shown}\` is no call: ${read.problem.message}`
    const matches = speaks(rules, rule, readSubject(read.call, declared ?? {}, surroundings, presets.default))
    if (matches === (key === "match")) return undefined
    return `\`${rule.text}\` ${matches ? "matches" : "does not match"} its \`${key}\` example \`${shown}\``
  }
}

function speaks(rules: RuleSet, { behavior }: Rule, subject: Subject): boolean {
  if (behavior === "deny") return rules.deny(subject, who) !== undefined
  if (behavior === "ask") return rules.ask(subject, who) !== undefined
  return rules.allow(subject, who, false)?.by === "rule"
}

/** Arguments whose subject is the text; of a tool that names none, the text itself. */
function argumentsOf(text: string, { subjects }: Capability): Json {
  const pointer = subjects?.command ?? subjects?.paths?.[0] ?? subjects?.urls?.[0]
  if (pointer === undefined) return text
  const steps = pointer.split("/").slice(1)
  return steps.reduceRight<Json>(
    (value, step) => (step === "*" ? [value] : { [step.replaceAll("~1", "/").replaceAll("~0", "~")]: value }),
    text
  )
}
