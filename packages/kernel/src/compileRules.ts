/**
 * Merged settings, compiled for a place: what all layers together say of one call. The languages of contents and
 * their indexes live in `match/`; here they become the questions that the pipeline asks.
 */
import { layerNames } from "./layerInRuleId.ts"
import { findAllowance, leaveSuffices, type Question } from "./match/allowance.ts"
import { findBanRule, findPossibleRule } from "./match/bans.ts"
import { makeChapter, type SharedTries } from "./match/chapter.ts"
import { rankRules } from "./match/entry.ts"
import { namesPath } from "./match/namesPath.ts"
import { type ToolList, toolList } from "./match/toolList.ts"
import type { Preset } from "./Preset.ts"
import type { Behavior } from "./Rule.ts"
import type { RuleLayerName } from "./RuleLayer.ts"
import type { PossibleBan, RuleSet, Who } from "./RuleSet.ts"
import type { Dialect, Settings } from "./Settings.ts"
import { isInside, realPath } from "./subject/path.ts"
import type { Access, FileSystem, Subject } from "./subject/Subject.ts"

/** Where rules are compiled: relative contents start at the project, `~/` at home. */
export interface Place {
  /** Absolute and clean; the working folder where there is no project. */
  readonly project: string
  readonly home: string
  readonly files: FileSystem
  readonly caseInsensitive: boolean
  readonly dialectOf: (layer: RuleLayerName) => Dialect
  /**
   * The working folder and the additional directories. Without them a part of a command counts as inside the
   * workspace only where the whole call is.
   */
  readonly workspace?: readonly string[]
}

/** What of the settings is compiled. */
export type CompilableSettings = Pick<Settings, "rules"> &
  Partial<Pick<Settings, "allowedTools" | "disallowedTools" | "blind">>

/** Compiles rules, tool lists and blind layers for a place. */
export function compileRules(settings: CompilableSettings, place: Place, preset: Preset): RuleSet {
  const { allowedTools = [], blind = [], disallowedTools = [], rules } = settings
  const entries = rankRules(rules)
  // one trie a tool for all behaviours: the way of a text through it is walked once a call
  const tries: SharedTries = new Map()
  const chapter = (behavior: Behavior) => makeChapter(behavior, entries, place, preset.families, tries)
  const deny = chapter("deny")
  const ask = chapter("ask")
  const allow = chapter("allow")
  const disallowed = toolList(disallowedTools, "deny", preset.families)
  const whiteListed = toolList(allowedTools, "allow", preset.families)
  const blindLayer = layerNames.find((layer) => blind.includes(layer))
  const isInside = insideOf(place)

  const question = (who: Who, acceptEdits: boolean): Question => ({
    chapter: allow,
    who,
    acceptEdits,
    readOnlyTable: preset.readOnlyTable,
    isInside
  })

  return {
    deny: (subject, who) => findBanRule(deny, subject, who)?.rule,
    possibleDeny: (subject, who) => {
      const rule = findPossibleRule(deny, subject, who)?.rule
      if (rule !== undefined) return { layer: rule.layer, rule }
      return blindLayer && ({ layer: blindLayer, rule: undefined } satisfies PossibleBan)
    },
    ask: (subject, who) => {
      const sure = findBanRule(ask, subject, who)
      const possible = findPossibleRule(ask, subject, who)
      return (possible === undefined || (sure !== undefined && sure.rank <= possible.rank) ? sure : possible)?.rule
    },
    allow: (subject, who, acceptEdits) => findAllowance(question(who, acceptEdits), subject),
    namesProtected: (subject, path, who) => !allow.empty && namesPath(question(who, false), subject, path),
    disallowed: (subject) => speaks(disallowed, subject),
    whiteListed: (subject) => speaks(whiteListed, subject) && leaveSuffices(subject)
  }
}

const speaks = (list: ToolList, subject: Subject) => !list.empty && list.holds(subject)

function insideOf({ files, workspace }: Place): Question["isInside"] {
  if (workspace === undefined) return (_access, subject) => subject.insideWorkspace
  const folders = [...new Set(workspace.flatMap((folder) => [folder, realPath(folder, files)]))]
  // a glob stays in the folder that stands before it; what is written through one may be a link that leads out
  return ({ glob, kind, path, real }: Access) =>
    (kind === "read" || !glob) &&
    path !== undefined &&
    real !== undefined &&
    [path, real].every((each) => folders.some((folder) => isInside(each, folder)))
}
