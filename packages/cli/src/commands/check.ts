/** `countersign check`: what the rules say of a call, without running anything. */
import {
  cleanPath,
  type Mode,
  readMode,
  RuleLayerName,
  type SettingsFile,
  type SettingsProblem,
  type Surroundings
} from "@countersign/kernel"
import {
  configHomeOf,
  defaultFiles,
  ownFolders,
  realFiles,
  settingsFiles,
  trustedBy,
  trustFile
} from "@countersign/gate"
import { Console, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { existsSync, readFileSync } from "node:fs"
import { homedir } from "node:os"
import { checkBatch } from "../check/checkBatch.ts"
import { exitCodes, type Exited, exitWith, failure } from "../Exited.ts"
import { type Explained, explainAlone } from "../explainAlone.ts"
import { judgeAlone, prepareWorld, type Verdict, type World } from "../judgeAlone.ts"
import { explanationText } from "../render/explain.ts"
import { styleFor } from "../render/Style.ts"
import { problemText, verdictText } from "../render/verdict.ts"
import { safeJson } from "../render/visible.ts"

/** What says which call, and where. */
export const callFlags = {
  tool: Flag.String("tool").pipe(Flag.withDescription("The tool that would be called, e.g. Bash"), Flag.optional),
  input: Flag.String("input").pipe(
    Flag.withDescription("Its arguments, as JSON; - reads them from standard input"),
    Flag.optional
  ),
  mode: Flag.String("mode").pipe(
    Flag.withDescription("default, acceptEdits, readOnly, auto, dontAsk or yolo; else what the settings say"),
    Flag.optional
  ),
  cwd: Flag.String("cwd").pipe(Flag.withDescription("The working folder, and the project's"), Flag.optional),
  settings: Flag.KeyValuePair("settings").pipe(
    Flag.withDescription("layer=FILE: another file for policy, user, projectLocal or projectShared; repeatable"),
    Flag.optional
  ),
  trusted: Flag.Boolean("trusted").pipe(
    Flag.withDescription("Count the project's files as trusted, whatever `countersign trust` has recorded"),
    Flag.withDefault(false)
  ),
  json: Flag.Boolean("json").pipe(Flag.withDescription("Print JSON"), Flag.withDefault(false))
}

const flags = {
  ...callFlags,
  explain: Flag.Boolean("explain").pipe(
    Flag.withDescription("Say why: parts, files, steps, and what would allow it"),
    Flag.withDefault(false)
  ),
  batch: Flag.Boolean("batch").pipe(
    Flag.withDescription("Judge one case a line from standard input, by the rules in that line alone"),
    Flag.withDefault(false)
  )
}

/** `countersign check`. Exit code: 0 allow, 2 deny, 4 ask, 3 invalid settings, 1 failure. */
export const check = Command.make("check", flags, (given) => (given.batch ? batch : single(given))).pipe(
  Command.withDescription(
    "What the rules say of a call: exit code 0 allow, 2 deny, 4 ask, 3 invalid settings, 1 failure. Runs nothing."
  ),
  Command.withExamples([
    { command: `countersign check --tool Bash --input '{"command":"git status"}' --explain`, description: "Ask why" },
    { command: "countersign check --batch < cases.ndjson", description: "Judge many, hermetically" }
  ])
)

const batch = Effect.gen(function* () {
  const answered = yield* Effect.tryPromise({
    try: () => checkBatch(process.stdin, process.stdout, Date.now()),
    catch: (error) =>
      failure(`standard input could not be read: ${error instanceof Error ? error.message : String(error)}`)
  })
  if (!answered) return yield* exitWith(exitCodes.failure)
})

interface Given {
  readonly tool: Option.Option<string>
  readonly input: Option.Option<string>
  readonly mode: Option.Option<string>
  readonly cwd: Option.Option<string>
  readonly settings: Option.Option<Record<string, string>>
  readonly trusted: boolean
  readonly explain: boolean
  readonly json: boolean
}

/** One call, judged by the layers' files, and explained where that is asked for. */
export const single = Effect.fnUntraced(function* (given: Given) {
  const tool = yield* required(given.tool, "tool", "--tool Bash")
  const input = yield* readInput(yield* required(given.input, "input", `--input '{"command":"git status"}'`))
  const cwd = cleanPath(
    Option.getOrElse(given.cwd, () => "."),
    process.cwd(),
    homedir()
  )
  if (!existsSync(cwd)) return yield* failure(`the working folder \`${cwd}\` does not exist; give another with --cwd`)
  const files = yield* layerFiles(
    cwd,
    Option.getOrElse(given.settings, () => ({})),
    given.trusted
  )
  const world = worldAt(cwd, files)
  const errors = world.problems.filter(({ severity }) => severity === "error")
  yield* report(world.problems, given.json && errors.length === 0)
  if (errors.length > 0) {
    if (given.json) yield* Console.log(safeJson({ error: "invalid settings", problems: world.problems }))
    return yield* exitWith(exitCodes.invalidSettings)
  }
  const mode = yield* modeFor(given.mode, world)
  const now = Date.now()
  const verdict = judgeAlone(world, { tool, input }, { mode, now, trace: given.explain })
  const explained = given.explain ? explainAlone(world, { tool, input }, { mode, now }, verdict) : undefined
  const fileOf = (layer: string) => files.find((file) => file.layer === layer)?.file
  const style = styleFor(process.stdout)
  if (given.json) yield* Console.log(asJson(verdict, explained, world, mode))
  else if (explained === undefined) yield* Console.log(verdictText({ tool, input }, verdict, style, { fileOf }))
  else yield* Console.log(explanationText({ tool, input }, explained, verdict, style, fileOf))
  const code = exitCodes[verdict.decision.decision]
  if (code !== 0) return yield* exitWith(code)
})

const required = (value: Option.Option<string>, name: string, example: string) =>
  Option.match(value, {
    onNone: () => Effect.fail(failure(`\`--${name}\` is missing; say for example ${example}, or use --batch`)),
    onSome: (text) => Effect.succeed(text)
  })

/** Handed on as text, so that the gate's own reading of JSON judges it: a name given twice is seen. */
const readInput = (text: string): Effect.Effect<string, Exited> =>
  text === "-"
    ? Effect.try({
        try: () => readFileSync(0, "utf8"),
        catch: (error) => failure(`standard input could not be read: ${String(error)}`)
      })
    : Effect.succeed(text)

const modeFor = Effect.fnUntraced(function* (given: Option.Option<string>, { settings }: World) {
  // an untrusted project's mode counts as an ancestor's and is no default
  if (Option.isNone(given))
    return (
      settings.defaultModes.find((own) => !settings.ancestorModes.some(({ layer }) => layer === own.layer))?.mode ??
      "default"
    )
  const mode = readMode(given.value)
  if (mode === undefined)
    return yield* failure(`unknown mode \`${given.value}\`; use default, acceptEdits, readOnly, auto, dontAsk or yolo`)
  return mode
})

/** The four layers' files: the default places, or what was named instead. */
export const layerFiles = Effect.fnUntraced(function* (
  project: string,
  named: Record<string, string>,
  trusted: boolean
) {
  const configHome = configHomeOf(homedir(), process.env)
  const trusts = trusted ? () => true : trustedBy(trustFile(configHome))
  const places = defaultFiles({ project, home: homedir(), configHome })
  const unknown = Object.keys(named).find((layer) => !(RuleLayerName.literals as readonly string[]).includes(layer))
  if (unknown !== undefined) {
    return yield* failure(`unknown layer \`${unknown}\`; use ${RuleLayerName.literals.join(", ")}`)
  }
  const found = settingsFiles(
    places.filter(({ layer }) => !Object.hasOwn(named, layer)),
    trusts
  ).look()
  const given: SettingsFile[] = []
  for (const layer of RuleLayerName.literals) {
    const file = Object.hasOwn(named, layer) ? named[layer] : undefined
    if (file === undefined) continue
    // a file that was named and is not there is a mistake, unlike an absent default one
    const text = yield* Effect.try({
      try: () => readFileSync(file, "utf8"),
      catch: (error) =>
        failure(
          `the settings file \`${file}\` can't be read: ${error instanceof Error ? error.message : String(error)}`
        )
    })
    given.push({ layer, text, file, trusted: trusts({ path: file }, text) })
  }
  return [...found, ...given]
})

const worldAt = (cwd: string, files: readonly SettingsFile[]): World => prepareWorld(files, placeAt(cwd))

/** Where calls are judged: this folder, this machine. */
export function placeAt(cwd: string): Surroundings {
  const home = homedir()
  const configHome = configHomeOf(home, process.env)
  return {
    folder: cwd,
    project: cwd,
    home,
    additionalDirectories: [],
    ownPaths: ownFolders({ project: cwd, home, configHome, files: realFiles }),
    files: realFiles,
    caseInsensitive: process.platform === "darwin" || process.platform === "win32"
  }
}

const report = (problems: readonly SettingsProblem[], quiet: boolean) =>
  quiet
    ? Effect.void
    : Effect.forEach(problems, (problem) => Console.error(problemText(problem, styleFor(process.stderr))), {
        discard: true
      })

const asJson = ({ decision, reason, trace }: Verdict, explained: Explained | undefined, world: World, mode: Mode) =>
  safeJson({
    ...decision,
    reason,
    mode,
    ...explained,
    ...(trace.length === 0 ? {} : { trace }),
    ...(world.problems.length === 0 ? {} : { warnings: world.problems })
  })
