/**
 * The one table of grounds: from a rule id follow the source and the basis of a decision, and the plain words
 * for it. They are set nowhere else.
 */
import type { Basis, DecisionSource, PermissionDecision } from "./GateDecision.ts"

export interface Ground {
  readonly source: DecisionSource
  readonly basis: Basis | undefined
}

const builtin: Ground = { source: "builtin", basis: "builtin" }
const rule: Ground = { source: "rule", basis: "rule" }
const grant: Ground = { source: "user", basis: "grant" }
const tier: Ground = { source: "policy", basis: "tier" }
const verdict: Ground = { source: "policy", basis: "verdict" }
const adjudicated: Ground = { source: "adjudicator", basis: "adjudication" }
const canceled: Ground = { source: "builtin", basis: "canceled" }
const person: Ground = { source: "user", basis: undefined }

const exact: Readonly<Record<string, Ground>> = {
  "call.invalid": builtin,
  "tool.unknown": builtin,
  // each by its full id: hooks give ids such as `tool.webfetch.preapproved`, and those are rules
  "tool.userInteraction": builtin,
  "tool.alwaysAsk": builtin,
  "agent.unknown": builtin,
  "agent.revoked": builtin,
  "session.canceled": builtin,
  "session.frozen": builtin,
  "settings.broken": builtin,
  "ask.nobody": builtin,
  "ask.tooMany": builtin,
  "ask.refused": builtin,
  "ask.duplicate": builtin,
  "hook.deny": { source: "hook", basis: "hook" },
  "hook.forced": { source: "hook", basis: "hook" },
  "policy.deny": verdict,
  "policy.forced": verdict,
  "policy.endorsed": { source: "policy", basis: "endorsement" },
  "agent.bounds": adjudicated,
  "adjudication.reject": adjudicated,
  "rule.session.allow": grant,
  "rule.global.allow": grant,
  "cap.readOnly": builtin,
  "protected.path": builtin,
  "classifier.deny": { source: "classifier", basis: "classifier" },
  "classifier.ask": { source: "classifier", basis: "classifier" },
  "classifier.allow": { source: "classifier", basis: "classifier" },
  "store.failed": { source: "builtin", basis: "persist-failed" },
  "ask.canceled": canceled,
  "ask.expired": canceled,
  "user.approved": person,
  "user.denied": person,
  "user.duplicate": { source: "user", basis: "duplicate" }
}

const families: readonly (readonly [prefix: string, ground: Ground])[] = [
  ["floor.", builtin],
  ["tier.", tier],
  ["mode.", { source: "mode", basis: "mode" }],
  ["rule.", rule]
]

/** The ground that a rule id stands for. Any other id is one that a pre-approve hook gave: a rule. */
export function ground(ruleId: string): Ground {
  if (Object.hasOwn(exact, ruleId)) return exact[ruleId]!
  return families.find(([prefix]) => ruleId.startsWith(prefix))?.[1] ?? rule
}

/** Whether the id is one of this table's own words: no hook may give it, or the record would say that somebody else decided. */
export const isReserved = (ruleId: string): boolean =>
  Object.hasOwn(exact, ruleId) || families.some(([prefix]) => ruleId.startsWith(prefix))

/** Plain words for a rule id; `tool` is the call's tool. Only `mode.readOnly` both allows and denies. */
export function reasonFor(ruleId: string, tool: string, decision: PermissionDecision = "deny"): string {
  const words =
    ruleId === "mode.readOnly" ? readOnlyMode[decision === "allow" ? "allows" : "forbids"] : wordsFor(ruleId)
  return (words ?? "a hook approved `{tool}` beforehand").replace("{tool}", () => tool)
}

const wordsFor = (ruleId: string): string | undefined =>
  Object.hasOwn(reasons, ruleId) ? reasons[ruleId] : reasonsByShape.find(([shape]) => shape.test(ruleId))?.[1]

const readOnlyMode = {
  allows: "the mode `readOnly` allows `{tool}`, which only reads",
  forbids: "the mode `readOnly` forbids `{tool}`, which may change something"
}

const reasons: Readonly<Record<string, string>> = {
  "call.invalid": "the arguments of `{tool}` are not I-JSON",
  "tool.unknown": "no tool `{tool}` is registered",
  "agent.unknown": "the agent that calls is not registered",
  "agent.revoked": "the agent that calls, or an ancestor of it, was stopped",
  "session.canceled": "the session was cancelled",
  "session.frozen": "everything is frozen until a person lifts it",
  "settings.broken": "the policy settings can't be read",
  "ask.nobody": "`{tool}` needs a person's consent, and nobody can be asked",
  "ask.tooMany": "too many calls wait for a person already",
  "ask.refused": "a person refused this before",
  "ask.duplicate": "this call was decided or has run already",
  "floor.possible":
    "what `{tool}` would remove is known only when it runs, and may be something that must never be removed",
  "tier.deny": "the tool `{tool}` is disabled",
  "tier.allow": "the tool `{tool}` runs by default",
  "tier.confirm": "the tool `{tool}` needs a person's consent",
  "policy.deny": "a policy source refuses `{tool}`",
  "policy.forced": "a policy source demands that a person decides",
  "policy.endorsed": "a policy source endorses `{tool}`",
  "hook.deny": "a hook refuses `{tool}`",
  "hook.forced": "a hook demands that a person decides",
  "agent.bounds": "`{tool}` lies outside the bounds given to the agent",
  "adjudication.reject": "a parent agent refuses `{tool}`",
  "rule.disallowedTools": "the tool `{tool}` is explicitly disabled",
  "rule.allowedTools": "the tool `{tool}` is on the white list",
  "rule.session.allow": "authorised by a person in this session",
  "rule.global.allow": "authorised by a person in all sessions",
  "tool.userInteraction": "`{tool}` talks with the person and needs them",
  "tool.alwaysAsk": "the tool `{tool}` demands confirmation each time",
  "mode.yolo": "the mode `yolo` passes what nothing forbids",
  "mode.acceptEdits": "the mode `acceptEdits` allows edits inside the workspace",
  "mode.default": "nothing allows `{tool}`, so it is confirmed by default",
  "mode.dontAsk": "`{tool}` needs a person's consent, and the mode `dontAsk` asks nobody",
  "cap.readOnly": "`{tool}` only reads",
  "protected.path": "it writes a path that decides what runs later",
  "classifier.deny": "the classifier judges it dangerous",
  "classifier.ask": "the classifier judges it dangerous",
  "classifier.allow": "the classifier judges it safe",
  "store.failed": "the decision could not be stored",
  "ask.canceled": "the call was cancelled while it waited for a person",
  "ask.expired": "the time to answer ran out; nobody refused it",
  "user.approved": "approved by a person",
  "user.denied": "refused by a person",
  "user.duplicate": "approved by a person already"
}

const reasonsByShape: readonly (readonly [RegExp, string])[] = [
  [/^floor\./, "`{tool}` would touch what must never be touched"],
  [
    /^rule\.\w+\.deny\.possible$/,
    "a rule that refuses may match `{tool}`; what it would run or touch is known only when it runs"
  ],
  [/^rule\.\w+\.deny$/, "refused by a rule"],
  [/^rule\.\w+\.ask$/, "a rule demands confirmation"],
  [/^rule\.\w+\.allow$/, "allowed by a rule"]
]
