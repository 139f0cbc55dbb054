/**
 * Rules that lie under others: an allow or ask rule that a stricter one covers, the opposite of another layer's, and a
 * rule that a wider one of its own list covers.
 */
import { isProtected } from "../../subject/protected.ts"
import type { Behavior, Rule } from "../../Rule.ts"
import type { Bench, ExampleCall } from "../Bench.ts"
import { containment } from "../contains.ts"
import type { Finding } from "../Finding.ts"
import { findingOf } from "../findingOf.ts"
import type { Item } from "../places.ts"
import { samplesOf } from "../samples.ts"

type Contains = (wide: Rule, narrow: Rule) => boolean

/** Finds them. */
export function overlaps(items: readonly Item[], bench: Bench): readonly Finding[] {
  const contains = containment(bench)
  return items.flatMap((item) => {
    if (item.list === "tools") return []
    return under(item, items, bench, contains) ?? beside(item, items, bench, contains) ?? []
  })
}

const strictness: Readonly<Record<Behavior, number>> = { allow: 0, ask: 1, deny: 2 }
const says: Readonly<Record<Behavior, string>> = { allow: "allows", ask: "asks for", deny: "denies" }

/** A stricter rule that speaks of all that this one speaks of. */
function under(item: Item, items: readonly Item[], bench: Bench, contains: Contains): readonly Finding[] | undefined {
  const { rule } = item
  const stricter = items
    .filter((other) => strictness[other.rule.behavior] > strictness[rule.behavior] && contains(other.rule, rule))
    .toSorted((one, other) => strictness[other.rule.behavior] - strictness[one.rule.behavior])
  for (const other of stricter) {
    const call = shown(item, bench, (call) => {
      const { decision } = bench.judge(call)
      return decision === "deny" || (decision === "ask" && other.rule.behavior === "ask")
    })
    if (call === undefined) continue
    const opposite = other.layer !== item.layer && contains(rule, other.rule)
    const message = opposite ? oppositeOf(item, other) : underOf(item, other)
    return [findingOf(item, opposite ? "contradicted" : "shadowed", message, [bench.exampleOf(item.rule, call)], other)]
  }
  return undefined
}

function oppositeOf({ rule }: Item, { layer, rule: other }: Item): string {
  const both = `\`${rule.text}\` ${says[rule.behavior]} what layer \`${layer}\` ${says[other.behavior]}`
  return `${both}; the stricter counts, so this one never does`
}

function underOf({ layer, rule }: Item, { layer: otherLayer, rule: other }: Item): string {
  const where = otherLayer === layer ? "" : ` of layer \`${otherLayer}\``
  const all = `\`${other.text}\`${where} ${says[other.behavior]} all that \`${rule.text}\` ${says[rule.behavior]}`
  return `${all}, so it never counts; the stricter always does, wherever it stands`
}

/** A wider rule of the same list. */
function beside(item: Item, items: readonly Item[], bench: Bench, contains: Contains): readonly Finding[] | undefined {
  const { layer, list, rule } = item
  if (list === "permissions" && mayMatterBesides(rule)) return undefined
  const wider = items.find((other) => {
    if (other === item || other.layer !== layer || other.list !== list || other.rule.behavior !== rule.behavior)
      return false
    if (!contains(other.rule, rule)) return false
    // of two that say the same, the later one is the finding
    return !contains(rule, other.rule) || isBefore(other, item)
  })
  if (wider === undefined) return undefined
  // in an allow rule the wider one may still need options or programs to be named
  const samples = samplesOf(rule, bench).filter((call) => bench.speaks(rule, call))
  if (samples.length === 0 || !samples.every((call) => bench.speaks(wider.rule, call))) return undefined
  const call = samples.find((each) => list !== "permissions" || isTheSame(rule, each, bench))
  if (call === undefined) return undefined
  const same = contains(rule, wider.rule)
  const message = same
    ? `\`${rule.text}\` says what \`${wider.rule.text}\` has said already`
    : `\`${rule.text}\` adds nothing: \`${wider.rule.text}\` covers it`
  return [findingOf(item, "covered", message, [bench.exampleOf(item.rule, call)], wider)]
}

/** Its own words for the person, or the name of a protected path, are something that a wider rule does not have. */
function mayMatterBesides({ behavior, content, reason }: Rule): boolean {
  if (reason !== undefined) return true
  if (behavior !== "allow" || content === undefined) return false
  const names = content.split(/[\s/]+/)
  return names.some((name) => /^\.+[^.]/.test(name)) || content.split(/\s+/).some((word) => isProtected(`/${word}`))
}

const isTheSame = (rule: Rule, call: ExampleCall, bench: Bench) =>
  bench.judge(call).decision === bench.judgeWithout(rule, call).decision

const isBefore = (one: Item, other: Item) =>
  one.line < other.line || (one.line === other.line && one.column < other.column)

const shown = ({ rule }: Item, bench: Bench, holds: (call: ExampleCall) => boolean) =>
  samplesOf(rule, bench).find((call) => bench.speaks(rule, call) && holds(call))
