/**
 * A layer's settings text, read: rules, tools and the few switches, with line and column of every mistake. What a
 * project may not say (without trust, or at all) is left out here, so that nothing after it has to remember trust.
 */
import type { Node } from "jsonc-parser"
import type { Capability } from "./Capability.ts"
import { withoutEffect } from "./match/withoutEffect.ts"
import type { Mode } from "./Mode.ts"
import { type ParsedRule, parseRule, parseRuleObject, type RuleExample } from "./parseRule.ts"
import { modeWords, readMode } from "./readMode.ts"
import type { Behavior, Rule } from "./Rule.ts"
import type { LayerSettings, SettingsFile, SettingsProblem } from "./Settings.ts"
import { exampleTrial } from "./settings/examples.ts"
import { meant, nearest } from "./settings/nearest.ts"
import { readCapability, tighteningPart } from "./settings/readCapability.ts"
import { membersOf, readSettingsText, type SettingsReader, textOf, valueOf } from "./settings/SettingsReader.ts"

/** The keys of a settings file. */
export const topKeys = ["$schema", "permissions", "tools", "allowedTools", "disallowedTools", "disable"]
/** The keys of its `permissions`. */
export const permissionKeys = ["allow", "ask", "deny", "defaultMode", "additionalDirectories"]
/** What the policy layer may switch off. */
export const switches = ["lastingGrants", "yolo", "auto"] as const

/** Reads one layer's file. */
export function parseSettings(file: SettingsFile): {
  readonly settings: LayerSettings
  readonly problems: readonly SettingsProblem[]
} {
  const reader = readSettingsText(file)
  const draft = newDraft(file, reader)
  if (reader.root !== undefined) {
    readTop(draft, reader.root)
    tryExamples(draft)
  }
  const { defaultMode } = draft
  return {
    settings: {
      layer: file.layer,
      dialect: file.dialect ?? "native",
      trusted: !draft.untrusted,
      rules: draft.rules.filter((rule) => !draft.void.has(rule)),
      ...(defaultMode === undefined ? {} : { defaultMode }),
      additionalDirectories: draft.additionalDirectories,
      tools: Object.fromEntries(draft.tools),
      allowedTools: draft.allowedTools,
      disallowedTools: draft.disallowedTools,
      disable: draft.disable,
      blind: draft.blind,
      broken: reader.root === undefined
    },
    problems: reader.problems
  }
}

/** What has been read so far. */
interface Draft {
  readonly file: SettingsFile
  readonly reader: SettingsReader
  readonly project: boolean
  readonly untrusted: boolean
  /** Void once an example fails. */
  readonly void: Set<Rule>
  readonly tried: { readonly rule: Rule; readonly node: Node; readonly examples: readonly RuleExample[] }[]
  readonly rules: Rule[]
  readonly additionalDirectories: string[]
  readonly tools: Map<string, Capability>
  readonly allowedTools: string[]
  readonly disallowedTools: string[]
  readonly disable: (typeof switches)[number][]
  defaultMode: Mode | undefined
  blind: boolean
}

function newDraft(file: SettingsFile, reader: SettingsReader): Draft {
  const project = file.layer === "projectLocal" || file.layer === "projectShared"
  return {
    file,
    reader,
    project,
    untrusted: project && file.trusted !== true,
    void: new Set(),
    tried: [],
    rules: [],
    additionalDirectories: [],
    tools: new Map(),
    allowedTools: [],
    disallowedTools: [],
    disable: [],
    defaultMode: undefined,
    blind: reader.root === undefined
  }
}

/** Members of an object; another agent's file may hold many that are not ours and look like none of ours. */
function membersIn(draft: Draft, node: Node, known: readonly string[], what: string) {
  const { file, reader } = draft
  const ours = (property: Node) => {
    const name = String(property.children?.[0]?.value)
    return known.includes(name) || nearest(name, known) !== undefined
  }
  const children = node.children ?? []
  if (file.dialect === "claude") return reader.members({ ...node, children: children.filter(ours) }, known, what)
  // what stands under a name that nobody knows may be meant as a ban
  if (!children.every(ours)) draft.blind = true
  return reader.members(node, known, what)
}

/** Says that a loosening value does not count, if it does not. */
function loosens(draft: Draft, node: Node, value: Node, key: string, doubtful: boolean): boolean {
  const empty = value.type === "array" && (value.children ?? []).length === 0
  // a doubtful name has been said already
  if (!doubtful && draft.untrusted && !empty)
    draft.reader.warn(node, `\`${key}\` is ignored until the project is trusted`)
  return doubtful || draft.untrusted
}

