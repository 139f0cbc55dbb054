import { assert, describe, it } from "@effect/vitest"
import { presets } from "../../src/Preset.ts"
import { readSubject } from "../../src/subject/readSubject.ts"
import { bash, read, surroundings } from "./reading.ts"

const certain = (line: string) =>
  bash(line)
    .floor.filter(({ possible }) => !possible)
    .map(({ ruleId }) => ruleId)
const possible = (line: string) => bash(line).floor.filter((hit) => hit.possible).length > 0

describe("what is longer or deeper than is looked at", () => {
  for (const [name, line] of [
    ["brackets", `${"( ".repeat(300)}rm -rf /${" )".repeat(300)}`],
    ["substitutions", `echo ${"$(echo ".repeat(300)}x${")".repeat(300)}`],
    ["commands", `${"ls;".repeat(1001)}rm -rf /`],
    ["text", `ls ${"x".repeat(300_000)}; rm -rf /`]
  ] as const) {
    it(`may be what the floor forbids: ${name}`, () => assert.isTrue(possible(line)))
  }

  it("is not the same as what the parser rejects", () => assert.isFalse(possible("ls $((")))
})

describe("the floor forbids", () => {
  for (const line of [
    "rm -rf /",
    "rm -r /",
    "rm -fR /",
    "rm --recursive /",
    "rm --rec /",
    "rm -rf /*",
    "rm -rf /etc",
    "rm -rf /usr/lib",
    "rm -rf /usr/*",
    "rm -rf /var/log",
    "rm -rf /home/other",
    "rm -rf ~",
    "rm -rf ~/",
    "rm -rf ~/*",
    "rm -rf $HOME",
    'rm -rf "$HOME"/*',
    "rm -rf ~root",
    "rm -rf /home",
    "rm ~/*",
    "rm -rf ~/Documents",
    "rm -rf //etc",
    "rm -rf /tmp/../etc",
    "rm -rf ./../../etc",
    "cd / && rm -rf *",
    "cd /; rm -rf etc",
    "cd && rm -rf *",
    "X=/; rm -rf $X",
    "for d in /etc /usr; do rm -rf $d; done",
    "rmdir /opt",
    "unlink /etc",
    "shred -u /etc",
    "find / -delete",
    "find ~ -type f -delete",
    "find /etc -exec rm -rf {} +",
    "mv /etc /tmp/x",
    "mv ~ /tmp/x",
    "sudo rm -rf /",
    "npx rimraf /",
    "find / -exec sh -c 'rm -rf \"$1\"' _ {} \\;",
    "at now <<< 'rm -rf /'",
    "env A=1 timeout 5 rm -rf /",
    'echo "$(rm -rf ~)"',
    "bash -c 'rm -rf /'",
    "sudo sh -c 'cd / && rm -rf *'",
    "eval 'rm -rf /'",
    "true && { (rm -rf /) & }",
    "f() { rm -rf /; }",
    "trap 'rm -rf /' EXIT",
    "cat <<E\n$(rm -rf /)\nE",
    "bash <<'E'\nrm -rf /\nE",
    "/bin/rm -rf /",
    "r\\m -rf /",
    "'rm' -rf '/'",
    "busybox rm -rf /",
    "rm -rf /{etc,usr}",
    "rm -rf /e*",
    "rm -rf /*/*",
    "xargs rm -rf /",
    "nohup rm -rf / &",
    "if a; then rm -rf /; fi",
    "rm -rf x /etc",
    "rm -rf -- /etc",
    "\\time rm -rf /",
    "sudo --weird rm -rf /etc"
  ]) {
    it(`${line}`, () => assert.include(certain(line), "floor.remove"))
  }

  for (const line of [
    "dd if=x of=/dev/sda",
    "mkfs.ext4 /dev/sdb1",
    "mkfs -t ext4 /dev/nvme0n1",
    "cat x > /dev/sda",
    "wipefs -a /dev/sda",
    "shred /dev/sda",
    "sudo dd of=/dev/vda"
  ]) {
    it(`${line}`, () => assert.include(certain(line), "floor.device"))
  }

  for (const line of [
    "echo x > .countersign/settings.json",
    "rm ~/.config/countersign/trust.db",
    "rm -rf .countersign",
    "mv .countersign x",
    "cp x .countersign/settings.json",
    "sed -i s/a/b/ ~/.config/countersign/settings.json",
    "tee .countersign/settings.local.json",
    "ln -sf x .countersign",
    "cd .countersign && touch x",
    "rm ~/.config/counter*/x"
  ]) {
    it(`${line}`, () => assert.include(certain(line), "floor.own"))
  }

  for (const line of [
    "countersign trust",
    "countersign",
    "npx countersign trust",
    "npx -y countersign@latest serve",
    "node node_modules/.bin/countersign grants add",
    "./node_modules/.bin/countersign trust",
    "sudo countersign trust",
    "bash -c 'countersign trust'",
    "countersign $X",
    "countersign agents remove x",
    "pkill countersign",
    "npx -p countersign countersign trust",
    "countersign --x check",
    "npx @countersign/cli trust",
    "node /x/@countersign/cli/dist/main.js trust",
    "killall -9 countersign"
  ]) {
    it(`${line}`, () => assert.include(certain(line), "floor.self"))
  }
})

