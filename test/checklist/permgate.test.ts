/** The checklist's rows P01 to P42: permgate's behaviour, from the kernel under the preset `permgate`. */
import { readFileSync } from "node:fs"
import type { Mode } from "@countersign/kernel"
import { assert, describe, it } from "@effect/vitest"
import { type Capabilities, type Decision, PermgateService } from "./kit/permgate.ts"

const readOnly: Capabilities = { readOnly: true }
const alwaysAsk: Capabilities = { alwaysAsk: true }
const interactive: Capabilities = { requiresUserInteraction: true }

const modes = ["default", "yolo", "readOnly"] as const satisfies readonly Mode[]

const says = ({ behavior, ruleId }: Decision, expected: string, message?: string) =>
  assert.strictEqual(`${behavior} ${ruleId}`, expected, message)

/** Which kinds of rule with this content match the call: all of them or none, by every way a rule can be given. */
function matched(tool: string, content: string, input: unknown): readonly string[] {
  const rule = content === "" ? tool : `${tool}(${content})`
  const by = (kind: "allow" | "ask" | "deny") =>
    new PermgateService({ projectRules: { [kind]: [rule] } }).check(tool, input).ruleId === `rule.project.${kind}`
  const granted = new PermgateService()
  granted.allowForSession(tool, content)
  return [
    ...(["allow", "ask", "deny"] as const).filter(by),
    ...(granted.check(tool, input).ruleId === "rule.session.allow" ? ["grant"] : [])
  ]
}
const compared = (kinds: readonly string[]) => (tool: string, content: string, input: unknown) =>
  assert.deepStrictEqual(matched(tool, content, input), kinds, `${content} · ${JSON.stringify(input)}`)
const matches = compared(["allow", "ask", "deny", "grant"])
const matchesNot = compared([])

describe("permgate · interaction and bans", () => {
  it("P01 the zero value works: everything goes to the fallback", () => {
    says(new PermgateService().check("bash", "ls", "default"), "ask mode.default")
    says(new PermgateService({}).check("bash", { command: "ls" }, "default", {}), "ask mode.default")
  })

  it("P02 the fallback allows read-only tools, whatever they read", () => {
    const empty = new PermgateService()
    says(empty.check("read", {}, "default", readOnly), "allow cap.readOnly")
    says(empty.check("read", { file_path: "/repo/a.txt" }, "default", readOnly), "allow cap.readOnly")
    says(empty.check("read", { file_path: "/etc/hosts" }, "default", readOnly), "allow cap.readOnly")
  })

  it.each(modes)("P03 interaction asks in every mode: %s", (mode) => {
    says(new PermgateService().check("ask_user", { question: "?" }, mode, interactive), "ask tool.userInteraction")
    const granted = new PermgateService()
    granted.allowForSession("ask_user", "")
    const both = { ...interactive, ...alwaysAsk }
    says(granted.check("ask_user", { question: "?" }, mode, both), "ask tool.userInteraction", "whatever was granted")
  })

  it.each(modes)("P04 a banned interactive tool is denied: %s", (mode) => {
    const service = new PermgateService({ disallowedTools: ["ask_user"] })
    says(service.check("ask_user", { question: "?" }, mode, interactive), "deny rule.disallowedTools")
  })

  it.each(modes)("P05 a project-denied interactive tool is denied: %s", (mode) => {
    const service = new PermgateService({ projectRules: { deny: ["ask_user"] } })
    says(service.check("ask_user", { question: "?" }, mode, interactive), "deny rule.project.deny")
  })
})

