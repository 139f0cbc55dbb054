/** Programs that run because an option or a variable says so: found for bans and the floor, unknown where they are. */
import { assert, describe, it } from "@effect/vitest"
import { analyse } from "../../src/subject/command/analyse.ts"
import { accessesOf, bansOf, bash, folder, home } from "./reading.ts"

/** A ban that can't be told stands as a form whose program is not known. */
const isUnsure = (line: string) =>
  analyse(line, folder, home).parts.some(
    ({ ban, unknown }) => unknown || ban.some(({ words }) => words[0]?.value === undefined)
  )

describe("what a command is told to run", () => {
  for (const [line, form] of [
    ["rg --pre=x y", "x"],
    ["rg --pre x y", "x"],
    ["rg --pre='x y' z", "x y"],
    ["tar -I x -cf a b", "x"],
    ["tar cIf x a b", "x"],
    ["tar cfI a x b", "x"],
    ["tar -cf a --use-comp=x b", "x"],
    ["tar -cf a --checkpoint-action=exec=x b", "x"],
    ["tar -xf a --to-command='x | y'", "y"],
    ["sort --compress-program=x y", "x"],
    ["man -P x y", "x"],
    ["rsync -e x a b:c", "x"],
    ["ssh -o ProxyCommand='x %h' y", "x %h"],
    ["go test -exec x ./...", "x"],
    ["git -c core.pager=x log", "x"],
    ["git -C d -c core.editor='x -w' commit", "x -w"],
    ["git -c alias.y='!x' y", "x"],
    ["git -c alias.y='push -f' y", "git push -f"],
    ["git grep -Ox y", "x"],
    ["git grep -nOx y", "x"],
    ["git rebase -i --exec x y", "x"],
    ["git fetch --upload-pack=x y", "x"],
    ["git difftool -x x", "x"],
    ["sed '1e x' y", "x"],
    ["sed -n '/a/e x y' z", "x y"],
    ["sed 's/a/x/e' y", "x"],
    ["PAGER=x git log", "x"],
    ["GIT_SSH_COMMAND='x -i y' git fetch", "x -i y"],
    ["LESSOPEN='| x %s' less y", "x %s"],
    ["env EDITOR=x crontab -e", "x"],
    ["sudo PAGER=x man y", "x"],
    ["PAGER+=x git log", "x"],
    ["env -S 'PAGER=x git log'", "x"],
    ["env A.B=1 x", "x"],
    ["env - x", "x"],
    ["timeout 5 rg --pre=x y", "x"]
  ] as const) {
    it(`${line}`, () => {
      assert.include(bansOf(line), form)
      assert.isFalse(isUnsure(line))
    })
  }

  for (const line of [
    "rg --pre=$X y",
    'git -c core.pager="$X" log',
    "git -c $X log",
    "git -c core.hooksPath=x status",
    "git -c include.path=x status",
    "git --config-env=core.pager=X log",
    "PAGER=$X git log",
    "PS1='$(x)' bash -i",
    "env 'BASH_FUNC_ls%%=() { x; }' bash -c ls",
    "env -S 'LD_PRELOAD=x ls'",
    "bash -k -c 'ls PATH=x'",
    "bash -o keyword -c 'ls PATH=x'",
    "PATH=x ls",
    "PATH=x eval ls",
    "env LD_PRELOAD=x ls",
    "NODE_OPTIONS='-r x' node y",
    "PYTHONSTARTUP=x python",
    "GIT_DIR=x git log",
    "rg --pre='$X y' z",
    "echo x | xargs -I% % y",
    "echo x | xargs -I % env % y",
    "echo x | xargs -0I% env % y",
    "echo x | xargs --replace=R R",
    "bash --rcfile <(x) -i",
    "bash --init-file $X -i"
  ]) {
    it(`only bash can know: ${line}`, () => assert.isTrue(isUnsure(line)))
  }

  for (const line of [
    "git -c color.ui=never log",
    "git -c user.name='a b' commit",
    "GIT_AUTHOR_NAME=x git commit",
    "GIT_TERMINAL_PROMPT=0 git fetch",
    "PYTHONUNBUFFERED=1 python x",
    "NODE_OPTIONS=--max-old-space-size=4096 node x",
    "IFS=, read -r a b",
    "CDPATH= cd x",
    "A=1 ls",
    "rg -e --pre x",
    "tar xf a",
    "sed 's/the e /x/' y",
    "echo x | xargs -I% ls %"
  ]) {
    it(`nothing more: ${line}`, () => {
      assert.isFalse(isUnsure(line))
      assert.isAtMost(bansOf(line).length, 3)
    })
  }

  it("has files that the floor looks at", () => {
    assert.include(accessesOf("git -c core.pager='rm -rf /' log"), "remove /")
    assert.isAbove(bash("GIT_EDITOR='rm -rf ~' git commit").floor.length, 0)
  })
})

