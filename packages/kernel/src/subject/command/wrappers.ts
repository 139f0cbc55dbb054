/**
 * Looking behind launchers: which program `sudo -u x timeout 5 rm y` runs in the end. What can't be told for
 * certain is said to be unclear, and then every later word may be the program.
 */
import { baseName } from "../path.ts"
import { isAbbreviation } from "./options.ts"
import { type Arg, appended, literal } from "./words.ts"
import { type Wrapper, wrappers } from "./wrapperTable.ts"

/** A program that is launched. */
export interface Launched {
  /** Where its name stands among the launcher's words; undefined when the words are not on the line as such. */
  readonly at: number | undefined
  readonly words: readonly Arg[]
}

/** What a command launches. */
export interface Launch {
  readonly programs: readonly Launched[]
  /** Shell scripts that it runs; undefined for one that is not static. */
  readonly scripts: readonly (string | undefined)[]
  /** Allow rules may look through it. */
  readonly harmless: boolean
  /** Only the launcher can know what it launches. */
  readonly unclear: boolean
  /** It starts a shell that reads its script from standard input. */
  readonly shell: boolean
}

const nothing: Launch = { programs: [], scripts: [], harmless: false, unclear: false, shell: false }

/** What the command launches; undefined when it is no launcher. */
export function launchOf(words: readonly Arg[]): Launch | undefined {
  const name = words[0]?.value
  if (name === undefined) return undefined
  const base = baseName(name)
  if (base === "find") return launchOfFind(words)
  if (base === "fd" || base === "fdfind") return launchAfter(words, ["-x", "-X", "--exec", "--exec-batch"])
  if (base === "git") return launchOfGit(words)
  const wrapper = Object.hasOwn(wrappers, base) ? wrappers[base] : undefined
  if (wrapper === undefined) return undefined
  if (base === "env" && words.some(({ head }) => head.startsWith("-S") || head.startsWith("--s")))
    return launchOfSplit(words)
  return launchOfWrapper(wrapper, words)
}

function launchOfWrapper(wrapper: Wrapper, words: readonly Arg[]): Launch {
  let index = 1
  let bare = true
  const scripts: (string | undefined)[] = []
  let operands = wrapper.operands ?? 0
  for (; index < words.length; index++) {
    const word = words[index]!
    const { head, value } = word
    if (value === undefined && word.loose) return unclear(words, index)
    if (value === "--") {
      index++
      break
    }
    if (value === "-" && wrapper.dash === true) continue
    if (head.length < 2 || head[0] !== "-") {
      // for `env` the name of a variable may be any
      const assigns = wrapper.assignments === true && head.includes("=")
      if (!assigns && operands === 0) break
      if (!assigns) operands--
      continue
    }
    bare = false
    if (wrapper.inert?.some((name) => name === head) === true) return nothing
    const step = readOption(wrapper, words, index)
    if (step === undefined) return unclear(words, index + 1)
    if (step.script !== undefined) scripts.push(step.script.value)
    index = step.index
  }
  index += operands
  while (wrapper.assignments === true && index < words.length && words[index]!.head.includes("=")) index++
  const rest = words.slice(index)
  const shell = wrapper.shell === true && rest.length === 0 && scripts.length === 0
  if (rest.length === 0) return { ...nothing, scripts, shell }
  const harmless = wrapper.harmless === true || (wrapper.harmless === "bare" && bare)
  if (wrapper.joined === true) {
    scripts.push(rest.every(({ value }) => value !== undefined) ? rest.map(({ value }) => value).join(" ") : undefined)
  }
  const launched = wrapper.appends === true ? [...rest.map(replacing(markOf(words.slice(1, index)))), appended] : rest
  return { programs: [{ at: index, words: launched }], scripts, harmless, unclear: false, shell }
}

interface OptionStep {
  readonly index: number
  readonly script: Arg | undefined
}

function readOption(wrapper: Wrapper, words: readonly Arg[], index: number): OptionStep | undefined {
  const { head } = words[index]!
  if (head.startsWith("--")) {
    const equals = head.indexOf("=")
    const name = equals === -1 ? head : head.slice(0, equals)
    const known = (names: readonly string[] | undefined) => names?.some((long) => isAbbreviation(name, long)) === true
    if (known(wrapper.script)) return equals === -1 ? { index: index + 1, script: words[index + 1] } : undefined
    // an abbreviation that could be either kind has no certain reading
    if (known(wrapper.longFlags) && known(wrapper.longValued)) return undefined
    if (known(wrapper.longFlags)) return { index, script: undefined }
    return known(wrapper.longValued) ? { index: equals === -1 ? index + 1 : index, script: undefined } : undefined
  }
  if (wrapper.numeric === true && /^-\d+$/.test(head)) return { index, script: undefined }
  for (let at = 1; at < head.length; at++) {
    const letter = head[at]!
    const last = at === head.length - 1
    if (wrapper.script?.includes(`-${letter}`) === true)
      return last ? { index: index + 1, script: words[index + 1] } : undefined
    if (wrapper.valued?.includes(letter) === true) return { index: last ? index + 1 : index, script: undefined }
    if (wrapper.flags?.includes(letter) !== true) return undefined
  }
  return { index, script: undefined }
}