describe("permgate · alwaysAsk", () => {
  const granted = (options?: ConstructorParameters<typeof PermgateService>[0]) => {
    const service = new PermgateService(options)
    service.allowForSession("deploy", "")
    return service
  }

  it("P06 alwaysAsk beats yolo", () => {
    says(new PermgateService().check("deploy", {}, "yolo", alwaysAsk), "ask tool.alwaysAsk")
  })

  it.each(modes)("P07 a banned alwaysAsk tool is denied, even with a session grant: %s", (mode) => {
    const options = { disallowedTools: ["deploy"] }
    says(new PermgateService(options).check("deploy", {}, mode, alwaysAsk), "deny rule.disallowedTools")
    says(granted(options).check("deploy", {}, mode, alwaysAsk), "deny rule.disallowedTools")
  })

  it("P08 a project deny beats alwaysAsk", () => {
    const service = new PermgateService({ projectRules: { deny: ["bash(rm -rf:*)"] } })
    says(service.check("bash", "rm -rf /tmp", "default", alwaysAsk), "deny rule.project.deny")
    says(service.check("bash", "ls /tmp", "default", alwaysAsk), "ask tool.alwaysAsk")
  })

  it.each(["default", "yolo"] as const)("P09 a session grant satisfies alwaysAsk: %s", (mode) => {
    says(granted().check("deploy", {}, mode, alwaysAsk), "allow rule.session.allow")
    says(granted().check("deploy2", {}, mode, alwaysAsk), "ask tool.alwaysAsk", "of this tool only")
  })

  it("P10 a session grant looks at no mode: it lets an alwaysAsk tool write in read-only mode", () => {
    says(granted().check("deploy", {}, "readOnly", alwaysAsk), "allow rule.session.allow")
  })

  it("P11 read-only mode denies an alwaysAsk tool that is not read-only, and does not ask", () => {
    says(new PermgateService().check("deploy", {}, "readOnly", alwaysAsk), "deny mode.readOnly")
  })

  it("P12 read-only mode asks for an alwaysAsk tool that is read-only", () => {
    says(new PermgateService().check("deploy", {}, "readOnly", { ...alwaysAsk, ...readOnly }), "ask tool.alwaysAsk")
  })

  it("P13 neither the white list nor a project allow goes around alwaysAsk", () => {
    const service = new PermgateService({ allowedTools: ["deploy"], projectRules: { allow: ["deploy"] } })
    says(service.check("deploy", {}, "default", alwaysAsk), "ask tool.alwaysAsk")
    says(service.check("deploy", {}, "yolo", alwaysAsk), "ask tool.alwaysAsk")
    says(service.check("deploy", {}, "default"), "allow rule.project.allow", "the same rules allow a plain tool")
  })
})

describe("permgate · modes", () => {
  it("P14 a ban beats yolo", () => {
    says(new PermgateService({ disallowedTools: ["bash"] }).check("bash", "ls", "yolo"), "deny rule.disallowedTools")
  })

  it("P15 a project deny beats yolo and a project allow", () => {
    const projectRules = { allow: ["bash(rm:*)"], deny: ["bash(rm -rf:*)"] }
    const service = new PermgateService({ projectRules })
    says(service.check("bash", "rm -rf build", "yolo"), "deny rule.project.deny")
    says(service.check("bash", "rm -rf build", "default"), "deny rule.project.deny")
    says(service.check("bash", "rm x", "default"), "allow rule.project.allow")
  })

  it("P16 yolo passes what nothing forbids", () => {
    says(new PermgateService().check("bash", "ls", "yolo"), "allow mode.yolo")
  })

  it("P17 yolo skips a project ask", () => {
    const service = new PermgateService({ projectRules: { ask: ["bash(git push:*)"] } })
    says(service.check("bash", "git push", "yolo"), "allow mode.yolo")
    says(service.check("bash", "git push", "default"), "ask rule.project.ask", "the rule hits")
  })

  it("P18 the ban's reason comes before read-only mode's", () => {
    const service = new PermgateService({ disallowedTools: ["write"] })
    says(service.check("write", { file_path: "/repo/a" }, "readOnly"), "deny rule.disallowedTools")
    const both = new PermgateService({ disallowedTools: ["write"], projectRules: { deny: ["write"] } })
    says(both.check("write", {}, "default"), "deny rule.disallowedTools", "and before the project's")
  })

  it("P19 read-only mode allows read-only tools", () => {
    says(new PermgateService().check("read", { file_path: "/repo/a" }, "readOnly", readOnly), "allow mode.readOnly")
    says(new PermgateService().check("read", { file_path: "/etc/hosts" }, "readOnly", readOnly), "allow mode.readOnly")
    const allowed = new PermgateService({ projectRules: { allow: ["read"] } })
    says(allowed.check("read", {}, "readOnly", readOnly), "allow mode.readOnly", "before a project allow")
  })

  it("P20 read-only mode beats a project ask (issue 24)", () => {
    const service = new PermgateService({ projectRules: { ask: ["write"] } })
    says(service.check("write", { file_path: "/repo/a" }, "readOnly"), "deny mode.readOnly")
  })

  it("P21 a project ask on a read-only tool asks in read-only mode", () => {
    const service = new PermgateService({ projectRules: { ask: ["read"] } })
    says(service.check("read", { file_path: "/repo/a" }, "readOnly", readOnly), "ask rule.project.ask")
  })

  it("P22 read-only mode beats every allow", () => {
    const service = new PermgateService({
      allowedTools: ["write"],
      projectRules: { allow: ["write"] },
      preapprove: () => ["tool.write.preapproved", true]
    })
    service.allowForSession("write", "")
    says(service.check("write", { file_path: "/repo/a" }, "readOnly"), "deny mode.readOnly")
  })
})

