/**
 * Which parts of the union take part. The shipped defaults hold everything; the presets `ack` and `permgate`
 * give the two reference systems by switching parts off (`pipeline.md`, C2).
 */
import type { Tier } from "./Capability.ts"

export interface Preset {
  /** Tools have content families (command, path, URL language); without them permgate's content matching holds for all. */
  readonly families: boolean
  /** Known read-only commands and tools count as read-only. */
  readonly readOnlyTable: boolean
  readonly floor: boolean
  readonly protectedPaths: boolean
  /** A person's refusal is kept for the session. */
  readonly stickyRefusals: boolean
  /** The tier of a tool that none is set for; undefined = unset, the fallback of S20. */
  readonly defaultTier: Tier | undefined
  /** Most pending asks of one agent, and of one session. */
  readonly maxPending: { readonly agent: number; readonly session: number } | undefined
  /** "Always" grants the whole tool for the session or the user, as ack does, instead of the narrowest content. */
  readonly toolWideGrants: boolean
}

const shipped: Preset = {
  families: true,
  readOnlyTable: true,
  floor: true,
  protectedPaths: true,
  stickyRefusals: true,
  defaultTier: undefined,
  maxPending: { agent: 32, session: 256 },
  toolWideGrants: false
}

export const presets = {
  default: shipped,
  ack: {
    ...shipped,
    families: false,
    stickyRefusals: false,
    defaultTier: "allow",
    maxPending: undefined,
    toolWideGrants: true
  },
  permgate: {
    ...shipped,
    families: false,
    readOnlyTable: false,
    floor: false,
    protectedPaths: false,
    stickyRefusals: false
  }
} as const satisfies Record<string, Preset>
export type PresetName = keyof typeof presets
