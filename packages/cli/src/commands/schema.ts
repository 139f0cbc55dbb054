/** `countersign schema`: the JSON Schema of a settings file, for editors and other programs. */
import { settingsJsonSchema } from "@countersign/kernel"
import { Console } from "effect"
import { Command } from "effect/cli"

/** `countersign schema`. */
export const schema = Command.make("schema", {}, () => Console.log(JSON.stringify(settingsJsonSchema(), null, 2))).pipe(
  Command.withDescription("Print the JSON Schema of a settings file"),
  Command.withExamples([
    { command: "countersign schema > settings.schema.json", description: "Keep it where an editor finds it" }
  ])
)
