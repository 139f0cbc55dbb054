/**
 * What a host without Effect gives `createGate`: plain data and functions. Whatever is wrong with it fails the start
 * and names the option; a misspelt word must never open a gate.
 */
import type { DenyTexts, GateEvent, HookAnswer, LayerFile, Opinion } from "@countersign/gate"
import {
  type Bounds,
  type Capability,
  type FrozenCall,
  type GateDecision,
  type Json,
  type PresetName,
  presets,
  readMode,
  type RuleLayerName,
  RuleLayerName as RuleLayerNames,
  Tier
} from "@countersign/kernel"
import type { Effect } from "effect"
import type { Card } from "../Card.ts"
import type { DialogAnswer } from "../HostDialog.ts"
import type { Parent, ParentAnswer, Question } from "../Parent.ts"

/** A value, a promise of one, or an effect. */
export type Answering<A> = A | Promise<A> | Effect.Effect<A, unknown>

/** What a tool declares of itself; `execute` lets recovery run it, too. */
export interface HostTool extends Capability {
  readonly validate?: (args: Json) => string | undefined
  readonly execute?: (args: Json, call: FrozenCall) => Answering<unknown>
}

export interface HostHook {
  readonly name: string
  readonly on?: "pre" | "post"
  readonly tools?: readonly string[]
  readonly timeoutMs?: number
  readonly failing?: "deny" | "noOpinion"
  readonly run: (call: FrozenCall, result?: unknown) => Answering<HookAnswer | null | undefined>
}

export interface HostSource {
  readonly name?: string
  readonly timeoutMs?: number
  readonly consult: (call: FrozenCall) => Answering<string | { readonly verdict: string; readonly because?: string }>
}

/** A parent: a function, a task profile, or one made by `Parent`. */
export type HostParent =
  | Parent
  | ((question: Question, options: { readonly signal: AbortSignal }) => Answering<ParentAnswer>)
  | { readonly reject?: readonly string[]; readonly endorse?: readonly string[] }

export interface HostOptions {
  readonly preset?: PresetName
  /** A file; absent = in memory, gone with the process. */
  readonly database?: string
  /** Settings by layer: an object, or the text of a file. */
  readonly settings?: { readonly [Layer in RuleLayerName]?: object | string }
  /** Settings from files that are looked at again; `default` = the usual places. */
  readonly files?: readonly LayerFile[] | "default"
  /** Project layers count as trusted, or not. Absent: files are trusted that `countersign trust` has recorded. */
  readonly trusted?: boolean
  /** The working folder of calls that name none, and the project's. */
  readonly folder?: string
  readonly home?: string
  /** Whose sessions these are. */
  readonly user?: string | ((sessionId: string) => string)
  /** ack's app name. */
  readonly app?: string
  /** The main agent's. */
  readonly mode?: string
  readonly mainAgent?: string
  /** Bounds of main agents that are not opened with their own. */
  readonly bounds?: Bounds
  /** Tools by name. Absent: any name is a tool that declares nothing. */
  readonly tools?: Readonly<Record<string, HostTool>>
  readonly tiers?: Readonly<Record<string, string>>
  readonly tierFunc?: (call: FrozenCall) => string | undefined
  readonly defaultTier?: string
  readonly hooks?: readonly HostHook[]
  readonly preapprove?: (call: FrozenCall) => Answering<string | undefined>
  readonly sources?: readonly HostSource[]
  /** False: nothing is remembered and nothing that was counts. */
  readonly grants?: boolean
  readonly classifier?: {
    readonly id: string
    readonly rejectEffect?: "ask" | "deny"
    readonly consult: (call: FrozenCall, decision: GateDecision) => Answering<Opinion>
    /** One that thinks longer than this has failed; absent = two minutes. */
    readonly timeoutMs?: number
  }
  readonly parents?: Readonly<Record<string, HostParent>>
  /** The host's own dialog. With it the desk is no channel of its own, unless `asking` is true. */
  readonly askUser?: (
    call: FrozenCall,
    card: Card,
    decision: GateDecision,
    options: { readonly signal: AbortSignal }
  ) => Answering<DialogAnswer | boolean>
  /** False: nobody can be asked. */
  readonly asking?: boolean
  readonly askTimeoutMs?: number
  /** Told of everything once it is committed. Its signal is never aborted, not even for what was cancelled. */
  readonly observer?: (event: GateEvent, options: { readonly signal: AbortSignal }) => Answering<unknown>
  /** Continues a session after its orphans were recovered. */
  readonly resume?: {
    readonly ready?: (sessionId: string) => Answering<unknown>
    readonly run: (input: { readonly sessionId: string; readonly userId: string }) => Answering<unknown>
  }
  /** The tools of the moment an orphan is answered; absent = those of `tools` that have `execute`. */
  readonly resolver?: () => Answering<Readonly<Record<string, (args: Json, call: FrozenCall) => Answering<unknown>>>>
  readonly texts?: Partial<DenyTexts>
  /** The host tells with `report` how calls ended that `authorize`, `submit` or `resume` allowed. */
  readonly reportsOutcomes?: boolean
  /** False: decides and records, blocks nothing but the floor. */
  readonly enforce?: boolean
}

