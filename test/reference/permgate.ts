/**
 * permgate's decision chain, segments 1 to 14 in the order of its own document (`systems.md` 1.2.1): a table of
 * rows that are tried one after the other, written without a look at the kernel.
 */

/** Everything that permgate knows of a call, flag by flag. */
export interface PermgateCall {
  readonly mode: "default" | "yolo" | "readOnly"
  readonly readOnly: boolean
  readonly alwaysAsk: boolean
  readonly interaction: boolean
  readonly disallowed: boolean
  /** A project rule of that behaviour hits. */
  readonly deny: boolean
  readonly ask: boolean
  readonly allow: boolean
  /** The pre-approve hook's id; an empty one is no approval. */
  readonly preapproved: string | undefined
  readonly whiteListed: boolean
  readonly granted: boolean
}

export interface PermgateAnswer {
  readonly behavior: "allow" | "ask" | "deny"
  readonly ruleId: string
}

/** What permgate says of the call. */
export function permgate(call: PermgateCall): PermgateAnswer {
  const [, , behavior, ruleId] = segments(call).find(([, applies]) => applies)!
  return { behavior, ruleId }
}

type Segment = readonly [segment: string, applies: boolean, behavior: PermgateAnswer["behavior"], ruleId: string]

function segments(call: PermgateCall): readonly Segment[] {
  const { alwaysAsk, deny, disallowed, granted, interaction, mode, preapproved, readOnly } = call
  const readOnlyMode = mode === "readOnly"
  return [
    ["1a", interaction && disallowed, "deny", "rule.disallowedTools"],
    ["1a", interaction && deny, "deny", "rule.project.deny"],
    ["1", interaction, "ask", "tool.userInteraction"],
    ["2", alwaysAsk && disallowed, "deny", "rule.disallowedTools"],
    ["2", alwaysAsk && deny, "deny", "rule.project.deny"],
    ["3", alwaysAsk && granted, "allow", "rule.session.allow"],
    ["4", alwaysAsk && readOnlyMode && !readOnly, "deny", "mode.readOnly"],
    ["4b", alwaysAsk, "ask", "tool.alwaysAsk"],
    ["5", disallowed, "deny", "rule.disallowedTools"],
    ["6", deny, "deny", "rule.project.deny"],
    ["7", readOnlyMode && !readOnly, "deny", "mode.readOnly"],
    ["8", mode === "yolo", "allow", "mode.yolo"],
    ["9", call.ask, "ask", "rule.project.ask"],
    ["10", readOnlyMode && readOnly, "allow", "mode.readOnly"],
    ["10", readOnlyMode, "deny", "mode.readOnly"],
    ["11", call.allow, "allow", "rule.project.allow"],
    ["12", preapproved !== undefined && preapproved !== "", "allow", preapproved ?? ""],
    ["13", call.whiteListed, "allow", "rule.allowedTools"],
    ["13b", granted, "allow", "rule.session.allow"],
    ["14", readOnly, "allow", "cap.readOnly"],
    ["14", true, "ask", "mode.default"]
  ]
}
