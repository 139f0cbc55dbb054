/**
 * Whether one command is known to change nothing. Which files it reads, and whether those lie inside the
 * workspace, is not asked here.
 */
import { globalsEnd } from "./globalOptions.ts"
import { has, readArguments } from "./options.ts"
import { powersOf } from "./powers.ts"
import {
  harmlessCommands,
  harmlessGit,
  harmlessGitGlobals,
  listingGit,
  steeringOptions,
  wordedGit
} from "./readOnlyTable.ts"
import type { Arg } from "./words.ts"

/**
 * Whether the command changes nothing. `atStart` says that it stands in the call's working folder for certain: git
 * anywhere else would run the hooks of another repository.
 */
export function isReadOnly(words: readonly Arg[], atStart: boolean): boolean {
  // by bare name only: `./ls` is anything
  const name = words[0]?.value
  if (name === undefined || powersOf(words).length > 0) return false
  const rest = words.slice(1)
  if (name === "git") return atStart && isReadOnlyGit(words)
  if (name === "cd") return rest.every(({ value }) => value !== undefined)
  if (harmlessCommands.has(name)) return true
  const check = Object.hasOwn(checks, name) ? checks[name] : undefined
  return check !== undefined && check(rest)
}

const starts = (words: readonly Arg[], ...heads: readonly string[]) =>
  words.some(({ head }) => heads.some((each) => head.startsWith(each)))
const isLoose = (words: readonly Arg[]) => words.some(({ loose }) => loose)

/** Commands that change nothing under a condition on their words. */
const checks: Readonly<Record<string, (words: readonly Arg[]) => boolean>> = {
  printf: (words) => !starts(words.slice(0, 1), "-") && words[0]?.loose === false,
  test: (words) => !starts(words, "-v") && !isLoose(words),
  "[": (words) => !starts(words, "-v") && !isLoose(words),
  wait: (words) => !starts(words, "-p") && !isLoose(words),
  command: (words) => words[0]?.value === "-v" || words[0]?.value === "-V",
  hostname: (words) =>
    words.every(({ value }) => value !== undefined && ["-s", "-f", "-i", "-I", "-d"].includes(value)),
  date: (words) =>
    !isLoose(words) &&
    readArguments(words, { short: "dfr", long: ["--date", "--reference"] }).operands.every(({ head }) =>
      head.startsWith("+")
    ),
  jq: (words) => !isLoose(words) && !starts(words, "-f", "-L", "--f", "--slurpf", "--rawf", "--l"),
  set: (words) => words.length > 0 && isSteering(words)
}

function isSteering(words: readonly Arg[]): boolean {
  for (let index = 0; index < words.length; index++) {
    const { value } = words[index]!
    if (value === undefined || !/^[-+][eufxCvo]+$/.test(value)) return false
    if (value.includes("o") && !steeringOptions.has(words[++index]?.value ?? "")) return false
  }
  return true
}

function isReadOnlyGit(words: readonly Arg[]): boolean {
  const end = globalsEnd("git", words)
  if (!words.slice(1, end).every(({ value }) => value !== undefined && harmlessGitGlobals.has(value))) return false
  const sub = words[end]?.value
  if (sub === undefined) return end === words.length && words.slice(1).some(({ value }) => value === "--version")
  const rest = words.slice(end + 1)
  if (isLoose(rest) || rest.some(readsElsewhere)) return false
  if (harmlessGit.has(sub)) return true
  const { operands, options } = readArguments(rest)
  const listing = Object.hasOwn(listingGit, sub) ? listingGit[sub] : undefined
  if (listing !== undefined) {
    if (!options.every(({ name }) => listing.options.includes(name))) return false
    return has(options, listing.selectors) || (operands.length === 0 && sub !== "config")
  }
  const worded = Object.hasOwn(wordedGit, sub) ? wordedGit[sub] : undefined
  return worded !== undefined && worded.includes(operands[0]?.value ?? (operands.length === 0 ? "" : "?"))
}

/** `--contents=/etc/passwd` and the like. */
const readsElsewhere = ({ head }: Arg) =>
  head.startsWith("-") && (head.includes("=/") || head.includes("=~") || head.includes(".."))
