/** The demo whole, as somebody without a terminal runs it; its database is then read by `countersign audit`. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { releaseScript } from "../../packages/cli/src/demo/releaseScript.ts"
import { countersign, jsonLines, type Ran } from "./program.ts"

const databaseOf = ({ stdout }: Ran) => /^The database: (.*)$/m.exec(stdout)![1]!
const broken = ({ stdout }: Ran) =>
  stdout
    .split("\n")
    .filter((line) => line.includes("✗"))
    .map((line) => line.trim())
const reasonOf = (parent: string) =>
  releaseScript.judgements.find((judgement) => judgement.call === "publish" && judgement.parent === parent)!.reason
const folder = mkdtempSync(join(tmpdir(), "countersign-test-"))
const scratch = () => mkdtempSync(join(folder, "scratch-"))
const demo = (...args: readonly string[]) => countersign(["demo", ...args], { env: { TMPDIR: folder } })

let ran: Ran

beforeAll(async () => {
  ran = await demo()
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe("demo", () => {
  it("keeps every promise and exits 0", () => {
    assert.deepStrictEqual(broken(ran), [])
    assert.isAtLeast(ran.stdout.split("✓").length, 20)
    assert.strictEqual(ran.code, 0, ran.stderr)
  })

  it("says where the answers come from, that its project counts as trusted, and where everything lies", () => {
    for (const words of ["There is no terminal", "the script's own list", "count as trusted", "The database: "])
      assert.include(ran.stdout, words)
  })

  it("shows the card again after the kill, with both parents' words", () => {
    const after = ran.stdout.slice(ran.stdout.indexOf("it is started again"))
    const card = after.slice(after.indexOf("┌ publisher asks"), after.indexOf("└\n"))
    assert.include(card, "parent scribe passes child publisher's Bash on because the notes are right")
    assert.include(card, "parent orchestrator passes child publisher's Bash on")
    assert.include(card, "the rule Bash(node scripts/publish.mjs:*) in layer projectShared")
    assert.notInclude(ran.stdout.slice(0, ran.stdout.indexOf("(SIGKILL)")), "┌ publisher asks")
  })

  it("prints no colour without a terminal", () => {
    assert.notInclude(ran.stdout, "\u001b")
  })

  it("published once, and uploaded nothing that was refused", () => {
    const requests = jsonLines(readFileSync(join(dirname(databaseOf(ran)), "requests.ndjson"), "utf8")) as readonly {
      path: string
      body: string
    }[]
    assert.deepStrictEqual(
      requests.map(({ path }) => path),
      ["/guide", "/releases"]
    )
    assert.include(requests[1]!.body, "Greeted in full")
  })

  it("breaks its promises, says which and exits 1 when the person answers otherwise", async () => {
    const file = join(scratch(), "answers.json")
    const answers = releaseScript.answers.map((answer) =>
      answer.call === "publish" ? { ...answer, answer: "refuse" } : answer
    )
    writeFileSync(file, JSON.stringify(answers))
    const other = await demo("--answers", file)
    assert.strictEqual(other.code, 1)
    assert.include(broken(other).join("\n"), "the grandchild's call ran once")
    assert.include(other.stdout, `the file \`${file}\``)
  })

  it("refuses a card that the answers do not name", async () => {
    const file = join(scratch(), "answers.json")
    writeFileSync(file, JSON.stringify(releaseScript.answers.filter(({ call }) => call !== "push")))
    const other = await demo("--answers", file)
    assert.strictEqual(other.code, 1)
    assert.include(broken(other).join("\n"), "reached origin")
  })

  it("plays another script", async () => {
    const file = join(scratch(), "task.json")
    writeFileSync(
      file,
      JSON.stringify({
        task: "Look around",
        main: "scout",
        agents: {
          scout: {
            task: "Look around",
            steps: [
              { id: "look", tool: "Read", input: { file_path: "README.md" } },
              { id: "leave", tool: "Read", input: { file_path: "../countersign.db" } },
              { id: "count", tool: "Bash", input: { command: "node scripts/build.mjs" } }
            ],
            report: "seen"
          }
        },
        judgements: [],
        answers: [
          { call: "leave", answer: "refuse" },
          { call: "count", answer: "approve" }
        ]
      })
    )
    const other = await demo("--task", file)
    assert.deepStrictEqual(broken(other), [])
    assert.strictEqual(other.code, 0, other.stdout + other.stderr)
    assert.match(
      other.stdout,
      /scout\s+count\s+Bash\s+node scripts\/build\.mjs\s+allow\s+user\.approved by ada\s+completed/
    )
    assert.match(other.stdout, /scout\s+leave\s+Read\s+\S+\s+deny/)
  })

  it("refuses a script that does not fit together, and says why", async () => {
    const file = join(scratch(), "task.json")
    writeFileSync(file, JSON.stringify({ ...releaseScript, main: "nobody" }))
    const other = await demo("--task", file)
    assert.strictEqual(other.code, 1)
    assert.include(other.stderr, "there is no agent `nobody` to begin with")
  })
})

describe("audit", () => {
  const audit = (...args: readonly string[]) => countersign(["audit", ...args, "--database", databaseOf(ran)])

  it("lists every call with its ground and outcome, oldest first", async () => {
    const { code, stdout } = await audit("list")
    assert.strictEqual(code, 0)
    const calls = stdout
      .split("\n")
      .slice(1)
      .map((line) => line.split(/ +/)[2])
      .filter((call) => call !== undefined && !call.startsWith("spawn-"))
    assert.deepStrictEqual(calls.slice(0, 3), ["look", "read", "mend"])
    assert.strictEqual(calls.at(-1), "push")
    assert.match(stdout, /tidy\s+Bash\s+git rm -r notes\s+deny\s+adjudication\.reject \(adjudicator\)\s+-/)
  })

  it("lists by agent, tool, decision and number", async () => {
    const denied = jsonLines(
      (await audit("list", "--json", "--decision", "deny", "--tool", "Bash", "--agent", "scribe")).stdout
    )
    assert.deepStrictEqual(
      denied.map((entry) => (entry as { decision: { toolCallId: string } }).decision.toolCallId),
      ["tidy", "force-push"]
    )
    assert.lengthOf(jsonLines((await audit("list", "--json", "--limit", "2")).stdout), 2)
  })

  it("draws the chain of one decision as a tree", async () => {
    const { stdout } = await audit("show", "publish")
    assert.include(
      stdout,
      [
        "publisher (Publish the notes to the release server) calls Bash",
        `└─ parent scribe passes child publisher's Bash on because ${reasonOf("scribe")}`,
        `   └─ parent orchestrator passes child publisher's Bash on because ${reasonOf("orchestrator")}`,
        "      └─ allow · user.approved by ada"
      ].join("\n")
    )
  })

  it("finds a decision by record id, number and call id, and gives all of it as JSON", async () => {
    const read = async (id: string) =>
      JSON.parse((await audit("show", id, "--json")).stdout) as {
        seq: number
        decision: { id: string; toolCallId: string }
      }
    const byCall = await read("publish")
    assert.strictEqual(byCall.decision.toolCallId, "publish")
    assert.deepStrictEqual(await read(byCall.decision.id), byCall)
    assert.deepStrictEqual(await read(String(byCall.seq)), byCall)
  })

  it("exits 1 and says what to do where there is nothing", async () => {
    const unknown = await audit("show", "nothing")
    assert.strictEqual(unknown.code, 1)
    assert.include(unknown.stderr, "countersign audit list --database")
    const absent = await countersign(["audit", "list", "--database", join(scratch(), "absent.db")])
    assert.strictEqual(absent.code, 1)
    assert.include(absent.stderr, "does not exist")
  })
})
