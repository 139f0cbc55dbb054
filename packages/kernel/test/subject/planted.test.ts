/** However a command is quoted it reads the same; wherever it is planted it is found, three places deep. */
import { assert, describe, it } from "@effect/vitest"
import { analyse } from "../../src/subject/command/analyse.ts"
import { folder, home } from "./reading.ts"

const plains = (line: string) => analyse(line, folder, home).parts.flatMap(({ ban }) => ban.map(({ plain }) => plain))

/** Ways to write a word that are one to bash. */
const quotings: readonly ((word: string) => string)[] = [
  (word) => word,
  (word) => `'${word}'`,
  (word) => `"${word}"`,
  (word) => `$'${word}'`,
  (word) => [...word].map((char) => `\\${char}`).join(""),
  (word) => `${word.slice(0, 1)}''${word.slice(1)}`,
  (word) => `${word.slice(0, 1)}\\\n${word.slice(1)}`,
  (word) => `$'\\x${word.charCodeAt(0).toString(16)}'"${word.slice(1)}"`
]

/** Places where bash would run the command, wrapped around what is there already. */
const places: readonly ((line: string) => string)[] = [
  (line) => `a; ${line}`,
  (line) => `a && ${line} || b`,
  (line) => `a | { ${line}; } 2>&1`,
  (line) => `( ${line} ) &`,
  (line) => `if a; then ${line}; fi`,
  (line) => `if ${line}; then a; fi`,
  (line) => `while a; do ${line}; done`,
  (line) => `for x in 1; do ${line}; done`,
  (line) => `case x in y) ${line};; esac`,
  (line) => `f() { ${line}; }`,
  (line) => `echo $( ${line} )`,
  (line) => `echo "a $( ${line} )"`,
  (line) => `x=$( ${line} )`,
  (line) => `x=( $( ${line} ) )`,
  (line) => `echo \${x:-$( ${line} )}`,
  (line) => `echo $(( 1 + $( ${line} ) ))`,
  (line) => `cat < <( ${line} )`,
  (line) => `a > "$( ${line} )"`,
  (line) => `[[ $( ${line} ) == x ]]`,
  (line) => `cat <<< $( ${line} )`,
  (line) => `coproc { ${line}; }`,
  (line) => `! { ${line}; }`,
  (line) => `time { ${line}; }`,
  (line) => `bash -c '${line.replaceAll("'", `'\\''`)}'`,
  (line) => `sudo sh -c '${line.replaceAll("'", `'\\''`)}'`,
  (line) => `eval '${line.replaceAll("'", `'\\''`)}'`,
  (line) => `trap '${line.replaceAll("'", `'\\''`)}' EXIT`
]

describe("a command", () => {
  it("reads the same in every quoting", () => {
    for (const first of quotings)
      for (const second of quotings)
        for (const third of quotings) {
          const line = `${first("git")}  ${second("push")}\t${third("-rf")}`
          const [part, ...others] = analyse(line, folder, home).parts
          assert.deepStrictEqual(others, [])
          assert.strictEqual(part?.allow[0]?.plain, "git push -rf", line)
          assert.isFalse(part?.unknown)
        }
  })

  it("is found wherever it is planted", () => {
    for (const seed of ["danger x", "sudo danger x", "'danger' x", "A=1 timeout 5 danger x"]) {
      for (const outer of places)
        for (const inner of places) {
          const line = outer(inner(seed))
          assert.include(plains(line), "danger x", line)
        }
    }
  })

  it("is found in places within places within places", () => {
    for (const outer of places)
      for (const middle of places)
        for (const inner of places) {
          const line = outer(middle(inner("danger x")))
          assert.include(plains(line), "danger x", line)
        }
  })

  it("is not found where it is only text", () => {
    const texts: readonly ((line: string) => string)[] = [
      (line) => `echo '${line}'`,
      (line) => `echo "${line}"`,
      (line) => `a # ${line}`,
      (line) => `cat <<'E'\n${line}\nE`,
      (line) => `x='${line}'`,
      (line) => `cat <<< '${line}'`
    ]
    for (const text of texts) assert.notInclude(plains(text("danger x")), "danger x")
  })
})
