import { writeRecord } from "@countersign/gate"
import { assert, describe, it } from "@effect/vitest"
import { ask, decided, ended } from "./rows.ts"

/** The same members in the opposite order. */
const backwards = <A extends object>(record: A) =>
  Object.fromEntries(Object.entries(record).toReversed()) as unknown as A

describe("The text of a record", () => {
  it("has its keys in one order, however it was put together", () => {
    const row = ask({ id: "case-a", toolCallId: "call-a" })
    const decision = decided(row, { id: "record-a", because: "a reason", node: "n1" })
    const text =
      `{"v":1,"kind":"decision","id":"record-a","at":1000,"userId":"u1","sessionId":"s1","agentId":"root",` +
      `"toolCallId":"call-a","toolName":"Bash","folder":"/srv/proj",` +
      `"arguments":{"command":"npm publish","tags":["a",null,1.5]},"digest":"d1","decision":"allow","source":"user",` +
      `"ruleId":"user.approved","because":"a reason","lineage":[{"agentId":"root","task":""}],"caseId":"case-a",` +
      `"settings":"settings-1","node":"n1"}`
    assert.strictEqual(writeRecord(decision), text)
    assert.strictEqual(writeRecord(backwards(decision)), text)
  })

  it("has an outcome's keys in one order, too", () => {
    const row = ask({ id: "case-b", toolCallId: "call-b" })
    const outcome = ended(row, { id: "record-b", outcome: "failed", error: "boom" })
    const text =
      `{"v":1,"kind":"outcome","id":"record-b","at":2000,"sessionId":"s1","agentId":"root","toolCallId":"call-b",` +
      `"toolName":"Bash","caseId":"case-b","outcome":"failed","error":"boom","node":"n1"}`
    assert.strictEqual(writeRecord(backwards(outcome)), text)
  })

  it("leaves out what a record has not and what is no part of one", () => {
    const stray = { ...decided(ask()), because: undefined, password: "secret" }
    // what a caller without types could hand in
    const text = writeRecord(stray as unknown as Parameters<typeof writeRecord>[0])
    assert.notInclude(text, "because")
    assert.notInclude(text, "secret")
  })
})
