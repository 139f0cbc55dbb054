/** One line of `check --batch`, read. */
import { assert, describe, it } from "@effect/vitest"
import { readCase } from "../src/check/readCase.ts"

const line = (more: object = {}) =>
  JSON.stringify({
    id: "a",
    rules: {},
    mode: "default",
    cwd: "/p",
    home: "/h",
    call: { tool: "Bash", input: { command: "ls" } },
    ...more
  })

const errorOf = (text: string) => {
  const read = readCase(text)
  assert("error" in read, `no error: ${JSON.stringify(read)}`)
  return read
}

describe("readCase", () => {
  it("reads a case, with the defaults of what may be left out", () => {
    const read = readCase(line())
    assert("case" in read)
    assert.deepStrictEqual(
      { ...read.case, rules: { ...read.case.rules }, input: { ...(read.case.input as object) } },
      {
        id: "a",
        rules: {},
        mode: "default",
        dialect: "native",
        cwd: "/p",
        home: "/h",
        trusted: false,
        links: {},
        tool: "Bash",
        input: { command: "ls" }
      }
    )
  })

  it("ignores keys that are for people", () => {
    assert("case" in readCase(line({ from: "x", class: "y", why: "z", expect: "allow" })))
  })

  it("takes the aliases of modes", () => {
    const read = readCase(line({ mode: "plan" }))
    assert("case" in read)
    assert.strictEqual(read.case.mode, "readOnly")
  })

  it.each([
    ["an unknown mode", { mode: "yoll" }, "unknown mode `yoll`"],
    [
      "an unknown layer",
      { rules: { usr: {} } },
      "unknown layer `usr`; use one of `policy`, `user`, `projectLocal`, `projectShared`"
    ],
    ["an unknown dialect", { dialect: "gemini" }, 'unknown dialect `"gemini"`; use `native` or `claude`'],
    ["a relative folder", { cwd: "p" }, "`cwd` is no absolute path: `p`"],
    ["a missing folder", { home: undefined }, "`home` is missing"],
    ["a missing call", { call: undefined }, "`call` is missing"],
    ["a call without input", { call: { tool: "Bash" } }, "`call.input` is missing"],
    ["a call without tool", { call: { input: {} } }, "`call.tool` is missing"],
    ["trust that is no boolean", { trusted: "yes" }, "`trusted` is no boolean"],
    ["links that are a list", { links: [] }, "`links` is no object"]
  ])("refuses %s and keeps the id", (_, more, error) => {
    assert.deepStrictEqual(errorOf(line(more)), { id: "a", error })
  })

  it("refuses what is no JSON, no object or has no id", () => {
    assert.deepStrictEqual(errorOf("{"), { id: null, error: "the line is not a JSON text" })
    assert.deepStrictEqual(errorOf("[1]"), { id: null, error: "the line is no JSON object" })
    assert.deepStrictEqual(errorOf("{}"), { id: null, error: "the line has no `id`" })
  })

  it("tells a name given twice in the input, which a gate answers, from one elsewhere, which no one can", () => {
    const inside = line().replace(`"command":"ls"`, `"command":"ls","command":"rm x"`)
    assert.deepStrictEqual(readCase(inside), { id: "a", unreadable: "an object holds this name twice" })
    assert.deepStrictEqual(errorOf(line().replace(`"mode":"default"`, `"mode":"default","mode":"yolo"`)), {
      id: "a",
      error: "`/mode`: an object holds this name twice"
    })
  })
})