describe("permgate · what allows", () => {
  const preapprove = () => ["tool.webfetch.preapproved", true] as const
  const page = { url: "https://docs.example.com/guide" }

  it("P23 a project ask beats allow, white list and session grant", () => {
    const service = new PermgateService({
      allowedTools: ["bash"],
      projectRules: { ask: ["bash(git push:*)"], allow: ["bash(git push:*)"] },
      preapprove: () => ["tool.bash.preapproved", true]
    })
    service.allowForSession("bash", "git push:*")
    says(service.check("bash", "git push origin", "default"), "ask rule.project.ask")
  })

  it("P24 a project allow allows", () => {
    const service = new PermgateService({ projectRules: { allow: ["webfetch(https://docs.example.com/*)"] } })
    says(service.check("webfetch", page), "allow rule.project.allow")
    says(service.check("webfetch", { url: "https://example.com/guide" }), "ask mode.default")
  })

  it("P25 a project allow comes before the pre-approval", () => {
    const projectRules = { allow: ["webfetch(https://docs.example.com/*)"] }
    says(new PermgateService({ projectRules, preapprove }).check("webfetch", page), "allow rule.project.allow")
  })

  it("P26 the pre-approval comes before the white list, and its id is the hook's", () => {
    const decision = new PermgateService({ allowedTools: ["webfetch"], preapprove }).check("webfetch", page)
    says(decision, "allow tool.webfetch.preapproved")
    assert.deepStrictEqual([decision.ruling?.source, decision.ruling?.basis], ["rule", "rule"])
  })

  it("P27 a pre-approval without an id, without a yes, or under another ground's id allows nothing", () => {
    says(new PermgateService({ preapprove: () => ["", true] }).check("webfetch", page), "ask mode.default")
    says(new PermgateService({ preapprove: () => ["tool.x", false] }).check("webfetch", page), "ask mode.default")
    for (const id of ["user.approved", "mode.yolo", "rule.session.allow", "tool.alwaysAsk", "classifier.allow"]) {
      says(new PermgateService({ preapprove: () => [id, true] }).check("webfetch", page), "ask mode.default", id)
    }
    const whiteListed = new PermgateService({ allowedTools: ["webfetch"], preapprove: () => ["", true] })
    says(whiteListed.check("webfetch", page), "allow rule.allowedTools")
  })

  it("P28 the white list allows", () => {
    const service = new PermgateService({ allowedTools: ["bash"] })
    says(service.check("bash", "ls"), "allow rule.allowedTools")
    says(service.check("bash2", "ls"), "ask mode.default")
  })

  it("P29 a session grant covers plain tools", () => {
    const service = new PermgateService()
    service.allowForSession("bash", "git status:*")
    says(service.check("bash", "git status"), "allow rule.session.allow")
    says(service.check("bash", "git push"), "ask mode.default")
    says(service.check("bash", "git status", "default", readOnly), "allow rule.session.allow", "before the fallback")
  })

  it("P30 the white list comes before the session grant", () => {
    const service = new PermgateService({ allowedTools: ["bash"] })
    service.allowForSession("bash", "git status:*")
    says(service.check("bash", "git status"), "allow rule.allowedTools")
  })

  it("P31 ResetSession forgets grants", () => {
    const service = new PermgateService()
    service.allowForSession("bash", "git status:*")
    service.allowForSession("deploy", "")
    service.resetSession()
    says(service.check("bash", "git status"), "ask mode.default")
    says(service.check("deploy", {}, "default", alwaysAsk), "ask tool.alwaysAsk")
    service.allowForSession("bash", "git status:*")
    says(service.check("bash", "git status"), "allow rule.session.allow", "and takes new ones")
  })

  it("P32 a session grant does not leak into another service", () => {
    const service = new PermgateService()
    service.allowForSession("bash", "git status:*")
    says(new PermgateService().check("bash", "git status"), "ask mode.default")
    says(service.check("bash", "git status"), "allow rule.session.allow")
  })
})

