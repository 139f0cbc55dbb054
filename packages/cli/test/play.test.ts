/** The scripted agents: who takes which turn, and what is not taken twice. */
import { assert, describe, it } from "@effect/vitest"
import { play, type Backstage, type Went } from "../src/demo/play.ts"
import { releaseScript } from "../src/demo/releaseScript.ts"
import { faultIn, type Script } from "../src/demo/Script.ts"

const script: Script = {
  task: "t",
  main: "a",
  agents: {
    a: {
      task: "t",
      steps: [
        { id: "1", tool: "Bash", input: { command: "x" } },
        { id: "2", spawn: "b" },
        { id: "3", ifDenied: "1", tool: "Bash", input: { command: "y" } },
        { id: "4", ifDenied: "5", tool: "Bash", input: { command: "z" } }
      ],
      report: "done"
    },
    b: { task: "u", steps: [{ id: "5", tool: "Read", input: {} }], report: "read" }
  },
  judgements: [],
  answers: []
}

function stage(before: Readonly<Record<string, Went>>, denied: readonly string[], child?: "active" | "ended") {
  const taken: string[] = []
  const answer = async (agent: string, id: string): Promise<Went> => {
    taken.push(`${agent}/${id}`)
    return { status: denied.includes(id) ? "denied" : "completed", text: "" }
  }
  const backstage: Backstage = {
    call: answer,
    spawn: answer,
    before: async (_, id) => before[id],
    spawned: async () => child,
    settle: async (agent) => void taken.push(`settle ${agent}`),
    tell: () => {}
  }
  return { taken, backstage }
}

describe("play", () => {
  it("plays a child inside its parent's turn, and takes another way only after a denial", async () => {
    const { backstage, taken } = stage({}, ["1"])
    assert.strictEqual(await play(script, "a", backstage), "done")
    assert.deepStrictEqual(taken, ["a/1", "a/2", "b/5", "settle b", "a/3"])
  })

  it("does not play a child whose spawning was denied", async () => {
    const { backstage, taken } = stage({}, ["2"])
    await play(script, "a", backstage)
    assert.deepStrictEqual(taken, ["a/1", "a/2"])
  })

  it("goes on after a restart: no call twice, the open child taken up again", async () => {
    const { backstage, taken } = stage({ 1: { status: "denied", text: "" } }, [], "active")
    await play(script, "a", backstage)
    assert.deepStrictEqual(taken, ["a/2", "b/5", "settle b", "a/3"])
  })

  it("does not play a child again that had ended before", async () => {
    const { backstage, taken } = stage({}, [], "ended")
    await play(script, "a", backstage)
    assert.deepStrictEqual(taken, ["a/1"])
  })
})

describe("faultIn", () => {
  it("finds nothing in the built-in script", () => {
    assert.strictEqual(faultIn(releaseScript), undefined)
  })

  it.each([
    [
      "an id twice",
      { ...script, agents: { ...script.agents, b: { ...script.agents["b"]!, steps: [{ id: "1", tool: "Read" }] } } },
      "two steps are called `1`"
    ],
    ["no such main agent", { ...script, main: "z" }, "there is no agent `z` to begin with"],
    [
      "a step that does nothing",
      { ...script, agents: { a: { ...script.agents["a"]!, steps: [{ id: "1" }] } } },
      "the step `1` has to hold either `tool` or `spawn`"
    ],
    [
      "an answer to nothing",
      { ...script, answers: [{ call: "9", answer: "approve" as const }] },
      "there is no step `9` to answer or judge"
    ],
    [
      "a spawn of nobody",
      { ...script, agents: { a: { ...script.agents["a"]!, steps: [{ id: "1", spawn: "q" }] } } },
      "the step `1` spawns `q`, and there is no such agent"
    ]
  ])("finds %s", (_, faulty, words) => {
    assert.strictEqual(faultIn(faulty), words)
  })
})
