/**
 * The reference's own description of a call and everything around it: plain data, so that a world that fails can be
 * printed and read. `evaluate.ts` says what the pipeline says of it, `smallWorld.ts` makes random ones.
 */

export type Behavior = "allow" | "ask" | "deny"
export type Layer = "policy" | "user" | "projectLocal" | "projectShared"
export type ModeWord = "default" | "acceptEdits" | "readOnly" | "auto" | "dontAsk" | "yolo"

/** Under which conditions a rule counts; everything absent: always. */
export interface Only {
  readonly agents?: readonly string[]
  readonly modes?: readonly ModeWord[]
  readonly expiresAt?: number
}

/** One rule. No content: every call of the tool. */
export type RuleRow = readonly [
  behavior: Behavior,
  layer: Layer,
  tool: string,
  content?: string | undefined,
  only?: Only
]

/** What is called, and what is known of it. */
export interface WorldCall {
  readonly tool: string
  /** What rule contents are compared with. */
  readonly content: string
  /** Only bash can know what runs: rules with a content may match. */
  readonly unknown: boolean
  readonly readOnly: boolean
  readonly insideWorkspace: boolean
  /** It is what `acceptEdits` lets pass. */
  readonly edit: boolean
  /** What the floor says of it. */
  readonly floor: "nothing" | "forbids" | "may forbid"
  /** Name of a protected path that it writes. */
  readonly protects: string | undefined
}

/** An agent of the lineage. */
export interface WorldAgent {
  readonly id: string
  readonly mode: ModeWord
  /** The only tools within its bounds; undefined: no bounds. */
  readonly tools: readonly string[] | undefined
  /** Deny and ask rules given at its spawn. */
  readonly rules: readonly RuleRow[]
}

/** A person's earlier consent that covers this call. */
export interface WorldGrant {
  readonly reach: "session" | "agent" | "global"
  readonly at: number
}

export interface World {
  readonly preset: "default" | "ack" | "permgate"
  readonly call: WorldCall
  /** The caller first, the main agent last. */
  readonly lineage: readonly WorldAgent[]
  readonly rules: readonly RuleRow[]
  /** Layers whose file can't be read. */
  readonly blind: readonly Layer[]
  readonly disallowed: readonly string[]
  readonly whiteList: readonly string[]
  readonly tier: "allow" | "confirm" | "deny" | undefined
  readonly alwaysAsk: boolean
  readonly interaction: boolean
  readonly hookForced: boolean
  /** The combined verdict of all policy sources; undefined: none was consulted. */
  readonly policy: "abstain" | "allow" | "confirm" | "deny" | undefined
  readonly preapproved: string | undefined
  readonly grants: readonly WorldGrant[]
  readonly refusedAt: number | undefined
  readonly yoloDisabled: boolean
  readonly now: number
}
