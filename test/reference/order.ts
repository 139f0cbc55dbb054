/**
 * One small example for each pair of neighbours in the kernel's list of steps, which tells them apart: by the outcome
 * wherever it can differ, by the trace only where it can't. The tests and `scripts/swap-steps.ts` both run them.
 */
import { type Evaluation, type Step, walk } from "@countersign/kernel"
import { handMade } from "./handMade.ts"
import { quietWorld } from "./smallWorld.ts"
import type { RuleRow, World, WorldAgent, WorldCall } from "./World.ts"

export interface OrderExample {
  readonly first: string
  readonly second: string
  /** What the order means, as the end of a test's name. */
  readonly means: string
  readonly world: World
  readonly expected: { readonly outcome: string } | { readonly trace: readonly string[] }
}

/** What the example's world comes to when these steps are walked in this order, in the example's own terms. */
export function observed(example: OrderExample, list: readonly Step[]): OrderExample["expected"] {
  const input: Evaluation = handMade(example.world)
  const { ruling } = walk(list, input, true)
  if ("outcome" in example.expected) return { outcome: `${ruling.decision} ${ruling.ruleId}` }
  const said = (ruling.trace ?? []).filter(({ effect }) => effect !== "pass")
  return { trace: said.map(({ effect, ruleId, step }) => `${step} ${effect} ${ruleId ?? ""}`) }
}

/** Whether the example holds when these steps are walked in this order. */
export const holds = (example: OrderExample, list: readonly Step[]): boolean =>
  JSON.stringify(observed(example, list)) === JSON.stringify(example.expected)

const deny: RuleRow = ["deny", "user", "alpha"]
const mayDeny: RuleRow = ["deny", "user", "alpha", "src/a"]
const ask: RuleRow = ["ask", "user", "alpha"]
const allow: RuleRow = ["allow", "user", "alpha"]

const call = (flags: Partial<WorldCall>): Partial<World> => ({ call: { ...quietWorld.call, ...flags } })
const main = (agent: Partial<WorldAgent>): Partial<World> => ({ lineage: [{ ...quietWorld.lineage[0]!, ...agent }] })
const readOnlyMode = main({ mode: "readOnly" })
const protectedWrite = call({ content: ".git/x", protects: ".git" })
const sessionGrant: Partial<World> = { grants: [{ reach: "session", at: 10 }] }

const example = (
  first: string,
  second: string,
  means: string,
  parts: readonly Partial<World>[],
  expected: string | readonly string[]
): OrderExample => ({
  first,
  second,
  means,
  world: Object.assign({}, quietWorld, ...parts) as World,
  expected: typeof expected === "string" ? { outcome: expected } : { trace: expected }
})

