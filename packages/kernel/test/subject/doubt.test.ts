import { assert, describe, it } from "@effect/vitest"
import { analyse } from "../../src/subject/command/analyse.ts"
import { folder, home } from "./reading.ts"

const unknowns = (line: string) =>
  analyse(line, folder, home)
    .parts.filter(({ unknown }) => unknown)
    .map(({ text }) => text)
const transparent = (line: string) => analyse(line, folder, home).transparent

describe("text that bash evaluates twice makes all unknown", () => {
  for (const line of [
    "x='a[$(rm y)]'; ((x))",
    "x='a[$(rm y)]'; echo $((x))",
    "x='a[`rm y`]'; let x",
    "(( 'a[$(rm y)]' ))",
    "[[ -v 'a[$(rm y)]' ]]",
    "test -v 'a[$(rm y)]'",
    "x='a[$(rm y)]'; [[ $x -eq 1 ]]",
    "x='a[$(rm y)]'; echo ${v:x}",
    "x='$(rm y)'; echo ${x@P}",
    "x='a[$(rm y)]'; echo ${!x}",
    "read x <<< 'a[$(rm y)]'; ((x))",
    "for x in 'a[$(rm y)]'; do ((x)); done",
    "set -- 'a[$(rm y)]'; (($1))",
    "declare -i x; x='a[$(rm y)]'",
    "declare -n x='a[$(rm y)]'",
    "unset 'a[$(rm y)]'",
    "printf -v 'a[$(rm y)]' x",
    "x='a[\\$(rm y)]'; for ((;x;)); do ls; done",
    'x="a[\\$(rm y)]"; ((x))',
    "x=$'a[\\x24(rm y)]'; ((x))",
    "x='$'; y='(rm y)'; ((a[$x$y]))",
    "cat <<'E'\na[$(rm y)]\nE\n((x))",
    "a['$(rm y)']=1",
    "echo ${a['$(rm y)']}",
    "timeout 5 test -v 'a[$(rm y)]'",
    "x='a[$(rm y)]'; declare \"$x=1\"",
    "x='a[$(rm y)]'; b=([x]=1)",
    "RANDOM='a[$(rm y)]'",
    "for OPTIND in 'a[$(rm y)]'; do :; done",
    "compgen -W '$(rm y)'",
    "declare -a x='($(rm y))'",
    "x=(); declare x='($(rm y))'",
    "y='($(rm y))'; declare -a x=\"$y\""
  ]) {
    it(`${JSON.stringify(line)}`, () => {
      const analysis = analyse(line, folder, home)
      assert.isFalse(analysis.transparent)
      assert.isAbove(analysis.parts.length, 0)
      assert.isTrue(analysis.parts.every(({ free, readOnly, unknown }) => unknown && !readOnly && !free))
    })
  }

  for (const line of [
    "i=0; while [ $i -lt 3 ]; do i=$((i+1)); done",
    "awk '{print $1}' a; ((x))",
    "git commit -m 'fix `a` and $(b)'",
    "echo ${a[@]} '`x`'",
    "[[ $a == '$(x)' ]]",
    "grep 'a$' f; ((x))",
    "bash -c 'echo `a`'; ((x))",
    "eval 'echo $(a)'; ((x))",
    "bash <<< 'echo $(a) $((1))'",
    "cat <<E\n$(a) `b`\nE\n((x))"
  ]) {
    it(`not: ${line}`, () => assert.isTrue(transparent(line)))
  }
})

describe("redefinition makes every later part unknown", () => {
  for (const [line, expected] of [
    ["ls; alias ls=x; ls", ["x", "ls"]],
    ["ls; f() { a; }; ls", ["a", "ls"]],
    ["PATH=/x; ls", ["ls"]],
    ["export PATH=/x; ls", ["ls"]],
    ["declare -x LD_PRELOAD=x; ls", ["ls"]],
    ["IFS=x; ls", ["ls"]],
    ["HOME=/x; ls", ["ls"]],
    ["GIT_DIR=x; git log", ["git log"]],
    ["export GIT_PAGER=x; git log", ["git log"]],
    ["export NODE_OPTIONS=x; npm test", ["npm test"]],
    ["export MANPAGER=x; ls", ["ls"]],
    ["hash -p /x ls; ls", ["ls"]],
    ["enable -f x ls; ls", ["ls"]],
    ["source x; ls", ["ls"]],
    [". x; ls", ["ls"]],
    ["shopt -s expand_aliases; ls", ["ls"]],
    ["trap 'a' DEBUG; ls", ["a", "ls"]],
    ["read PATH; ls", ["ls"]],
    ["printf -v PATH x; ls", ["ls"]],
    ["BASH_ALIASES[ls]=x; ls", ["ls"]],
    ["for i in 1 2; do ls; PATH=x; done", ["ls", "PATH=x"]],
    ["if a; then PATH=x; fi; ls", ["ls"]],
    ["command eval $X; ls", ["command eval $X", "ls"]],
    ["bash -c 'PATH=x; ls'; ls", ["ls"]],
    ["X=1; ls", []],
    ["export FOO=1; ls", []],
    ["PATH=x ls; ls", []],
    ["trap 'a' EXIT; ls", []],
    ["trap - DEBUG; ls", ["ls"]],
    ["shopt -s globstar; ls", []],
    ["unset X; ls", []]
  ] as const) {
    it(`${line}`, () => assert.deepStrictEqual(unknowns(line), expected as readonly string[] as string[]))
  }
})

describe("assignments", () => {
  const free = (line: string) => analyse(line, folder, home).parts[0]?.free
  for (const line of [
    "x=1",
    "x=$(a)",
    "export CI=1",
    "export LANG=C",
    "local x=1",
    "declare x=1",
    "readonly x=1",
    "x=1 y=2",
    "a=(1 2)"
  ]) {
    it(`need no rule: ${line}`, () => assert.isTrue(analyse(line, folder, home).parts.at(-1)?.free))
  }
  for (const line of [
    "PATH=x",
    "LD_PRELOAD=x",
    "export FOO=1",
    "declare -x FOO=1",
    "PS4=x",
    "PROMPT_COMMAND=x",
    "export LANG=a/b",
    "export -f f",
    "typeset -gx A=1",
    "HOME=x",
    "GIT_DIR=x",
    "LESSOPEN=x"
  ]) {
    it(`need one: ${line}`, () => assert.isFalse(free(line)))
  }
})