describe("permgate · content", () => {
  it("P33 the prefix form is the prefix, or the prefix and white space", () => {
    matches("bash", "git status:*", "git status")
    matches("bash", "git status:*", "git status --short")
    matches("bash", "git status:*", "git status\t--short")
    matchesNot("bash", "git status:*", "git statusx")
    matchesNot("bash", "git status:*", "git stat")
    matchesNot("bash", "git status:*", "agit status")
  })

  it("P34 the exact form matches only itself", () => {
    matches("bash", "git status", "git status")
    for (const other of ["git status --short", "git statu", "git statuss", "Git status", "x git status"]) {
      matchesNot("bash", "git status", other)
    }
  })

  it("P35 the wildcard crosses any characters, and all else is literal", () => {
    matches("bash", "npm run *", "npm run build")
    matchesNot("bash", "npm run *", "npm test")
    matches("edit", "web/**/*.vue", { file_path: "web/src/a.vue" })
    matchesNot("edit", "web/**/*.vue", { file_path: "web/src/a.ts" })
    matches("bash", "a.b*", "a.bc")
    matchesNot("bash", "a.b*", "axbc")
  })

  it("P35 no character of a pattern but the star has a meaning", () => {
    for (const literal of ["a+b*", "a?b*", "[ab]*", "a|b*", "^a*", "a$*", "{a,b}*", "a\\b*"]) {
      matches("bash", literal, literal.replace("*", "x"))
      matchesNot("bash", literal, "ab")
      matchesNot("bash", literal, "aab")
    }
  })

  it("P35 a star crosses a new line in deny and ask, and not in allow or a grant", () => {
    assert.deepStrictEqual(matched("bash", "rm *", "rm -rf\n/"), ["ask", "deny"])
  })

  it("P36 path subjects are cleaned before they are matched", () => {
    matchesNot("read", "/repo/data/*", { file_path: "/repo/data/../../etc/passwd" })
    matches("read", "/repo/data/*", { file_path: "/repo/data//a.txt" })
    matches("read", "/repo/data/*", { path: "/repo/./data/x/../a.txt" })
    matchesNot("read", "/repo/data/*", { path: "/repo/data/.." })
    matchesNot("read", "data/*", { file_path: "data/../secrets/a" })
    matches("read", "/etc/passwd", { file_path: "/repo/data/../../etc/passwd" })
  })

  it("P37 the prefix form is useless on paths", () => {
    matchesNot("read", "/repo/data:*", { file_path: "/repo/data/a" })
    matches("read", "/repo/data:*", { file_path: "/repo/data" })
  })

  it.each([[42], [null], [[]], [{}], [{ other: "git status" }], [{ command: 42 }], [{ command: "" }]])(
    "P38 a content needs a subject, an empty one matches: %j",
    (input) => {
      matchesNot("bash", "git status", input)
      matches("bash", "", input)
    }
  )

  it("P38 the whole tool is not another tool", () => {
    says(new PermgateService({ projectRules: { deny: ["bash"] } }).check("bash_output", 42), "ask mode.default")
  })

  it("P39 a rule Edit covers Write, and a rule Write does not cover Edit", () => {
    for (const kind of ["allow", "ask", "deny"] as const) {
      const input = { file_path: "/repo/a" }
      const edit = new PermgateService({ projectRules: { [kind]: ["Edit(/repo/*)"] } })
      says(edit.check("Edit", input), `${kind} rule.project.${kind}`)
      says(edit.check("Write", input), `${kind} rule.project.${kind}`)
      says(edit.check("MultiEdit", input), "ask mode.default", "the preset knows no families")
      const write = new PermgateService({ projectRules: { [kind]: ["Write(/repo/*)"] } })
      says(write.check("Write", input), `${kind} rule.project.${kind}`)
      says(write.check("Edit", input), "ask mode.default")
    }
  })

  it("P40 all subject fields count", () => {
    const deny = new PermgateService({ projectRules: { deny: ["bash(/x)"] } })
    says(deny.check("bash", { command: "ls", file_path: "/x" }), "deny rule.project.deny")
    for (const field of ["command", "url", "file_path", "path", "pattern", "patch_text"]) {
      const first = { command: "a", url: "a", file_path: "a", path: "a", pattern: "a", patch_text: "a" }
      says(deny.check("bash", { ...first, [field]: "/x" }), "deny rule.project.deny", field)
    }
    says(deny.check("bash", { command: "ls", note: "/x" }), "ask mode.default", "and no other field does")
  })

  it("P40 an ask needs one subject, an allow and a grant need all of them", () => {
    const input = { command: "rm -rf /", path: "/safe/x" }
    says(new PermgateService({ projectRules: { ask: ["bash(/safe/*)"] } }).check("bash", input), "ask rule.project.ask")
    says(new PermgateService({ projectRules: { allow: ["bash(/safe/*)"] } }).check("bash", input), "ask mode.default")
    const granted = new PermgateService()
    granted.allowForSession("bash", "/safe/*")
    says(granted.check("bash", input), "ask mode.default")
    says(granted.check("bash", { path: "/safe/x" }), "allow rule.session.allow")
  })
})

