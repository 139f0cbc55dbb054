import { assert, describe, it } from "@effect/vitest"
import { bash } from "./reading.ts"

/** Lines made to break whoever reads them; what they run is known. */
const lines: Readonly<Record<string, string>> = {
  "a line of a mebibyte": "a ".repeat(1 << 19),
  "ten thousand subshells": `${"(".repeat(10_000)}rm x${")".repeat(10_000)}`,
  "ten thousand substitutions": `echo ${"$(echo ".repeat(10_000)}rm x${")".repeat(10_000)}`,
  "ten thousand groups": `${"{ ".repeat(10_000)}rm x; ${"}; ".repeat(10_000)}`,
  "ten thousand unfinished ifs": "if ".repeat(10_000),
  "a hundred thousand commands": "a;".repeat(100_000),
  "backticks without end": "`".repeat(100_001),
  "arithmetic without end": "$((".repeat(10_000),
  "scripts in scripts": Array.from({ length: 16 }).reduce<string>(
    (script) => `bash -c ${JSON.stringify(script)}`,
    "rm x"
  )
}

describe("a hostile line", () => {
  for (const [name, line] of Object.entries(lines)) {
    it(`is allowed by nothing: ${name}`, () => {
      const started = performance.now()
      const { command, floor, readOnly } = bash(line)
      assert.isFalse(command?.parsed)
      assert.isFalse(readOnly)
      // unless the parser itself says what is wrong, what was not looked at may be what the floor forbids
      const told = name.includes("without end") || name.includes("unfinished")
      if (!told) assert.isTrue(floor.some(({ possible }) => possible))
      assert.isTrue(command?.parts.every(({ allow, free }) => allow.length === 0 && !free))
      assert.isBelow(performance.now() - started, 5_000)
    })
  }

  for (const [name, line] of [
    ["launchers without end", "env -Z ".repeat(400) + "rm x"],
    [
      "variables that double",
      `a0=x;${Array.from({ length: 40 }, (_, index) => `a${index + 1}="$a${index}$a${index}"`).join(";")}; rm "$a40"`
    ],
    ["many folders", `${"cd x || cd y; ".repeat(200)}rm z`],
    ["nested loops", `${"for i in a; do ".repeat(150)}rm x; ${"done; ".repeat(150)}`]
  ] as const) {
    it(`takes no time to speak of: ${name}`, () => {
      const started = performance.now()
      assert.isFalse(bash(line).readOnly)
      assert.isBelow(performance.now() - started, 5_000)
    })
  }
})
