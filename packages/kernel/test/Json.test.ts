/** I-JSON: what enters as arguments, what is refused and where, and the canonical text that digests are made of. */
import { canonicalize, checkIJson, type Json, parseIJson } from "@countersign/kernel"
import { assert, describe, it } from "@effect/vitest"

type Read = ReturnType<typeof checkIJson>

const valueOf = (read: Read): Json => {
  assert(!("problem" in read), JSON.stringify(read))
  return read.value
}
const problemOf = (read: Read) => {
  assert("problem" in read, "it was accepted")
  return read.problem
}

describe("a JSON text", () => {
  it.each([
    ["null", null],
    ["true", true],
    ["-0.5e1", -5],
    [`"a\\u00e9\\ud83d\\ude00"`, "aé😀"],
    [` [1, [2], {"a": []}]\n`, [1, [2], { a: [] }]],
    ["9007199254740991", 9007199254740991],
    ["-9007199254740991", -9007199254740991],
    [`{"": 1, "constructor": 2}`, { "": 1, constructor: 2 }]
  ])("is read: %s", (text, value) => {
    assert.deepStrictEqual(JSON.parse(JSON.stringify(valueOf(parseIJson(text)))), value)
  })

  it.each([
    ["", "an empty text"],
    [" ", "white space"],
    ["{", "an open bracket"],
    ["{} {}", "two values"],
    [`{"a":1,}`, "a trailing comma"],
    ["[1] // x", "a comment"],
    ["/* x */ 1", "a comment before"],
    ["'a'", "other quotes"],
    ["{a:1}", "a bare name"],
    ["undefined", "no JSON word"],
    ["NaN", "no JSON number"],
    ["01", "a leading zero"],
    ["\ufeff{}", "a byte order mark"],
    ["\u00a01", "white space that JSON does not know"],
    [`"a\tb"`, "a control character in a string"],
    [`"\\x41"`, "an escape that JSON does not know"]
  ])("is refused: %j, %s", (text) => {
    assert.deepStrictEqual(problemOf(parseIJson(text)), { pointer: "", message: "not a JSON text" })
  })

  it.each([
    [`{"command":"ls","command":"rm x"}`, "/command"],
    [`{"a":1,"\\u0061":2}`, "/a"],
    [`{"a":[0,{"b":{"c":1,"d":2,"c":1}}]}`, "/a/1/b/c"],
    [`{"a/b":{"~":{},"~":{}}}`, "/a~1b/~0"],
    [`{"__proto__":1,"__proto__":1}`, "/__proto__"],
    [`[{"":1,"":1}]`, "/0/"]
  ])("holds no name twice: %s", (text, pointer) => {
    assert.deepStrictEqual(problemOf(parseIJson(text)), { pointer, message: "an object holds this name twice" })
  })

  it("may hold the same name in different objects", () => {
    assert.strictEqual(canonicalize(valueOf(parseIJson(`[{"a":{"a":1}},{"a":2}]`))), `[{"a":{"a":1}},{"a":2}]`)
  })

  it.each([
    [`{"s":"\\ud800"}`, "/s", "holds an unpaired surrogate"],
    [`["\\udc00\\ud800"]`, "/0", "holds an unpaired surrogate"],
    [`{"a":{"\\udfff":1}}`, "/a", "holds a name with an unpaired surrogate"],
    ["9007199254740992", "", "is an integer beyond 2^53 - 1"],
    [`{"id":-9007199254740993}`, "/id", "is an integer beyond 2^53 - 1"],
    ["[1e21]", "/0", "is an integer beyond 2^53 - 1"],
    ["[1e400]", "/0", "is not a finite number"]
  ])("is refused where two readers could differ: %s", (text, pointer, message) => {
    assert.deepStrictEqual(problemOf(parseIJson(text)), { pointer, message })
  })

  it("keeps a member named `__proto__` as a member, and gives no prototype", () => {
    const value = valueOf(parseIJson(`{"__proto__":{"admin":true},"a":{}}`)) as Readonly<Record<string, Json>>
    assert.deepStrictEqual(Object.keys(value), ["__proto__", "a"])
    assert.isNull(Object.getPrototypeOf(value))
    assert.isNull(Object.getPrototypeOf(value["a"]))
    assert.isUndefined(value["admin"])
    assert.isUndefined(value["toString"])
    assert.strictEqual(canonicalize(value), `{"__proto__":{"admin":true},"a":{}}`)
  })

  it("nests 200 levels deep and no deeper, however deep it tries", () => {
    const nested = (depth: number, open = "[", close = "]") => open.repeat(depth) + close.repeat(depth)
    assert.isTrue("value" in parseIJson(nested(200)))
    const tooDeep = { pointer: "", message: "nested deeper than 200 levels" }
    assert.deepStrictEqual(problemOf(parseIJson(nested(201))), tooDeep)
    assert.deepStrictEqual(problemOf(parseIJson(nested(100_000))), tooDeep)
    assert.deepStrictEqual(problemOf(parseIJson("[".repeat(100_000))), tooDeep)
    assert.deepStrictEqual(problemOf(parseIJson(`{"a":`.repeat(100_000))), tooDeep)
  })

  it("may hold brackets and escaped quotes in its strings", () => {
    const text = JSON.stringify([`"${"[{".repeat(500)}`, "\\"])
    assert.deepStrictEqual(JSON.stringify(valueOf(parseIJson(text))), text)
  })
})

