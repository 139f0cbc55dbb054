/** `countersign explain`: why a call would be allowed, asked for or denied. `check` with everything there is to say. */
import { Command } from "effect/cli"
import { callFlags, single } from "./check.ts"

/** `countersign explain`. Exit codes as `check`: 0 allow, 2 deny, 4 ask, 3 invalid settings, 1 failure. */
export const explain = Command.make("explain", callFlags, (given) => single({ ...given, explain: true })).pipe(
  Command.withDescription(
    "Why a call would be allowed, asked for or denied: its commands and files, the rule that decides each, " +
      "what nobody can know, every step, and what would allow it. Exit codes as check."
  ),
  Command.withExamples([
    {
      command: `countersign explain --tool Bash --input '{"command":"ls && npm publish"}'`,
      description: "Why was I asked?"
    }
  ])
)
