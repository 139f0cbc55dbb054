import { assert, describe, it } from "@effect/vitest"
import { said } from "./asking.ts"

const fetchOf = (url: unknown) => ["WebFetch", url === undefined ? {} : { url }] as const

for (const behavior of ["allow", "deny"] as const) {
  describe(`${behavior} of a URL`, () => {
    for (const [content, yes, no] of [
      ["domain:*", ["https://a.dev/"], []],
      [
        "domain:example.com",
        ["https://example.com/x", "http://EXAMPLE.com.:81/", "https://u:p@example.com/"],
        ["https://a.example.com/", "https://notexample.com/"]
      ],
      [
        "domain:*.example.com",
        ["https://a.example.com", "https://a.b.example.com"],
        ["https://example.com", "https://aexample.com"]
      ],
      [
        "domain:bücher.example",
        ["https://xn--bcher-kva.example/", "https://BÜCHER.example"],
        ["https://buecher.example"]
      ],
      ["domain:127.0.0.1", ["http://0x7f.1/", "http://2130706433/"], ["http://127.0.0.2/"]],
      ["https://example.com", ["https://example.com/a/b?c"], ["http://example.com/", "https://a.example.com/"]],
      [
        "https://example.com/a/*",
        ["https://example.com/a/b", "https://example.com/x/../a/b", "https://example.com:443/%61/b?c"],
        ["https://example.com/ab", "https://example.com/a/../b"]
      ],
      ["https://example.com/a", ["https://example.com/a"], ["https://example.com/a/b", "https://example.com/A"]],
      [
        "https://*.example.com/*",
        ["https://a.b.example.com/x"],
        ["https://evil.test/x.example.com/y", "https://example.com/"]
      ]
    ] as const) {
      it(`\`${content}\` speaks of ${yes.join(", ")}, not of ${no.join(", ")}`, () => {
        for (const url of yes)
          assert.strictEqual(said([`${behavior} WebFetch(${content})`], fetchOf(url)), behavior, url)
        for (const url of no) assert.strictEqual(said([`${behavior} WebFetch(${content})`], fetchOf(url)), "-", url)
      })
    }
  })
}

describe("an allow rule for a URL", () => {
  for (const [content, url] of [
    ["https://docs.example.com*", "https://docs.example.com@evil.test/"],
    ["https://docs.example.com*", "https://docs.example.com/"],
    ["https://*.com", "https://a.com"],
    ["*://example.com", "https://example.com"],
    ["domain:a.*.com", "https://a.b.com"],
    ["example.com", "https://example.com"],
    ["https://example.com", "https://u@example.com/"],
    ["https://example.com", "https://example.com:8443/"],
    ["https://example.com/a", "https://example.com/a?b"],
    ["domain:*", "no url"],
    ["domain:*", undefined]
  ] as const) {
    it(`\`${content}\` says nothing of ${url}`, () =>
      assert.strictEqual(said([`allow WebFetch(${content})`], fetchOf(url)), "-"))
  }
})

describe("a ban of a URL", () => {
  for (const [content, url, expected] of [
    ["domain:a.*.com", "https://a.b.com", "deny"],
    ["domain:a.*.com", "https://a.b.c.com", "-"],
    ["https://evil.test*", "https://evil.test/x", "deny"],
    ["https://evil.test", "https://evil.test:8443/", "deny"],
    ["https://evil.test/a", "https://evil.test/a?b", "deny"],
    ["*://evil.test", "http://evil.test/", "deny"],
    ["evil.test", "http://evil.test/", "deny"],
    ["evil.test/a*", "https://evil.test/ab", "deny"],
    ["domain:evil.test", "no url", "possible"]
  ] as const) {
    it(`\`${content}\` says of ${url}: ${expected}`, () =>
      assert.strictEqual(said([`deny WebFetch(${content})`], fetchOf(url)), expected))
  }

  it("cut by a fault reaches every host that begins so", () => {
    assert.strictEqual(said(["deny WebFetch(domain:evil"], fetchOf("https://evil.a.test/")), "deny")
    assert.strictEqual(said(["deny WebFetch(https://evil"], fetchOf("https://evil.a.test/")), "deny")
    assert.strictEqual(said(["deny WebFetch(https://evil.test/a"], fetchOf("https://evil.test/abc")), "deny")
    assert.strictEqual(said(["deny WebFetch(domain:evil"], fetchOf("https://good.test/")), "-")
  })
})
