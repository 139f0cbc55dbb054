/**
 * One simple command as rules see it: the program itself, what it launches, and the forms in which allow rules and
 * bans are compared with them.
 */
import { baseName } from "../path.ts"
import type { Form } from "../Subject.ts"
import { withoutGlobals } from "./globalOptions.ts"
import { powersOf } from "./powers.ts"
import { programsRun, scriptsRun } from "./runners.ts"
import { type ShellCall, shellCall } from "./shells.ts"
import { toldByOptions, toldByVariable } from "./told.ts"
import { type Arg, literal } from "./words.ts"
import { launchOf } from "./wrappers.ts"

/** The command seen from one program on: itself, or what a launcher in front of it launches. */
export interface Level {
  readonly words: readonly Arg[]
  /** Index of its first word on the line; undefined when it does not stand there as such. */
  readonly at: number | undefined
  /** All launchers in front of it are harmless. */
  readonly harmless: boolean
}

/** A simple command, seen through. */
export interface Command {
  /** From the outermost program to what is launched in the end. */
  readonly levels: readonly Level[]
  /** Only bash can know which program runs. */
  readonly unknown: boolean
  /** Shell scripts it runs in processes of their own; undefined for one that is not static. */
  readonly scripts: readonly (string | undefined)[]
  /** Scripts that options and variables tell its programs to run; undefined for one that only bash can know. */
  readonly told: readonly (string | undefined)[]
  /** The shells among the levels. */
  readonly shells: readonly ShellCall[]
  readonly allow: readonly Form[]
  readonly ban: readonly Form[]
}

/** More programs than this in one command have no certain reading. */
const maxLevels = 64

/** Sees through a command. `assignments` stand in front of it; `harmless` says that all of them may. */
export function seeThrough(assignments: readonly Arg[], words: readonly Arg[], harmless: boolean): Command {
  const draft: Draft = {
    levels: [],
    unknown: false,
    scripts: [],
    shells: [],
    deepest: harmless ? 0 : 1,
    unruled: false
  }
  collect(draft, words, 0, harmless)
  return {
    levels: draft.levels,
    unknown: draft.unknown,
    scripts: draft.scripts,
    told: [
      ...assignments.flatMap(toldByVariable),
      ...draft.levels.flatMap(({ words }) => [
        ...toldByOptions(words),
        ...launcherAssignments(words).flatMap(toldByVariable)
      ])
    ],
    shells: draft.shells,
    allow: allowForms(assignments, words, draft),
    ban: banForms(assignments, words, draft.levels)
  }
}

/** The assignments among the words of `env` and its like. */
function launcherAssignments(words: readonly Arg[]): readonly Arg[] {
  if (!assigning.has(baseName(words[0]!.value ?? ""))) return []
  const launch = launchOf(words)
  const own = words.slice(1, launch?.unclear === true ? undefined : launch?.programs[0]?.at)
  const split = own.flatMap(({ value }) => (value === undefined ? [] : value.split(/\s+/).map(literal)))
  return [...own, ...split].filter(({ head }) => head.includes("=") && !head.startsWith("-"))
}

const assigning: ReadonlySet<string> = new Set(["env", "sudo", "doas", "dotenv", "cross-env"])

interface Draft {
  readonly levels: Level[]
  unknown: boolean
  readonly scripts: (string | undefined)[]
  readonly shells: ShellCall[]
  /** Number of words up to and including the last program launched; 0 when none is. */
  deepest: number
  /** No star rule can name what is launched. */
  unruled: boolean
}

function collect(draft: Draft, words: readonly Arg[], at: number | undefined, harmless: boolean): void {
  if (words.length === 0) return
  if (draft.levels.length >= maxLevels) {
    draft.unknown = true
    return
  }
  draft.levels.push({ words, at, harmless })
  if (words[0]!.value === undefined) {
    draft.unknown = true
    return
  }
  const shell = shellCall(words)
  if (shell !== undefined) {
    draft.shells.push(shell)
    if (shell.from === "argument") draft.scripts.push(shell.script)
    if (shell.from === "unclear") draft.unknown = true
    if (shell.from !== "file") draft.unruled = true
    return
  }
  const launch = launchOf(words)
  if (launch === undefined) {
    draft.scripts.push(...scriptsRun(words))
    for (const program of programsRun(words)) collect(draft, program, undefined, false)
    return
  }
  if (launch.unclear) draft.unknown = true
  if (launch.shell) draft.shells.push({ from: "stdin" })
  for (const script of launch.scripts) {
    const [program] = launch.programs
    // plain words make a simple command of the same words
    if (script !== undefined && isPlain(script) && program !== undefined) continue
    draft.scripts.push(script)
    draft.unruled = true
  }
  for (const program of launch.programs) {
    const inner = at === undefined || program.at === undefined ? undefined : at + program.at
    if (inner === undefined) draft.unruled = true
    else draft.deepest = Math.max(draft.deepest, inner + 1)
    collect(draft, program.words, inner, harmless && launch.harmless && launch.programs.length === 1)
  }
}

const isPlain = (script: string) => /^[\w@%+:,./ -]*$/.test(script)

function allowForms(
  assignments: readonly Arg[],
  words: readonly Arg[],
  { deepest, levels, unruled }: Draft
): readonly Form[] {
  const mustName = [...new Set(levels.flatMap((level) => powersOf(level.words)))]
  const needed = (from: number, count: number) => (unruled ? count + 1 : deepest > from + 1 ? deepest - from : 0)
  const launches = deepest > 0 || unruled
  const whole = [...assignments, ...words]
  const forms = [form(whole, launches ? needed(-assignments.length, whole.length) : 0, mustName)]
  for (const { at, harmless, words: inner } of levels) {
    if (harmless && at !== undefined && (at > 0 || assignments.length > 0))
      forms.push(form(inner, needed(at, inner.length), mustName))
  }
  return forms
}

function banForms(assignments: readonly Arg[], words: readonly Arg[], levels: readonly Level[]): readonly Form[] {
  const forms = new Map<string, Form>()
  const add = (words: readonly Arg[]) => {
    const made = form(words, 0, [])
    const key = `${made.written}\0${made.plain}`
    if (!forms.has(key)) forms.set(key, made)
  }
  add([...assignments, ...words])
  for (const level of levels) {
    add(level.words)
    const first = level.words[0]?.value
    const named =
      first === undefined || !first.includes("/") ? level.words : [literal(baseName(first)), ...level.words.slice(1)]
    if (named !== level.words) add(named)
    for (const lean of withoutGlobals(named)) add(lean)
  }
  return [...forms.values()]
}

/** Words as a rule is compared with them. */
export function form(words: readonly Arg[], literalWords: number, mustName: readonly string[]): Form {
  return {
    words: words.map(({ glob, text, value }) => ({ text, value, glob })),
    written: words.map(({ text }) => text).join(" "),
    plain: words.map(({ text, value }) => value ?? text).join(" "),
    literalWords,
    mustName
  }
}
