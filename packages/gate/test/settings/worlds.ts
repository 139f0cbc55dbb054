/** Random settings files, random ways to break them, and what the settings in force say of a few calls. */
import {
  evaluate,
  type Mode,
  parseSettings,
  plainEvaluation,
  presets,
  readCall,
  readSubject,
  type RuleLayerName,
  type SettingsFile
} from "@countersign/kernel"
import { Effect, type Scope } from "effect"
import { CurrentSettings, type SettingsPlace, type SettingsSource, type SettingsView } from "../../src/index.ts"

/** Whole numbers below a bound, the same for the same seed. */
export function randomFrom(seed: number) {
  let state = seed
  const below = (bound: number) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % bound
  }
  const pick = <Item>(items: readonly Item[]): Item => items[below(items.length)]!
  const some = <Item>(items: readonly Item[], oneIn = 3) => items.filter(() => below(oneIn) === 0)
  return { below, pick, some }
}
type Random = ReturnType<typeof randomFrom>

export const place: SettingsPlace = {
  project: "/srv/proj",
  home: "/home/u",
  ownPaths: ["/home/u/.config/countersign"],
  files: { readLink: () => undefined },
  caseInsensitive: false
}

/** A gate's settings over a source that a test holds. */
export const settingsOver = (source: SettingsSource): Effect.Effect<CurrentSettings["Service"], never, Scope.Scope> =>
  Effect.gen(function* () {
    return yield* CurrentSettings
  }).pipe(Effect.provide(CurrentSettings.layer(source, place)))

const rules = [
  "Bash",
  "Bash(make:*)",
  "Bash(make)",
  "Bash(rm:*)",
  "Bash(git * --force)",
  "Edit",
  "Edit(src/**)",
  "Read(.env)",
  "mcp__a",
  "mcp__a__b",
  "deploy(prod:*)",
  { rule: "Bash(make:*)", reason: "so it is", match: ["make all"] },
  { rule: "Edit(src/**)", agents: ["main"], modes: ["default", "acceptEdits"] },
  { rule: "deploy", expiresAt: "2090-01-01" },
  { rule: "Bash(make *)", exact: true }
]
const bans = [...rules, "*", "mcp__*"]

/** A settings file without a mistake, as JSON value. */
function soundFile({ pick, some }: Random, layer: RuleLayerName): object {
  const modes = ["default", "readOnly", "acceptEdits", "dontAsk", ...(layer === "user" ? ["yolo"] : [])]
  return {
    permissions: {
      allow: some(rules, 2),
      ask: some(bans, 8),
      deny: some(bans, 8),
      ...(pick([true, false]) ? { defaultMode: pick(modes) } : {}),
      additionalDirectories: some(["lib"])
    },
    tools: Object.fromEntries(
      some(["Bash", "Edit", "mcp__a__b", "deploy"], 2).map((name) => [
        name,
        Object.fromEntries(
          some<[string, unknown]>(
            [
              ["tier", pick(["allow", "confirm", "deny"])],
              ["readOnly", pick([true, false])],
              ["alwaysAsk", pick([true, false])],
              ["requiresUserInteraction", pick([true, false])],
              ...(name === "deploy"
                ? ([
                    ["family", "command"],
                    ["subjects", { command: "/cmd" }]
                  ] as [string, unknown][])
                : []),
              ["aliases", [pick(["Other", "mcp__a"])]],
              ["parameters", ["path"]]
            ],
            2
          )
        )
      ])
    ),
    allowedTools: some(["Bash", "Edit", "mcp__a__b", "deploy"]),
    disallowedTools: some(["Edit", "mcp__a__b"], 5),
    ...(layer === "policy" ? { disable: some(["yolo", "auto", "lastingGrants"], 2) } : {})
  }
}

/** A layer's file without a mistake. */
export function soundLayer(random: Random, layer: RuleLayerName): SettingsFile {
  const text = JSON.stringify(soundFile(random, layer), null, random.pick([0, 1]))
  return { layer, file: layer, text, trusted: random.pick([true, false]) }
}

