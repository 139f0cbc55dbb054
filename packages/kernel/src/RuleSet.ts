/**
 * Layers of rules, compiled: what all of them together say of one subject. Indexed by tool and leading words,
 * path segments and hosts, so that the cost of a question does not grow with the number of rules.
 */
import type { Bounds } from "./Bounds.ts"
import type { Grant } from "./Grant.ts"
import type { Mode } from "./Mode.ts"
import type { Rule } from "./Rule.ts"
import type { RuleLayerName } from "./RuleLayer.ts"
import type { Subject } from "./subject/Subject.ts"

/** For whom and when a rule is looked up: rules may count for some agents, modes and times only. */
export interface Who {
  readonly agentId: string
  readonly mode: Mode
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** What allows a call as a whole. */
export type Allowance =
  /** Every part is covered, and at least one of them by this rule. */
  | { readonly by: "rule"; readonly rule: Rule }
  /** Every part is covered, none of them by a rule, at least one by `acceptEdits`. */
  | { readonly by: "acceptEdits" }

/** Why a call may be banned. Without a rule the layer is blind: its file can't be read, or a ban in it names not even a tool. */
export interface PossibleBan {
  readonly layer: RuleLayerName
  readonly rule: Rule | undefined
}

export interface RuleSet {
  /** Any deny rule that matches, the strongest in attribution (policy, user, projectLocal, projectShared, then longer content). */
  readonly deny: (subject: Subject, who: Who) => Rule | undefined
  /** A deny rule that may match (S5b). */
  readonly possibleDeny: (subject: Subject, who: Who) => PossibleBan | undefined
  /** Any ask rule that matches or may match. */
  readonly ask: (subject: Subject, who: Who) => Rule | undefined
  /** What allows the call as a whole; with `acceptEdits` its edits and file commands count as allowed. */
  readonly allow: (subject: Subject, who: Who, acceptEdits: boolean) => Allowance | undefined
  /** Whether an allow rule names this protected path: the literal text of its content holds the name. */
  readonly namesProtected: (subject: Subject, path: string, who: Who) => boolean
  readonly disallowed: (subject: Subject) => boolean
  readonly whiteListed: (subject: Subject) => boolean
}

/** Bounds, compiled. */
export interface CompiledBounds {
  readonly inside: (subject: Subject) => boolean
}

export interface CompileBounds {
  (bounds: Bounds): CompiledBounds
}

/** Whether a grant's tool, content and folder cover the call; session, agent, use and time are the caller's to look at. */
export interface GrantCovers {
  (grant: Grant, subject: Subject, folder: string): boolean
}
