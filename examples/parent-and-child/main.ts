/**
 * A parent, its child and a person in sixty lines. The child's asks go to its parent first, which can vouch for them,
 * pass them on or reject them; only the person can approve.
 * Run it with `npx node --conditions=source examples/parent-and-child/main.ts`.
 */
import { createGate } from "@countersign/adjudicator"

const sent: string[] = []

const gate = await createGate({
  mainAgent: "planner",
  tools: {
    send_mail: { subjects: {} },
    delete_mail: {}
  },
  // the person: sees who vouches for whom, and has the final call
  askUser: (call, _, decision) => {
    const { chain = [], childDescription } = decision.adjudication ?? {}
    console.log(`${call.agentId} (${childDescription}) asks for ${call.toolName} ${JSON.stringify(call.arguments)}`)
    for (const { adjudicatorId, reason, verdict } of chain) console.log(`  ${adjudicatorId} says ${verdict}: ${reason}`)
    return { approved: true, decidedBy: "you", remember: "session" }
  }
})

// the parent: a function of yours, which may put the question to a language model
const planner = await gate.agents.open({
  sessionId: "main",
  judge: ({ call, childDescription }) =>
    call.toolName === "delete_mail"
      ? { verdict: "reject", reason: "nobody asked for mail to go" }
      : { verdict: "endorse", reason: `the task is: ${childDescription}` }
})

const writer = await gate.agents.spawn({ parent: planner, agentId: "writer", task: "invite the team" })

const sendMail = gate.guard({
  name: "send_mail",
  execute: async ({ to }: { readonly to: string }) => {
    sent.push(to)
    return `sent to ${to}`
  }
})
const deleteMail = gate.guard({ name: "delete_mail", execute: async () => "deleted" })

const tell = (result: unknown) =>
  console.log(typeof result === "string" ? result : `denied: ${(result as { text: string }).text}`)

tell(await sendMail.execute({ to: "ada" }, { agent: writer })) // endorsed by the planner, approved by the person
tell(await sendMail.execute({ to: "ada" }, { agent: writer })) // passes by the grant that "remember" saved
tell(await deleteMail.execute({ id: 7 }, { agent: writer })) // rejected by the planner: the person never sees it

// every decision is on record, with its chain
for (const { record } of (await gate.audit.list({ kind: "decision" })).toReversed()) {
  if (record.kind === "decision")
    console.log(`${record.agentId} ${record.toolName}: ${record.decision} by ${record.ruleId}`)
}
await gate.close()
