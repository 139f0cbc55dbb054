/**
 * Programs that a command runs because an option or a variable tells it to: `rg --pre=x`, `git -c core.pager=x`,
 * `PAGER=x git log`. Bans and the floor look at them; allow rules have to name the option or the variable anyway.
 */
import { baseName } from "../path.ts"
import { globalsEnd } from "./globalOptions.ts"
import { means, readArguments } from "./options.ts"
import { sedScripts } from "./powers.ts"
import { redefines } from "./redefine.ts"
import type { Arg } from "./words.ts"

interface Telling {
  /** Options whose value is a program, or a script. */
  readonly names: readonly string[]
  /** Letters of short options that take a value. */
  readonly short?: string
  /** What stands before the program in the value. */
  readonly before?: RegExp
}

const programs: Readonly<Record<string, Telling>> = {
  rg: { names: ["--pre", "--hostname-bin"] },
  ag: { names: ["--pager"] },
  tar: {
    names: [
      "-I",
      "-F",
      "--use-compress-program",
      "--to-command",
      "--checkpoint-action",
      "--rsh-command",
      "--info-script",
      "--new-volume-script",
      "--rmt-command"
    ],
    short: "IFfCTbgKLNVX",
    before: /^exec=/
  },
  sort: { names: ["--compress-program"] },
  man: { names: ["-P", "--pager"], short: "P" },
  rsync: { names: ["-e", "--rsh"], short: "efBTM" },
  ssh: { names: ["-o"], short: "oBbcDEeFIiJLlmOpQRSWw", before: /^(?:Proxy|Local)Command[= ]\s*/i }
}

const git: Readonly<Record<string, Telling>> = {
  grep: { names: ["-O", "--open-files-in-pager"], short: "OefABCm" },
  difftool: { names: ["-x", "--extcmd"], short: "xt" },
  rebase: { names: ["-x", "--exec"], short: "xsX" },
  fetch: { names: ["--upload-pack", "--exec"] },
  pull: { names: ["--upload-pack", "--exec"] },
  clone: { names: ["-u", "--upload-pack"], short: "ubco" },
  "ls-remote": { names: ["--upload-pack", "--exec"] },
  push: { names: ["--receive-pack", "--exec"] },
  archive: { names: ["--exec"] }
}

/** The scripts that the command's options make it run; undefined for one that only bash can know. */
export function toldByOptions(words: readonly Arg[]): readonly (string | undefined)[] {
  const base = baseName(words[0]?.value ?? "")
  if (base === "git") return toldToGit(words)
  if (base === "sed") return sedScripts(words).flatMap(toldToSed)
  if (base === "go")
    return words.flatMap(({ value }, at) => (/^--?(?:exec|toolexec)$/.test(value ?? "") ? [words[at + 1]?.value] : []))
  const telling = Object.hasOwn(programs, base) ? programs[base] : undefined
  if (telling === undefined) return []
  return told(telling, base === "tar" ? dashed(words.slice(1)) : words.slice(1))
}

function told({ before, names, short }: Telling, words: readonly Arg[]): readonly (string | undefined)[] {
  const { options } = readArguments(words, { short: short ?? "", long: names.filter((name) => name.startsWith("--")) })
  return options.flatMap(({ name, value }) => {
    if (!names.some((each) => means(name, each)) || value === undefined) return []
    if (before === undefined || value.value === undefined) return [value.value]
    return [value.value.replace(before, "")]
  })
}

/** tar's first word is a cluster of options even without a dash; their values follow in order. */
function dashed(words: readonly Arg[]): readonly Arg[] {
  const [first, ...rest] = words
  if (first?.value === undefined || first.value.startsWith("-")) return words
  const takers = [...first.value].filter((letter) => "IFfCTbgKLNVX".includes(letter))
  return [...takers.flatMap((letter, at) => [dash(letter), ...rest.slice(at, at + 1)]), ...rest.slice(takers.length)]
}