describe("the floor leaves alone", () => {
  for (const line of [
    "rm -rf build",
    "rm -rf /tmp/x",
    "rm -rf ~/a/b",
    "rm /etc/x.conf",
    "rm -f /x",
    "ls /",
    "cp -r /etc x",
    "cat <<'E'\nrm -rf /\nE",
    "echo 'rm -rf /'",
    "git commit -m 'rm -rf /'",
    "find . -name '*.o' -delete",
    "find . -exec rm {} \\;",
    "mv a b",
    "dd if=/dev/sda of=x",
    "dd of=/dev/null",
    "echo x > /dev/null",
    "rm -rf node_modules/*",
    "rm -rf *",
    "rm -rf ./*",
    "rm -rf $X",
    "rm -rf ${X:-build}",
    'rm -rf "${X:?}"/*',
    "cd $X && rm -rf build",
    'rm -rf "$X/build"',
    "rm -rf ~/a/$X",
    "cat ~/.config/countersign/settings.json",
    "countersign check x",
    "npx -p countersign countersign check",
    "npx countersign explain x",
    "countersign audit verify",
    "countersign agents list",
    "countersign lint",
    "grep countersign a",
    "rmdir x",
    "cd /tmp && rm -rf *",
    "countersign --version",
    "tar xf x",
    "git clean -fdx"
  ]) {
    it(`${line}`, () => assert.deepStrictEqual(bash(line).floor, []))
  }
})

describe("the floor wants a person for", () => {
  for (const line of [
    'rm -rf "$X"/',
    'rm -rf "$X"/*',
    "rm -rf $X/*",
    "rm -rf ${X:-/}",
    "rm -rf ${X%/}/*",
    "cd $X && rm -rf *",
    'cd "$(a)"; rm -rf ./*',
    "rm -rf $(a)/",
    "rm -rf ~/$X",
    "rm -rf ${X}${Y}/*",
    "find / -name core -delete",
    'sudo rm -rf "$X"/*'
  ]) {
    it(`${line}`, () => {
      assert.isTrue(possible(line))
      assert.deepStrictEqual(certain(line), [])
    })
  }
})

describe("the floor knows home wherever it lies", () => {
  const call = (command: string) => ({
    sessionId: "s",
    agentId: "main",
    toolCallId: "t",
    toolName: "Bash",
    arguments: { command },
    folder: "/data/people/u/proj"
  })
  const elsewhere = { ...surroundings(), folder: "/data/people/u/proj", home: "/data/people/u", ownPaths: [] }
  const ids = (command: string) =>
    readSubject(call(command), {}, elsewhere, presets.default).floor.map(({ ruleId }) => ruleId)

  it("and what it lies in", () => {
    assert.deepStrictEqual(ids("rm -rf /data/people"), ["floor.remove"])
    assert.deepStrictEqual(ids("rm -rf .."), ["floor.remove"])
    assert.deepStrictEqual(ids("rm -rf ../proj"), ["floor.remove"])
    assert.deepStrictEqual(ids("rm -rf /data/people/other/x"), [])
    assert.deepStrictEqual(ids("rm -rf build"), [])
  })
})

describe("path tools", () => {
  it("may not write Countersign's own files, by whatever way", () => {
    const ids = (tool: string, path: string, links = {}) =>
      read(tool, { file_path: path }, { links }).floor.map(({ ruleId }) => ruleId)
    assert.deepStrictEqual(ids("Write", ".countersign/settings.json"), ["floor.own"])
    assert.deepStrictEqual(ids("Edit", "~/.config/countersign/settings.json"), ["floor.own"])
    assert.deepStrictEqual(ids("Edit", "/srv/proj/x", { "/srv/proj/x": "/srv/proj/.countersign/settings.json" }), [
      "floor.own"
    ])
    assert.deepStrictEqual(ids("Read", ".countersign/settings.json"), [])
  })
})

describe("protected paths", () => {
  for (const path of [
    ".git/config",
    "a/.git/hooks/pre-commit",
    ".bashrc",
    "~/.zshrc",
    ".vscode/tasks.json",
    ".github/workflows/ci.yml",
    ".gitlab-ci.yml",
    ".npmrc",
    ".claude/settings.json",
    ".cursor/rules",
    ".mcp.json",
    ".qwen/x",
    ".gemini/x",
    ".env",
    ".env.local",
    "sub/.env",
    "~/.ssh/config",
    ".ENV",
    ".Git/config",
    ".husky/pre-commit",
    "~/.config/fish/config.fish",
    "/etc/profile.d/x"
  ]) {
    it(`hold ${path}`, () => assert.lengthOf(read("Write", { file_path: path }).protectedWrites, 1))
  }

  for (const path of [
    "src/a.ts",
    "git/config",
    ".github/README.md",
    "environment.ts",
    "a.env",
    ".gitignore",
    "ssh/x",
    "env",
    "docs/.envelope/x"
  ]) {
    it(`do not hold ${path}`, () => assert.deepStrictEqual(read("Write", { file_path: path }).protectedWrites, []))
  }

  it("are found behind links and in commands, for writes alone", () => {
    assert.deepStrictEqual(
      read("Edit", { file_path: "x" }, { links: { "/srv/proj/x": "/home/u/.bashrc" } }).protectedWrites,
      ["/home/u/.bashrc"]
    )
    assert.deepStrictEqual(bash("echo x > .git/config").protectedWrites, ["/srv/proj/.git/config"])
    assert.deepStrictEqual(bash("rm -rf .gi*").protectedWrites, ["/srv/proj/.gi*"])
    assert.deepStrictEqual(bash("cat .git/config").protectedWrites, [])
  })
})
