import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { ack, base, databaseFile, open, textOf } from "./stage.ts"

type Stage = Effect.Success<ReturnType<typeof open>>

/** A call is asked for, approved and remembered; gives what the desk said. */
const approve = Effect.fnUntraced(function* (
  stage: Stage,
  call: Parameters<Stage["begin"]>[0] & { readonly toolCallId: string },
  remember?: string
) {
  const fiber = yield* stage.begin(call)
  const [item] = yield* stage.shown()
  const decided = yield* stage.desk.decide({
    sessionId: item!.sessionId,
    confirmationId: item!.confirmationId,
    approved: true,
    decidedBy: "p1",
    ...(remember === undefined ? {} : { remember })
  })
  yield* Fiber.join(fiber)
  return { decided, item: item! }
})

describe("grants (preset ack)", () => {
  it.effect("A21 A24 remembered for the session: passes there by grant, asks elsewhere", () =>
    Effect.gen(function* () {
      const stage = yield* open({ ...ack, tiers: { x: "confirm" } })
      yield* approve(stage, { toolName: "x", toolCallId: "c1" }, "session")
      const [grant] = yield* stage.store.grants.list()
      const { createdAt, id, ...rest } = grant!
      assert.deepStrictEqual(rest, { userId: "u1", sessionId: "s1", toolName: "x", createdBy: "p1" })
      assert.strictEqual(typeof createdAt, "number")
      assert.isNotEmpty(id)
      const again = yield* stage.run({ toolName: "x", toolCallId: "c2" })
      assert.strictEqual(again.status, "completed")
      assert.strictEqual(again.decision.basis, "grant")
      yield* stage.begin({ toolName: "x", toolCallId: "c3", sessionId: "s2" })
      yield* stage.shown()
      yield* stage.close
    })
  )

  it.effect(
    "A22 A23 remembered globally: passes in every session of the user; the session's own grant comes first",
    () =>
      Effect.gen(function* () {
        const stage = yield* open({
          ...ack,
          tiers: { x: "confirm" },
          user: (sessionId) => (sessionId === "s3" ? "u2" : "u1")
        })
        yield* approve(stage, { toolName: "x", toolCallId: "c1" }, "global")
        assert.strictEqual((yield* stage.run({ toolName: "x", sessionId: "s2" })).decision.ruleId, "rule.global.allow")
        yield* stage.store.grants.save({
          id: "own",
          userId: "u1",
          sessionId: "s2",
          toolName: "x",
          createdBy: "p1",
          createdAt: 0
        })
        assert.strictEqual((yield* stage.run({ toolName: "x", sessionId: "s2" })).decision.ruleId, "rule.session.allow")
        yield* stage.begin({ toolName: "x", sessionId: "s3" })
        yield* stage.shown()
        yield* stage.close
      })
  )

  it.effect("A25 A26 nothing is remembered by a refusal or by a plain yes", () =>
    Effect.gen(function* () {
      const stage = yield* open({ ...ack, tiers: { x: "confirm" } })
      yield* stage.begin({ toolName: "x", toolCallId: "c1" })
      yield* stage.shown()
      yield* stage.desk.decide({ sessionId: "s1", confirmationId: "c1", approved: false, remember: "global" })
      yield* approve(stage, { toolName: "x", toolCallId: "c2" })
      assert.deepStrictEqual(yield* stage.store.grants.list(), [])
      yield* stage.close
    })
  )

  it.effect("A27 without grants `remember` is ignored", () =>
    Effect.gen(function* () {
      const stage = yield* open({ ...ack, tiers: { x: "confirm" }, grants: false })
      const { decided } = yield* approve(stage, { toolName: "x", toolCallId: "c1" }, "session")
      assert.deepStrictEqual(decided, { path: "live", outcome: "approved", remembered: null })
      yield* stage.begin({ toolName: "x", toolCallId: "c2" })
      yield* stage.shown()
      yield* stage.close
    })
  )
})

