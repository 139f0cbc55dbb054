import { assert, describe, it } from "@effect/vitest"
import {
  across,
  inSegment,
  mayMeet,
  type PathGlob,
  pathGlob,
  pathGlobMatches,
  segments,
  shellPathGlob
} from "../../src/match/pathGlob.ts"
import { xorshift } from "./asking.ts"

/** The same said by a regular expression: slow, and what everybody knows. */
const expression = (glob: PathGlob) =>
  new RegExp(
    `^${glob
      .map((token) => {
        if (token === inSegment) return "[^/]*"
        if (token === across) return "[^]*"
        return token === segments ? "(?:[^]*/)?" : token
      })
      .join("")}$`
  )

const random = xorshift(11)
const pick = <Item>(items: readonly Item[]) => items[random(items.length)]!
const randomGlob = (pieces: readonly string[]) =>
  pathGlob(Array.from({ length: random(7) }, () => pick(pieces)).join(""), random(4) === 0)
const randomPath = () => Array.from({ length: random(7) }, () => pick(["a", "b", "/"])).join("")

describe("path patterns", () => {
  for (const [pattern, tokens, wide] of [
    ["/a/*.ts", ["/a/", inSegment, ".ts"], ["/a/", across, ".ts"]],
    ["/a/**/b", ["/a/", segments, "b"], ["/a/", segments, "b"]],
    ["**/b/**", [segments, "b/", across], [segments, "b/", across]],
    ["/a**b", ["/a", across, "b"], ["/a", across, "b"]],
    ["/a*/b", ["/a", inSegment, "/b"], ["/a", across, "/b"]]
  ] as const) {
    it(`\`${pattern}\` are read`, () => {
      assert.deepStrictEqual(pathGlob(pattern, false), tokens)
      assert.deepStrictEqual(pathGlob(pattern, true), wide)
    })
  }

  it("match as the regular expression of the same meaning does", () => {
    let matched = 0
    for (let round = 0; round < 30_000; round++) {
      const glob = randomGlob(["a", "b", "/", "*", "**", "**/", "/**/"])
      const path = randomPath()
      const expected = expression(glob).test(path)
      if (expected) matched++
      assert.strictEqual(pathGlobMatches(glob, path), expected, JSON.stringify({ glob, path }))
    }
    assert.isAbove(matched, 1000)
  })

  it("of many stars answer at once", () => {
    const glob = Array.from({ length: 400 }, (_, index) => (index % 2 === 0 ? inSegment : "a")) as PathGlob
    const start = performance.now()
    pathGlobMatches([...glob, "b"], "a".repeat(5000))
    mayMeet([...glob, "b"], [...glob, "c"])
    assert.isBelow(performance.now() - start, 1000)
  })
})

describe("two patterns meet", () => {
  const one = ["", "a", "b", "/"]
  const two = one.flatMap((before) => one.map((after) => before + after))
  const short = two.flatMap((before) => two.map((after) => before + after))

  it("whenever a path matches both", () => {
    let met = 0
    for (let round = 0; round < 3000; round++) {
      const one = randomGlob(["a", "b", "/", "*", "**", "**/", "/**/"])
      const other = shellPathGlob(
        Array.from({ length: random(5) }, () => pick(["a", "b", "/", "*", "?", "**"])).join("")
      )
      const common = short.find((path) => pathGlobMatches(one, path) && pathGlobMatches(other, path))
      if (common !== undefined) {
        met++
        assert.isTrue(mayMeet(one, other), JSON.stringify({ one, other, common }))
      }
    }
    assert.isAbove(met, 300)
  })

  for (const [rule, named, meets] of [
    ["/p/**/.env", "/p/.e*", true],
    ["/p/**/.env", "/p/foo*", false],
    ["/p/**/.env/**", "/p/src/*.ts", false],
    ["/p/secrets/**", "/p/*/a", true],
    ["/p/secrets/**", "/p/src/*", false],
    ["/p/a.txt", "/p/[ab].txt", true],
    ["/p/a.txt", "/p/?.txt", true],
    ["/p/a.txt", "/p/{a,b}.txt", true],
    ["/p/a/b", "/p/*", false],
    ["/p/a/b", "/p/**", true]
  ] as const) {
    it(`\`${rule}\` and \`${named}\`: ${meets}`, () =>
      assert.strictEqual(mayMeet(pathGlob(rule, true), shellPathGlob(named)), meets))
  }
})
