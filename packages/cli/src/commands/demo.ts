/** `countersign demo`: the main job on real input, with a person or a list of answers. */
import { Console, Effect, Option, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { readFileSync } from "node:fs"
import { releaseScript } from "../demo/releaseScript.ts"
import { Answer, faultIn, Script } from "../demo/Script.ts"
import { exitCodes, exitWith, failure } from "../Exited.ts"
import { styleFor } from "../render/Style.ts"

const flags = {
  task: Flag.String("task").pipe(
    Flag.withDescription("Play the script in this JSON file"),
    Flag.withMetavar("FILE"),
    Flag.optional
  ),
  answers: Flag.String("answers").pipe(
    Flag.withDescription("Take the person's answers from this JSON file; `default` takes the script's own"),
    Flag.withMetavar("FILE"),
    Flag.optional
  ),
  perform: Flag.String("perform").pipe(Flag.withHidden, Flag.optional)
}

/** `countersign demo`. Exit code 0 only if everything it promises happened. */
export const demo = Command.make("demo", flags, ({ answers, perform, task }) =>
  Option.match(perform, { onNone: () => story(task, answers), onSome: performIn })
).pipe(
  Command.withDescription(
    "Agents with a real task in a fresh repository, from the first call to the last record; a kill -9 in the middle"
  ),
  Command.withExamples([
    { command: "countersign demo", description: "At a terminal, you are the person who answers" },
    { command: "countersign demo --answers default", description: "Answers from the script" }
  ])
)

// the performance loads the whole gate; the other commands start without it
const performIn = (folder: string) =>
  Effect.tryPromise({
    try: async () => (await import("../demo/perform.ts")).perform(folder),
    catch: (error) => failure(`the performance failed: ${wordsOf(error)}`)
  })

const story = Effect.fnUntraced(function* (task: Option.Option<string>, answers: Option.Option<string>) {
  const script = Option.isNone(task) ? releaseScript : yield* readScript(task.value)
  const person = yield* whoAnswers(script, answers)
  const kept = yield* Effect.tryPromise({
    try: async () =>
      (await import("../demo/story.ts")).tellStory({
        script,
        ...person,
        style: styleFor(process.stdout),
        width: process.stdout.columns ?? 180,
        print: (text) => process.stdout.write(`${text}\n`)
      }),
    catch: (error) => failure(wordsOf(error))
  })
  if (!kept) return yield* exitWith(exitCodes.failure)
})

const whoAnswers = Effect.fnUntraced(function* (script: Script, answers: Option.Option<string>) {
  const listed = { answers: script.answers, from: "the script's own list (`--answers default`)" }
  if (Option.isSome(answers)) {
    if (answers.value === "default") return listed
    const list = yield* readJson(answers.value, Schema.Array(Answer))
    return { answers: list, from: `the file \`${answers.value}\`` }
  }
  if (process.stdin.isTTY && process.stdout.isTTY) return { answers: undefined, from: "you, at this terminal" }
  yield* Console.log("There is no terminal to answer at.")
  return listed
})

const readScript = Effect.fnUntraced(function* (file: string) {
  const script = yield* readJson(file, Script)
  const fault = faultIn(script)
  return fault === undefined ? script : yield* failure(`the script \`${file}\`: ${fault}`)
})

const readJson = Effect.fnUntraced(function* <A>(file: string, schema: Schema.Codec<A, unknown>) {
  const text = yield* Effect.try({
    try: () => readFileSync(file, "utf8"),
    catch: (error) => failure(`the file \`${file}\` can't be read: ${wordsOf(error)}`)
  })
  return yield* Schema.decodeEffect(Schema.fromJsonString(schema))(text).pipe(
    Effect.mapError((error) => failure(`the file \`${file}\` does not have the right form: ${error.message}`))
  )
})

const wordsOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
