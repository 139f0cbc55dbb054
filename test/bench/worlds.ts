/** Realistic command rules in any number, and calls of which a third match one; the same for the same seed. */
import {
  compileRules,
  type Evaluation,
  parseRule,
  plainEvaluation,
  presets,
  readCall,
  readSubject,
  type Rule,
  type Surroundings,
  type ToolCall
} from "@countersign/kernel"

/** Rules, and calls read beforehand. */
export interface BenchWorld {
  readonly rules: readonly Rule[]
  readonly calls: readonly Evaluation[]
}

const project = "/home/me/project"
const surroundings: Surroundings = {
  folder: project,
  project,
  home: "/home/me",
  additionalDirectories: [],
  ownPaths: [],
  files: { readLink: () => undefined },
  caseInsensitive: false
}
/** Where everything is compiled and read. */
export const benchPlace = { ...surroundings, dialectOf: () => "native" as const, workspace: [project] }

/** A world of so many rules and calls. */
export function benchWorld(ruleCount: number, callCount: number, seed: number): BenchWorld {
  const random = xorshift(seed)
  const sketches = Array.from({ length: ruleCount }, (_, index) => sketch(index, ruleCount, random))
  const rules = sketches.map(
    ({ behavior, content }) => parseRule(`Bash(${content})`, behavior, layers[random(4)]!).rule!
  )
  const compiled = compileRules({ rules }, benchPlace, presets.default)
  const calls = Array.from({ length: callCount }, (_, index) => {
    const { matching, program } = sketches[random(sketches.length)]!
    const command = index % 3 === 0 ? matching : `${program} other-${index} --quiet file-${random(1000)}`
    return evaluation(command, compiled)
  })
  return { rules, calls }
}

const layers = ["policy", "user", "projectLocal", "projectShared"] as const
const behaviors = ["allow", "allow", "allow", "ask", "deny"] as const
const verbs = ["build", "test", "run", "push", "get", "apply", "start", "log", "exec", "list"]

/** A rule, and a command that it matches. Programs have about a hundred rules each. */
function sketch(index: number, count: number, random: (below: number) => number) {
  const program = `tool-${index % Math.max(4, Math.floor(count / 100))}`
  const verb = verbs[random(verbs.length)]!
  const name = `thing-${index}`
  const behavior = behaviors[random(behaviors.length)]!
  const forms = [
    { content: `${program} ${verb} ${name}:*`, matching: `${program} ${verb} ${name} --now a` },
    { content: `${program} ${verb} ${name} *`, matching: `${program} ${verb} ${name}` },
    { content: `${program} ${verb} ${name}`, matching: `${program} ${verb} ${name}` },
    { content: `${program} ${verb} ${name}-*`, matching: `${program} ${verb} ${name}-x -v` },
    { content: `${program} ${verb} ${name} * --force`, matching: `${program} ${verb} ${name} all --force` }
  ]
  return { behavior, program, ...forms[random(forms.length)]! }
}

/** A call that runs the command. */
export const callOf = (command: string): ToolCall => ({
  sessionId: "s",
  agentId: "main",
  toolCallId: "t",
  toolName: "Bash",
  arguments: { command },
  folder: project
})

function evaluation(command: string, rules: Evaluation["rules"]): Evaluation {
  const read = readCall(callOf(command))
  if ("problem" in read) throw new Error(`not a call: \`${command}\``)
  return plainEvaluation(readSubject(read.call, {}, surroundings, presets.default), rules)
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
