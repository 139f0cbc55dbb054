/**
 * Options by which a program whose plain form only reads writes files or runs programs. A star rule covers them only
 * when it names them, and with them nothing is known to be read-only.
 */
import { baseName } from "../path.ts"
import { globalsEnd } from "./globalOptions.ts"
import { isAbbreviation } from "./options.ts"
import { type Arg, literal } from "./words.ts"

interface Powers {
  /** Long options; each counts in every abbreviation. */
  readonly long?: readonly string[]
  /** Letters of short options, counted in clusters, too. */
  readonly short?: string
  /** Letters of harmless short options that take a value, so that what is glued to them is no cluster. */
  readonly valued?: string
  /** Words that count as they stand. */
  readonly words?: readonly string[]
}

const gitWrites = ["--output", "--ext-diff", "--textconv"]

/** Options before git's sub-command. */
const gitGlobal: Powers = { long: ["--config-env", "--exec-path="], short: "c" }

/** By git's sub-command. */
const git: Readonly<Record<string, Powers>> = {
  diff: { long: gitWrites },
  log: { long: gitWrites },
  show: { long: gitWrites },
  reflog: { long: gitWrites },
  whatchanged: { long: gitWrites },
  "diff-tree": { long: gitWrites },
  "diff-index": { long: gitWrites },
  "diff-files": { long: gitWrites },
  "rev-list": { long: ["--output"] },
  stash: { long: gitWrites },
  "format-patch": { long: [...gitWrites, "--output-directory"], short: "o" },
  range: { long: gitWrites },
  blame: { long: ["--output", "--textconv"] },
  shortlog: { long: ["--output"] },
  "cat-file": { long: ["--textconv", "--filters"] },
  grep: { long: ["--open-files-in-pager", "--ext-grep", "--textconv"], short: "O", valued: "efABCm" },
  difftool: { long: ["--extcmd", "--tool"], short: "xt" },
  mergetool: { long: ["--tool"], short: "t" },
  fetch: { long: ["--upload-pack", "--exec"] },
  pull: { long: ["--upload-pack", "--exec"] },
  clone: { long: ["--upload-pack", "--config", "--template"], short: "uc", valued: "bo" },
  push: { long: ["--receive-pack", "--exec"] },
  "ls-remote": { long: ["--upload-pack", "--exec"] },
  "fetch-pack": { long: ["--upload-pack", "--exec"] },
  "send-pack": { long: ["--receive-pack", "--exec"] },
  archive: { long: ["--exec", "--output", "--remote"], short: "o" },
  rebase: { long: ["--exec"], short: "x" },
  init: { long: ["--template"] }
}

/** By program. */
const programs: Readonly<Record<string, Powers>> = {
  rg: { long: ["--pre", "--hostname-bin"] },
  ag: { long: ["--pager"] },
  tar: {
    long: [
      "--use-compress-program",
      "--to-command",
      "--checkpoint-action",
      "--rsh-command",
      "--info-script",
      "--new-volume-script",
      "--rmt-command"
    ],
    short: "IF",
    valued: "fCTbgKLNVX"
  },
  sort: { long: ["--output", "--compress-program"], short: "o", valued: "kStT" },
  find: { words: ["-exec", "-execdir", "-ok", "-okdir", "-delete", "-fprint", "-fprint0", "-fprintf", "-fls"] },
  fd: { long: ["--exec", "--exec-batch"], short: "xX", valued: "eEtdSc" },
  fdfind: { long: ["--exec", "--exec-batch"], short: "xX", valued: "eEtdSc" },
  sed: { long: ["--in-place"], short: "i", valued: "efl" },
  file: { long: ["--magic-file", "--compile"], short: "mC", valued: "FPe" },
  docker: { long: ["--host", "--context", "--config"], short: "Hc" },
  podman: { long: ["--url", "--connection", "--config"], short: "c" },
  tree: { short: "o", valued: "LPIH" },
  date: { long: ["--set"], short: "s", valued: "dfr" },
  man: { long: ["--pager", "--html", "--preprocessor"], short: "PHp" },
  ps: {},
  rsync: { long: ["--rsh", "--rsync-path"], short: "e" },
  zip: { long: ["--unzip-command"], words: ["-TT"] },
  less: { long: ["--log-file", "--LOG-FILE"], short: "oO" },
  diff: { long: ["--output"] },
  tcpdump: { short: "zw" },
  yq: { long: ["--inplace"], short: "i" },
  go: { long: ["--exec", "--toolexec"], words: ["-exec", "-toolexec", "-vettool"] }
}