describe("names that are given by other words redefine", () => {
  for (const line of [
    "declare -n r=PATH; r=x; ls",
    'x=PATH=y; export "$x"; ls',
    "read $x; ls",
    "printf -v $x y; ls",
    'declare "$x"; ls',
    "for PATH in x; do ls; done",
    "select PATH in x; do ls; done",
    "coproc PATH { x; }; ls",
    "unset $x; ls",
    "export PA{TH=x,y}; ls",
    "set -k; ls PATH=x",
    "set -eo keyword; ls",
    "shopt -so keyword; ls",
    ": ${BASH_CMDS[ls]:=x}; ls",
    ": ${!x=y}; ls"
  ]) {
    it(`${line}`, () => assert.isTrue(analyse(line, folder, home).parts.at(-1)!.unknown))
  }
  for (const line of ["printf '%s' $x; ls", 'export CI="$x"; ls', "read -r x; ls", "declare a=(1 2); ls"]) {
    it(`not: ${line}`, () => assert.isFalse(analyse(line, folder, home).parts.at(-1)!.unknown))
  }
})

describe("links that the line makes itself", () => {
  for (const [line, access] of [
    ["ln -s / x; rm -rf x/*", "remove /* (glob)"],
    ["ln -s ~/.ssh x && cat x/id", "read /home/u/.ssh/id"],
    ["ln -s ../y d/x; cat d/x/z", "read /srv/proj/y/z"],
    ["cd d && ln -sf /etc x; cat x/passwd", "read /etc/passwd"],
    ["ln --symbolic /etc x; ln -s x y; cat y/passwd", "read /etc/passwd"],
    ["ln -s $X x; cat x/y", "read ?"]
  ] as const) {
    it(`${line}`, () => assert.include(accessesOf(line), access))
  }

  it("make a possible hit of the floor", () => {
    const possible = (line: string) =>
      bash(line)
        .floor.filter(({ ruleId }) => ruleId === "floor.remove")
        .map(({ possible }) => possible)
    assert.deepStrictEqual([...new Set(possible("ln -s / x; rm -rf x/*"))], [true])
    assert.deepStrictEqual([...new Set(possible("ln -s $X x; rm -rf x/"))], [true])
    assert.deepStrictEqual(possible("ln -s / x; rm x"), [])
  })
})

describe("files that a command writes beside what it launches", () => {
  for (const [line, access] of [
    ["strace -o out ls", "write /srv/proj/out"],
    ["strace -fo out ls", "write /srv/proj/out"],
    ["flock f ls", "write /srv/proj/f"],
    ["script -c ls f", "write /srv/proj/f"],
    ["valgrind --log-file=out ls", "write /srv/proj/out"],
    ["git config core.hooksPath x", "write /srv/proj/.git/config"],
    ["git config set core.pager x", "write /srv/proj/.git/config"],
    ["git config --add alias.x y", "write /srv/proj/.git/config"],
    ["git config $X y", "write /srv/proj/.git/config"],
    ["git config -e", "write /srv/proj/.git/config"],
    ["git config --global core.pager x", "write /home/u/.gitconfig"],
    ["git config --system core.pager x", "write /etc/gitconfig"],
    ["git config -f f core.pager x", "write /srv/proj/f"]
  ] as const) {
    it(`${line}`, () => assert.include(accessesOf(line), access))
  }
  for (const line of [
    "strace ls -o out",
    "git config user.name x",
    "git config core.pager",
    "git config --get core.pager"
  ]) {
    it(`not: ${line}`, () => assert.isFalse(accessesOf(line).some((access) => access.startsWith("write"))))
  }
})

