/**
 * From one line of `check --batch` to its answer. Lines that share rules and place share one compiled world, so that
 * a million of them stream.
 */
import { type FileSystem, RuleLayerName, type SettingsFile, type Surroundings } from "@countersign/kernel"
import { judgeAlone, prepareWorld, refused, type World } from "../judgeAlone.ts"
import { type Case, readCase } from "./readCase.ts"

/** The answer to one line. */
export type LineAnswer =
  | {
      readonly id: string | number
      readonly decision: string
      readonly source: string
      readonly ruleId: string
      readonly matchedRule?: string
      readonly sourceLayer?: string
      readonly reason?: string
    }
  | { readonly id: string | number | null; readonly error: string }

/** How many worlds are kept at most; the oldest goes. */
const kept = 256

/** A judge of lines, with its own store of compiled worlds. It never throws: whatever fails is that line's error. */
export function lineJudge(now: number): (line: string) => LineAnswer {
  const worlds = new Map<string, World>()

  const worldOf = (line: Case): World => {
    const { cwd, dialect, home, links, rules, trusted } = line
    const name = JSON.stringify([rules, dialect, cwd, home, trusted, links])
    const known = worlds.get(name)
    if (known !== undefined) return known
    if (worlds.size >= kept) worlds.delete(worlds.keys().next().value!)
    const made = prepareWorld(settingsOf(line), surroundingsOf(line))
    worlds.set(name, made)
    return made
  }

  return (line) => {
    const read = readCase(line)
    if ("error" in read) return read
    if ("unreadable" in read) return answer(read.id, refused("call.invalid", "", read.unreadable).decision)
    const { id, input, mode, tool } = read.case
    try {
      return answer(id, judgeAlone(worldOf(read.case), { tool, input }, { mode, now }).decision)
    } catch (error) {
      return { id, error: `the call could not be judged: ${error instanceof Error ? error.message : String(error)}` }
    }
  }
}

type Decision = ReturnType<typeof judgeAlone>["decision"]

function answer(
  id: string | number,
  { decision, matchedRule, reason, ruleId, source, sourceLayer }: Decision
): LineAnswer {
  return {
    id,
    decision,
    source,
    ruleId,
    ...(matchedRule === undefined ? {} : { matchedRule }),
    ...(sourceLayer === undefined ? {} : { sourceLayer }),
    ...(reason === undefined ? {} : { reason })
  }
}

function settingsOf({ dialect, rules, trusted }: Case): readonly SettingsFile[] {
  return RuleLayerName.literals.flatMap((layer): readonly SettingsFile[] => {
    const permissions = rules[layer]
    return permissions === undefined ? [] : [{ layer, text: JSON.stringify({ permissions }), dialect, trusted }]
  })
}

function surroundingsOf({ cwd, home, links }: Case): Surroundings {
  const table = new Map(Object.entries(links))
  const files: FileSystem = { readLink: (path) => table.get(path) }
  return {
    folder: cwd,
    project: cwd,
    home,
    additionalDirectories: [],
    ownPaths: ["/etc/countersign", `${home}/.config/countersign`, `${cwd}/.countersign`],
    files,
    caseInsensitive: false
  }
}
