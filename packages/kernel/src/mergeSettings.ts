/** All layers' settings made one. How each key merges is the table below: the strictest wins, wherever it stands. */
import { createHash } from "node:crypto"
import type { Capability, Tier } from "./Capability.ts"
import { layerNames } from "./layerInRuleId.ts"
import type { LayerSettings, Settings } from "./Settings.ts"

type Merge<Value> = (one: Value, other: Value) => Value

/** From the mildest to the strictest. */
const tiers: readonly Tier[] = ["allow", "confirm", "deny"]

const strictestTier: Merge<Tier> = (one, other) => (tiers.indexOf(other) > tiers.indexOf(one) ? other : one)
const both: Merge<boolean> = (one, other) => one && other
const either: Merge<boolean> = (one, other) => one || other
/** Layers come strongest first, so that no project changes what user or policy say. */
const strongestLayer = <Value>(one: Value, _other: Value): Value => one

/** How what two layers say of the same tool becomes one; a key that only one layer sets is as that layer says. */
const table: { readonly [Key in keyof Capability]-?: Merge<NonNullable<Capability[Key]>> } = {
  tier: strictestTier,
  readOnly: both,
  alwaysAsk: either,
  requiresUserInteraction: either,
  family: strongestLayer,
  subjects: strongestLayer,
  aliases: strongestLayer,
  parameters: strongestLayer
}

/** Merges layers, given in any order. */
export function mergeSettings(given: readonly LayerSettings[]): Settings {
  const layers = layerNames.flatMap((name) => given.filter(({ layer }) => layer === name))
  const all = <Value>(pick: (layer: LayerSettings) => readonly Value[]) => [...new Set(layers.flatMap(pick))]
  const modes = layers.flatMap(({ defaultMode: mode, layer, trusted }) =>
    mode === undefined ? [] : [{ layer, mode, trusted }]
  )
  const disabled = all(({ disable, layer }) => (layer === "policy" ? disable : []))
  return {
    rules: layers.flatMap(({ rules }) => rules),
    tools: mergeTools(layers),
    allowedTools: all(({ allowedTools }) => allowedTools),
    disallowedTools: all(({ disallowedTools }) => disallowedTools),
    additionalDirectories: all(({ additionalDirectories }) => additionalDirectories),
    defaultModes: modes.map(({ layer, mode }) => ({ layer, mode })),
    ancestorModes: modes.filter(({ trusted }) => !trusted).map(({ layer, mode }) => ({ layer, mode })),
    disabled: {
      yolo: disabled.includes("yolo"),
      auto: disabled.includes("auto"),
      lastingGrants: disabled.includes("lastingGrants")
    },
    blind: all(({ blind, layer }) => (blind ? [layer] : [])),
    policyBroken: layers.some(({ broken, layer }) => broken && layer === "policy"),
    dialects: Object.fromEntries(layers.map(({ dialect, layer }) => [layer, dialect])),
    digest: createHash("sha256").update(JSON.stringify(layers)).digest("hex")
  }
}

/** What is said of one tool in two places, the stronger layer first: strictest wins, key by key. */
export function mergeCapability(stronger: Capability, weaker: Capability): Capability {
  const merged: Record<string, unknown> = { ...weaker, ...stronger }
  for (const [key, merge] of Object.entries(table) as [keyof Capability, Merge<unknown>][]) {
    const one = stronger[key]
    const other = weaker[key]
    if (one !== undefined && other !== undefined) merged[key] = merge(one, other)
  }
  return merged
}

function mergeTools(layers: readonly LayerSettings[]): Readonly<Record<string, Capability>> {
  const merged = new Map<string, Capability>()
  for (const { tools } of layers) {
    for (const [name, capability] of Object.entries(tools)) {
      const stronger = merged.get(name)
      merged.set(name, stronger === undefined ? capability : mergeCapability(stronger, capability))
    }
  }
  return Object.fromEntries(merged)
}
