/** `countersign audit`: what was decided, by whom and why, read from a database. */
import { Console, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { failure } from "../Exited.ts"
import { entryLines, entryTable } from "../render/records.ts"
import { styleFor } from "../render/Style.ts"

const database = Flag.String("database").pipe(
  Flag.withDescription("The database file of a gate"),
  Flag.withMetavar("FILE")
)
const json = Flag.Boolean("json").pipe(Flag.withDescription("Print all of it as JSON"), Flag.withDefault(false))
const text = (name: string, about: string) => Flag.String(name).pipe(Flag.withDescription(about), Flag.optional)

const list = Command.make(
  "list",
  {
    database,
    json,
    session: text("session", "Only this session's calls"),
    agent: text("agent", "Only this agent's calls"),
    tool: text("tool", "Only calls of this tool"),
    decision: Flag.Literals("decision", ["allow", "deny"]).pipe(
      Flag.withDescription("Only what ended so"),
      Flag.optional
    ),
    limit: Flag.Int("limit").pipe(Flag.withDescription("At most so many decisions, the newest"), Flag.withDefault(200))
  },
  Effect.fnUntraced(function* ({ agent, database, decision, json, limit, session, tool }) {
    if (limit < 1) return yield* failure(`\`--limit\` is \`${limit}\`; say how many decisions to show, 1 at least`)
    const { listEntries } = yield* reading
    const entries = yield* listEntries(database, {
      limit,
      ...given("sessionId", session),
      ...given("agentId", agent),
      ...given("toolName", tool),
      ...given("decision", decision)
    })
    if (json) return yield* Effect.forEach(entries, (entry) => Console.log(JSON.stringify(entry)), { discard: true })
    yield* Console.log(
      entries.length === 0 ? "no decisions" : entryTable(entries, process.stdout.columns ?? 200).join("\n")
    )
  })
).pipe(Command.withDescription("Every call, its decision, ground and outcome, oldest first"))

const show = Command.make(
  "show",
  {
    id: Argument.String("id").pipe(Argument.withDescription("A record's id or number, or a call's id")),
    database,
    json
  },
  Effect.fnUntraced(function* ({ database, id, json }) {
    const { findEntries } = yield* reading
    const entries = yield* findEntries(database, id)
    if (entries.length === 0) {
      return yield* failure(
        `there is no decision \`${id}\`; see them all with: countersign audit list --database ${database}`
      )
    }
    const style = styleFor(process.stdout)
    yield* Console.log(
      json
        ? entries.map((entry) => JSON.stringify(entry, null, 2)).join("\n")
        : entries.map((entry) => entryLines(entry, style).join("\n")).join("\n\n")
    )
  })
).pipe(Command.withDescription("One decision whole, with the chain of responsibility as a tree"))

/** `countersign audit`. */
export const audit = Command.make("audit").pipe(
  Command.withDescription("What was decided, by whom and why"),
  Command.withSubcommands([list, show])
)

// the database is loaded by who reads it: the other commands start without it
const reading = Effect.promise(() => import("../audit/reading.ts"))

const given = <K extends string, V>(key: K, value: Option.Option<V>): { readonly [name in K]?: V } =>
  Option.match(value, { onNone: () => ({}), onSome: (found) => ({ [key]: found }) as { readonly [name in K]: V } })
