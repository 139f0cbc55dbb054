/** `countersign import claude`: settings of Claude Code as settings of ours, and a list of what stayed behind. */
import { configHomeOf, defaultFiles } from "@countersign/gate"
import { cleanPath, parseIJson, parseSettings, RuleLayerName } from "@countersign/kernel"
import { Console, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { basename, dirname, join } from "node:path"
import { failure } from "../Exited.ts"
import { fromClaude } from "../importing/fromClaude.ts"
import { problemText } from "../render/verdict.ts"
import { styleFor } from "../render/Style.ts"
import { oneLine } from "../render/visible.ts"

const claude = Command.make(
  "claude",
  {
    file: Argument.String("file").pipe(Argument.withDescription("A settings file, e.g. .claude/settings.json")),
    layer: Flag.Literals("layer", RuleLayerName.literals).pipe(
      Flag.withDescription("The layer it is for; else what its place says"),
      Flag.optional
    ),
    write: Flag.Boolean("write").pipe(
      Flag.withDescription("Write the layer's file instead of printing it; one that is there is never overwritten"),
      Flag.withDefault(false)
    )
  },
  Effect.fnUntraced(function* ({ file, layer: given, write }) {
    const path = cleanPath(file, process.cwd(), homedir())
    const text = yield* Effect.try({
      try: () => readFileSync(path, "utf8"),
      catch: (error) => failure(`the file \`${file}\` can't be read: ${wordsOf(error)}`)
    })
    const read = parseIJson(text)
    if ("problem" in read) {
      const { message, pointer } = read.problem
      return yield* failure(
        `the file \`${file}\` is ${pointer === "" ? message : `at fault in \`${pointer}\`: ${message}`}`
      )
    }
    const layer = Option.getOrElse(given, () => layerOf(path))
    const { remarks, settings } = fromClaude(read.value, layer)
    const ours = `${JSON.stringify(settings, null, 2)}\n`
    for (const { at, carried, why } of remarks) {
      yield* Console.error(`${carried ? "carried over" : "not carried over"}: ${oneLine(at)}: ${oneLine(why)}`)
    }
    const style = styleFor(process.stderr)
    for (const problem of parseSettings({ layer, text: ours, file: "the import", trusted: true }).problems) {
      yield* Console.error(problemText(problem, style))
    }
    if (!write) return yield* Console.log(ours.trimEnd())
    const target = placeOf(path, layer)
    yield* Effect.try({
      try: () => {
        mkdirSync(dirname(target), { recursive: true })
        writeFileSync(target, ours, { flag: "wx" })
      },
      catch: (error) =>
        failure(
          isThere(error)
            ? `\`${target}\` is there already; print the import without --write and merge it by hand`
            : `\`${target}\` can't be written: ${wordsOf(error)}`
        )
    })
    yield* Console.log(`written: ${oneLine(target)}`)
  })
).pipe(
  Command.withDescription("Settings of Claude Code; lists what could not be carried over, with the reasons"),
  Command.withExamples([
    { command: "countersign import claude .claude/settings.json", description: "See what would become of it" },
    { command: "countersign import claude .claude/settings.json --write", description: "Write it beside it" }
  ])
)

/** `countersign import`. */
export const importFrom = Command.make("import").pipe(
  Command.withDescription("Take over the settings of another agent"),
  Command.withSubcommands([claude])
)

function layerOf(path: string): RuleLayerName {
  const name = basename(path)
  if (name === "managed-settings.json") return "policy"
  if (name.includes(".local.")) return "projectLocal"
  return dirname(path) === join(homedir(), ".claude") ? "user" : "projectShared"
}

/** The layer's usual file; a project's lies beside the folder that the other agent's file is in. */
function placeOf(path: string, layer: RuleLayerName): string {
  const folder = dirname(path)
  const project = basename(folder) === ".claude" ? dirname(folder) : process.cwd()
  const home = homedir()
  const files = defaultFiles({ project, home, configHome: configHomeOf(home, process.env) })
  return files.find((each) => each.layer === layer)!.path
}

const wordsOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
const isThere = (error: unknown) => error instanceof Error && "code" in error && error.code === "EEXIST"