function readTop(draft: Draft, root: Node): void {
  for (const { doubtful, key, node, value } of membersIn(draft, root, topKeys, "the settings")) {
    if (key === "permissions") readPermissions(draft, value, doubtful)
    else if (key === "tools") readTools(draft, value, doubtful)
    else if (key === "disallowedTools") readDisallowed(draft, value)
    else if (key === "disable") readDisable(draft, node, value)
    else if (key === "allowedTools" && !loosens(draft, node, value, key, doubtful)) readAllowed(draft, value)
  }
}

function readPermissions(draft: Draft, node: Node, doubtful: boolean): void {
  const { reader } = draft
  if (node.type !== "object") {
    reader.error(node, "`permissions` is not an object")
    draft.blind = true
    return
  }
  const known = draft.file.dialect === "claude" ? [...permissionKeys, "disableBypassPermissionsMode"] : permissionKeys
  for (const member of membersIn(draft, node, known, "`permissions`")) {
    const { key, value } = member
    const unsure = doubtful || member.doubtful
    if (key === "deny" || key === "ask") readRules(draft, key, value)
    else if (key === "allow") {
      if (!loosens(draft, member.node, value, "permissions.allow", unsure)) readRules(draft, "allow", value)
    } else if (key === "defaultMode") {
      // a mode that may be meant may be a strict one
      if (unsure) draft.blind = true
      else readDefaultMode(draft, value)
    } else if (key === "disableBypassPermissionsMode") {
      if (valueOf(value) === "disable" && draft.file.layer === "policy") draft.disable.push("yolo")
    } else if (!loosens(draft, member.node, value, "permissions.additionalDirectories", unsure)) {
      readDirectories(draft, value)
    }
  }
}

function readRules(draft: Draft, behavior: Behavior, list: Node): void {
  const { reader } = draft
  // INVARIANT: a ban is read as far as it can be, a list that is none included
  if (list.type !== "array") reader.error(list, `\`permissions.${behavior}\` is not a list`)
  if (list.type !== "array" && behavior === "allow") return
  for (const node of list.type === "array" ? (list.children ?? []) : [list]) readRule(draft, behavior, node)
}

function readRule(draft: Draft, behavior: Behavior, node: Node): void {
  const { reader } = draft
  const { examples, faults, rule } = parseRuleNode(draft, behavior, node)
  for (const { key, message } of faults) reader.error(placeOf(node, key), message)
  if (rule === undefined) {
    if (behavior !== "allow") draft.blind = true
    return
  }
  const warning = rule.malformed === true ? undefined : withoutEffect(rule)
  if (warning !== undefined) reader.warn(node, warning)
  draft.rules.push(rule)
  if (examples !== undefined && rule.malformed !== true) draft.tried.push({ rule, node, examples })
}

/** A rule that does not do what its author says counts as malformed: as an allow rule it is void, as a ban it acts. */
function tryExamples({ file, reader, tools, tried, void: voided }: Draft): void {
  for (const { examples, node, rule } of tried) {
    const fault = exampleTrial(rule, tools.get(rule.tool), file.dialect ?? "native")
    for (const example of examples) {
      const message = fault(example)
      if (message === undefined) continue
      const list = membersOf(node).find(({ key }) => key === example.key)?.value
      reader.error(list?.children?.[example.index] ?? node, message)
      if (rule.behavior === "allow") voided.add(rule)
    }
  }
}

function parseRuleNode({ file: { layer }, reader }: Draft, behavior: Behavior, node: Node): ParsedRule {
  const text = textOf(node)
  if (text !== undefined) return parseRule(text, behavior, layer)
  if (node.type !== "object") return { rule: undefined, faults: [{ message: "a rule is a text or an object" }] }
  const members = membersOf(node)
  const twice = members.filter(({ twice }) => twice)
  for (const { key, node } of twice) reader.error(node, `a rule holds \`${key}\` twice`)
  // which of two conditions is meant nobody knows: an allow rule is void, a ban acts without them
  if (twice.length > 0 && behavior === "allow") return { rule: undefined, faults: [] }
  const unsure = new Set(twice.map(({ key }) => key))
  const texts = members.filter(({ key }) => key === "rule")
  if (texts.length > 1) return { rule: undefined, faults: [] }
  const sure = members.filter(({ key }) => !unsure.has(key))
  return parseRuleObject(new Map(sure.map(({ key, value }) => [key, valueOf(value)])), behavior, layer)
}

/** The value of a rule object's member, so that a message points at it. */
function placeOf(node: Node, key: string | undefined): Node {
  if (key === undefined || node.type !== "object") return node
  const member = membersOf(node).find((each) => each.key === key)
  return member === undefined ? node : key === "rule" ? member.value : member.node
}

