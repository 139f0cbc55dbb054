/** Which rules of a small world speak of its call: one row after the other, nothing compiled. */
import type { Behavior, Layer, ModeWord, RuleRow, WorldCall } from "./World.ts"

/** For whom a rule is looked up, and when. */
export interface Viewer {
  readonly id: string
  readonly mode: ModeWord
  readonly now: number
}

/** The order in which equally strict rules are attributed. */
export const layerOrder: readonly Layer[] = ["policy", "user", "projectLocal", "projectShared"]

/** The rule of that behaviour that matches and comes first in attribution. */
export function matching(behavior: Behavior, rows: readonly RuleRow[], call: WorldCall, viewer: Viewer) {
  return strongest(rows.filter((row) => speaks(row, behavior, call, viewer) && matchesContent(row[3], call)))
}

/** The rule of that behaviour that does not match and may, as far as anybody can know. */
export function possible(behavior: Behavior, rows: readonly RuleRow[], call: WorldCall, viewer: Viewer) {
  return strongest(rows.filter((row) => speaks(row, behavior, call, viewer) && call.unknown && row[3] !== undefined))
}

/** The rule of that behaviour that comes first in attribution among those that match and those that may. */
export function matchingOrPossible(behavior: Behavior, rows: readonly RuleRow[], call: WorldCall, viewer: Viewer) {
  return strongest(
    rows.filter((row) => speaks(row, behavior, call, viewer) && (call.unknown || matchesContent(row[3], call)))
  )
}

/** Whether an allow rule that speaks of the tool holds the protected name in the text of its content. */
export function namesProtected(rows: readonly RuleRow[], call: WorldCall, viewer: Viewer): boolean {
  return rows.some(
    (row) =>
      speaks(row, "allow", call, viewer) &&
      matchesContent(row[3], call) &&
      row[3] !== undefined &&
      call.protects !== undefined &&
      row[3].includes(call.protects)
  )
}

/** The text of a rule as a settings file holds it. */
export const textOf = ([, , tool, content]: RuleRow) => (content === undefined ? tool : `${tool}(${content})`)

function speaks([is, , tool, , only]: RuleRow, behavior: Behavior, call: WorldCall, viewer: Viewer): boolean {
  if (is !== behavior || tool !== call.tool) return false
  if (only?.agents !== undefined && !only.agents.includes(viewer.id)) return false
  if (only?.modes !== undefined && !only.modes.includes(viewer.mode)) return false
  return only?.expiresAt === undefined || only.expiresAt > viewer.now
}

function matchesContent(pattern: string | undefined, call: WorldCall): boolean {
  if (pattern === undefined) return true
  if (call.unknown) return false
  if (pattern.endsWith(":*")) {
    const prefix = pattern.slice(0, -2)
    return call.content === prefix || call.content.startsWith(`${prefix} `)
  }
  if (pattern.endsWith("*")) return call.content.startsWith(pattern.slice(0, -1))
  return call.content === pattern
}

function strongest(rows: readonly RuleRow[]): RuleRow | undefined {
  let best: RuleRow | undefined
  for (const row of rows) if (best === undefined || before(row, best)) best = row
  return best
}

function before(row: RuleRow, other: RuleRow): boolean {
  const layers = layerOrder.indexOf(row[1]) - layerOrder.indexOf(other[1])
  if (layers !== 0) return layers < 0
  return (row[3]?.length ?? 0) > (other[3]?.length ?? 0)
}
