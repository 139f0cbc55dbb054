/**
 * Inputs made to break the kernel, at small sizes: each has an answer or a clear error, nothing is thrown, and twice
 * the input takes no more than about twice the time. `test/soak/hostile.ts` does it a million times at random.
 */
import { assert, describe, it } from "@effect/vitest"
import { hostileCalls, type HostileCall, judge } from "./inputs.ts"

const size = 16_384
/** Less than this is too little to compare. */
const noise = 20

function medianOf(call: HostileCall): number {
  const times = Array.from({ length: 5 }, () => judge(call).milliseconds)
  return times.toSorted((one, other) => one - other)[2]!
}

describe("a hostile call", () => {
  for (const [name, make] of Object.entries(hostileCalls)) {
    it(`has an answer, in linear time: ${name}`, () => {
      const one = make(size)
      const two = make(2 * size)
      for (const call of [one, two]) {
        const { thrown } = judge(call)
        assert.isUndefined(thrown, thrown)
      }
      const before = medianOf(one)
      const after = medianOf(two)
      assert.isAtMost(after, Math.max(3 * before, noise), `${before} ms, then ${after} ms`)
    })
  }
})

describe("the largest hostile calls", () => {
  const bash = (command: string): HostileCall => ({ tool: "Bash", input: { command } })
  for (const [name, call, allowed] of [
    ["a mebibyte of `a;`", bash("a;".repeat(1 << 19)), false],
    ["a hundred thousand nested parentheses", bash("(".repeat(100_000) + ")".repeat(100_000)), false],
    [
      "an argument of ten mebibytes",
      { tool: "Write", input: { file_path: "/etc/x", content: "x".repeat(10 << 20) } },
      false
    ],
    ["a command of ten mebibytes", bash(`echo ${"x".repeat(10 << 20)}`), undefined],
    ["a path of ten mebibytes", { tool: "Read", input: { file_path: "../".repeat((10 << 20) / 3) } }, undefined],
    ["ten mebibytes of JSON text", { tool: "mcp__notes__add", input: `{"text":"${"x".repeat(10 << 20)}"}` }, false],
    ["JSON text that ends too soon", { tool: "Bash", input: `{"command":"${"x".repeat(1 << 20)}` }, false],
    ["no object", { tool: "Bash", input: null }, false],
    ["a command that is no text", { tool: "Bash", input: { command: ["rm", "-rf", "/"] } }, false]
  ] as const) {
    it(`are answered within seconds: ${name}`, () => {
      const { decision, milliseconds, thrown } = judge(call)
      assert.isUndefined(thrown, thrown)
      if (allowed === false) assert.notStrictEqual(decision, "allow")
      assert.isBelow(milliseconds, 5_000)
    })
  }
})
