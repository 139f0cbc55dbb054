/**
 * What a layer forbids outlives mistakes: while its file is broken, gone or holds an error, the bans of the version
 * before stay beside what can be read of the new one.
 */
import type { Capability } from "../Capability.ts"
import { mergeCapability } from "../mergeSettings.ts"
import type { LayerSettings } from "../Settings.ts"
import { tighteningPart } from "./readCapability.ts"

/** The new version, with every ban of the one before that it does not hold itself: never milder than either. */
export function keepBans(now: LayerSettings, before: LayerSettings): LayerSettings {
  const held = new Set(now.rules.map((rule) => JSON.stringify(rule)))
  const bans = before.rules.filter((rule) => rule.behavior !== "allow" && !held.has(JSON.stringify(rule)))
  const tools = new Map(Object.entries(now.tools))
  for (const [name, entry] of Object.entries(before.tools)) {
    const kept = now.trusted ? stern(entry) : tighteningPart(entry).kept
    const own = tools.get(name)
    if (Object.keys(kept).length > 0) tools.set(name, own === undefined ? kept : mergeCapability(own, kept))
  }
  const defaultMode = now.defaultMode ?? before.defaultMode
  return {
    ...now,
    rules: [...now.rules, ...bans],
    ...(defaultMode === undefined ? {} : { defaultMode }),
    tools: Object.fromEntries(tools),
    disallowedTools: [...new Set([...now.disallowedTools, ...before.disallowedTools])],
    disable: [...new Set([...now.disable, ...before.disable])],
    blind: now.blind || before.blind,
    broken: now.broken || before.broken
  }
}

/** What an entry says of the tool, without what only loosens. */
function stern({ readOnly, tier, ...rest }: Capability): Capability {
  return {
    ...rest,
    ...(tier === undefined || tier === "allow" ? {} : { tier }),
    ...(readOnly === false ? { readOnly } : {})
  }
}
