/**
 * Settings text → layers, with line and column of every mistake. A file that is broken never loosens: a malformed
 * allow rule is void, a malformed deny or ask rule acts on what can be read of it (`rules.md`, Layers).
 */
import type { Capability } from "./Capability.ts"
import type { Mode } from "./Mode.ts"
import type { Rule } from "./Rule.ts"
import type { RuleLayerName } from "./RuleLayer.ts"

/** Which grammar a file is written in: ours, or Claude Code's (`//x` absolute, `/x` from the project). */
export type Dialect = "native" | "claude"

/** One layer's file, as it was read. */
export interface SettingsFile {
  readonly layer: RuleLayerName
  /** Undefined: the file exists and can't be read. */
  readonly text: string | undefined
  /** Why it can't be read, or is not used; lower case, no final period. */
  readonly unreadable?: string
  /** What else there is to say of the file, told as warnings. */
  readonly notes?: readonly string[]
  /** For messages. */
  readonly file?: string
  readonly dialect?: Dialect
  /** Project layers only: the person trusted exactly this text. Default false. */
  readonly trusted?: boolean
}

/** A mistake in a settings file, or a rule without effect. Never thrown: what is wrong is said, what is sound acts. */
export interface SettingsProblem {
  readonly severity: "error" | "warning"
  readonly layer: RuleLayerName
  readonly file?: string
  /** From 1. */
  readonly line: number
  /** From 1. */
  readonly column: number
  /** Lower case, no final period, input in backticks; names the nearest known word where one is near. */
  readonly message: string
}

/** What one layer says, after reading and after the limits of an untrusted project. */
export interface LayerSettings {
  readonly layer: RuleLayerName
  readonly dialect: Dialect
  /** Only project layers can be untrusted; what they may not say without trust has been left out already. */
  readonly trusted: boolean
  readonly rules: readonly Rule[]
  readonly defaultMode?: Mode
  readonly additionalDirectories: readonly string[]
  readonly tools: Readonly<Record<string, Capability>>
  readonly allowedTools: readonly string[]
  readonly disallowedTools: readonly string[]
  readonly disable: readonly ("lastingGrants" | "yolo" | "auto")[]
  /** The file can't be read or parsed at all, or a ban in it names not even a tool: each would-be allow asks. */
  readonly blind: boolean
  /** The file as a whole can't be read or parsed (for the policy layer: `settings.broken`). */
  readonly broken: boolean
}

/** A layer's default mode. */
export interface DefaultMode {
  readonly layer: RuleLayerName
  readonly mode: Mode
}

/** All layers together. */
export interface Settings {
  readonly rules: readonly Rule[]
  /** What is said of each tool, the strictest of all layers. */
  readonly tools: Readonly<Record<string, Capability>>
  readonly allowedTools: readonly string[]
  readonly disallowedTools: readonly string[]
  /** As written. */
  readonly additionalDirectories: readonly string[]
  /** Of all layers, the strongest layer first. */
  readonly defaultModes: readonly DefaultMode[]
  /** Those of them that an untrusted project sets: each counts as one more ancestor's mode, never as a default. */
  readonly ancestorModes: readonly DefaultMode[]
  /** What the policy layer switched off. */
  readonly disabled: { readonly yolo: boolean; readonly auto: boolean; readonly lastingGrants: boolean }
  /** Layers that can't be read, or where a ban names not even a tool: each would-be allow asks. */
  readonly blind: readonly RuleLayerName[]
  /** The policy file can't be read: everything is denied (`settings.broken`). */
  readonly policyBroken: boolean
  readonly dialects: Readonly<Partial<Record<RuleLayerName, Dialect>>>
  /** SHA-256, in hex: equal settings, equal digest. */
  readonly digest: string
}
