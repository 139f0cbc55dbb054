/**
 * Random small worlds: so few tools, contents and agents that rules, bounds and grants really meet. Some worlds are
 * quiet and let a call come far, some are crowded. `handMade.ts` and `compiled.ts` make the kernel's input of them.
 */
import { seeded, type Random } from "./random.ts"
import type { Layer, ModeWord, Only, RuleRow, World, WorldAgent, WorldCall, WorldGrant } from "./World.ts"

/** What a world may hold: `real` ones have only calls that the kernel reads from arguments by itself. */
export type Kind = "abstract" | "real"

/** The world of that seed. */
export function smallWorld(seed: number, kind: Kind): World {
  const random = seeded(seed)
  const noise = random.pick([0.03, 0.08, 0.2, 0.45])
  const bash = random.chance(kind === "real" ? 0.6 : 0.3)
  const tools = bash ? bashTools : plainTools
  const call = bash ? bashCall(random) : kind === "real" ? plainCall(random, noise) : abstractCall(random, noise)
  const patterns = bash ? bashPatterns : plainPatterns
  const depth = random.pick([1, 1, 2, 3])
  const preset = bash ? "default" : random.pick(["default", "default", "ack", "permgate"])
  return {
    preset,
    call,
    lineage: agents.slice(3 - depth).map((id) => agent(random, id, noise, tools, patterns)),
    rules: rows(random, noise, tools, patterns, ["allow", "allow", "ask", "deny"], true),
    blind: random.chance(noise / 4) ? [random.pick(layers)] : [],
    disallowed: random.chance(noise / 2) ? [random.pick(tools)] : [],
    whiteList: random.chance(noise) ? [random.pick(tools)] : [],
    tier: random.chance(noise * 2) ? random.pick(["allow", "confirm", "confirm", "deny"]) : undefined,
    alwaysAsk: random.chance(noise),
    interaction: random.chance(noise / 2),
    hookForced: random.chance(noise / 3),
    policy: random.chance(noise * 2) ? random.pick(["abstain", "allow", "allow", "confirm", "deny"]) : undefined,
    preapproved: random.chance(noise) ? random.pick(["tool.webfetch.preapproved", ""]) : undefined,
    grants: grants(random, noise),
    refusedAt: preset === "default" && random.chance(noise) ? 20 : undefined,
    yoloDisabled: random.chance(noise / 2),
    now: 25
  }
}

/** A world in which nothing speaks: the call is asked for at the very end. */
export const quietWorld: World = {
  preset: "default",
  call: {
    tool: "alpha",
    content: "src/a",
    unknown: false,
    readOnly: false,
    insideWorkspace: true,
    edit: false,
    floor: "nothing",
    protects: undefined
  },
  lineage: [{ id: "main", mode: "default", tools: undefined, rules: [] }],
  rules: [],
  blind: [],
  disallowed: [],
  whiteList: [],
  tier: undefined,
  alwaysAsk: false,
  interaction: false,
  hookForced: false,
  policy: undefined,
  preapproved: undefined,
  grants: [],
  refusedAt: undefined,
  yoloDisabled: false,
  now: 25
}

const agents = ["grandchild", "child", "main"]
const layers = ["policy", "user", "projectLocal", "projectShared"] as const satisfies readonly Layer[]
const modes = ["default", "default", "acceptEdits", "readOnly", "auto", "dontAsk", "yolo"] as const satisfies ModeWord[]

type Names = readonly [string, ...string[]]
type Patterns = readonly [string | undefined, ...(string | undefined)[]]

// all contents of a tool differ in length, so that the attribution among those that speak is never a tie
const plainTools: Names = ["alpha", "beta"]
const plainContents: Names = ["src/a", "src/bb", ".git/x"]
const plainPatterns: Patterns = [undefined, "src/a", "src/b*", "src*", ".git/x*"]

const bashTools: Names = ["Bash", "alpha"]
const bashPatterns: Patterns = [
  undefined,
  "rm:*",
  "git:*",
  "touch:*",
  "git push",
  "make test",
  "git status",
  "git status:*",
  "touch .git/c*"
]

const command = (content: string, flags: Partial<WorldCall> = {}): WorldCall => ({
  tool: "Bash",
  content,
  unknown: false,
  readOnly: false,
  insideWorkspace: true,
  edit: false,
  floor: "nothing",
  protects: undefined,
  ...flags
})

const bashCalls = [
  command("git status", { readOnly: true }),
  command("git push"),
  command("make test"),
  command("rm -rf build"),
  command("touch a.txt", { edit: true }),
  command("touch .git/config", { protects: ".git" }),
  command("cat /etc/hostname", { readOnly: true, insideWorkspace: false }),
  command("$X", { unknown: true }),
  command("rm -rf /", { floor: "forbids", insideWorkspace: false })
] as const

const bashCall = (random: Random): WorldCall => random.pick(bashCalls)

const plainCall = (random: Random, noise: number): WorldCall => ({
  ...quietWorld.call,
  tool: random.pick(plainTools),
  content: random.pick(plainContents),
  readOnly: random.chance(noise + 0.1)
})

function abstractCall(random: Random, noise: number): WorldCall {
  const call = plainCall(random, noise)
  const floor = random.chance(noise / 2) ? random.pick(["forbids", "may forbid"]) : "nothing"
  return {
    ...call,
    unknown: random.chance(noise),
    insideWorkspace: !random.chance(noise),
    edit: random.chance(0.3),
    floor,
    protects: call.content === ".git/x" && random.chance(0.7) ? ".git" : undefined
  }
}

const agent = (random: Random, id: string, noise: number, tools: Names, patterns: Patterns): WorldAgent => ({
  id,
  mode: random.pick(modes),
  tools: random.chance(noise / 2) ? [random.pick(tools)] : undefined,
  rules: random.chance(noise) ? rows(random, 0, tools, patterns, ["ask", "deny"], false) : []
})

function rows(
  random: Random,
  noise: number,
  tools: Names,
  patterns: Patterns,
  behaviors: readonly ["allow" | "ask", ...("allow" | "ask" | "deny")[]],
  conditions: boolean
): readonly RuleRow[] {
  const count = random.below(noise < 0.1 ? 3 : 5)
  return Array.from({ length: count }, (): RuleRow => {
    const row = [random.pick(behaviors), random.pick(layers), random.pick(tools), random.pick(patterns)] as const
    return conditions && random.chance(0.15) ? [...row, condition(random)] : row
  })
}

const condition = (random: Random): Only =>
  random.pick<Only>([
    { agents: ["main"] },
    { agents: ["child", "grandchild"] },
    { modes: ["default", "acceptEdits"] },
    { modes: ["yolo", "readOnly"] },
    { expiresAt: 20 },
    { expiresAt: 30 }
  ])

function grants(random: Random, noise: number): readonly WorldGrant[] {
  const found = (["session", "agent", "global"] as const).filter(() => random.chance(noise))
  return found.map((reach) => ({ reach, at: random.pick([10, 20, 22]) }))
}
