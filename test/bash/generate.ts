/** The generator of command lines: places within places, and somewhere in them, perhaps, what is forbidden. */
import {
  launched,
  globalOptions,
  powerful,
  shell,
  shellInput,
  shellUnknown,
  unknownProgram,
  wrapped
} from "./launchers.ts"
import { rewriteLine, writeLine, type Line, type Pen } from "./Pen.ts"
import { closed, type Inner, openHeredoc, place, splitHeredoc, textPlace, lostSemicolon } from "./places.ts"
import { evaluated } from "./twice.ts"
import { plainState, redefined } from "./redefinitions.ts"
import { someArgs, unknownWord, word } from "./words.ts"
import { seeded } from "../reference/random.ts"

/** The line of that number from a seed: always the same. */
export const lineOf = (seed: number, index: number): Line =>
  writeLine(write, seeded(Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca77)))

/** The line that choices stand for. */
export const lineFrom = (choices: readonly number[]): Line => rewriteLine(write, choices)

/** A line; in three of five stands something forbidden. */
function write(pen: Pen): string {
  const bans = pen.below(5) >= 2
  // what looks forbidden without being meant so may stand in a text that somebody runs after all
  if (!bans) pen.hide()
  if (pen.oneIn(60)) return openHeredoc(inner(pen, bans, 2), pen)
  return script(pen, bans, 3).trimEnd()
}

/** A script of one to three statements. */
function script(pen: Pen, bans: boolean, depth: number): string {
  const more = pen.oneIn(3) ? `${closed(statement(pen, false, Math.min(depth, 1)))}` : ""
  return `${more}${statement(pen, bans, depth)}`
}

const inner = (pen: Pen, bans: boolean, depth: number): Inner => ({
  script: () => closed(script(pen, bans, depth - 1)),
  statement: () => grouped(statement(pen, bans, depth - 1)),
  other: () => grouped(statement(pen, false, 0))
})

/** One command, or several in a group. */
const grouped = (text: string): string =>
  /[;&|\n#]/.test(text) && !/^(?:\{|\(|if |while |until |for |case |select )/.test(text) ? `{ ${closed(text)}}` : text

function statement(pen: Pen, bans: boolean, depth: number): string {
  if (depth <= 0) return simple(pen, bans)
  switch (pen.below(15)) {
    case 0:
    case 1:
    case 2:
      return simple(pen, bans)
    case 3:
    case 4:
    case 5:
    case 6:
      return place(inner(pen, bans, depth), pen)
    case 7:
      return textPlace(inner(pen, bans, depth), pen)
    case 8:
      return shell(pen, script(pen, bans, depth - 1))
    case 9:
      return shellInput(pen, script(pen, bans, depth - 1))
    default:
      return bans ? hidden(pen, depth) : pen.oneIn(3) ? plainState(pen) : simple(pen, bans)
  }
}

/** A simple command, perhaps behind launchers. */
function simple(pen: Pen, bans: boolean): string {
  const command = bans ? forbidden(pen) : harmless(pen)
  switch (pen.below(8)) {
    case 5:
      return wrapped(pen, pen.oneIn(4) ? wrapped(pen, command).replace(/^echo x \| /, "") : command)
    case 6:
      return bans || pen.oneIn(4) ? launched(pen, command) : command
    case 7:
      return bans ? command : file(pen, command)
    default:
      return command
  }
}

function forbidden(pen: Pen): string {
  pen.mayAsk()
  switch (pen.below(6)) {
    case 4:
      return `${word(pen, "git")} ${word(pen, "push")}${someArgs(pen)}`
    case 5:
      return pen.oneIn(3) ? pathed(pen) : globalOptions(pen)
    default:
      return `${word(pen, "danger")}${someArgs(pen)}`
  }
}

const paths = [
  ["program by path", "../bin/danger"],
  ["program by path", '"../bin/dan"ger'],
  ["program by path: ~/", "~/danger"],
  ["program by path: ~/", '~/"danger"']
] as const

function pathed(pen: Pen): string {
  return pen.construct(paths)[1]
}

function harmless(pen: Pen): string {
  switch (pen.below(8)) {
    case 3:
      return `git ${word(pen, "status")}`
    case 4:
      pen.saw("builtin")
      return pen.pick([
        ":",
        "true",
        "echo danger",
        "printf '%s\\n' 'git push'",
        'echo "; danger"',
        "test -n x",
        "[ x = y ]",
        "pwd"
      ])
    case 5:
    case 6:
      return `${word(pen, "fine")}${someArgs(pen)}`
    default:
      return `${word(pen, "ok")}${someArgs(pen)}`
  }
}

/** A redirect that writes a file. */
function file(pen: Pen, command: string): string {
  if (!pen.oneIn(3)) return command
  pen.saw("redirect: write")
  pen.mayAsk()
  return `${command} ${pen.pick(["> out", ">> out", "&> out", ">| out", "2> out", "<> out"])}`
}

/** What only bash can know to be forbidden. */
function hidden(pen: Pen, depth: number): string {
  const program = "danger"
  switch (pen.below(12)) {
    case 0:
    case 1: {
      const { before, word: unknown } = unknownWord(pen, program)
      return `{ ${before}${unknown}${someArgs(pen)}; }`
    }
    case 2:
      return unknownProgram(pen, program)
    case 3:
    case 4:
    case 5:
      return evaluated(pen, program)
    case 6:
      return powerful(pen, program)
    case 7:
      return shellUnknown(pen, depth > 1 ? grouped(simple(pen, true)) : program)
    case 8:
      return pen.oneIn(4) ? splitHeredoc(pen) : pen.oneIn(3) ? lostSemicolon(pen) : redefined(pen, program)
    default:
      return redefined(pen, program)
  }
}
