import { assert, describe, it } from "@effect/vitest"
import { bash } from "./reading.ts"

const runsFreely = (line: string) => {
  const { insideWorkspace, readOnly } = bash(line)
  return readOnly && insideWorkspace
}

describe("known to change nothing, inside the workspace", () => {
  for (const line of [
    "ls",
    "ls -la src",
    "cat a",
    "head -n 5 a | tail -2",
    "grep -rn x src",
    "rg x",
    "find . -name '*.ts'",
    "wc -l a",
    "sort a | uniq -c",
    "cut -d: -f1 a",
    "sed -n 1,20p a",
    "sed 's/a/b/g' x",
    "diff a b",
    "echo $X",
    "printf '%s' a",
    "true",
    "pwd",
    "test -f a && echo y",
    "[ -d a ]",
    "[[ $x == y ]]",
    "git status",
    "git log --oneline -5",
    "git diff HEAD~1 -- src",
    "git --no-pager log",
    "git branch -a",
    "git branch",
    "git tag --list 'v*'",
    "git stash list",
    "git config --get user.name",
    "git remote -v",
    "git show HEAD:a",
    "cd src && ls",
    "cd src; grep -r x . 2>/dev/null",
    "command -v git",
    "date +%s",
    "timeout 5 git log",
    "LANG=C ls",
    "x=1",
    "x=$(cat a)",
    "set -euo pipefail; ls",
    "for f in a b; do cat $f; done",
    "while true; do ls; sleep 1; done",
    "cat < a",
    "ls > /dev/null 2>&1",
    "bash -c 'ls'",
    "(( 1 + 1 ))",
    "cat <<E\ntext\nE",
    "export CI=1; ls",
    "local x=1",
    "jq .a f",
    "! ls",
    ""
  ]) {
    it(`${line}`, () => assert.isTrue(runsFreely(line)))
  }
})

describe("not known to change nothing", () => {
  for (const line of [
    "make",
    "npm test",
    "./ls",
    "/bin/ls",
    "touch a",
    "rm a",
    "ls > x",
    "ls >> x",
    "tee x",
    "sort -o x a",
    "sort --outp=x a",
    "uniq a b",
    "sed -i s/a/b/ a",
    "sed 's/a/b/w x' a",
    "sed 's/a/id/e' a",
    "sed -n '1e id' a",
    "find . -delete",
    "find . -exec cat {} +",
    "find . -fprint x",
    "rg --pre=x y",
    "git push",
    "git commit -m x",
    "git checkout x",
    "git branch x",
    "git branch -D x",
    "git tag v1",
    "git stash",
    "git stash pop",
    "git config a.b c",
    "git remote add a b",
    "git -C /x status",
    "git -C . status",
    "git -c core.pager=x log",
    "git log --output=x",
    "git diff --ext-diff",
    "git diff $X",
    "git worktree add x",
    "git reflog expire",
    "git blame --contents=/etc/passwd a",
    "cd src && git status",
    "cd src; git log",
    "git grep -Ox y",
    "env",
    "A=1 ls",
    "PATH=. ls",
    "sudo ls",
    "xargs ls",
    "awk '{print}' a",
    "python3 -c 1",
    "date -s 1",
    "date 010101",
    "hostname x",
    "printf -v a b",
    "printf $X",
    "test -v a",
    "[ $x = 1 ]",
    "command ls -la > x",
    "set -- a",
    "set -o posix",
    "set",
    "wait -p x",
    "read x",
    "unset x",
    "export A=1",
    "declare -x A=1",
    "PATH=/x",
    "IFS=x",
    "eval $X",
    "source a",
    "f() { ls; }",
    "alias a=ls",
    "ls; alias ls=x; ls",
    "bash f",
    "ls | sh",
    "watch ls",
    "file -m x y",
    "file -C",
    "tree -o x",
    "cat > /dev/tcp/h/1",
    "kill 1",
    "exec ls > x",
    "docker ps",
    "less a",
    "xxd a b",
    "trap 'rm x' EXIT",
    "bash -c 'rm x'"
  ]) {
    it(`${line}`, () => assert.isFalse(runsFreely(line)))
  }
})

describe("read-only, but outside the workspace", () => {
  for (const line of [
    "cat /etc/passwd",
    "cat ~/.ssh/id_rsa",
    "ls ..",
    "cat ../x",
    "cd / && ls",
    "cd ..; ls",
    "cd; ls",
    "grep x -f /etc/x a",
    "grep --file=/etc/x a",
    "cat $X",
    "cat < /etc/x",
    "cat ~root/x",
    "cat $(ls)",
    "find / -name x",
    "rg x /etc",
    "diff -r a /etc",
    "date -f /etc/shadow",
    "wc --files0-from=x",
    "git diff --no-index /a /b",
    "xargs cat",
    "echo /etc/*",
    "cd $X && ls",
    "cat {/etc/passwd,a}",
    "pushd /; ls",
    "jq . /etc/x",
    "cat a/../../x",
    "cut -d: -f1 /etc/passwd",
    "cd /srv/proj2 && ls"
  ]) {
    it(`${line}`, () => assert.isFalse(runsFreely(line)))
  }
})

describe("a part that writes a file", () => {
  for (const line of ["uniq a b", "sort -o x a", "find . -fprint x", "tree -o x", "date > x; uniq a b"]) {
    it(`is not read-only by its name: ${line}`, () => assert.isFalse(bash(line).command?.parts.at(-1)?.readOnly))
  }
})

describe("acceptEdits", () => {
  for (const line of [
    "mkdir -p a/b",
    "touch a",
    "cp a b",
    "mv a b",
    "LANG=C timeout 5 mkdir a",
    "mkdir a && touch a/b",
    "echo x > a",
    "cd src && touch a"
  ]) {
    it(`covers ${line}`, () => assert.isTrue(bash(line).acceptEdits))
  }

  for (const line of [
    "rm a",
    "mkdir /opt/a",
    "cp a ~/b",
    "cp /etc/passwd a",
    "mv a .git/hooks/x",
    "touch .env",
    "sudo mkdir a",
    "touch a; npm test",
    "A=1 touch a",
    "touch $X",
    "ls",
    "echo x > ../a",
    "cd $X; touch a",
    "echo x > .github/workflows/a.yml",
    "tee a",
    "cp $X a",
    'mkdir "$X"'
  ]) {
    it(`does not cover ${line}`, () => assert.isFalse(bash(line).acceptEdits))
  }
})
