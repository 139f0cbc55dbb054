/** A finding about an item, in the one shape that all checks give. */
import type { Finding, FindingKind, LintExample, SettingsPlace } from "./Finding.ts"
import type { Item } from "./places.ts"

/** Makes a finding. */
export const findingOf = (
  item: Item,
  kind: FindingKind,
  message: string,
  examples: readonly LintExample[],
  other?: Item
): Finding => ({
  kind,
  ...placeOf(item),
  rule: item.rule.text,
  behavior: item.rule.behavior,
  message,
  examples,
  ...(other === undefined ? {} : { other: { ...placeOf(other), rule: other.rule.text, behavior: other.rule.behavior } })
})

const placeOf = ({ column, file, layer, line }: Item): SettingsPlace => ({
  layer,
  ...(file === undefined ? {} : { file }),
  line,
  column
})