/** An option that is wrong. */
export class OptionError extends Error {
  readonly option: string
  constructor(option: string, problem: string) {
    super(`createGate: the option \`${option}\` ${problem}`)
    this.name = "OptionError"
    this.option = option
  }
}

/** Throws at the first option that is wrong. */
export function checkOptions(options: HostOptions): void {
  for (const name of Object.keys(options)) {
    if (!Object.hasOwn(kinds, name)) throw new OptionError(name, "is not known")
  }
  for (const [name, kind] of Object.entries(kinds)) {
    const value = (options as Readonly<Record<string, unknown>>)[name]
    if (value !== undefined && !kind.is(value)) throw new OptionError(name, `is not ${kind.words}`)
  }
  const { defaultTier, mode, preset, settings, tiers, tools } = options
  if (preset !== undefined && !Object.hasOwn(presets, preset)) throw unknownWord("preset", preset, Object.keys(presets))
  if (mode !== undefined && readMode(mode) === undefined) throw unknownWord("mode", mode, modeWords)
  for (const [tool, word] of Object.entries(tiers ?? {}))
    if (!isTier(word)) throw unknownWord(`tiers.${tool}`, word, Tier.literals)
  if (defaultTier !== undefined && !isTier(defaultTier)) throw unknownWord("defaultTier", defaultTier, Tier.literals)
  for (const [name, { tier }] of Object.entries(tools ?? {})) {
    if (tier !== undefined && !isTier(tier)) throw unknownWord(`tools.${name}.tier`, tier, Tier.literals)
  }
  for (const layer of Object.keys(settings ?? {})) {
    if (!RuleLayerNames.literals.some((name) => name === layer))
      throw unknownWord("settings", layer, RuleLayerNames.literals)
  }
  if (options.askTimeoutMs !== undefined && !(options.askTimeoutMs > 0))
    throw new OptionError("askTimeoutMs", "is not above 0")
  if (settings !== undefined && options.files !== undefined)
    throw new OptionError("files", "can't stand beside `settings`")
  if (options.askUser !== undefined && options.asking === false)
    throw new OptionError("askUser", "can't stand beside `asking: false`")
}

const modeWords = ["default", "acceptEdits", "readOnly", "auto", "dontAsk", "yolo"]
const isTier = (word: unknown): word is Tier => Tier.literals.some((tier) => tier === word)
const unknownWord = (option: string, word: unknown, known: readonly string[]) =>
  new OptionError(
    option,
    `has the unknown word \`${String(word)}\`; use one of ${known.map((word) => `\`${word}\``).join(", ")}`
  )

const isObject = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value)
const text = { words: "a text", is: (value: unknown) => typeof value === "string" && value !== "" }
const flag = { words: "true or false", is: (value: unknown) => typeof value === "boolean" }
const record = { words: "an object", is: isObject }
const func = { words: "a function", is: (value: unknown) => typeof value === "function" }

/** Every option there is, and what it has to be. */
const kinds: {
  readonly [Name in keyof HostOptions]-?: { readonly words: string; readonly is: (value: unknown) => boolean }
} = {
  preset: text,
  database: text,
  settings: record,
  files: { words: "a list of files or `default`", is: (value) => value === "default" || Array.isArray(value) },
  trusted: flag,
  folder: { words: "an absolute path", is: (value) => typeof value === "string" && value.startsWith("/") },
  home: { words: "an absolute path", is: (value) => typeof value === "string" && value.startsWith("/") },
  user: { words: "a text or a function", is: (value) => text.is(value) || func.is(value) },
  app: text,
  mode: text,
  mainAgent: text,
  bounds: record,
  tools: record,
  tiers: record,
  tierFunc: func,
  defaultTier: text,
  hooks: {
    words: "a list of hooks, each with `name` and `run`",
    is: (value) =>
      Array.isArray(value) && value.every((hook) => isObject(hook) && text.is(hook.name) && func.is(hook.run))
  },
  preapprove: func,
  sources: {
    words: "a list of policy sources, each with `consult`",
    is: (value) => Array.isArray(value) && value.every((source) => isObject(source) && func.is(source.consult))
  },
  grants: flag,
  classifier: {
    words:
      "an object with `id`, `consult` and, if it has them, a `rejectEffect` of `ask` or `deny` and a `timeoutMs` above 0",
    is: (value) => {
      if (!isObject(value)) return false
      const { consult, id, rejectEffect, timeoutMs = 1 } = value as Readonly<Record<string, unknown>>
      const known = [undefined, "ask", "deny"].includes(rejectEffect as undefined)
      return text.is(id) && func.is(consult) && known && typeof timeoutMs === "number" && timeoutMs > 0
    }
  },
  parents: {
    words: "an object of functions and task profiles by agent",
    is: (value) =>
      isObject(value) && Object.values(value as object).every((parent) => func.is(parent) || isObject(parent))
  },
  askUser: func,
  asking: flag,
  askTimeoutMs: {
    words: "a number of milliseconds",
    is: (value) => typeof value === "number" && Number.isFinite(value)
  },
  observer: func,
  resume: {
    words: "an object with `run`",
    is: (value) => isObject(value) && func.is((value as { readonly run?: unknown }).run)
  },
  resolver: func,
  texts: record,
  reportsOutcomes: flag,
  enforce: flag
}