describe("a value", () => {
  it("is copied and frozen through and through", () => {
    const given = { list: [{ a: 1 }], text: "x" }
    const value = valueOf(checkIJson(given)) as Readonly<Record<string, Json>>
    given.list[0]!.a = 2
    given.text = "y"
    assert.strictEqual(canonicalize(value), `{"list":[{"a":1}],"text":"x"}`)
    const list = value["list"] as readonly Json[]
    for (const part of [value, list, list[0]]) assert.isTrue(Object.isFrozen(part))
  })

  it("may be an object without prototype", () => {
    const bare = Object.assign(Object.create(null), { a: 1 })
    assert.strictEqual(canonicalize(valueOf(checkIJson(bare))), `{"a":1}`)
  })

  class Command {
    readonly command = "ls"
  }
  const inherited: object = Object.create({ command: "ls" })

  it.each([
    ["an instance of a class", { deep: new Command() }, "/deep", "is an object with a prototype of its own"],
    ["what inherits members", [inherited], "/0", "is an object with a prototype of its own"],
    ["a date", new Date(0), "", "is an object with a prototype of its own"],
    ["a map", { m: new Map() }, "/m", "is an object with a prototype of its own"],
    ["a boxed string", new String("ls"), "", "is an object with a prototype of its own"],
    ["undefined", undefined, "", "is no JSON value"],
    ["an undefined member", { a: undefined }, "/a", "is no JSON value"],
    ["a function", { toJSON: () => "ls" }, "/toJSON", "is no JSON value"],
    ["a symbol", [Symbol("x")], "/0", "is no JSON value"],
    ["a big integer", 1n, "", "is no JSON value"],
    ["NaN", [0, Number.NaN], "/1", "is not a finite number"],
    ["infinity", -Infinity, "", "is not a finite number"],
    ["an unsafe integer", 2 ** 53, "", "is an integer beyond 2^53 - 1"],
    ["a large number without fraction", 1e21, "", "is an integer beyond 2^53 - 1"],
    ["half a surrogate pair", { "a/b": ["ok", "\ud800x"] }, "/a~1b/1", "holds an unpaired surrogate"],
    ["half a surrogate pair in a name", { ["\udc00"]: 1 }, "", "holds a name with an unpaired surrogate"],
    ["a hole in an array", Object.assign([], { length: 1_000_000_000 }), "/0", "is no JSON value"]
  ])("is not %s", (_, value, pointer, message) => {
    assert.deepStrictEqual(problemOf(checkIJson(value)), { pointer, message })
  })

  it("is refused and not thrown at when reading it throws", () => {
    const getter = {
      get command(): string {
        throw new Error("not today")
      }
    }
    assert.deepStrictEqual(problemOf(checkIJson(getter)), { pointer: "", message: "can't be read: not today" })
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    assert.match(problemOf(checkIJson({ proxy })).message, /^can't be read: /)
  })

  it("is read once: a getter that changes its mind is taken at its first word", () => {
    let reads = 0
    const value = valueOf(
      checkIJson({
        get command() {
          return reads++ === 0 ? "ls" : "rm"
        }
      })
    )
    assert.strictEqual(canonicalize(value), `{"command":"ls"}`)
    assert.strictEqual(reads, 1)
  })

  it("that holds itself is refused at once, whichever way", () => {
    const one: Record<string, unknown> = {}
    one["self"] = one
    const many: Record<string, unknown> = {}
    for (const name of ["a", "b", "c", "d"]) many[name] = many
    const list: unknown[] = []
    list.push(list, list, list)
    for (const cyclic of [one, many, list]) {
      assert.strictEqual(problemOf(checkIJson(cyclic)).message, "nested deeper than 200 levels")
    }
  })

  it("that shares its members is refused when it unfolds into too much", () => {
    let shared: Record<string, unknown> = { leaf: 1 }
    for (let level = 0; level < 100; level++) shared = { left: shared, right: shared }
    assert.strictEqual(problemOf(checkIJson(shared)).message, "holds more than 1000000 values")
    const twice = { same: 1 }
    assert.strictEqual(canonicalize(valueOf(checkIJson([twice, twice]))), `[{"same":1},{"same":1}]`)
  })

  it("nests 200 levels deep and no deeper", () => {
    const nest = (depth: number): unknown => Array.from({ length: depth }).reduce((inner) => [inner], "leaf")
    assert.isTrue("value" in checkIJson(nest(200)))
    for (const depth of [201, 100_000]) {
      assert.strictEqual(problemOf(checkIJson(nest(depth))).message, "nested deeper than 200 levels")
    }
  })
})

describe("the canonical text", () => {
  it("is RFC 8785's of its first example", () => {
    const text = String.raw`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }`
    assert.strictEqual(
      canonicalize(JSON.parse(text) as Json),
      String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],` +
        String.raw`"string":"€$\u000f\nA'B\"\\\\\"/"}`
    )
  })

  it("sorts names by UTF-16 code units, as RFC 8785 3.2.3 does", () => {
    const text = String.raw`{"\u20ac":"Euro Sign","\r":"Carriage Return","\ufb33":"Hebrew Letter Dalet With Dagesh",
      "1":"One","\ud83d\ude00":"Emoji: Grinning Face","\u0080":"Control","\u00f6":"Latin Small Letter O With Diaeresis"}`
    const order = [...canonicalize(valueOf(parseIJson(text))).matchAll(/:"([^"]*)"/g)].map(([, words]) => words)
    assert.deepStrictEqual(order, [
      "Carriage Return",
      "One",
      "Control",
      "Latin Small Letter O With Diaeresis",
      "Euro Sign",
      "Emoji: Grinning Face",
      "Hebrew Letter Dalet With Dagesh"
    ])
  })

  it.each([
    [0, "0"],
    [-0, "0"],
    [5e-324, "5e-324"],
    [1.7976931348623157e308, "1.7976931348623157e+308"],
    [9007199254740992, "9007199254740992"],
    [295147905179352830000, "295147905179352830000"],
    [9.999999999999997e22, "9.999999999999997e+22"],
    [1e21, "1e+21"],
    [1e-7, "1e-7"],
    [0.000001, "0.000001"],
    [-1.5, "-1.5"]
  ])("writes the number %d as RFC 8785 does", (number, text) => {
    assert.strictEqual(canonicalize(number), text)
  })

  it("does not depend on the order in which names were given, and tells apart what differs", () => {
    const texts = [`{"a":1,"b":[1,2]}`, `{"b":[1,2],"a":1}`, `{ "b" : [1, 2.0], "\\u0061" : 1e0 }`]
    assert.strictEqual(new Set(texts.map((text) => canonicalize(valueOf(parseIJson(text))))).size, 1)
    const others = [`{"a":1,"b":[2,1]}`, `{"a":"1","b":[1,2]}`, `{"a":1,"b":[1,2],"c":null}`, `{"A":1,"b":[1,2]}`]
    assert.strictEqual(new Set([...texts, ...others].map((text) => canonicalize(valueOf(parseIJson(text))))).size, 5)
  })

  it("keeps U+2028 and DEL as they are, and escapes control characters only", () => {
    assert.strictEqual(canonicalize("\u2028\u007f\u001f\b</script>"), `"\u2028\u007f\\u001f\\b</script>"`)
  })
})
