import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { visible } from "../src/Card.ts"
import { scriptedParent } from "../src/testing/ScriptedParent.ts"
import { base, open } from "./stage.ts"

describe("the text of a card", () => {
  it.effect("says who asks, for what, with which arguments, why, and who says what of it", () =>
    Effect.gen(function* () {
      const stage = yield* open({
        ...base,
        settings: { projectShared: { permissions: { ask: ["Bash(git push:*)"] } } },
        parents: { root: scriptedParent([{ verdict: "escalate", reason: "I can't see why" }]).parent }
      })
      yield* stage.agents.open({ sessionId: "s1" })
      yield* stage.agents.spawn(
        { sessionId: "s1", parentId: "root", agentId: "C", task: "bring it to origin" },
        stage.gate.authorize
      )
      yield* stage.begin({
        toolName: "Bash",
        arguments: { command: "git push origin main" },
        agentId: "C",
        toolCallId: "c1"
      })
      yield* stage.shown()
      const text = (yield* stage.desk.card("s1", "C/c1"))!.text
      for (const part of [
        "child agent C asks to run Bash",
        "for the task: bring it to origin",
        "spawned by: root",
        `{"command":"git push origin main"}`,
        "Bash(git push:*) (this project's shared settings)",
        "parent root can't decide on C's Bash because I can't see why"
      ])
        assert.include(text, part)
      yield* stage.close
    })
  )

  it.effect("holds no control, format or bidirectional character that an agent put in", () =>
    Effect.gen(function* () {
      const evil = "x\u001b[2J\u202e\u200b\u2028\u0007\r\ny"
      const stage = yield* open({
        ...base,
        parents: { root: scriptedParent([{ verdict: "endorse", reason: evil }]).parent }
      })
      yield* stage.agents.open({ sessionId: "s1" })
      yield* stage.agents.spawn(
        { sessionId: "s1", parentId: "root", agentId: `C${evil}`, task: evil },
        stage.gate.authorize
      )
      yield* stage.begin({
        toolName: "x",
        arguments: { evil },
        agentId: `C${evil}`,
        toolCallId: "c1",
        folder: "/srv/proj"
      })
      const [item] = yield* stage.shown()
      const text = (yield* stage.desk.card("s1", item!.confirmationId))!.text
      assert.notMatch(text.replaceAll("\n", ""), /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
      assert.strictEqual(text.split("\n").filter((line) => !line.startsWith("  ")).length, 1)
      yield* stage.close
    })
  )

  it("makes visible what can't be seen", () => {
    assert.strictEqual(visible("a\u202eb\u0000"), "a\\u{202e}b\\u{0}")
  })
})
