#!/usr/bin/env node
/** The program. Each subcommand is a file of its own in `commands/`. */
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Console, Effect } from "effect"
import { Command } from "effect/cli"
import { audit } from "./commands/audit.ts"
import { check } from "./commands/check.ts"
import { demo } from "./commands/demo.ts"
import { explain } from "./commands/explain.ts"
import { importFrom } from "./commands/importClaude.ts"
import { schema } from "./commands/schema.ts"
import { trust } from "./commands/trust.ts"
import { lint } from "./commands/lint.ts"
import { oneLine } from "./render/visible.ts"

const countersign = Command.make("countersign").pipe(
  Command.withDescription("The gate between AI agents and what they want to do"),
  Command.withSubcommands([demo, check, explain, lint, audit, trust, importFrom, schema])
)

// whoever reads the answers may stop reading: nothing is left to say then
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1))

countersign.pipe(
  Command.run({ version: "0.1.0" }),
  Effect.tapErrorTag("Exited", ({ words }) =>
    words === undefined ? Effect.void : Console.error(`error: ${oneLine(words)}`)
  ),
  Effect.provide(NodeServices.layer),
  NodeRuntime.runMain
)
