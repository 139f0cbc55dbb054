/**
 * Reads settings files for what their authors may not have meant: rules that never speak, lie under others, reach
 * further than they look, or pair badly. Every example in a finding has been judged by the settings as they are.
 */
import { parseSettings } from "../parseSettings.ts"
import type { SettingsFile, SettingsProblem } from "../Settings.ts"
import { layerNames } from "../layerInRuleId.ts"
import type { Surroundings } from "../subject/Subject.ts"
import { makeBench } from "./Bench.ts"
import { badPairs } from "./checks/pairs.ts"
import { broadRules } from "./checks/broad.ts"
import { overlaps } from "./checks/overlap.ts"
import { silentRules } from "./checks/silent.ts"
import type { Finding } from "./Finding.ts"
import { type Item, itemsOf } from "./places.ts"

/** What lint says of settings. With errors among the problems nothing is judged. */
export interface Linted {
  /** Mistakes, and warnings that are about no rule; what is said of a rule is a finding. */
  readonly problems: readonly SettingsProblem[]
  readonly findings: readonly Finding[]
}

/** Lints settings files. A project's file is read as a trusted one: what it says is looked at, not whether it may. */
export function lintSettings(files: readonly SettingsFile[], surroundings: Surroundings, now: number): Linted {
  const read = files.map((file) => ({ file, ...parseSettings({ ...file, trusted: true }) }))
  const problems = read.flatMap(({ problems }) => problems)
  if (problems.some(({ severity }) => severity === "error")) return { problems, findings: [] }
  const bench = makeBench(
    read.map(({ settings }) => settings),
    surroundings,
    now
  )
  const items = read.flatMap(({ file, settings }) => itemsOf(file, settings))
  const silent = silentRules(items, bench)
  const speaking = items.filter((item) => !silent.some((finding) => isAbout(finding, item)))
  const over = overlaps(speaking, bench)
  const counting = speaking.filter((item) => !over.some((finding) => isAbout(finding, item)))
  const broad = broadRules(counting, bench)
  const broadItems = new Set(
    counting.filter((item) => broad.some((finding) => isAbout(finding, item))).map(({ rule }) => rule)
  )
  const findings = [...silent, ...over, ...broad, ...badPairs(counting, bench, broadItems)]
  return {
    problems: problems.filter((problem) => !findings.some((finding) => isSamePlace(finding, problem))),
    findings: findings.toSorted(byPlace)
  }
}

const isSamePlace = (finding: Finding, { column, layer, line }: SettingsProblem) =>
  finding.layer === layer && finding.line === line && finding.column === column

const isAbout = (finding: Finding, { column, layer, line, rule }: Item) =>
  finding.layer === layer && finding.line === line && finding.column === column && finding.rule === rule.text

const byPlace = (one: Finding, other: Finding) =>
  layerNames.indexOf(one.layer) - layerNames.indexOf(other.layer) || one.line - other.line || one.column - other.column