describe("permgate · reasons and concurrency", () => {
  /** The 14 ways to end, in the order of the reference's reasons. */
  const ends: readonly (readonly [ending: string, decide: () => Decision])[] = [
    ["deny rule.disallowedTools", () => new PermgateService({ disallowedTools: ["t"] }).check("t", {})],
    ["deny rule.project.deny", () => new PermgateService({ projectRules: { deny: ["t"] } }).check("t", {})],
    ["ask tool.userInteraction", () => new PermgateService().check("t", {}, "default", interactive)],
    [
      "allow rule.session.allow",
      () => {
        const service = new PermgateService()
        service.allowForSession("t", "")
        return service.check("t", {})
      }
    ],
    ["ask tool.alwaysAsk", () => new PermgateService().check("t", {}, "default", alwaysAsk)],
    ["allow mode.yolo", () => new PermgateService().check("t", {}, "yolo")],
    ["ask rule.project.ask", () => new PermgateService({ projectRules: { ask: ["t"] } }).check("t", {})],
    ["allow mode.readOnly", () => new PermgateService().check("t", {}, "readOnly", readOnly)],
    ["deny mode.readOnly", () => new PermgateService().check("t", {}, "readOnly")],
    ["allow rule.project.allow", () => new PermgateService({ projectRules: { allow: ["t"] } }).check("t", {})],
    ["allow t.preapproved", () => new PermgateService({ preapprove: () => ["t.preapproved", true] }).check("t", {})],
    ["allow rule.allowedTools", () => new PermgateService({ allowedTools: ["t"] }).check("t", {})],
    ["allow cap.readOnly", () => new PermgateService().check("t", {}, "default", readOnly)],
    ["ask mode.default", () => new PermgateService().check("t", {})]
  ]

  it("P41 every decision has a rule id and a reason: 14 reasons, 13 ids", () => {
    const decisions = ends.map(([ending, decide]) => {
      const decision = decide()
      says(decision, ending)
      assert.match(decision.reason, /\w/, ending)
      return decision
    })
    assert.strictEqual(new Set(decisions.map(({ reason }) => reason)).size, 14)
    assert.strictEqual(new Set(decisions.map(({ ruleId }) => ruleId)).size, 13)
  })

  it("P41 both read-only intercepts give the same id and reason", () => {
    const service = new PermgateService()
    const early = service.check("deploy", {}, "readOnly", alwaysAsk)
    const late = service.check("deploy", {}, "readOnly")
    assert.deepStrictEqual([early.ruleId, early.reason], [late.ruleId, late.reason])
  })

  it("P41 the pre-approve hook sees tool and input", () => {
    const seen: unknown[] = []
    const service = new PermgateService({
      preapprove: (tool, input) => {
        seen.push([tool, JSON.stringify(input)])
        return ["", false]
      }
    })
    service.check("webfetch", { url: "https://example.com" })
    service.check("bash", "ls")
    assert.deepStrictEqual(seen, [
      ["webfetch", `{"url":"https://example.com"}`],
      ["bash", `"ls"`]
    ])
  })

  it("P42 checks and grants in parallel: no crash, and a check after the grant allows", async () => {
    const service = new PermgateService()
    const later = () => new Promise((resolve) => setImmediate(resolve))
    const one = async (index: number) => {
      const command = `make target${index}`
      await later()
      says(service.check("bash", command), "ask mode.default", `${command} before its grant`)
      await later()
      service.allowForSession("bash", command)
      says(service.check("bash", command), "allow rule.session.allow", `${command} at once`)
      await later()
      says(service.check("bash", command), "allow rule.session.allow", `${command} later`)
      says(service.check("bash", `${command}0x`), "ask mode.default", "and nothing else is allowed")
    }
    await Promise.all(Array.from({ length: 200 }, (_, index) => one(index)))
    service.resetSession()
    says(service.check("bash", "make target7"), "ask mode.default")
  })

  it("has a test for every row from P01 to P42", () => {
    const names = readFileSync(new URL(import.meta.url), "utf8").matchAll(/\("(P\d\d) /g)
    const rows = new Set([...names].map(([, row]) => row))
    const wanted = Array.from({ length: 42 }, (_, index) => `P${String(index + 1).padStart(2, "0")}`)
    assert.deepStrictEqual(
      wanted.filter((row) => !rows.has(row)),
      []
    )
  })
})
