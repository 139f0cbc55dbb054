/**
 * A million random calls through the kernel, none of which it was made for: random bytes, words of the shell in any
 * order, and the commands of `test/cases` with something broken in them. Never an exception, never too slow.
 */
import { readdirSync, readFileSync } from "node:fs"
import { xorshift } from "../bench/worlds.ts"
import { type HostileCall, judge } from "../hostile/inputs.ts"
import type { SoakOptions, SoakResult } from "./Soak.ts"

export const runs = 1_000_000
export const small = 20_000

/** A random input of this size takes a tenth of a millisecond; nothing may take longer than this, in milliseconds. */
const slow = 500
/** So many are enough to see what is wrong. */
const enough = 100

type Random = (below: number) => number

/** Each run is one call. */
export async function run({ progress, runs, seed }: SoakOptions): Promise<SoakResult> {
  const counts: Record<string, number> = {}
  const violations: unknown[] = []
  const random = xorshift(seed)
  const commands = caseCommands()
  for (let done = 0; done < runs && violations.length < enough; done++) {
    const [kind, call] = randomCall(random, commands)
    const { decision, milliseconds, thrown } = judge(call)
    for (const name of [kind, decision]) counts[name] = (counts[name] ?? 0) + 1
    if (thrown !== undefined) violations.push({ done, call, thrown })
    else if (milliseconds > slow) violations.push({ done, call, milliseconds })
    if (done % 10_000 === 0) progress(done)
  }
  progress(runs)
  return { counts, violations }
}

function randomCall(random: Random, commands: readonly string[]): readonly [kind: string, HostileCall] {
  const tool = pick(random, tools)
  switch (random(4)) {
    case 0:
      return ["bytes", callOf(tool, bytes(random))]
    case 1:
      return ["soup", callOf(tool, Array.from({ length: 1 + random(30) }, () => pick(random, tokens)).join(""))]
    case 2:
      return ["json", { tool, input: bytesOfJson(random) }]
    default:
      return ["mutated case", callOf(tool, mutated(random, pick(random, commands)))]
  }
}

const tools = ["Bash", "Bash", "Bash", "Bash", "Read", "Edit", "Grep", "WebFetch", "mcp__notes__add"] as const

const fields: Readonly<Record<(typeof tools)[number], string>> = {
  Bash: "command",
  Read: "file_path",
  Edit: "file_path",
  Grep: "path",
  WebFetch: "url",
  mcp__notes__add: "text"
}

const callOf = (tool: (typeof tools)[number], text: string): HostileCall => ({ tool, input: { [fields[tool]]: text } })

const tokens = [
  ..." \n\t;&|()<>{}[]$`'\"\\*?!#~=+-/.,:%@^0aZé\u0000\u2028\ud800".split(""),
  ..."&& || ;; $( $(( )) ${ <( >( <<E <<< >> 2>&1 [[ ]] :- :* ** ../ /** http:// file:// %2e domain: --".split(" "),
  ..."if then fi for in do done while case esac function { } ! time coproc select"
    .split(" ")
    .map((word) => ` ${word} `),
  ..."rm sudo env bash -c eval xargs find -exec git push cd echo cat .env .git/ /dev/null"
    .split(" ")
    .map((word) => `${word} `),
  "\nE\n",
  "a=",
  "$X",
  "${X:-y}"
]

function bytes(random: Random): string {
  const codes = Array.from({ length: random(200) }, () => random(random(10) === 0 ? 0x10000 : 256))
  return String.fromCharCode(...codes)
}

/** Text that is nearly JSON, or is. */
const bytesOfJson = (random: Random): string => {
  const pieces = [
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    '"command"',
    '"rm -rf /"',
    "1e999",
    "-0",
    "null",
    "true",
    "\\u",
    '"',
    "9007199254740993"
  ]
  return Array.from({ length: random(12) }, () => pick(random, pieces)).join("")
}

/** The text with one to five places changed. */
function mutated(random: Random, text: string): string {
  let changed = text
  for (let times = 1 + random(5); times > 0; times--) {
    const at = random(changed.length + 1)
    const gone = random(3) === 0 ? random(8) : 0
    const put = random(3) === 0 ? changed.slice(random(changed.length + 1)).slice(0, 20) : pick(random, tokens)
    changed = changed.slice(0, at) + put + changed.slice(at + gone)
  }
  return changed
}

/** Every command in the cases. */
function caseCommands(): readonly string[] {
  const folder = new URL("../cases/", import.meta.url)
  const lines = readdirSync(folder).flatMap((file) => readFileSync(new URL(file, folder), "utf8").split("\n"))
  const commands = lines.flatMap((line) => {
    const [, text] = /"command": ?("(?:[^"\\]|\\.)*")/.exec(line) ?? []
    return text === undefined ? [] : [JSON.parse(text) as string]
  })
  return [...new Set(commands)]
}

const pick = <A>(random: Random, list: readonly A[]): A => list[random(list.length)]!