export const orderExamples: readonly OrderExample[] = [
  example(
    "S1.hookForced",
    "S2.floor",
    "the hook has spoken before the floor denies",
    [{ hookForced: true }, call({ floor: "forbids" })],
    ["S1.hookForced forced hook.forced", "S2.floor deny floor.remove"]
  ),
  example(
    "S2.floor",
    "S3.tierDeny",
    "the floor gives the reason where the tool is disabled too",
    [call({ floor: "forbids" }), { tier: "deny" }],
    "deny floor.remove"
  ),
  example(
    "S3.tierDeny",
    "S4.disallowedTools",
    "the tier gives the reason where the tool is disallowed too",
    [{ tier: "deny", disallowed: ["alpha"] }],
    "deny tier.deny"
  ),
  example(
    "S4.disallowedTools",
    "S4.bounds",
    "a disallowed tool is told before the agent's bounds",
    [{ disallowed: ["alpha"] }, main({ tools: [] })],
    "deny rule.disallowedTools"
  ),
  example(
    "S4.bounds",
    "S5.denyRule",
    "bounds are told before a deny rule",
    [{ rules: [deny] }, main({ tools: [] })],
    "deny agent.bounds"
  ),
  example(
    "S5.denyRule",
    "S5b.possibleBan",
    "a certain ban ends the walk before a possible one is looked for",
    [{ rules: [deny], blind: ["policy"] }],
    ["S5.denyRule deny rule.user.deny"]
  ),
  example(
    "S5b.possibleBan",
    "S5c.protectedPath",
    "a possible ban forces first where a protected path is written too",
    [protectedWrite, { blind: ["user"] }],
    "ask rule.user.deny.possible"
  ),
  example(
    "S5c.protectedPath",
    "S6.policySources",
    "a protected path forces first where a policy source demands a person too",
    [protectedWrite, { policy: "confirm" }],
    "ask protected.path"
  ),
  example(
    "S6.policySources",
    "S7.userInteraction",
    "no dialog is shown for what a policy source refuses",
    [{ policy: "deny", interaction: true }],
    "deny policy.deny"
  ),
  example(
    "S7.userInteraction",
    "S8.alwaysAsk",
    "a session grant does not talk with the person in their place",
    [{ interaction: true, alwaysAsk: true }, sessionGrant],
    "ask tool.userInteraction"
  ),
  example(
    "S8.alwaysAsk",
    "S9.readOnlyForbids",
    "a session grant lets a tool that always asks run in read-only mode",
    [{ alwaysAsk: true }, sessionGrant, readOnlyMode],
    "allow rule.session.allow"
  ),
  example(
    "S9.readOnlyForbids",
    "S10.forced",
    "read-only mode forbids what would be asked by force",
    [{ hookForced: true }, readOnlyMode],
    "deny mode.readOnly"
  ),
  example(
    "S10.forced",
    "S11.yolo",
    "yolo does not skip a forced ask",
    [call({ unknown: true }), { rules: [mayDeny] }, main({ mode: "yolo" })],
    "ask rule.user.deny.possible"
  ),
  example(
    "S11.yolo",
    "S12.askRule",
    "yolo skips a rule's ask",
    [{ rules: [ask] }, main({ mode: "yolo" })],
    "allow mode.yolo"
  ),
  example(
    "S12.askRule",
    "S13.tierConfirm",
    "a grant that satisfies the tier does not satisfy a rule's ask",
    [{ rules: [ask], tier: "confirm" }, sessionGrant],
    "ask rule.user.ask"
  ),
  example(
    "S13.tierConfirm",
    "S14.readOnlyAllows",
    "read-only mode does not consent to a tool that a person has to",
    [{ tier: "confirm" }, call({ readOnly: true }), readOnlyMode],
    "ask tier.confirm"
  ),
  example(
    "S14.readOnlyAllows",
    "S15.allowRule",
    "read-only mode is the ground where a rule allows too",
    [{ rules: [allow] }, call({ readOnly: true }), readOnlyMode],
    "allow mode.readOnly"
  ),
  example(
    "S15.allowRule",
    "S16.preapproved",
    "an allow rule is the ground where a hook pre-approves too",
    [{ rules: [allow], preapproved: "tool.webfetch.preapproved" }],
    "allow rule.user.allow"
  ),
  example(
    "S16.preapproved",
    "S17.whiteList",
    "a pre-approval is the ground where the white list allows too",
    [{ preapproved: "tool.webfetch.preapproved", whiteList: ["alpha"] }],
    "allow tool.webfetch.preapproved"
  ),
  example(
    "S17.whiteList",
    "S18.grant",
    "the white list is the ground where a grant allows too, which stays unused",
    [{ whiteList: ["alpha"] }, sessionGrant],
    "allow rule.allowedTools"
  ),
  example(
    "S18.grant",
    "S19.readOnlyTool",
    "a grant is the ground where the tool only reads",
    [call({ readOnly: true }), sessionGrant],
    "allow rule.session.allow"
  ),
  example(
    "S19.readOnlyTool",
    "S20.fallback",
    "what only reads is not asked for",
    [call({ readOnly: true })],
    "allow cap.readOnly"
  )
]