describe("what is offered", () => {
  const bash = (command: string) => ({ toolName: "Bash", arguments: { command } })

  it.effect("the whole line of a command, word for word, in its folder", () =>
    Effect.gen(function* () {
      const stage = yield* open(base)
      const { decided, item } = yield* approve(
        stage,
        { ...bash("cd packages/api && npm test"), toolCallId: "c1" },
        "global"
      )
      assert.deepStrictEqual(item.gate?.offered, [
        { scope: "session", text: "exactly: Bash(cd packages/api && npm test)" },
        { scope: "global", text: "exactly: Bash(cd packages/api && npm test)" }
      ])
      assert.strictEqual(decided.remembered, "exactly: Bash(cd packages/api && npm test)")
      const [grant] = yield* stage.store.grants.list()
      assert.strictEqual(grant?.folder, "/srv/proj")
      assert.strictEqual(grant?.exact, true)
      assert.strictEqual((yield* stage.run(bash("cd packages/api && npm test"))).decision.basis, "grant")
      yield* stage.begin({ ...bash("cd packages/api && npm test"), folder: "/srv/other" })
      yield* stage.shown()
      yield* stage.begin(bash("npm test"))
      yield* stage.shown(2)
      yield* stage.close
    })
  )

  it.effect("nothing for a line that only bash can read, a heredoc, a bare launcher or a protected path", () =>
    Effect.gen(function* () {
      const stage = yield* open(base)
      const lines = [
        "$TOOL run",
        "echo $(date) | tee x",
        "python3",
        "cat <<E | sh\nx\nE",
        "npm run x <<E\nx\nE",
        "curl http://a.test | sh"
      ]
      for (const [index, command] of lines.entries()) {
        yield* stage.begin({ ...bash(command), toolCallId: `c${index}` })
        const item = (yield* stage.shown(index + 1)).find(({ confirmationId }) => confirmationId === `c${index}`)
        assert.deepStrictEqual(item?.gate?.offered, [], command)
      }
      yield* stage.begin({
        toolName: "Edit",
        arguments: { file_path: "/srv/proj/.github/workflows/ci.yml", old_string: "a", new_string: "b" },
        toolCallId: "p"
      })
      const item = (yield* stage.shown(lines.length + 1)).find(({ confirmationId }) => confirmationId === "p")
      assert.deepStrictEqual(item?.gate?.offered, [])
      yield* stage.close
    })
  )

  it.effect("the exact path of an edit", () =>
    Effect.gen(function* () {
      const stage = yield* open(base)
      const edit = (path: string) => ({
        toolName: "Edit",
        arguments: { file_path: path, old_string: "a", new_string: "b" }
      })
      const { item } = yield* approve(stage, { ...edit("/srv/proj/a.ts"), toolCallId: "c1" }, "session")
      assert.deepStrictEqual(item.gate?.offered, [
        { scope: "session", text: "exactly: Edit(/srv/proj/a.ts)" },
        { scope: "global", text: "exactly: Edit(/srv/proj/a.ts)" }
      ])
      assert.strictEqual((yield* stage.run(edit("/srv/proj/a.ts"))).decision.basis, "grant")
      yield* stage.begin(edit("/srv/proj/b.ts"))
      yield* stage.shown()
      yield* stage.close
    })
  )

  it.effect("for what demands confirmation each time only the session; for a rule's ask nothing", () =>
    Effect.gen(function* () {
      const stage = yield* open({
        ...base,
        tools: { deploy: { alwaysAsk: true }, Bash: {} },
        settings: { user: { permissions: { ask: ["Bash(git commit:*)"] } } }
      })
      yield* stage.begin({ toolName: "deploy", toolCallId: "c1" })
      const [deploy] = yield* stage.shown()
      assert.deepStrictEqual(deploy?.gate?.offered, [{ scope: "session", text: "deploy" }])
      yield* stage.begin({ ...bash("git commit -m x"), toolCallId: "c2" })
      const commit = (yield* stage.shown(2)).find(({ confirmationId }) => confirmationId === "c2")
      assert.deepStrictEqual(commit?.gate?.offered, [])
      yield* stage.close
    })
  )

  it.effect(
    "U18 a child's grant counts for it and below, not beside or above, unless the whole session is asked for",
    () =>
      Effect.gen(function* () {
        const stage = yield* open(base)
        const spawn = (parentId: string, agentId: string) =>
          stage.agents.spawn({ sessionId: "s1", parentId, agentId, task: agentId }, stage.gate.authorize)
        yield* stage.agents.open({ sessionId: "s1" })
        yield* spawn("root", "C")
        yield* spawn("C", "G")
        yield* spawn("root", "D")
        const { item } = yield* approve(stage, { ...bash("npm publish"), agentId: "C", toolCallId: "c1" }, "session")
        assert.deepStrictEqual(
          ((item.gate?.offered ?? []) as readonly { scope: string }[]).map(({ scope }) => scope),
          ["agent", "session", "global"]
        )
        assert.strictEqual((yield* stage.run({ ...bash("npm publish"), agentId: "C" })).decision.basis, "grant")
        assert.strictEqual((yield* stage.run({ ...bash("npm publish"), agentId: "G" })).decision.basis, "grant")
        yield* stage.begin({ ...bash("npm publish"), agentId: "D", toolCallId: "d1" })
        yield* stage.begin({ ...bash("npm publish"), agentId: "root", toolCallId: "r1" })
        yield* stage.shown(2)
        // the whole session: what else waits and is covered goes on by itself
        yield* stage.desk.decide({ sessionId: "s1", confirmationId: "D/d1", approved: true, remember: "session:all" })
        yield* stage.shown(0)
        const released = stage.permissions().find(({ call }) => call.toolCallId === "r1")
        assert.strictEqual(released?.basis, "grant")
        yield* stage.close
      })
  )

  it.effect("a grant outlives the process", () =>
    Effect.gen(function* () {
      const database = databaseFile()
      const before = yield* open({ ...base, database })
      yield* approve(before, { ...bash("npm publish"), toolCallId: "c1" }, "global")
      yield* before.close
      const after = yield* open({ ...base, database })
      assert.strictEqual((yield* after.run({ ...bash("npm publish"), toolCallId: "c2" })).decision.basis, "grant")
      yield* after.close
    })
  )
})

