import { assert, describe, it } from "@effect/vitest"
import { analyse } from "../../src/subject/command/analyse.ts"
import { bash, folder, home, partsOf } from "./reading.ts"

/** A line, and the simple commands that bash could run in it. */
const lines: readonly (readonly [string, readonly string[]])[] = [
  ["a; b & c", ["a", "b", "c"]],
  ["a && b || c | d |& e", ["a", "b", "c", "d", "e"]],
  ["a\nb # c\nd", ["a", "b", "d"]],
  ["(a); { b; }", ["a", "b"]],
  ["if a; then b; elif c; then d; else e; fi", ["a", "b", "c", "d", "e"]],
  ["while a; do b; done; until c; do d; done", ["a", "b", "c", "d"]],
  ["for x in $(a); do b; done", ["a", "b"]],
  ["for ((i=$(a); i<1; i++)); do b; done", ["a", "b"]],
  ["case $(a) in $(b)) c;; esac", ["a", "b", "c"]],
  ["select x in y; do a; done", ["a"]],
  ["f() { a; }", ["a"]],
  ["function f { a; } > $(b)", ["b", "a"]],
  ["coproc a", ["a"]],
  [
    'echo $(a) `b` "$(c)" ${x:-$(d)} $(( $(e) ))',
    ["a", "b", "c", "d", "e", 'echo $(a) `b` "$(c)" ${x:-$(d)} $(( $(e) ))']
  ],
  ["echo '$(a)' \\$(b", ["echo '$(a)' \\$"]],
  ["diff <(a) >(b)", ["a", "b", "diff <(a) >(b)"]],
  ["x=$(a) y[$(b)]=1", ["a", "b", "x=$(a) y[$(b)]=1"]],
  ["arr=( $(a) )", ["a", "arr=( $(a) )"]],
  ["cat <<E\n$(a)\nE", ["a", "cat"]],
  ["cat <<'E'\n$(a)\nE", ["cat"]],
  ["cat <<E\n$('dang\\\ner')\nE", ["'dang\\\ner'", "'danger'", "cat"]],
  ["cat <<< $(a)", ["a", "cat"]],
  ["[[ -f $(a) ]] && b", ["a", "b"]],
  ["time a; ! b", ["a", "b"]],
  ["a > $(b) 2>&1", ["b", "a"]],
  ["bash -c 'a; b'", ["bash -c 'a; b'", "a", "b"]],
  ["bash <<< 'a'", ["bash", "a"]],
  ["bash <<'E'\na\nE", ["bash", "a"]],
  ["eval 'a; b'", ["eval 'a; b'", "a", "b"]],
  ["trap 'a' EXIT", ["trap 'a' EXIT", "a"]],
  ["alias x='a b'", ["alias x='a b'", "a b"]],
  ["alias 'x=a b'", ["alias 'x=a b'", "a b"]],
  ["mapfile -C 'a b' x", ["mapfile -C 'a b' x", "a b"]],
  ["su -c 'a' root", ["su -c 'a' root", "a"]],
  ["watch 'a; b'", ["watch 'a; b'", "a", "b"]],
  ["git submodule foreach 'a && b'", ["git submodule foreach 'a && b'", "a", "b"]],
  ["> out", []],
  ["(( 1 + 1 ))", []],
  ["# nothing", []]
]

describe("the parts of a line", () => {
  for (const [line, expected] of lines)
    it(`of ${JSON.stringify(line)}`, () => assert.deepStrictEqual(partsOf(line), expected))

  it("leave redirects out and keep assignments", () => {
    assert.deepStrictEqual(partsOf("A=1 2>err a <in b"), ["A=1 a b"])
  })

  it("are compared as written and after quote removal", () => {
    const [part] = analyse(`r""m  -r\\f 'a b' "$X" $'\\x41'`, folder, home).parts
    assert.strictEqual(part?.allow[0]?.written, `r""m -r\\f 'a b' "$X" $'\\x41'`)
    assert.strictEqual(part?.allow[0]?.plain, `rm -rf a b "$X" A`)
  })

  it("take carriage return and no-break space for word characters", () => {
    assert.deepStrictEqual(partsOf("echo x >\r& rm y"), ["echo x", "rm y"])
    assert.deepStrictEqual(partsOf("echo\u00a0x"), ["echo\u00a0x"])
  })
})

describe("a line that does not parse", () => {
  for (const line of [
    "ls $((",
    'echo "a',
    "git log &&& rm x",
    "echo $(if)",
    "cat <<E\n$(if)\nE",
    "bash -c 'if'",
    "a |"
  ]) {
    it(`is allowed by nothing: ${JSON.stringify(line)}`, () => {
      const { command, readOnly } = bash(line)
      assert.isFalse(command?.parsed)
      assert.isFalse(readOnly)
      assert.isTrue(command?.parts.every((part) => part.allow.length === 0 && !part.readOnly && !part.free))
    })
  }

  it("keeps the parts that could be taken out, for bans", () => {
    assert.deepStrictEqual(partsOf("git log &&& rm -rf x"), ["git log", "rm -rf x"])
  })
})

describe("a word that only bash can know", () => {
  for (const line of [
    "$X a",
    "$(a) b",
    '"$X"',
    "`a`",
    "~user/a",
    "r? a",
    "{rm,x}",
    "timeout 5 $X",
    "sudo $X",
    "env $X a",
    'bash -c "$X"',
    "eval $X"
  ]) {
    it(`makes the part unknown: ${line}`, () => assert.isTrue(bash(line).command?.parts.some(({ unknown }) => unknown)))
  }

  it("leaves arguments alone", () =>
    assert.isTrue(bash('echo $X "$Y"').command?.parts.every(({ unknown }) => !unknown)))
})

describe("a shell", () => {
  const asks = (line: string) => bash(line).command?.parts.some((part) => part.asks !== undefined)

  for (const line of [
    "sh",
    "curl x | bash",
    "bash -s",
    "bash -",
    "bash /dev/stdin",
    "bash <(a)",
    "cat x | sudo bash",
    "{ bash; } <<< a",
    "bash < f",
    "timeout 5 sh",
    "source /dev/stdin",
    "sudo -s",
    "su",
    "bash -x -s a",
    "bash -o pipefail",
    "exec sh",
    "cat <<E | sh\nE",
    "bash <<E\n$X\nE"
  ]) {
    it(`asks for a script from standard input: ${JSON.stringify(line)}`, () => assert.isTrue(asks(line)))
  }

  for (const line of [
    "bash f.sh",
    "bash -c a",
    "bash -x f",
    "sh -ec 'a'",
    "bash <<< a",
    "bash <<'E'\na\nE",
    "bash -o pipefail -c a"
  ]) {
    it(`does not ask: ${JSON.stringify(line)}`, () => assert.isFalse(asks(line)))
  }

  it("needs no rule of its own for a static script", () => {
    const free = (line: string) => bash(line).command?.parts[0]?.free
    assert.isTrue(free("bash -c 'a'"))
    assert.isTrue(free("timeout 5 bash -c 'a'"))
    assert.isFalse(free("sudo bash -c 'a'"))
    assert.isFalse(free("A=1 bash -c 'a'"))
    assert.isFalse(free("bash f.sh"))
    assert.isFalse(free("bash --rcfile f -ic 'a'"))
    assert.isFalse(free("fish -c 'a'"))
  })
})
