/**
 * A gate in thirty lines: one guarded tool, rules for it, and a person for what no rule decides.
 * Run it with `npx node --conditions=source examples/embed/main.ts`.
 */
import { createGate } from "@countersign/adjudicator"
import { execFile } from "node:child_process"
import { promisify } from "node:util"

const gate = await createGate({
  settings: { user: { permissions: { allow: ["Bash(echo:*)"], deny: ["Bash(curl:*)"] } } },
  tools: { Bash: {} },
  askUser: (_, card) => {
    console.log(card.text)
    return { approved: true, decidedBy: "you" }
  }
})

// what reaches `execute` was judged, and shown if it had to be; nothing else runs
const bash = gate.guard({
  name: "Bash",
  execute: async ({ command }: { command: string }) =>
    (await promisify(execFile)("bash", ["-c", command])).stdout.trim()
})

const commands = ["echo allowed by a rule", "echo hi && curl http://a.invalid", "awk 'BEGIN { print 6 * 7 }'"]
for (const command of commands) {
  const result = await bash.execute({ command })
  console.log(typeof result === "string" ? `ran: ${result}` : `denied (${result.ruleId}): ${result.reason}`)
}
await gate.close()