/** Every later word may be the program. */
function unclear(words: readonly Arg[], from: number): Launch {
  const programs: Launched[] = []
  for (let at = Math.max(1, from - 1); at < words.length && programs.length < 24; at++) {
    programs.push({ at, words: words.slice(at) })
  }
  return { ...nothing, programs, unclear: true }
}

function launchOfFind(words: readonly Arg[]): Launch | undefined {
  const programs: Launched[] = []
  for (let index = 1; index < words.length; index++) {
    if (!["-exec", "-execdir", "-ok", "-okdir"].includes(words[index]!.value ?? "")) continue
    let end = index + 1
    while (end < words.length && words[end]!.value !== ";" && !isPlusEnd(words, end)) end++
    if (end > index + 1) programs.push({ at: index + 1, words: words.slice(index + 1, end).map(replaced) })
    index = end
  }
  return programs.length === 0 ? undefined : { ...nothing, programs }
}

const isPlusEnd = (words: readonly Arg[], at: number) => words[at]!.value === "+" && words[at - 1]!.value === "{}"

function launchAfter(words: readonly Arg[], options: readonly string[]): Launch | undefined {
  const at = words.findIndex(({ head }) =>
    options.some((name) => head === name || (name.length > 2 && isAbbreviation(head.split("=")[0]!, name)))
  )
  if (at === -1) return undefined
  const rest = words.slice(at + 1).map(replaced)
  return rest.length === 0
    ? { ...nothing, unclear: true }
    : { ...nothing, programs: [{ at: at + 1, words: [...rest, appended] }] }
}

function launchOfGit(words: readonly Arg[]): Launch | undefined {
  const run = words.findIndex(({ value }, index) => value === "run" && words[index - 1]?.value === "bisect")
  if (run !== -1) return { ...nothing, programs: [{ at: run + 1, words: words.slice(run + 1) }] }
  const each = words.findIndex(({ value }, index) => value === "foreach" && words[index - 1]?.value === "submodule")
  if (each === -1) return undefined
  const rest = words.slice(each + 1).filter(({ value }) => value !== "--recursive" && value !== "--quiet")
  return {
    ...nothing,
    scripts: [rest.every(({ value }) => value !== undefined) ? rest.map(({ value }) => value).join(" ") : undefined]
  }
}

/** `env -S`: the text is split by blanks and quotes of its own; nothing in it is shell syntax. */
function launchOfSplit(words: readonly Arg[]): Launch {
  const at = words.findIndex(({ head }) => head.startsWith("-S") || head.startsWith("--s"))
  const word = words[at]!
  const glued = word.head.startsWith("-S") ? word.head.slice(2) : word.head.split("=").slice(1).join("=")
  const text = glued === "" ? words[at + 1] : word
  const rest = words.slice(glued === "" ? at + 2 : at + 1)
  const split = text?.value === undefined || at !== 1 ? undefined : splitPlain(glued === "" ? text.value : glued)
  if (split === undefined) return unclear(words, 1)
  const all = [...split.map(literal), ...rest]
  const start = all.findIndex(({ head }) => !head.includes("="))
  if (start === -1) return nothing
  if (all.slice(0, start).some(({ head }) => head.startsWith("-"))) return unclear(words, 1)
  // an option that only `env` would read has no certain reading here
  if (all[start]!.head.startsWith("-")) return unclear(words, 1)
  return { ...nothing, programs: [{ at: undefined, words: all.slice(start) }] }
}

/** Words without quotes, escapes and variables; undefined for a text that has any of them. */
function splitPlain(text: string): readonly string[] | undefined {
  for (const char of "\\'\"$#") if (text.includes(char)) return undefined
  return text.split(/[ \t\n\r\f\v]+/).filter((word) => word !== "")
}

/** The text that `xargs -I` replaces; undefined when only bash can know it. */
function markOf(options: readonly Arg[]): string | undefined {
  for (const [index, { head, value }] of options.entries()) {
    const [, separate, glued] = /^-[A-Za-z0-9]*(?:(I)|i)(.*)$/.exec(head) ?? []
    if (separate !== undefined && glued === "" && value !== undefined) return options[index + 1]?.value
    if (glued !== undefined && !head.startsWith("--")) return value === undefined ? undefined : glued || "{}"
    if (head.startsWith("--rep")) return value === undefined ? undefined : value.split("=").slice(1).join("=") || "{}"
  }
  return "{}"
}

/** Words with the mark, or all where it is not known, are whatever is put in for it. */
const replacing =
  (mark: string | undefined) =>
  (word: Arg): Arg => {
    if (mark === undefined) return { ...appended, text: word.text, head: "" }
    if (word.value?.includes(mark) !== true && !word.text.includes(mark)) return word
    return { ...appended, text: word.text, head: word.head.split(mark)[0]! }
  }

const replaced = replacing("{}")

/** Whether the text begins like an assignment. */
export function isAssignment(text: string): boolean {
  const equals = text.indexOf("=")
  return equals > 0 && /^[A-Za-z_][A-Za-z0-9_]*\+?$/.test(text.slice(0, equals))
}
