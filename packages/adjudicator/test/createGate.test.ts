import { assert, describe, it } from "@effect/vitest"
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createGate, type HostGate } from "../src/createGate.ts"
import { NotFound } from "../src/DeskError.ts"
import type { HostOptions } from "../src/host/HostOptions.ts"
import { OptionError } from "../src/host/HostOptions.ts"
import { databaseFile } from "./stage.ts"

const base: HostOptions = { folder: "/srv/proj", home: "/home/u" }

/** Looks again until something is shown. */
async function shown(gate: HostGate, wanted = 1) {
  for (let tries = 0; tries < 2000; tries++) {
    const items = await gate.desk.pending()
    if (items.length === wanted) return items
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  throw new Error("nothing was shown")
}

async function withGate(options: HostOptions, body: (gate: HostGate) => Promise<void>) {
  const gate = await createGate({ ...base, ...options })
  try {
    await body(gate)
  } finally {
    await gate.close()
  }
}

describe("createGate", () => {
  it("U16 refuses options that are wrong, and names them", async () => {
    const wrong: readonly [object, string][] = [
      [{ tiers: { x: "confrim" } }, "tiers.x"],
      [{ defaultTier: "maybe" }, "defaultTier"],
      [{ mode: "yoloo" }, "mode"],
      [{ preset: "acks" }, "preset"],
      [{ teirs: {} }, "teirs"],
      [{ hooks: [{ name: "h" }] }, "hooks"],
      [{ sources: [{}] }, "sources"],
      [{ askTimeoutMs: 0 }, "askTimeoutMs"],
      [{ askTimeoutMs: "5" }, "askTimeoutMs"],
      [{ folder: "relative" }, "folder"],
      [{ settings: { userr: {} } }, "settings"],
      [{ tools: { x: { tier: "open" } } }, "tools.x.tier"],
      [{ resume: {} }, "resume"],
      [{ askUser: () => true, asking: false }, "askUser"],
      [{ grants: "no" }, "grants"]
    ]
    for (const [options, name] of wrong) {
      const error = await createGate(options as HostOptions).then(
        (gate) => gate.close(),
        (error: unknown) => error
      )
      assert(error instanceof OptionError, name)
      assert.strictEqual(error.option, name)
      assert.include(error.message, `\`${name}\``)
    }
  })

  it("runs what rules allow, tells the model what they deny", () =>
    withGate(
      { settings: { user: { permissions: { allow: ["Bash(npm test:*)"], deny: ["Bash(rm:*)"] } } } },
      async (gate) => {
        const ran = await gate.run(
          { toolName: "Bash", arguments: { command: "npm test" } },
          async ({ arguments: args }) => args
        )
        assert(ran.status === "completed")
        assert.deepStrictEqual(JSON.parse(JSON.stringify(ran.value)), { command: "npm test" })
        assert.strictEqual(ran.decision.ruleId, "rule.user.allow")
        const denied = await gate.run(
          { toolName: "Bash", arguments: { command: "npm test && rm -rf x" } },
          () => "never"
        )
        assert(denied.status === "denied")
        assert.include(denied.result.text, "refused by a rule")
        const [last] = await gate.audit.list({ kind: "decision" })
        const shown = await gate.audit.show(ran.recordId)
        assert.strictEqual(last?.record.id, denied.recordId)
        assert.deepStrictEqual(
          shown.map(({ record }) => record.kind),
          ["decision", "outcome"]
        )
      }
    ))

  it("a person answers at the desk", () =>
    withGate({}, async (gate) => {
      const running = gate.run({ toolName: "Bash", arguments: { command: "npm publish" } }, () => "published")
      const [item] = await shown(gate)
      const card = await gate.desk.card(item!.sessionId, item!.confirmationId)
      assert.include(card?.text, `"npm publish"`)
      const { confirmationId, sessionId } = item!
      const decided = await gate.desk.decide({
        sessionId,
        confirmationId,
        approved: true,
        remember: "session",
        digest: item!.gate!.digest
      })
      assert.deepStrictEqual(decided, { path: "live", outcome: "approved", remembered: "exactly: Bash(npm publish)" })
      const result = await running
      assert(result.status === "completed")
      assert.strictEqual(result.value, "published")
      const [grant] = await gate.grants.list()
      assert.isTrue(await gate.grants.revoke(grant!.id))
      const error = await gate.desk
        .decide({ sessionId, confirmationId, approved: true })
        .catch((error: unknown) => error)
      assert.instanceOf(error, NotFound)
    }))

  it("a tool that fails is told as failed, with its own error", () =>
    withGate({ mode: "yolo" }, async (gate) => {
      const error = new Error("no disk")
      const result = await gate.run({ toolName: "x", arguments: {} }, () => {
        throw error
      })
      assert(result.status === "failed")
      assert.strictEqual(result.error, error)
      const guarded = gate.guard({ name: "x", execute: async (): Promise<string> => Promise.reject(error) })
      assert.strictEqual(await guarded.execute({}).catch((error: unknown) => error), error)
    }))

  it("a guarded tool gives its own result, or the denial's", () =>
    withGate({ tiers: { read: "allow", drop: "deny" } }, async (gate) => {
      const read = gate.guard({ name: "read", execute: ({ id }: { readonly id: string }) => `note ${id}` })
      assert.strictEqual(await read.execute({ id: "n1" }), "note n1")
      const drop = gate.guard({ name: "drop", execute: () => "dropped" })
      const denied = await drop.execute({})
      assert(typeof denied === "object")
      assert.strictEqual(denied.ruleId, "tier.deny")
    }))

  it("aborting cancels what waits", () =>
    withGate({}, async (gate) => {
      const abort = new AbortController()
      const running = gate.run({ toolName: "x", arguments: {}, toolCallId: "c1" }, () => "never", {
        signal: abort.signal
      })
      await shown(gate)
      abort.abort(new Error("the user went home"))
      const error = await running.catch((error: unknown) => error)
      assert.strictEqual((error as Error).message, "the user went home")
      await shown(gate, 0)
      const [record] = await gate.audit.list({ toolCallId: "c1" })
      assert(record?.record.kind === "decision")
      assert.strictEqual(record.record.ruleId, "ask.canceled")
    }))

  it("G08 G09 the host's dialog gets call, card and whole decision; its no keeps the classifier's words", async () => {
    const asked: unknown[] = []
    await withGate(
      {
        classifier: { id: "guard", consult: async () => ({ verdict: "dangerous", reason: "it publishes" }) },
        askUser: async (call, card, decision) => {
          asked.push([call.toolName, card.payload.status, decision.source, decision.reason])
          return { approved: false, reason: "no", decidedBy: "p1" }
        }
      },
      async (gate) => {
        const result = await gate.run({ toolName: "x", arguments: {} }, () => "never")
        assert(result.status === "denied")
        assert.deepStrictEqual(asked, [["x", "pending", "classifier", "it publishes"]])
        assert.include(result.result.text, "it publishes")
        assert.include(result.result.text, "no")
      }
    )
  })

  it("a dialog that fails is told in the denial; one that says nothing is no answer", async () => {
    await withGate({ askUser: () => Promise.reject(new Error("HTTP 400 on delivery")) }, async (gate) => {
      const result = await gate.run({ toolName: "x", arguments: {} }, () => "never")
      assert(result.status === "denied")
      assert.strictEqual(result.decision.ruleId, "ask.nobody")
      assert.include(result.result.text, "HTTP 400")
    })
    await withGate({ askUser: () => "sure" as never }, async (gate) => {
      const running = gate.run({ toolName: "x", arguments: {}, toolCallId: "c1" }, () => "ran")
      await shown(gate)
      await new Promise((resolve) => setTimeout(resolve, 20))
      await gate.desk.decide({ sessionId: "main", confirmationId: "c1", approved: true })
      assert.strictEqual((await running).status, "completed")
    })
  })

  it("without a channel every ask is denied", () =>
    withGate({ asking: false }, async (gate) => {
      const result = await gate.run({ toolName: "x", arguments: {} }, () => "never")
      assert.strictEqual(result.decision.ruleId, "ask.nobody")
    }))

  it("children call by their handles, and their parents are asked", () =>
    withGate({ parents: { main: { endorse: ["Bash(npm publish:*)"] } } }, async (gate) => {
      const root = await gate.agents.open({ sessionId: "s1" })
      const child = await gate.agents.spawn({ parent: root, agentId: "C", task: "publish" })
      const running = gate.run(
        { agent: child, toolName: "Bash", arguments: { command: "npm publish" }, toolCallId: "c1" },
        () => "done"
      )
      const [item] = await shown(gate)
      assert.strictEqual(item?.gate?.endorsed, true)
      await gate.desk.decide({ sessionId: "s1", confirmationId: "C/c1", approved: true })
      assert.strictEqual((await running).status, "completed")
      const forged = await gate
        .run({ agent: { ...child }, toolName: "x", arguments: {} }, () => "never")
        .catch((error: unknown) => error)
      assert.include((forged as Error).message, "is named by no handle")
      const tree = await gate.agents.tree("s1")
      assert.deepStrictEqual(
        tree[0]?.children.map(({ agentId }) => agentId),
        ["C"]
      )
    }))

  it("hooks rewrite, and what the person saw is what runs", () =>
    withGate({ hooks: [{ name: "rewriter", run: () => ({ updatedInput: { path: "b" } }) }] }, async (gate) => {
      const running = gate.run({ toolName: "x", arguments: { path: "a" }, toolCallId: "c1" }, ({ arguments: args }) =>
        JSON.stringify(args)
      )
      const [item] = await shown(gate)
      assert.deepStrictEqual(JSON.parse(JSON.stringify(item?.arguments)), { path: "b" })
      await gate.desk.decide({ sessionId: "main", confirmationId: "c1", approved: true })
      const result = await running
      assert(result.status === "completed")
      assert.strictEqual(result.value, `{"path":"b"}`)
    }))

  it("U25 frozen, everything is denied, what waits too; lifted, it is decided as before", () =>
    withGate({ tiers: { read: "allow" } }, async (gate) => {
      const waiting = gate.run({ toolName: "x", arguments: {} }, () => "never")
      await shown(gate)
      await gate.freeze(true)
      assert.strictEqual((await waiting).decision.ruleId, "session.frozen")
      assert.strictEqual(
        (await gate.run({ toolName: "read", arguments: {} }, () => 1)).decision.ruleId,
        "session.frozen"
      )
      await gate.freeze(false)
      assert.strictEqual((await gate.run({ toolName: "read", arguments: {} }, () => 1)).status, "completed")
    }))

  it("closes at once while a call waits; the next start on the database finds it", async () => {
    const database = databaseFile()
    const first = await createGate({ ...base, database })
    const running = first
      .run({ toolName: "x", arguments: {}, toolCallId: "c1" }, () => "never")
      .catch((error: unknown) => error)
    await shown(first)
    await first.close()
    assert.instanceOf(await running, Error)
    await withGate(
      { database, tools: { x: { execute: () => "by recovery" } }, resume: { run: () => undefined } },
      async (gate) => {
        const [item] = await shown(gate)
        assert.deepStrictEqual([item?.confirmationId, item?.live], ["c1", false])
        assert.strictEqual(
          (await gate.desk.decide({ sessionId: "main", confirmationId: "c1", approved: true })).path,
          "recovery"
        )
      }
    )
  })

  it("settings that change on disk act on what waits", async () => {
    const path = join(mkdtempSync(join(tmpdir(), "countersign-settings-")), "settings.json")
    writeFileSync(path, "{}")
    await withGate({ files: [{ layer: "user", path }] }, async (gate) => {
      const denied = gate.run({ toolName: "Bash", arguments: { command: "npm publish" } }, () => "never")
      const allowed = gate.run({ toolName: "Bash", arguments: { command: "npm test" } }, () => "ran")
      await shown(gate, 2)
      writeFileSync(path, JSON.stringify({ permissions: { deny: ["Bash(npm publish:*)"], allow: ["Bash(npm test)"] } }))
      assert.strictEqual((await denied).decision.ruleId, "rule.user.deny")
      assert.strictEqual((await allowed).decision.ruleId, "rule.user.allow")
      assert.deepStrictEqual(await gate.desk.pending(), [])
    })
  })
})
