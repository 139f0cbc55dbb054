import { createGate } from "@countersign/adjudicator"
for (const n of [100, 200,400,800]) {
  const decided: Promise<unknown>[] = []
  const gate = await createGate({ preset: "ack", folder: "/srv/proj", tiers: { x: "confirm" }, observer: ({ event, kind }: any) => {
    if (kind === "confirmation" && event.value.status === "pending") decided.push(gate.desk.decide({ sessionId: event.value.sessionId, confirmationId: event.value.confirmationId, approved: true }))
  } })
  const t = Date.now()
  await Promise.all(Array.from({ length: n }, (_, i) => gate.run({ toolName: "x", sessionId: `s${i % 100}`, toolCallId: `c${i}`, arguments: {} }, () => 1)))
  await Promise.all(decided)
  console.log("asked", n, Date.now() - t)
  const t2 = Date.now()
  await Promise.all(Array.from({ length: n }, (_, i) => gate.run({ toolName: "free", sessionId: `s${i % 100}`, toolCallId: `d${i}`, arguments: {} }, () => 1)))
  console.log("free", n, Date.now() - t2)
  await gate.close()
}
