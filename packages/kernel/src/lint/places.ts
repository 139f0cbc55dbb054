/** Where each rule, listed tool and tool's tier stands in a settings file: line and column, for findings. */
import type { Node } from "jsonc-parser"
import type { Behavior, Rule } from "../Rule.ts"
import type { LayerSettings, SettingsFile } from "../Settings.ts"
import { membersOf, readSettingsText, textOf } from "../settings/SettingsReader.ts"
import type { SettingsPlace } from "./Finding.ts"

/** Something in a settings file that decides calls of a tool. */
export interface Item extends SettingsPlace {
  /** A listed tool, or what a tool's entry demands, reads as a rule for every call of it. */
  readonly rule: Rule
  /** Where it stands; `tools` is never a finding itself. */
  readonly list: "permissions" | "allowedTools" | "disallowedTools" | "tools"
}

/** The items of a file, whose settings were read from it. */
export function itemsOf(file: SettingsFile, settings: LayerSettings): readonly Item[] {
  const reader = readSettingsText(file)
  const { root } = reader
  if (root === undefined) return []
  const lines = startsOf(file.text ?? "")
  const at = (node: Node | undefined): SettingsPlace => ({
    layer: file.layer,
    ...(file.file === undefined ? {} : { file: file.file }),
    ...placeOf(node?.offset ?? 0, lines)
  })
  const written = behaviors.flatMap((behavior) => rulesIn(root, behavior))
  const used = new Set<Written>()
  const nodeOf = (rule: Rule) => {
    const found = written.find((each) => !used.has(each) && each.behavior === rule.behavior && each.text === rule.text)
    if (found !== undefined) used.add(found)
    return found?.node
  }
  const listed = (list: "allowedTools" | "disallowedTools", behavior: Behavior): readonly Item[] => {
    const nodes = memberOf(root, list)?.children ?? []
    return settings[list].map((tool) => ({
      ...at(nodes.find((node) => textOf(node)?.trim() === tool)),
      list,
      rule: { text: tool, behavior, layer: file.layer, tool }
    }))
  }
  return [
    ...settings.rules.map((rule): Item => ({ ...at(nodeOf(rule)), list: "permissions", rule })),
    ...listed("allowedTools", "allow"),
    ...listed("disallowedTools", "deny"),
    ...demandsIn(memberOf(root, "tools"), settings).map(({ node, rule }): Item => ({
      ...at(node),
      list: "tools",
      rule
    }))
  ]
}

interface Written {
  readonly behavior: Behavior
  readonly text: string
  readonly node: Node
}

const behaviors = ["allow", "ask", "deny"] as const

function rulesIn(root: Node, behavior: Behavior): readonly Written[] {
  const permissions = memberOf(root, "permissions")
  const list = permissions && memberOf(permissions, behavior)
  const nodes = list === undefined ? [] : list.type === "array" ? (list.children ?? []) : [list]
  return nodes.flatMap((node) => {
    const text = textOf(node) ?? (node.type === "object" ? textOf(memberOf(node, "rule") ?? node) : undefined)
    return text === undefined ? [] : [{ behavior, text, node }]
  })
}

/** What the entries of tools demand for every call, as rules. */
function demandsIn(tools: Node | undefined, { layer, tools: read }: LayerSettings) {
  return Object.entries(read).flatMap(([tool, { alwaysAsk, requiresUserInteraction, tier }]) => {
    const rule = (
      text: string,
      behavior: Behavior
    ): readonly { readonly node: Node | undefined; readonly rule: Rule }[] => [
      { node: tools && memberOf(tools, tool), rule: { text: `tools.${tool}.${text}`, behavior, layer, tool } }
    ]
    if (tier === "deny") return rule("tier: deny", "deny")
    if (alwaysAsk === true) return rule("alwaysAsk", "ask")
    if (requiresUserInteraction === true) return rule("requiresUserInteraction", "ask")
    return tier === "confirm" ? rule("tier: confirm", "ask") : []
  })
}

const memberOf = (node: Node, key: string): Node | undefined =>
  node.type === "object" ? membersOf(node).find((each) => each.key === key)?.value : undefined

function startsOf(text: string): readonly number[] {
  const starts = [0]
  for (let index = text.indexOf("\n"); index !== -1; index = text.indexOf("\n", index + 1)) starts.push(index + 1)
  return starts
}

function placeOf(offset: number, starts: readonly number[]): { readonly line: number; readonly column: number } {
  const line = starts.findLastIndex((start) => start <= offset)
  return { line: line + 1, column: offset - starts[line]! + 1 }
}