describe("a slash within a substitution in a pattern", () => {
  for (const line of [
    "echo ${x/$(a; b/c; d)/y}",
    'echo "${x//`a/b; d`/y}"',
    "echo ${x/#$(a/b)/$(d)}",
    "echo ${x/<(a/b; d)/y}",
    "echo ${x/$(a/b) #/$(d)}",
    "echo ${x/a #$(b/c; d)/y}"
  ]) {
    it(`does not end it: ${line}`, () => {
      const { parsed, parts } = analyse(line, folder, home)
      assert.isTrue(parsed)
      assert.include(
        parts.map(({ text }) => text),
        "d"
      )
    })
  }
  it("may hide an assignment", () =>
    assert.isTrue(
      analyse("x=1; echo ${x/$(a/b; x=-c; bash $x y)/z}", folder, home).parts.some(
        ({ text, unknown }) => text === "bash $x y" && unknown
      )
    ))
})

describe("a single quote in a heredoc", () => {
  it("is plain text behind an operator, too", () => {
    const texts = (line: string) => analyse(line, folder, home).parts.map(({ text }) => text)
    assert.include(texts("cat <<E\n${x:-'$(a)'}\nE"), "a")
    assert.include(texts("cat <<E\n${x:-${y:+'`a`'}}\nE"), "a")
    assert.deepStrictEqual(texts("cat <<'E'\n${x:-'$(a)'}\nE"), ["cat"])
    assert.deepStrictEqual(texts("echo ${x:-'$(a)'}"), ["echo ${x:-'$(a)'}"])
  })
})

describe("a heredoc within a substitution", () => {
  const transparent = (line: string) => analyse(line, folder, home).transparent
  for (const line of [
    "echo $(a <<E\nx\nE\ngit; push)",
    'echo "$(a <<E\nx\nE\ngit; push\n)"',
    "echo <(a <<E\nx\nE\ngit; push\n)",
    "echo $(a <<E; git; push\nx\nE\n)",
    "echo $(a <<E &\nx\nE\ngit; push)",
    "echo $(if a; then a <<E\nx\nE\ngit; push; fi)",
    "echo $(while a <<E\nx\nE\ndo git; push; break; done)",
    "echo $(a <<E\nx\nE\nwhile git; push; do break; done)",
    "echo $({ a <<E\nx\nE\ngit; push; })",
    "echo $(case x in x) a <<E\nx\nE\ngit; push;; esac)",
    "echo $(if a; then b <<E\nx\nE\nelse git; push; fi)",
    "echo $(if a; then b <<E\nx\nE\nelif git; push; then c; fi)",
    "echo $(case x in y) a <<E\nx\nE\n;; x) git; push;; esac)",
    "echo ${x:-$(a <<E\nx\nE\ngit; push)}"
  ]) {
    it(`makes one command of two: ${JSON.stringify(line)}`, () => assert.isFalse(transparent(line)))
  }
  for (const line of [
    "git commit -m \"$(cat <<'E'\na; b\nE\n)\"",
    "echo $(a <<E | b\nx\nE\n)",
    "echo $({ a <<E\nx\nE\n}; git; push)",
    "echo `a <<E\nx\nE\ngit; push`",
    "a <<E\nx\nE\ngit; push"
  ]) {
    it(`does not: ${JSON.stringify(line)}`, () => assert.isTrue(transparent(line)))
  }
})

describe("`((` that opens no arithmetic", () => {
  it("is read as subshells where the line does not parse otherwise", () => {
    const { parsed, parts } = analyse("echo $(( sh -c $'\\'a\\'; b'; ); )", folder, home)
    assert.isFalse(parsed)
    assert.include(
      parts.map(({ text }) => text),
      "b"
    )
  })
})