/** The powerful options among a command's words, each as a rule has to name it. */
export function powersOf(words: readonly Arg[]): readonly string[] {
  const name = words[0]?.value
  if (name === undefined) return []
  const base = baseName(name)
  if (base === "git") return powersOfGit(words)
  const powers = Object.hasOwn(programs, base) ? programs[base] : undefined
  const found = powers === undefined ? [] : powersIn(powers, base === "tar" ? dashed(words) : words.slice(1))
  if (base !== "sed") return found
  const script = sedScripts(words).find((text) => text === undefined || !isPlainSed(text))
  return script === undefined && sedScripts(words).every((text) => text !== undefined)
    ? found
    : [...found, script ?? "-e"]
}

/** tar's first word is a cluster of options even without a dash, and none of its letters ends it. */
function dashed(words: readonly Arg[]): readonly Arg[] {
  const first = words[1]
  if (first === undefined || first.value === undefined || first.value.startsWith("-")) return words.slice(1)
  return [...[...first.value].map((letter) => literal(`-${letter}`)), ...words.slice(2)]
}

function powersOfGit(words: readonly Arg[]): readonly string[] {
  const end = globalsEnd("git", words)
  const found = powersIn(gitGlobal, words.slice(1, end))
  const sub = words[end]
  if (sub === undefined) return found
  if (sub.value === undefined) {
    // whatever sub-command it is; and a word that may become several may begin with options
    const any = Object.values(git).flatMap((powers) => powersIn(powers, words.slice(end + 1)))
    return [...found, ...powersIn(gitGlobal, [sub]), ...any]
  }
  const powers = Object.hasOwn(git, sub.value) ? git[sub.value] : undefined
  return powers === undefined ? found : [...found, ...powersIn(powers, words.slice(end + 1))]
}

function powersIn(powers: Powers, words: readonly Arg[]): readonly string[] {
  const found = new Set<string>()
  for (const word of words) {
    if (word.value === "--" && powers.words === undefined) break
    const texts = word.spellings?.map(({ text }) => text) ?? [word.head]
    for (const text of texts) {
      const hit = powerOf(powers, text)
      if (hit !== undefined) found.add(hit)
    }
    // whatever the word becomes, it may be any of them
    if (word.loose) for (const each of all(powers)) found.add(each)
  }
  return [...found]
}

function powerOf(powers: Powers, text: string): string | undefined {
  if (text.length < 2 || text[0] !== "-") return undefined
  if (powers.words?.includes(text) === true) return text
  if (text[1] === "-") {
    const equals = text.indexOf("=")
    const given = equals === -1 ? text : text.slice(0, equals)
    return powers.long?.find((name) => (name.endsWith("=") ? text.startsWith(name) : isAbbreviation(given, name)))
  }
  for (const letter of text.slice(1)) {
    if (powers.short?.includes(letter) === true) return `-${letter}`
    if (powers.valued?.includes(letter) === true) return undefined
  }
  return undefined
}

const all = ({ long = [], short = "", words = [] }: Powers) => [
  ...long,
  ...[...short].map((letter) => `-${letter}`),
  ...words
]

/** The scripts a sed command runs; undefined for one that is not static or stands in a file. */
export function sedScripts(words: readonly Arg[]): readonly (string | undefined)[] {
  const scripts: (string | undefined)[] = []
  let first: string | undefined | null = null
  for (let index = 1; index < words.length; index++) {
    const { head, value } = words[index]!
    if (/^-[nErsuz]*e$/.test(head) || head === "--expression") scripts.push(words[++index]?.value)
    else if (/^-[nErsuz]*e./.test(head)) scripts.push(value?.slice(value.indexOf("e") + 1))
    else if (head.startsWith("--expression=")) scripts.push(value?.slice(13))
    else if (/^-[nErsuz]*f/.test(head) || head.startsWith("--f")) scripts.push(undefined)
    else if (head.startsWith("-") && head.length > 1) continue
    else if (first === null) first = value
  }
  return scripts.length > 0 || first === null ? scripts : [first]
}

const address = String.raw`(?:\d+|\$|/(?:[^/\\\n]|\\[^\n])*/)`
const plainSed = new RegExp(
  String.raw`^\s*(?:${address}(?:\s*,\s*(?:\+?\d+|${address}))?\s*!?\s*)?` +
    String.raw`(?:[pdq=]|s([/|#,:@])(?:(?!\1)[^\\\n]|\\[^\n])*\1(?:(?!\1)[^\\\n]|\\[^\n])*\1[gpiI0-9]*)?\s*$`
)

/** A sed script of simple commands that neither writes nor runs anything. */
const isPlainSed = (script: string) =>
  plainSed.test(script) || script.split(/[;\n]/).every((line) => plainSed.test(line))
