/** `countersign lint`: what in the settings files their authors may not have meant, each shown by a call. */
import { cleanPath, lintSettings } from "@countersign/kernel"
import { Console, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { existsSync } from "node:fs"
import { homedir } from "node:os"
import { exitCodes, exitWith, failure } from "../Exited.ts"
import { findingLines, lintSummary } from "../render/lint.ts"
import { styleFor } from "../render/Style.ts"
import { problemText } from "../render/verdict.ts"
import { safeJson } from "../render/visible.ts"
import { callFlags, layerFiles, placeAt } from "./check.ts"

const flags = {
  cwd: callFlags.cwd,
  settings: callFlags.settings,
  json: Flag.Boolean("json").pipe(Flag.withDescription("Print JSON"), Flag.withDefault(false))
}

/** Exit codes of `lint`. */
const codes = { clean: 0, findings: 2, invalidSettings: exitCodes.invalidSettings } as const

/** `countersign lint`. Exit code: 0 clean, 2 findings, 3 invalid settings, 1 failure. */
export const lint = Command.make(
  "lint",
  flags,
  Effect.fnUntraced(function* ({ cwd: given, json, settings }) {
    const cwd = cleanPath(
      Option.getOrElse(given, () => "."),
      process.cwd(),
      homedir()
    )
    if (!existsSync(cwd)) return yield* failure(`the working folder \`${cwd}\` does not exist; give another with --cwd`)
    // what a project's file says is looked at, not whether it may say it
    const files = yield* layerFiles(
      cwd,
      Option.getOrElse(settings, () => ({})),
      true
    )
    const { findings, problems } = lintSettings(files, placeAt(cwd), Date.now())
    const invalid = problems.some(({ severity }) => severity === "error")
    const code = invalid ? codes.invalidSettings : findings.length + problems.length > 0 ? codes.findings : codes.clean
    if (json) {
      const named = files.map(({ file, layer }) => ({ layer, file }))
      yield* Console.log(
        safeJson({ ...(invalid ? { error: "invalid settings" } : {}), files: named, problems, findings })
      )
    } else {
      const style = styleFor(process.stdout)
      yield* Effect.forEach(problems, (problem) => Console.log(problemText(problem, style)), { discard: true })
      for (const finding of findings) yield* Console.log(findingLines(finding, style).join("\n"))
      if (!invalid) yield* Console.log(lintSummary(findings.length + problems.length, files.length))
    }
    if (code !== codes.clean) return yield* exitWith(code)
  })
).pipe(
  Command.withDescription(
    "Rules that never speak, lie under others, contradict another layer, reach further than they look or pair badly, " +
      "each with a call that shows it. Reads the four usual files, as trusted. " +
      "Exit code 0 clean, 2 findings, 3 invalid settings, 1 failure."
  ),
  Command.withExamples([
    { command: "countersign lint", description: "Look at the settings that count here" },
    { command: "countersign lint --settings user=my.json --json", description: "Look at another file, for a program" }
  ])
)
