/**
 * `countersign trust`: a person lets a project's settings loosen, too. What is recorded is the content that was shown,
 * and a file that changes is untrusted again.
 */
import {
  configHomeOf,
  defaultFiles,
  type LayerFile,
  readTrust,
  recordTrust,
  revokeTrust,
  settingsFiles,
  trustedBy,
  trustFile
} from "@countersign/gate"
import { cleanPath, parseSettings, type SettingsFile } from "@countersign/kernel"
import { Console, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { existsSync, realpathSync } from "node:fs"
import { homedir } from "node:os"
import { sep } from "node:path"
import { createInterface } from "node:readline/promises"
import { type Exited, exitCodes, exitWith, failure } from "../Exited.ts"
import { styleFor } from "../render/Style.ts"
import { json, oneLine } from "../render/visible.ts"
import { problemText } from "../render/verdict.ts"

const flags = {
  cwd: Flag.String("cwd").pipe(Flag.withDescription("The project's folder"), Flag.optional),
  yes: Flag.Boolean("yes").pipe(
    Flag.withDescription("Do not ask: you have read what the files allow"),
    Flag.withDefault(false)
  ),
  list: Flag.Boolean("list").pipe(Flag.withDescription("Show what is trusted"), Flag.withDefault(false)),
  revoke: Flag.Boolean("revoke").pipe(
    Flag.withDescription("Take back the trust in this project's files"),
    Flag.withDefault(false)
  )
}

/** Why this is a person's to do. */
const notForAgents =
  "an agent must not run it: the repository that it works in would widen its own rules, and nobody would have read them"

/** `countersign trust`. */
export const trust = Command.make("trust", flags, ({ cwd, list, revoke, yes }) => {
  const project = cleanPath(
    Option.getOrElse(cwd, () => "."),
    process.cwd(),
    homedir()
  )
  if (list && revoke) return Effect.fail(failure("`--list` and `--revoke` are two things; give one of them"))
  if (list) return listTrusted
  return revoke ? revokeIn(project) : trustIn(project, yes)
}).pipe(
  Command.withDescription(
    `Let this project's settings allow, too, as they are now. A changed file is untrusted again; ${notForAgents}.`
  ),
  Command.withExamples([
    { command: "countersign trust", description: "Show what the files would allow, and ask" },
    { command: "countersign trust --list", description: "What is trusted" },
    { command: "countersign trust --revoke", description: "Take it back" }
  ])
)

const records = () => trustFile(configHomeOf(homedir(), process.env))

const attempt = <A>(run: () => A): Effect.Effect<A, Exited> =>
  Effect.try({ try: run, catch: (error) => failure(error instanceof Error ? error.message : String(error)) })

const listTrusted = Effect.gen(function* () {
  const trusted = yield* attempt(() => readTrust(records()))
  if (trusted.length === 0) return yield* Console.log("nothing is trusted")
  for (const { at, path, sha256 } of trusted) {
    yield* Console.log(`${oneLine(path)}  sha256 ${sha256.slice(0, 16)}…  since ${oneLine(at)}  ${stateOf(path)}`)
  }
})

/** Whether the record still says something of the file that is there. */
function stateOf(path: string): string {
  const [file] = settingsFiles([{ layer: "projectShared", path }], trustedBy(records())).look()
  if (file === undefined) return "(the file is gone)"
  return file.trusted === true ? "" : "(the file has changed since, so it is untrusted)"
}

const revokeIn = Effect.fnUntraced(function* (project: string) {
  const real = yield* attempt(() => realpathSync(project))
  const revoked = yield* attempt(() =>
    // files that are gone, too
    revokeTrust(
      records(),
      ({ path }) =>
        path.startsWith(`${real}${sep}.countersign${sep}`) || filesOf(project).some((file) => isFile(file, path))
    )
  )
  if (revoked.length === 0) return yield* failure(`no file of \`${project}\` is trusted; see: countersign trust --list`)
  for (const { path } of revoked) yield* Console.log(`no longer trusted: ${oneLine(path)}`)
})

const isFile = ({ path }: LayerFile, real: string) => existsSync(path) && realpathSync(path) === real

const filesOf = (project: string) =>
  defaultFiles({ project, home: homedir() }).filter(
    ({ layer }) => layer === "projectLocal" || layer === "projectShared"
  )

const trustIn = Effect.fnUntraced(function* (project: string, yes: boolean) {
  const found = settingsFiles(filesOf(project), trustedBy(records())).look()
  if (found.length === 0) {
    const places = filesOf(project).map(({ path }) => `\`${path}\``)
    return yield* failure(`there is nothing to trust: no ${places.join(" and no ")}`)
  }
  const style = styleFor(process.stderr)
  const problems = found.flatMap((file) => parseSettings({ ...file, trusted: true }).problems)
  for (const problem of problems) yield* Console.error(problemText(problem, style))
  if (problems.some(({ severity }) => severity === "error")) {
    yield* Console.error("error: a file with mistakes is not trusted; mend them first")
    return yield* exitWith(exitCodes.invalidSettings)
  }
  const untrusted = found.filter(({ trusted }) => trusted !== true)
  if (untrusted.length === 0) return yield* Console.log("trusted already, as it is")
  for (const file of untrusted) for (const line of whatItLoosens(file)) yield* Console.log(line)
  if (!yes) yield* askPerson
  // INVARIANT: what is recorded is the text that was shown, not what the file holds by now
  const shown = untrusted.flatMap(({ file, text }) =>
    file === undefined || text === undefined ? [] : [{ path: file, text }]
  )
  const recorded = yield* attempt(() => recordTrust(records(), shown, new Date().toISOString()))
  for (const { path, sha256 } of recorded)
    yield* Console.log(`trusted: ${oneLine(path)}  sha256 ${sha256.slice(0, 16)}…`)
})

/** What the file says that counts only once it is trusted. */
function whatItLoosens(file: SettingsFile): readonly string[] {
  const { additionalDirectories, allowedTools, defaultMode, rules, tools } = parseSettings({
    ...file,
    trusted: true
  }).settings
  const said = [
    ...rules.filter(({ behavior }) => behavior === "allow").map(({ text }) => `  allow     ${oneLine(text)}`),
    ...allowedTools.map((name) => `  tool      ${oneLine(name)} runs without a question`),
    ...additionalDirectories.map((path) => `  folder    ${oneLine(path)} counts as workspace`),
    ...Object.entries(tools).map(([name, entry]) => `  declares  ${oneLine(name)} ${json(entry)}`),
    ...(defaultMode === undefined ? [] : [`  mode      ${defaultMode}`])
  ]
  return [oneLine(file.file ?? file.layer), ...(said.length === 0 ? ["  only tightens, which needs no trust"] : said)]
}

const askPerson = Effect.gen(function* () {
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    return yield* failure(
      `trust is a person's to give, and there is no terminal to ask at. Run \`countersign trust\` at one, or give --yes if you have read what is listed above; ${notForAgents}`
    )
  }
  const answer = yield* Effect.tryPromise({
    try: async (signal) => {
      const reader = createInterface({ input: process.stdin, output: process.stdout })
      try {
        return await reader.question("Trust exactly this? [y/N] ", { signal })
      } finally {
        reader.close()
      }
    },
    catch: (error) => failure(`the answer could not be read: ${error instanceof Error ? error.message : String(error)}`)
  })
  if (!/^y(es)?$/i.test(answer.trim())) return yield* failure("nothing was trusted")
})