function readDefaultMode(draft: Draft, node: Node): void {
  const { reader } = draft
  const word = textOf(node)
  const mode = word === undefined ? undefined : readMode(word)
  if (mode === undefined) {
    // it may be a strict one that is meant
    draft.blind = true
    reader.error(
      node,
      word === undefined ? "`defaultMode` is not a text" : `unknown mode \`${word}\`, ${meant(word, modeWords)}`
    )
  } else if (draft.project && (mode === "yolo" || mode === "auto")) {
    reader.warn(node, `\`defaultMode\` is ignored: a project may not set \`${mode}\``)
  } else draft.defaultMode = mode
}

function readDirectories(draft: Draft, list: Node): void {
  const { reader } = draft
  if (list.type !== "array") return reader.error(list, "`permissions.additionalDirectories` is not a list")
  for (const node of list.children ?? []) {
    const path = textOf(node)
    if (path === undefined || path === "") reader.error(node, "a directory is a text")
    else if (draft.project && (/^[/~]/.test(path) || path.split("/").includes(".."))) {
      reader.warn(node, `\`${path}\` is ignored: a project may add directories only inside itself`)
    } else draft.additionalDirectories.push(path)
  }
}

function readTools(draft: Draft, node: Node, doubtful: boolean): void {
  const { reader, tools } = draft
  if (node.type !== "object") {
    reader.error(node, "`tools` is not an object")
    draft.blind = true
    return
  }
  for (const { key: name, node: at, twice, value } of membersOf(node)) {
    if (twice) reader.error(at, `\`tools\` holds \`${name}\` twice, so it counts as tier \`confirm\``)
    const { blind, entry } = readCapability(name, value, reader)
    if (blind || doubtful || twice) draft.blind = true
    const { dropped, kept } = tighteningPart(entry)
    if (!draft.untrusted && !doubtful && !twice) tools.set(name, entry)
    else {
      if (draft.untrusted && dropped.length > 0) {
        reader.warn(
          at,
          `${dropped.map((key) => `\`tools.${name}.${key}\``).join(", ")}: ignored until the project is trusted`
        )
      }
      const tier = entry.tier === "deny" || tools.get(name)?.tier === "deny" ? "deny" : "confirm"
      if (twice) tools.set(name, { ...tools.get(name), ...kept, tier })
      else if (Object.keys(kept).length > 0) tools.set(name, kept)
    }
  }
}

function readAllowed(draft: Draft, list: Node): void {
  const { reader } = draft
  for (const { fault, name, node } of namesIn(list, "allowedTools")) {
    if (fault !== undefined) reader.error(node, fault)
    else {
      const warning = withoutEffect({ text: name, behavior: "allow", layer: draft.file.layer, tool: name })
      if (warning === undefined) draft.allowedTools.push(name)
      else reader.warn(node, warning)
    }
  }
}

function readDisallowed(draft: Draft, list: Node): void {
  for (const { fault, name, node, sure } of namesIn(list, "disallowedTools")) {
    if (fault !== undefined) draft.reader.error(node, fault)
    if (name === "") draft.blind = true
    // whatever begins like what can be read of it
    else draft.disallowedTools.push(sure || name.endsWith("*") ? name : `${name}*`)
  }
}

/** The tool names of a list; of a fault, the name that can still be read. */
function namesIn(
  list: Node,
  key: string
): readonly { readonly name: string; readonly sure: boolean; readonly node: Node; readonly fault?: string }[] {
  const nodes = list.type === "array" ? (list.children ?? []) : [list]
  return nodes.map((node) => {
    const text = textOf(node) ?? ""
    const name = /^[^\s()"'`,]*/.exec(text.trim())![0]
    const sure = name !== "" && name === text.trim()
    if (list.type !== "array") return { name, sure, node, fault: `\`${key}\` is not a list` }
    if (sure) return { name, sure, node }
    return {
      name,
      sure,
      node,
      fault: text === "" ? `\`${key}\` holds something that is no tool's name` : `\`${text}\` is not the name of a tool`
    }
  })
}

function readDisable(draft: Draft, at: Node, list: Node): void {
  const { file, reader } = draft
  if (file.layer !== "policy") return reader.warn(at, "`disable` is ignored: it counts in the policy layer only")
  if (list.type !== "array") reader.error(list, "`disable` is not a list")
  for (const node of list.type === "array" ? (list.children ?? []) : [list]) {
    const word = textOf(node) ?? ""
    if (!switches.some((known) => known === word))
      reader.error(node, `unknown word \`${word}\` in \`disable\`, ${meant(word, switches)}`)
    const near = switches.find((known) => known === (nearest(word, switches) ?? word))
    // which switch is meant nobody knows: all of them
    draft.disable.push(...(near === undefined ? switches : [near]))
  }
}
