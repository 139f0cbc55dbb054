/** What a host sets once for a gate: which parts of the union take part, and how sessions and users are named. */
import { type Preset, presets } from "@countersign/kernel"
import { Context } from "effect"

export interface GateOptions {
  readonly preset: Preset
  /** ack's faces (no digest required, no `gate` key in payloads, tool-wide grants) are those of preset `ack`. */
  readonly ackPayload: boolean
  /** ack's app name: part of the session store's keys. */
  readonly app: string
  /** Whose session it is: grants are looked up for this user. */
  readonly userOf: (sessionId: string) => string
  /** False: decides and records what it would have done, blocks nothing but the floor. */
  readonly enforce: boolean
  /** Time limit of a confirmation; absent = it waits. */
  readonly askTimeoutMs?: number
  /** The host reports outcomes of calls it was allowed through `authorize` itself. */
  readonly hostReportsOutcomes: boolean
}

/** The shipped defaults. */
export const defaultOptions: GateOptions = {
  preset: presets.default,
  ackPayload: false,
  app: "ack",
  userOf: () => "user",
  enforce: true,
  hostReportsOutcomes: false
}

export const GateOptions = Context.Reference<GateOptions>("@countersign/gate/GateOptions", {
  defaultValue: () => defaultOptions
})
