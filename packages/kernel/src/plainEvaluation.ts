/** What is judged when nobody but the rules speaks: no hook, source, grant or refusal, and one agent. */
import type { Evaluation } from "./evaluate.ts"
import type { Mode } from "./Mode.ts"
import { presets } from "./Preset.ts"
import type { RuleSet } from "./RuleSet.ts"
import type { Subject } from "./subject/Subject.ts"

/** The evaluation of a main agent's call with the shipped defaults; `more` says what speaks besides. */
export const plainEvaluation = (
  subject: Subject,
  rules: RuleSet,
  { mode = "default", ...more }: Partial<Evaluation> & { readonly mode?: Mode } = {}
): Evaluation => ({
  subject,
  lineage: [{ agentId: "main", mode, bounds: undefined, rules: undefined }],
  rules,
  preset: presets.default,
  tier: undefined,
  alwaysAsk: false,
  requiresUserInteraction: false,
  hookForced: undefined,
  policy: undefined,
  preapproved: undefined,
  grants: [],
  refusedAt: undefined,
  disabled: { yolo: false, auto: false },
  now: 0,
  ...more
})
