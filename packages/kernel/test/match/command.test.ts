import { assert, describe, it } from "@effect/vitest"
import { commandMatches, commandPattern, joinBlanks } from "../../src/match/command.ts"
import { rulesOf, said, saidBy, subjectOf, who } from "./asking.ts"

describe("a command content", () => {
  const matches = (content: string, text: string) => commandMatches(commandPattern(content, true, false, false), text)
  for (const [content, yes, no] of [
    ["npm run build", ["npm run build"], ["npm run build x", "npm run builds", "npm run"]],
    ["git log:*", ["git log", "git log -1"], ["git logout", "git lo", "echo git log"]],
    ["git log *", ["git log", "git log -1"], ["git logout"]],
    ["git log*", ["git log", "git logout", "git log -1"], ["git lo"]],
    ["* install", ["npm install", "a b install"], ["npm install x", "install"]],
    ["ssh * uptime *", ["ssh a uptime", "ssh a b uptime -p"], ["ssh uptime", "ssh a uptimes"]],
    ["ssh * uptime:*", ["ssh a uptime", "ssh a uptime -p"], ["ssh a uptimes"]],
    ["git:* push", ["git:* push"], ["git origin push", "git:x push"]],
    ["a*b*c", ["abc", "axbxc", "a b c"], ["acb", "ab", "abcd"]],
    ["a*a", ["aa", "aba"], ["a"]],
    ["git  log", ["git log"], ["git  log"]]
  ] as const) {
    it(`\`${content}\` speaks of ${yes.join(", ")}, not of ${no.join(", ")}`, () => {
      for (const text of yes) assert.isTrue(matches(content, text), text)
      for (const text of no) assert.isFalse(matches(content, text), text)
    })
  }

  it("with `exact` takes its stars as text", () => {
    assert.isTrue(commandMatches(commandPattern("ls *", true, true, false), "ls *"))
    assert.isFalse(commandMatches(commandPattern("ls *", true, true, false), "ls a"))
  })

  it("cut by a fault bans whatever begins so, its stars as stars", () => {
    for (const content of ["git com", "git:*", "git:", "git *", "g*it", "*", "git com*"]) {
      assert.isTrue(commandMatches(commandPattern(content, false, false, true), "git commit -m x"), content)
    }
    assert.isFalse(commandMatches(commandPattern("git add", false, false, true), "git commit -m x"))
  })

  it("keeps blanks inside quotes and behind a backslash", () => {
    assert.strictEqual(joinBlanks("a  'b  c'\t d"), "a 'b  c' d")
    assert.strictEqual(joinBlanks("a\\  b   c"), "a\\  b c")
    assert.strictEqual(joinBlanks("don't  x"), "don't x")
  })

  it("of thousands of stars answers at once", () => {
    const pattern = commandPattern("*a".repeat(2000), false, false, false)
    const start = performance.now()
    assert.isFalse(commandMatches(pattern, "a".repeat(1999)))
    assert.isBelow(performance.now() - start, 500)
  })
})