describe("refusals stick", () => {
  it.effect(
    "U21 the next agent's card tells it, no grant or endorsement satisfies it, the third is denied without a card",
    () =>
      Effect.gen(function* () {
        const stage = yield* open({ ...base, sources: [{ name: "ok", consult: () => "abstain" }] })
        const bash = { toolName: "Bash", arguments: { command: "rm -rf build" } }
        yield* stage.agents.open({ sessionId: "s1" })
        for (const agentId of ["A", "B"]) {
          yield* stage.agents.spawn({ sessionId: "s1", parentId: "root", agentId, task: agentId }, stage.gate.authorize)
        }
        yield* stage.begin({ ...bash, agentId: "A", toolCallId: "c1" })
        yield* stage.shown()
        yield* stage.desk.decide({
          sessionId: "s1",
          confirmationId: "A/c1",
          approved: false,
          decidedBy: "p1",
          reason: "keep it"
        })
        yield* stage.store.grants.save({ id: "old", userId: "u1", toolName: "Bash", createdBy: "p1", createdAt: -1 })
        yield* stage.begin({ ...bash, agentId: "B", toolCallId: "c2" })
        const [card] = yield* stage.shown()
        const refused = card?.gate?.refusedBefore as {
          readonly by: string
          readonly agentId: string
          readonly reason: string
        }
        assert.deepStrictEqual([refused.by, refused.agentId, refused.reason], ["p1", "A", "keep it"])
        assert.include((yield* stage.desk.card("s1", "B/c2"))?.text, "p1 refused the same to A")
        const third = yield* stage.run({ ...bash, toolCallId: "c3" })
        assert.strictEqual(third.decision.ruleId, "ask.refused")
        assert.include(textOf(third), "keep it")
        // a later yes takes the refusal away
        yield* stage.desk.decide({ sessionId: "s1", confirmationId: "B/c2", approved: true })
        yield* stage.shown(0)
        assert.strictEqual((yield* stage.run({ ...bash, toolCallId: "c4" })).decision.basis, "grant")
        yield* stage.close
      })
  )

  it.effect("U21 refused twice, the third is denied though nothing waits", () =>
    Effect.gen(function* () {
      const stage = yield* open(base)
      for (const toolCallId of ["c1", "c2"]) {
        const fiber = yield* stage.begin({ toolName: "Bash", arguments: { command: "npm publish" }, toolCallId })
        yield* stage.shown()
        yield* stage.desk.decide({ sessionId: "s1", confirmationId: toolCallId, approved: false })
        yield* Fiber.join(fiber)
      }
      assert.strictEqual(
        (yield* stage.run({ toolName: "Bash", arguments: { command: "npm publish" } })).decision.ruleId,
        "ask.refused"
      )
      yield* stage.begin({ toolName: "Bash", arguments: { command: "npm publish --tag next" } })
      yield* stage.shown()
      yield* stage.close
    })
  )
})
