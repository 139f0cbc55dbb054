import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { isHandle } from "../src/AgentHandle.ts"
import { base, databaseFile, open } from "./stage.ts"

const bash = (command: string, agentId: string) => ({ toolName: "Bash", arguments: { command }, agentId })

describe("the registry of agents", () => {
  it.effect("a session's main agent is there from its first call, a stranger is not", () =>
    Effect.gen(function* () {
      const stage = yield* open(base)
      assert.strictEqual(
        (yield* stage.run({ toolName: "Read", arguments: { file_path: "/srv/proj/a" } })).status,
        "completed"
      )
      assert.strictEqual((yield* stage.run(bash("ls", "stranger"))).decision.ruleId, "agent.unknown")
      assert.deepStrictEqual(
        (yield* stage.agents.tree("s1")).map(({ agentId }) => agentId),
        ["root"]
      )
      yield* stage.close
    })
  )

  it.effect("a spawn passes the gate and has its record; a ban on the spawn tool stops it", () =>
    Effect.gen(function* () {
      const stage = yield* open(base)
      const handle = yield* stage.agents
        .spawn({ sessionId: "s1", parentId: "root", task: "tidy" }, stage.gate.authorize)
        .pipe(
          Effect.catchTag("AgentUnavailable", () =>
            stage.agents
              .open({ sessionId: "s1" })
              .pipe(
                Effect.andThen(
                  stage.agents.spawn({ sessionId: "s1", parentId: "root", task: "tidy" }, stage.gate.authorize)
                )
              )
          )
        )
      assert(isHandle(handle))
      const [spawned] = yield* stage.store.records.list({ toolName: "Agent", kind: "decision" })
      assert(spawned?.record.kind === "decision")
      assert.strictEqual(spawned.record.decision, "allow")
      assert.strictEqual(spawned.record.ruleId, "cap.readOnly")
      yield* stage.close
      const strict = yield* open({ ...base, tiers: { Agent: "deny" } })
      yield* strict.agents.open({ sessionId: "s1" })
      const denied = yield* strict.agents
        .spawn({ sessionId: "s1", parentId: "root", task: "t" }, strict.gate.authorize)
        .pipe(Effect.flip)
      assert.strictEqual(denied._tag, "SpawnDenied")
      assert.deepStrictEqual((yield* strict.agents.tree("s1"))[0]?.children, [])
      yield* strict.close
    })
  )

  it.effect("handles can't be forged", () =>
    Effect.gen(function* () {
      const stage = yield* open(base)
      const handle = yield* stage.agents.open({ sessionId: "s1" })
      yield* stage.agents.spawn({ parent: handle, task: "t" }, stage.gate.authorize)
      const forged = yield* stage.agents
        .spawn({ parent: { ...handle }, task: "t" }, stage.gate.authorize)
        .pipe(Effect.flip)
      assert.include(forged.message, "is named by no handle of this process")
      yield* stage.close
    })
  )

  it.effect("U17 bounds are hard, whatever mode and grants say", () =>
    Effect.gen(function* () {
      const stage = yield* open({ ...base, mode: "yolo" })
      yield* stage.agents.open({ sessionId: "s1" })
      yield* stage.store.grants.save({ id: "g", userId: "u1", toolName: "delete", createdBy: "p", createdAt: 0 })
      yield* stage.agents.spawn(
        { sessionId: "s1", parentId: "root", agentId: "C", task: "t", bounds: { tools: ["read"] } },
        stage.gate.authorize
      )
      const result = yield* stage.run({ toolName: "delete", agentId: "C" })
      assert.strictEqual(result.decision.ruleId, "agent.bounds")
      assert.strictEqual(result.decision.source, "adjudicator")
      yield* stage.close
    })
  )

  it.effect("U19 no child outruns an ancestor", () =>
    Effect.gen(function* () {
      for (const [mode, ruleId] of [
        ["readOnly", "mode.readOnly"],
        ["dontAsk", "mode.dontAsk"]
      ] as const) {
        const stage = yield* open({ ...base, mode })
        yield* stage.agents.open({ sessionId: "s1" })
        yield* stage.agents.spawn(
          { sessionId: "s1", parentId: "root", agentId: "C", task: "t", mode: "yolo" },
          stage.gate.authorize
        )
        assert.strictEqual((yield* stage.run(bash("npm publish", "C"))).decision.ruleId, ruleId)
        yield* stage.close
      }
      const stage = yield* open(base)
      yield* stage.agents.open({ sessionId: "s1" })
      yield* stage.agents.spawn(
        { sessionId: "s1", parentId: "root", agentId: "C", task: "t", mode: "yolo" },
        stage.gate.authorize
      )
      yield* stage.begin(bash("npm publish", "C"))
      yield* stage.shown()
      yield* stage.close
    })
  )

  it.effect("rules given at a spawn hold for the child and all below it, not beside it", () =>
    Effect.gen(function* () {
      const stage = yield* open({ ...base, mode: "yolo" })
      yield* stage.agents.open({ sessionId: "s1" })
      const spawn = (parentId: string, agentId: string, deny?: string) =>
        stage.agents.spawn(
          { sessionId: "s1", parentId, agentId, task: "t", ...(deny === undefined ? {} : { rules: { deny: [deny] } }) },
          stage.gate.authorize
        )
      yield* spawn("root", "C", "Bash(npm publish:*)")
      yield* spawn("C", "G")
      yield* spawn("root", "D")
      assert.strictEqual((yield* stage.run(bash("npm publish", "C"))).decision.ruleId, "rule.user.deny")
      assert.strictEqual((yield* stage.run(bash("npm publish", "G"))).decision.ruleId, "rule.user.deny")
      assert.strictEqual((yield* stage.run(bash("npm publish", "D"))).status, "completed")
      yield* stage.close
    })
  )

  it.effect("depth limits spawning", () =>
    Effect.gen(function* () {
      const stage = yield* open(base)
      yield* stage.agents.open({ sessionId: "s1", bounds: { depth: 1 } })
      yield* stage.agents.spawn({ sessionId: "s1", parentId: "root", agentId: "C", task: "t" }, stage.gate.authorize)
      const error = yield* stage.agents
        .spawn({ sessionId: "s1", parentId: "C", agentId: "G", task: "t" }, stage.gate.authorize)
        .pipe(Effect.flip)
      assert.include(error.message, "may spawn no further below `root`")
      yield* stage.close
    })
  )

  it.effect("cancelling the run stops all of it; opened again, the main agent goes on and the others don't", () =>
    Effect.gen(function* () {
      const stage = yield* open(base)
      yield* stage.agents.open({ sessionId: "s1" })
      yield* stage.agents.spawn({ sessionId: "s1", parentId: "root", agentId: "C", task: "t" }, stage.gate.authorize)
      const waiting = yield* stage.begin({ ...bash("npm publish", "C"), toolCallId: "c1" })
      yield* stage.shown()
      yield* stage.desk.cancel("s1", "root")
      assert.strictEqual((yield* Fiber.join(waiting)).decision.basis, "canceled")
      assert.deepStrictEqual(stage.statuses("C/c1"), ["pending", "canceled"])
      assert.strictEqual((yield* stage.run(bash("ls", "root"))).decision.ruleId, "session.canceled")
      yield* stage.agents.open({ sessionId: "s1" })
      assert.strictEqual((yield* stage.run(bash("ls", "root"))).status, "completed")
      assert.strictEqual((yield* stage.run(bash("ls", "C"))).decision.ruleId, "agent.revoked")
      yield* stage.close
    })
  )

  it.effect("agents outlive the process and their handles are taken back; a stopped one's is not", () =>
    Effect.gen(function* () {
      const database = databaseFile()
      const before = yield* open({ ...base, database })
      yield* before.agents.open({ sessionId: "s1", mode: "acceptEdits" })
      yield* before.agents.spawn(
        { sessionId: "s1", parentId: "root", agentId: "C", task: "tidy" },
        before.gate.authorize
      )
      yield* before.agents.spawn({ sessionId: "s1", parentId: "root", agentId: "D", task: "x" }, before.gate.authorize)
      yield* before.agents.settle("s1", "D")
      yield* before.close
      const after = yield* open({ ...base, database })
      const handle = yield* after.agents.resume("s1", "C")
      assert.deepStrictEqual({ ...handle }, { id: "C", sessionId: "s1" })
      const [root] = yield* after.agents.tree("s1")
      assert.strictEqual(root?.mode, "acceptEdits")
      assert.deepStrictEqual(
        root?.children.map(({ agentId, mode, status, task }) => [agentId, mode, status, task]),
        [
          ["C", "acceptEdits", "active", "tidy"],
          ["D", "acceptEdits", "settled", "x"]
        ]
      )
      const error = yield* after.agents.resume("s1", "D").pipe(Effect.flip)
      assert.include(error.message, "was stopped")
      yield* after.close
    })
  )

  it.effect("a mode set while a call waits acts at once where it forbids, and releases nothing", () =>
    Effect.gen(function* () {
      const stage = yield* open(base)
      const first = yield* stage.begin({ ...bash("npm publish", "root"), toolCallId: "c1" })
      yield* stage.shown()
      yield* stage.agents.setMode("s1", "root", "yolo")
      assert.strictEqual((yield* stage.desk.pending("s1")).length, 1)
      yield* stage.agents.setMode("s1", "root", "readOnly")
      assert.strictEqual((yield* Fiber.join(first)).decision.ruleId, "mode.readOnly")
      assert.deepStrictEqual(
        stage.permissions().map(({ basis }) => basis),
        ["mode"]
      )
      yield* stage.close
    })
  )

  it.effect("who is stopped stops with all below; a stopped ancestor is enough", () =>
    Effect.gen(function* () {
      const stage = yield* open({ ...base, mode: "yolo" })
      yield* stage.agents.open({ sessionId: "s1" })
      yield* stage.agents.spawn({ sessionId: "s1", parentId: "root", agentId: "C", task: "t" }, stage.gate.authorize)
      yield* stage.agents.spawn({ sessionId: "s1", parentId: "C", agentId: "G", task: "t" }, stage.gate.authorize)
      // by the Store alone, as if a process died between the two
      yield* stage.store.agents.end("s1", "C", "settled")
      assert.strictEqual((yield* stage.run(bash("npm publish", "G"))).decision.ruleId, "agent.revoked")
      yield* stage.agents.revoke("s1", "C")
      const [root] = yield* stage.agents.tree("s1")
      assert.strictEqual(root?.children[0]?.children[0]?.status, "revoked")
      yield* stage.close
    })
  )
})