const dash = (letter: string): Arg => {
  const text = `-${letter}`
  return {
    text,
    value: text,
    head: text,
    glob: false,
    loose: false,
    emptied: undefined,
    spellings: [{ text, glob: false }]
  }
}

/** Whether git runs what stands in its configuration under the key, or may. */
export const isRunByGit = (key: string) => runs.test(key) || unsure.test(key)

const runs =
  /^alias\.|pager|editor|command$|askpass|fsmonitor|external$|textconv$|\.cmd$|\.driver$|helper$|program$|clean$|smudge$|process$|(?:upload|receive)pack$|gitproxy$/i
const unsure = /hookspath|^include/i

function toldToGit(words: readonly Arg[]): readonly (string | undefined)[] {
  const end = globalsEnd("git", words)
  const scripts: (string | undefined)[] = []
  for (let index = 1; index < end; index++) {
    const { head, value } = words[index]!
    if (head.startsWith("--config-env") || head.startsWith("--exec-path=")) scripts.push(undefined)
    if (value === "-c" && index + 1 < end) scripts.push(...configured(words[++index]!))
  }
  const sub = words[end]?.value
  const telling = sub !== undefined && Object.hasOwn(git, sub) ? git[sub] : undefined
  return telling === undefined ? scripts : [...scripts, ...told(telling, words.slice(end + 1))]
}

function configured({ head, value }: Arg): readonly (string | undefined)[] {
  const [key] = head.split("=")
  if (value === undefined) return !head.includes("=") || runs.test(key!) || unsure.test(key!) ? [undefined] : []
  if (unsure.test(key!)) return [undefined]
  if (!runs.test(key!)) return []
  const text = value.slice(key!.length + 1)
  if (text.startsWith("!")) return [text.slice(1)]
  return [key!.toLowerCase().startsWith("alias.") ? `git ${text}` : text]
}

/** `e command` runs the command, and `s///e` what comes of the replacement. */
function toldToSed(script: string | undefined): readonly (string | undefined)[] {
  if (script === undefined) return []
  const commands = [...script.matchAll(/(?:^|[;{}\n\d$!/]|\s)e[ \t]+([^\n]+)/g)].map(([, command]) => command)
  const replaced = [...script.matchAll(/s([^\sA-Za-z0-9\\])(?:(?!\1).)*\1((?:(?!\1).)*)\1[gpiImM0-9]*e/g)].map(
    ([, , text]) => text
  )
  return [...commands, ...replaced]
}

/** Variables whose value is a command. */
const commandVariables =
  /PAGER$|EDITOR$|^(?:VISUAL|GIT_SSH(?:_COMMAND)?|GIT_EXTERNAL_DIFF|GIT_ASKPASS|PROMPT_COMMAND|LESSOPEN|LESSCLOSE)$/
/** Variables of those families by which nothing is run, or that only builtins of the shell look at. */
const quietVariables =
  /^(?:IFS|CDPATH|GLOBIGNORE|GIT_(?:AUTHOR|COMMITTER)_\w+|GIT_(?:TERMINAL_PROMPT|OPTIONAL_LOCKS|TRACE\w*|MERGE_AUTOEDIT)|PYTHON(?:UNBUFFERED|DONTWRITEBYTECODE|IOENCODING|HASHSEED|UTF8|FAULTHANDLER|WARNINGS)|LESS(?:CHARSET|HISTFILE)?)$/

/** What an assignment in front of a command makes it run; undefined for what only bash can know. */
export function toldByVariable({ head, text, value }: Arg): readonly (string | undefined)[] {
  const name = (head === "" ? text : head).split(/[+=[]/)[0]!
  if (!redefines(name) || quietVariables.test(name)) return []
  if (value === undefined || !commandVariables.test(name)) {
    return name === "NODE_OPTIONS" && /=(?:--max-old-space-size=\d+)?$/.test(value ?? "") ? [] : [undefined]
  }
  return [
    value
      .slice(name.length)
      .replace(/^\+?=/, "")
      .replace(/^\|+-?\s*/, "")
  ]
}
