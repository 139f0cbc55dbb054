/** A gate on a store in memory, with whatever a test puts in the place of single ports. */
import {
  Agents,
  Asking,
  Classifier,
  CurrentSettings,
  DenyTexts,
  defaultOptions,
  defaultTexts,
  Gate,
  type GateEvent,
  GateOptions,
  Grants,
  Hooks,
  Judge,
  Observer,
  Outbox,
  PolicySources,
  Sessions,
  staticSettings,
  StoreMemory,
  Tiers,
  type TierOptions,
  Tools
} from "@countersign/gate"
import type { Mode, SettingsFile, ToolCall } from "@countersign/kernel"
import { Effect, Layer } from "effect"

export interface Setting {
  readonly user?: unknown
  readonly policy?: unknown
  readonly mode?: Mode
  readonly hooks?: Parameters<typeof Hooks.layer>[0]
  readonly sources?: Parameters<typeof PolicySources.layer>[0]
  readonly classifier?: Parameters<typeof Classifier.layer>[0]
  readonly asking?: Layer.Layer<Asking>
  readonly tiers?: TierOptions
  readonly options?: Partial<GateOptions>
  readonly observe?: (event: GateEvent) => void
}

/** All layers of a gate without an adjudicator. */
export const gateWith = (setting: Setting = {}) => {
  const files = (["policy", "user"] as const).flatMap((layer): readonly SettingsFile[] =>
    setting[layer] === undefined ? [] : [{ layer, text: JSON.stringify(setting[layer]) }]
  )
  const place = {
    home: "/home/u",
    ownPaths: ["/home/u/.config/countersign"],
    files: { readLink: () => undefined },
    caseInsensitive: false
  }
  const config = Layer.mergeAll(
    Layer.succeed(GateOptions, { ...defaultOptions, ...setting.options }),
    Layer.succeed(DenyTexts, defaultTexts)
  )
  const ports = Layer.mergeAll(
    StoreMemory.layer,
    Sessions.layerMemory,
    Agents.layerMain({ agentId: "root", mode: setting.mode ?? "default" }),
    Tools.layer([], { others: "known" }),
    Tiers.layer(setting.tiers ?? {}),
    Hooks.layer(setting.hooks ?? []),
    PolicySources.layer(setting.sources ?? []),
    setting.classifier === undefined ? Classifier.layerNone : Classifier.layer(setting.classifier),
    CurrentSettings.layer(staticSettings(files), place),
    setting.asking ?? Asking.layerNobody,
    Layer.succeed(Observer, Observer.of({ observe: (event) => Effect.sync(() => setting.observe?.(event)) }))
  )
  return Gate.layer.pipe(
    Layer.provideMerge(Judge.layer),
    Layer.provideMerge(Layer.mergeAll(Outbox.layer, Grants.layerStore)),
    Layer.provideMerge(ports),
    Layer.provideMerge(config)
  )
}

let calls = 0
/** A call of the main agent, with an id of its own. */
export const call = (toolName: string, args: unknown, more: Partial<ToolCall> = {}): ToolCall => ({
  sessionId: "s1",
  agentId: "root",
  toolCallId: `c${++calls}`,
  toolName,
  arguments: args,
  folder: "/srv/proj",
  ...more
})
