/**
 * The peers, each given the same rules in its own language and asked about the same commands. What a language can't
 * say is said as nearly as it can be: who has no `ask` permits instead.
 */
import type { Rule } from "@countersign/kernel"
import { loadPeer } from "./install.ts"

/** Decides a command. */
export type PeerJudge = (command: string) => unknown

/** Another policy engine. */
export interface Peer {
  readonly name: string
  readonly build: (rules: readonly Rule[]) => Promise<PeerJudge>
}

/** The literal pieces of a rule's content, and whether it ends with anything behind a blank. */
function piecesOf({ content = "" }: Rule) {
  const open = content.endsWith(":*") || content.endsWith(" *")
  return { open, pieces: (open ? content.slice(0, -2) : content).split("*") }
}

const escapeRegExp = (text: string) => text.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&")

function regExpOf(rule: Rule): string {
  const { open, pieces } = piecesOf(rule)
  return `^${pieces.map(escapeRegExp).join(".*")}${open ? "( .*)?" : ""}$`
}

interface Cedar {
  readonly preparsePolicySet: (id: string, policies: { readonly staticPolicies: string }) => { readonly type: string }
  readonly statefulIsAuthorized: (call: unknown) => { readonly type: string }
}

const cedar: Peer = {
  name: "cedar-wasm",
  build: async (rules) => {
    const { preparsePolicySet, statefulIsAuthorized } = await loadPeer<Cedar>("@cedar-policy/cedar-wasm/nodejs")
    const like = (pattern: string) => `context.command like ${JSON.stringify(pattern)}`
    const policyOf = (rule: Rule) => {
      const { open, pieces } = piecesOf(rule)
      const text = pieces.join("*")
      const effect = rule.behavior === "deny" ? "forbid" : "permit"
      const when = open ? `${like(text)} || ${like(`${text} *`)}` : like(text)
      return `${effect}(principal, action == Action::"Bash", resource) when { ${when} };`
    }
    const id = `bench-${rules.length}`
    const { type } = preparsePolicySet(id, { staticPolicies: rules.map(policyOf).join("\n") })
    if (type !== "success") throw new Error("cedar does not take the rules")
    const uid = (type: string, id: string) => ({ type, id })
    return (command) => {
      const answer = statefulIsAuthorized({
        principal: uid("Agent", "main"),
        action: uid("Action", "Bash"),
        resource: uid("Tool", "Bash"),
        context: { command },
        preparsedPolicySetId: id,
        validateRequest: false,
        entities: []
      })
      if (answer.type !== "success") throw new Error(`cedar fails: ${JSON.stringify(answer)}`)
      return answer
    }
  }
}

interface Casbin {
  readonly newModelFromString: (text: string) => unknown
  readonly StringAdapter: new (text: string) => unknown
  readonly newEnforcer: (model: unknown, adapter: unknown) => Promise<{ enforceSync: (...values: string[]) => boolean }>
}

const casbinModel = `[request_definition]
r = tool, command
[policy_definition]
p = tool, command, eft
[policy_effect]
e = some(where (p.eft == allow)) && !some(where (p.eft == deny))
[matchers]
m = r.tool == p.tool && regexMatch(r.command, p.command)`

const casbin: Peer = {
  name: "casbin",
  build: async (rules) => {
    const { newEnforcer, newModelFromString, StringAdapter } = await loadPeer<Casbin>("casbin")
    const line = (rule: Rule) => `p, Bash, ${regExpOf(rule)}, ${rule.behavior === "deny" ? "deny" : "allow"}`
    const adapter = new StringAdapter(rules.map(line).join("\n"))
    const enforcer = await newEnforcer(newModelFromString(casbinModel), adapter)
    return (command) => enforcer.enforceSync("Bash", command)
  }
}

interface Casl {
  readonly createMongoAbility: (rules: readonly unknown[]) => { can: (action: string, subject: unknown) => boolean }
  readonly subject: (type: string, value: object) => unknown
}

const casl: Peer = {
  name: "casl",
  build: async (rules) => {
    const { createMongoAbility, subject } = await loadPeer<Casl>("@casl/ability")
    const ability = createMongoAbility(
      rules.map((rule) => ({
        action: "run",
        subject: "Bash",
        conditions: { command: { $regex: regExpOf(rule) } },
        inverted: rule.behavior === "deny"
      }))
    )
    return (command) => ability.can("run", subject("Bash", { command }))
  }
}

interface Gemini {
  readonly PolicyEngine: new (config: unknown) => { check: (call: unknown, server: undefined) => Promise<unknown> }
}

const geminiFolder = "./node_modules/@google/gemini-cli-core/dist/src"
const decisions = { allow: "allow", ask: "ask_user", deny: "deny" } as const
const priorities = { allow: 1, ask: 2, deny: 3 } as const

/** Gemini's engine parses the command line, too: it is the peer of whole decisions. */
export const gemini: Peer = {
  name: "gemini-cli",
  build: async (rules) => {
    const { PolicyEngine } = await loadPeer<Gemini>(`${geminiFolder}/policy/policy-engine.js`)
    const engine = new PolicyEngine({
      rules: rules.map((rule) => ({
        toolName: "run_shell_command",
        argsPattern: new RegExp(regExpOf(rule).replace("^", '"command":"').replace(/\$$/, '"')),
        decision: decisions[rule.behavior],
        priority: priorities[rule.behavior]
      }))
    })
    return (command) => engine.check({ name: "run_shell_command", args: { command } }, undefined)
  }
}

/** Gemini's shell parser alone. */
export async function geminiParser(): Promise<PeerJudge> {
  const { initializeShellParsers, parseBashCommandDetails } = await loadPeer<{
    readonly initializeShellParsers: () => Promise<void>
    readonly parseBashCommandDetails: PeerJudge
  }>(`${geminiFolder}/utils/shell-utils.js`)
  await initializeShellParsers()
  return parseBashCommandDetails
}

/** All of them. */
export const peers: readonly Peer[] = [cedar, casbin, casl, gemini]
