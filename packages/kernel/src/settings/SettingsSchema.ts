/**
 * The form of a settings file as a schema: what editors check and complete by. `parseSettings` reads more than is right
 * here, so that it can say what is wrong with it and act on what is left.
 */
import { Schema } from "effect"
import { Capability } from "../Capability.ts"
import { switches } from "../parseSettings.ts"
import { modeWords } from "../readMode.ts"

/** A mode, by its own name or by what other programs call it. */
export const ModeWord = Schema.Literals([...modeWords, "plan", "read_only", "bypassPermissions"])

const example = Schema.Union([
  Schema.String.annotate({ description: "What the call is about: a command line, a path, a URL" }),
  Schema.Record(Schema.String, Schema.Unknown).annotate({ description: "The arguments of a call" })
])

/** A rule text. */
export const RuleText = Schema.String.annotate({
  description: "`Tool` or `Tool(content)`",
  examples: ["Bash(git status:*)", "Read(./secrets/**)", "WebFetch(domain:example.com)", "mcp__github__get_*"]
})

/** A rule object. */
export const RuleObject = Schema.Struct({
  rule: RuleText,
  reason: Schema.optionalKey(Schema.String.annotate({ description: "Shown to the person and to the model" })),
  agents: Schema.optionalKey(
    Schema.Array(Schema.String).annotate({ description: "Ids of the agents for whom alone the rule counts" })
  ),
  modes: Schema.optionalKey(Schema.Array(ModeWord).annotate({ description: "The modes in which alone it counts" })),
  expiresAt: Schema.optionalKey(
    Schema.Union([Schema.Int, Schema.String]).annotate({
      description: "From then on it counts no more: milliseconds since the epoch, or a date with its zone",
      examples: ["2030-01-31T12:00:00Z"]
    })
  ),
  exact: Schema.optionalKey(Schema.Boolean.annotate({ description: "`*` and `:*` in the content are plain text" })),
  match: Schema.optionalKey(
    Schema.Array(example).annotate({ description: "Calls that the rule has to match; tried when the file loads" })
  ),
  notMatch: Schema.optionalKey(
    Schema.Array(example).annotate({ description: "Calls that it must not match; tried when the file loads" })
  )
}).annotate({ identifier: "Rule" })

const rules = (description: string) =>
  Schema.optionalKey(Schema.Array(Schema.Union([RuleText, RuleObject])).annotate({ description }))

const names = (description: string) => Schema.optionalKey(Schema.Array(Schema.String).annotate({ description }))

/** The `permissions` of a settings file. */
export const Permissions = Schema.Struct({
  allow: rules("Calls that run without a question; a project's count once it is trusted"),
  ask: rules("Calls that a person is asked about each time"),
  deny: rules("Calls that never run"),
  defaultMode: Schema.optionalKey(ModeWord.annotate({ description: "The mode that the main agent starts in" })),
  additionalDirectories: names("Folders that count as part of the workspace; a project's must lie inside it")
}).annotate({ identifier: "Permissions" })

/** A settings file. */
export const SettingsForm = Schema.Struct({
  $schema: Schema.optionalKey(Schema.String),
  permissions: Schema.optionalKey(Permissions),
  tools: Schema.optionalKey(
    Schema.Record(Schema.String, Capability).annotate({ description: "What tools can do, by their names" })
  ),
  allowedTools: names("Tools that run without a question where nothing else speaks of the call"),
  disallowedTools: names("Tools that never run"),
  disable: Schema.optionalKey(
    Schema.Array(Schema.Literals(switches)).annotate({ description: "What nobody may use; policy file only" })
  )
}).annotate({ identifier: "Settings", title: "Settings of Countersign" })

/** The JSON Schema (draft 2020-12) of a settings file, which may hold comments besides. */
export function settingsJsonSchema(): object {
  const { definitions, schema } = Schema.toJsonSchemaDocument(SettingsForm, { onExcessProperty: "error" })
  return { $schema: "https://json-schema.org/draft/2020-12/schema", ...schema, $defs: definitions }
}
