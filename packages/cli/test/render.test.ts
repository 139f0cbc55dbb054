/** What a person sees: nothing foreign steers a terminal, and the chain reads as sentences. */
import { assert, describe, it } from "@effect/vitest"
import type { AdjudicationChainEntry } from "@countersign/kernel"
import { ago, cardLines, type CardView } from "../src/render/card.ts"
import { chainLines, entryText } from "../src/render/chain.ts"
import { plain, styleFor } from "../src/render/Style.ts"
import { tableLines } from "../src/render/table.ts"
import { treeLines } from "../src/render/tree.ts"
import { json, lines, oneLine } from "../src/render/visible.ts"

const entry = (more: Partial<AdjudicationChainEntry> = {}): AdjudicationChainEntry => ({
  kind: "parent",
  verdict: "endorse",
  reason: "the task needs it",
  adjudicatorId: "root",
  subjectAgentId: "child",
  toolName: "Bash",
  at: 0,
  ...more
})

describe("visible", () => {
  it.each([
    ["an escape sequence", "\u001b[2Jx", "\\u{1b}[2Jx"],
    ["bidirectional characters", "a\u202eb\u2066c", "a\\u{202e}b\\u{2066}c"],
    ["zero-width characters", "a\u200bb\ufeffc", "a\\u{200b}b\\u{feff}c"],
    ["line breaks", "a\nb\r\u2028c", "a\\nb\\r\\u{2028}c"],
    ["C1 controls", "\u009b31m", "\\u{9b}31m"],
    ["annotation characters", "a\ufff9b", "a\\u{fff9}b"],
    ["tag characters", "a\u{e0041}", "a\\u{e0041}"],
    ["variation selectors", "a\ufe0f", "a\\u{fe0f}"],
    ["half a surrogate pair", "a\ud800", "a\ufffd"]
  ])("shows %s instead of obeying it", (_, text, shown) => {
    assert.strictEqual(oneLine(text), shown)
  })

  it("leaves letters of any script alone", () => {
    assert.strictEqual(oneLine("Grüße, 你好 — שלום 👋"), "Grüße, 你好 — שלום 👋")
  })

  it("escapes inside JSON, and splits texts at line breaks only", () => {
    assert.strictEqual(json({ a: "\u202ex" }), `{"a":"\\u{202e}x"}`)
    assert.deepStrictEqual(lines("a\tb\n\u001bc"), ["a  b", "\\u{1b}c"])
  })
})

describe("Style", () => {
  it("colours at a terminal only, and never with NO_COLOR", () => {
    assert.notStrictEqual(styleFor({ isTTY: true }, {}).red("x"), "x")
    assert.strictEqual(styleFor({ isTTY: true }, { NO_COLOR: "1" }).red("x"), "x")
    assert.strictEqual(styleFor({}, {}).red("x"), "x")
  })
})

describe("chain", () => {
  it("says who vouches for whose call and why", () => {
    assert.strictEqual(entryText(entry()), "parent root vouches for child child's Bash because the task needs it")
    assert.strictEqual(
      entryText(entry({ verdict: "reject" })),
      "parent root refuses child child's Bash because the task needs it"
    )
    assert.strictEqual(
      entryText(entry({ verdict: "escalate", reason: "", failure: "timeout" })),
      "parent root passes child child's Bash on (no judgement came: timeout)"
    )
  })

  it("draws each level below the one before", () => {
    assert.deepStrictEqual(
      chainLines([entry({ adjudicatorId: "a" }), entry({ adjudicatorId: "b" })]).map((line) => line.slice(0, 17)),
      ["└─ parent a vouch", "   └─ parent b vo"]
    )
  })
})

describe("card", () => {
  const card: CardView = {
    confirmationId: "c",
    agentId: "child",
    task: "tidy",
    tool: "Bash",
    folder: "/p",
    arguments: { command: "echo a\nrm \u202e-rf x", timeout: 5 },
    original: { command: "echo a" },
    decision: {
      decision: "ask",
      source: "rule",
      ruleId: "rule.user.ask",
      matchedRule: "Bash(rm:*)",
      sourceLayer: "user",
      because: "careful"
    },
    chain: [entry()],
    refusedBefore: { agentId: "other", by: "ada", reason: "no", at: 0 },
    offered: [{ scope: "agent", text: "exactly: Bash(x)" }]
  }

  it("shows who asks, the exact arguments line by line, rule, layer, chain, refusal and offers", () => {
    assert.deepStrictEqual(cardLines(card, plain, 60_000), [
      "┌ child asks · tidy",
      "│ runs      Bash",
      "│           command: echo a",
      "│             rm \\u{202e}-rf x",
      "│           timeout: 5",
      "│ in        /p",
      `│ asked for {"command":"echo a"} (a hook rewrote it)`,
      "│ why       the rule Bash(rm:*) in layer user (rule.user.ask)",
      "│           it says: careful",
      "│ chain     └─ parent root vouches for child child's Bash because the task needs it",
      "│ before    ada refused the same to other a minute ago, saying: no",
      "│ offered   always for this agent: exactly: Bash(x)",
      "└"
    ])
  })

  it("says times as people do", () => {
    assert.deepStrictEqual([0, 5_000, 60_000, 600_000, 3_600_000, -5].map(ago), [
      "a moment ago",
      "5 seconds ago",
      "a minute ago",
      "10 minutes ago",
      "an hour ago",
      "a moment ago"
    ])
  })
})

describe("tree and table", () => {
  it("draws children below their parents, and an orphan as a root", () => {
    const node = (id: string, parentId?: string) => ({ id, parentId, label: id })
    assert.deepStrictEqual(treeLines([node("a"), node("b", "a"), node("d", "b"), node("c", "a"), node("x", "gone")]), [
      "a",
      "├─ b",
      "│  └─ d",
      "└─ c",
      "x"
    ])
  })

  it("ends where parents form a circle", () => {
    const nodes = [
      { id: "r", parentId: undefined, label: "r" },
      { id: "r", parentId: "r", label: "r" }
    ]
    assert.isBelow(treeLines(nodes).length, 5)
  })

  it("aligns columns and cuts at the width", () => {
    assert.deepStrictEqual(
      tableLines(
        ["a", "bb"],
        [
          ["xxx", "y"],
          ["z", "long text"]
        ],
        10
      ),
      ["a    bb", "xxx  y", "z    long…"]
    )
  })
})