/** Breaks a text in one place: cut off, a bit flipped, a value of a wrong type, a name that nobody knows or given twice. */
export function breakText({ below, pick }: Random, text: string): string {
  switch (below(5)) {
    case 0:
      return text.slice(0, below(text.length))
    case 1: {
      const bytes = Buffer.from(text)
      let at = below(bytes.length)
      // a closing bracket that became a letter reads as a longer content: nobody can tell it from one that is missing
      while (bytes[at] === 0x29) at = below(bytes.length)
      bytes[at] = bytes[at]! ^ (1 << below(7))
      return bytes.toString("utf8")
    }
    case 2:
      return JSON.stringify(
        mutate(JSON.parse(text), below(40), () => pick([7, null, true, {}, [[]], { rule: 7 }]), undefined)
      )
    case 3:
      return JSON.stringify(
        mutate(JSON.parse(text), below(40), undefined, (key) => pick([`${key}x`, key.slice(1), "qqqqqq"]))
      )
    default:
      return text.replace("{", pick([`{"permissions":{},`, `{"tools":{},`, `{"disallowedTools":[],`, `{"disable":[],`]))
  }
}

/** The value with one node, or one name, replaced. */
function mutate(
  value: unknown,
  target: number,
  node: (() => unknown) | undefined,
  name: ((key: string) => string) | undefined
): unknown {
  let seen = 0
  const walk = (each: unknown): unknown => {
    if (node !== undefined && seen++ === target) return node()
    if (Array.isArray(each)) return each.map(walk)
    if (typeof each !== "object" || each === null) return each
    return Object.fromEntries(
      Object.entries(each).map(([key, member]) => {
        const named = name !== undefined && seen++ === target ? name(key) : key
        return [named, walk(member)]
      })
    )
  }
  return walk(value)
}

/** Whether a file holds a mistake. */
export const isFaulty = (file: SettingsFile) =>
  parseSettings(file).problems.some(({ severity }) => severity === "error")

const calls: readonly (readonly [string, unknown])[] = [
  ["Bash", { command: "make" }],
  ["Bash", { command: "make all && rm x" }],
  ["Bash", { command: "git push --force" }],
  ["Bash", { command: "$X" }],
  ["Bash", { command: "cat .env" }],
  ["Edit", { file_path: "src/a.ts" }],
  ["Write", { file_path: "lib/x" }],
  ["mcp__a__b", { path: "x" }],
  ["deploy", { cmd: "prod eu", path: "x" }],
  ["Other", {}]
]
export const modes: readonly (Mode | undefined)[] = [undefined, "default", "readOnly", "acceptEdits", "yolo", "dontAsk"]

/** What happens to each call: 0 allow, 1 ask, 2 deny. Without a mode the main agent works in that of the settings. */
export function outcomes({ rules, settings, surroundings }: SettingsView, mode: Mode | undefined): readonly number[] {
  const folder = place.project!
  return calls.map(([toolName, input]) => {
    if (settings.policyBroken) return 2
    const read = readCall({ sessionId: "s", agentId: "main", toolCallId: "t", toolName, arguments: input, folder })
    if ("problem" in read) throw new Error(read.problem.message)
    const capability = Object.hasOwn(settings.tools, toolName) ? settings.tools[toolName]! : {}
    const main = { agentId: "main", mode: mode ?? ownMode(settings), bounds: undefined, rules: undefined }
    const { outcomes, ruling } = evaluate(
      plainEvaluation(readSubject(read.call, capability, surroundings(folder), presets.default), rules(folder), {
        lineage: [main, ...settings.ancestorModes.map((each) => ({ ...main, agentId: each.layer, mode: each.mode }))],
        tier: capability.tier,
        alwaysAsk: capability.alwaysAsk === true,
        requiresUserInteraction: capability.requiresUserInteraction === true,
        disabled: settings.disabled,
        now: Date.UTC(2026, 0, 1)
      })
    )
    const silent = outcomes.some((each) => each.decision === "ask" && each.mode === "dontAsk")
    return ruling.decision === "ask" && !silent ? 1 : ruling.decision === "allow" ? 0 : 2
  })
}

/** The mode that a main agent starts in. */
export const ownMode = ({ ancestorModes, defaultModes }: SettingsView["settings"]): Mode =>
  defaultModes.find((each) => !ancestorModes.some(({ layer }) => layer === each.layer))?.mode ?? "default"