describe("an allow rule", () => {
  for (const [rules, line, expected] of [
    [["git log:*"], "git log -1", "allow"],
    [["git log:*"], "git log && rm x", "-"],
    [["git log:*", "rm x"], "git log && rm x", "allow"],
    [["git log:*"], "git log && ls", "allow"],
    [["make:*"], "FOO=1 make", "-"],
    [["make:*"], "NODE_ENV=x timeout 5 make all", "allow"],
    [["timeout 5 make"], "timeout 5 make", "allow"],
    [["sudo:*"], "sudo make", "-"],
    [["sudo *"], "sudo make", "-"],
    [["sudo make:*"], "sudo make all", "allow"],
    [["sudo mak*"], "sudo make all", "-"],
    [["sudo make"], "sudo make", "allow"],
    [["env 'A=x y':*"], "env 'A=x y' make", "-"],
    [["git log:*"], "git log --output=x", "-"],
    [["git log --output=*"], "git log --output=x", "allow"],
    [["git log --output=x"], "git log --output=x", "allow"],
    [["git log:*"], "git log > out", "-"],
    [["git log > out"], "git log  > out", "allow"],
    [["git log:*"], "$X", "-"],
    [["ls $X"], "ls $X", "allow"],
    [["*"], "$X", "allow"],
    [["*"], "ls $((", "-"],
    [["ls $(("], "ls $((", "-"],
    [["*"], "echo hi | sh", "-"],
    [["echo hi | sh"], "echo hi | sh", "allow"],
    [["*"], "make > out", "-"],
    [["echo hello:*"], 'echo "hello" x', "allow"],
    [["./run tests:*"], "'./run tests' x", "-"],
    [["*"], "", "allow"],
    [["*"], "X=1", "allow"],
    [["make"], "X=1; make", "allow"],
    [["make"], "ls; cat /etc/passwd; make", "-"],
    [["make"], "ls", "-"]
  ] as const) {
    it(`\`${rules.join("`, `")}\` · \`${line}\` → ${expected}`, () => {
      assert.strictEqual(
        said(
          rules.map((rule) => `allow Bash(${rule})`),
          line
        ),
        expected
      )
    })
  }

  it("for edits beside it covers what a redirect writes, for `Write` too, and for reads nothing", () => {
    for (const [file, expected] of [
      ["Edit(out/**)", "allow"],
      ["Write(out/x)", "allow"],
      ["Edit", "allow"],
      ["Read(out/**)", "-"],
      ["Edit(in/**)", "-"]
    ] as const) {
      assert.strictEqual(said(["allow Bash", `allow ${file}`], "make > out/x"), expected, file)
    }
  })
})

describe("a ban", () => {
  for (const [rule, line, expected] of [
    ["rm:*", "ls && rm x", "deny"],
    ["rm:*", "sudo -u x timeout 3 rm x", "deny"],
    ["rm:*", "bash -c 'rm x'", "deny"],
    ["rm:*", "/bin/rm x", "deny"],
    ["rm:*", "r'm' x", "deny"],
    ["rm:*", "echo rm", "-"],
    ["git push:*", "git -C d push", "deny"],
    ["*.env*", 'f=.env && cat "$f"', "deny"],
    ["ls && rm x", "ls  &&   rm x", "deny"],
    ["rm\t x", "rm x", "deny"],
    [":*", "anything", "deny"],
    ["*push x", "git repush x", "deny"],
    ["* push*", "git a pushing", "deny"],
    ["git * push origin*", "git -v push origins", "deny"],
    ["* push *", "git push", "deny"],
    ["rm:*", "$X a", "possible"],
    ["rm:*", "ls $((", "possible"],
    ["rm:*", "ls $X", "-"],
    ["git push:*", "git $X", "possible"],
    ["git push:*", "git pu$X", "possible"],
    ["git push:*", "git st$X", "-"],
    ["git push:*", "git p*", "possible"],
    ["git push:*", "git *.txt", "-"],
    ["git push:*", "git log $X", "-"],
    ["git push --force:*", "git push $X", "possible"],
    ["git push --force:*", "git $X origin", "possible"],
    ["git push --force:*", "git push origin $X", "-"],
    ["git * --force", "git push $X", "-"],
    ["git pu*", "git $X", "possible"],
    ["git push", "git $X", "possible"],
    ["git push", "git push $X", "-"]
  ] as const) {
    it(`\`${rule}\` · \`${line}\` → ${expected}`, () =>
      assert.strictEqual(said([`deny Bash(${rule})`], line), expected))
    it(`asking of \`${rule}\` · \`${line}\``, () =>
      assert.strictEqual(said([`ask Bash(${rule})`], line), expected === "-" ? "-" : "ask"))
  }
})

describe("acceptEdits", () => {
  it("covers plain file commands beside what rules cover, inside the workspace", () => {
    for (const [line, expected] of [
      ["mkdir a", "acceptEdits"],
      ["mkdir a && make", "allow"],
      ["make > out", "allow"],
      ["make > ../out", "-"],
      ["mkdir /opt/x", "-"],
      ["mkdir .git/x && make", "-"],
      ["rm a", "-"]
    ] as const) {
      assert.strictEqual(saidBy(rulesOf(["allow Bash(make:*)"]), subjectOf(line), who, true), expected, line)
    }
  })
})
