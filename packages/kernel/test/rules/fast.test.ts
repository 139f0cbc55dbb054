import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"

describe("the fast entry", () => {
  it("judges a call without loading the Effect runtime", () => {
    const entry = new URL("../../src/fast.ts", import.meta.url).href
    const program = `
      import { registerHooks } from "node:module"
      registerHooks({ resolve: (name, context, next) => {
        if (name === "effect" || name.startsWith("effect/")) throw new Error("loads " + name + " from " + context.parentURL)
        return next(name, context)
      } })
      const kernel = await import(${JSON.stringify(entry)})
      const { settings } = kernel.parseSettings({ layer: "user", text: '{ "permissions": { "deny": ["Bash(rm:*)"] } }' })
      const files = { readLink: () => undefined }
      const place = { project: "/p", home: "/h", files, caseInsensitive: false, dialectOf: () => "native" }
      const rules = kernel.compileRules(kernel.mergeSettings([settings]), place, kernel.presets.default)
      const { call } = kernel.readCall({
        sessionId: "s", agentId: "m", toolCallId: "t", toolName: "Bash", arguments: { command: "sudo rm x" }, folder: "/p"
      })
      const surroundings = { ...place, folder: "/p", additionalDirectories: [], ownPaths: [] }
      const subject = kernel.readSubject(call, {}, surroundings, kernel.presets.default)
      console.log(rules.deny(subject, { agentId: "m", mode: "default", now: 0 }).text)
    `
    const { status, stderr, stdout } = spawnSync(
      process.execPath,
      ["--conditions=source", "--disable-warning=ExperimentalWarning", "--input-type=module", "-e", program],
      { cwd: fileURLToPath(new URL("../..", import.meta.url)), encoding: "utf8" }
    )
    assert.deepStrictEqual([stderr, stdout.trim(), status], ["", "Bash(rm:*)", 0])
  })
})
