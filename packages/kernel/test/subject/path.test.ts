import { assert, describe, it } from "@effect/vitest"
import { cleanPath, isInside, lexicallyClean, realPath } from "../../src/subject/path.ts"

const links = (table: Readonly<Record<string, string>>) => ({ readLink: (path: string) => table[path] })

describe("cleanPath", () => {
  for (const [path, expected] of [
    ["a/b", "/proj/a/b"],
    ["./a//b/", "/proj/a/b"],
    ["../x", "/x"],
    ["../../../x", "/x"],
    ["/a/../b/./c", "/b/c"],
    ["/", "/"],
    ["~", "/home/u"],
    ["~/x/../y", "/home/u/y"],
    ["~user/x", "/proj/~user/x"],
    [".", "/proj"],
    ["/a/...", "/a/..."],
    ["/a/.b", "/a/.b"]
  ] as const) {
    it(`makes ${path} ${expected}`, () => assert.strictEqual(cleanPath(path, "/proj", "/home/u"), expected))
  }
})

describe("lexicallyClean", () => {
  it("leaves a relative path relative", () => {
    assert.strictEqual(lexicallyClean("a/./b//c/.."), "a/b")
    assert.strictEqual(lexicallyClean("../../a"), "../../a")
    assert.strictEqual(lexicallyClean("a/.."), ".")
  })
})

describe("realPath", () => {
  it("follows links in the middle and at the end, chains of them, relative and absolute ones", () => {
    const files = links({ "/a/link": "/b", "/b/c": "../d", "/d/e": "f" })
    assert.strictEqual(realPath("/a/link/c/e", files), "/d/f")
  })

  it("resolves what does not exist through its nearest existing ancestor", () => {
    assert.strictEqual(realPath("/tmp/new/file", links({ "/tmp": "/private/tmp" })), "/private/tmp/new/file")
  })

  it("goes up from where a link leads to", () => {
    assert.strictEqual(realPath("/p/link/../x", links({ "/p/link": "/etc/ssh" })), "/etc/x")
  })

  it("gives up on a loop", () => {
    assert.strictEqual(realPath("/a/b", links({ "/a": "/c", "/c": "/a" })), "/a/b")
  })
})

describe("isInside", () => {
  it("takes whole names only", () => {
    assert.isTrue(isInside("/a/b", "/a"))
    assert.isTrue(isInside("/a", "/a"))
    assert.isTrue(isInside("/a", "/"))
    assert.isFalse(isInside("/ab", "/a"))
    assert.isFalse(isInside("/", "/a"))
  })
})
