/** From a host's options to the layers of a whole gate: this list is what the program is made of. */
import {
  Asking,
  Classifier,
  configHomeOf,
  CurrentSettings,
  defaultFiles,
  defaultOptions,
  DenyTexts,
  Gate,
  GateOptions,
  Grants,
  Hooks,
  Judge,
  Observer,
  Outbox,
  ownFolders,
  PolicySources,
  realFiles,
  settingsFiles,
  type SettingsSource,
  staticSettings,
  textsOver,
  Tiers,
  Tools,
  trustedBy,
  trustFile
} from "@countersign/gate"
import {
  type Capability,
  type Json,
  presets,
  readMode,
  realPath,
  RuleLayerName,
  type SettingsFile
} from "@countersign/kernel"
import { Effect, Layer } from "effect"
import { homedir } from "node:os"
import { resolve } from "node:path"
import { Adjudicator } from "../Adjudicator.ts"
import { AgentRegistry, spawnTool } from "../Agents.ts"
import { Desk } from "../Desk.ts"
import { DeskOptions } from "../DeskOptions.ts"
import { Parent, Parents } from "../Parent.ts"
import type { CallableTool, ResumeRunner, ToolResolver } from "../Runner.ts"
import { database } from "./database.ts"
import { fromHost } from "./fromHost.ts"
import type { HostOptions, HostParent, HostTool } from "./HostOptions.ts"

/** What a whole gate stands on, where it is not what the options say. */
export interface Grounds {
  /** Where it keeps what has to outlive it. */
  readonly storage?: ReturnType<typeof database>
  readonly settings?: SettingsSource
}

/** Every service of a gate, as the options want them. */
export function hostLayers(options: HostOptions, { settings, storage = database(options.database) }: Grounds = {}) {
  const preset = presets[options.preset ?? "default"]
  const folder = options.folder ?? process.cwd()
  const home = options.home ?? homedir()
  const user = options.user ?? defaultOptions.userOf
  const gateOptions: GateOptions = {
    preset,
    ackPayload: options.preset === "ack",
    app: options.app ?? defaultOptions.app,
    userOf: typeof user === "string" ? () => user : user,
    enforce: options.enforce ?? true,
    hostReportsOutcomes: options.reportsOutcomes ?? false,
    ...(options.askTimeoutMs === undefined ? {} : { askTimeoutMs: options.askTimeoutMs })
  }
  const references = Layer.mergeAll(
    Layer.succeed(GateOptions, gateOptions),
    Layer.succeed(DenyTexts, textsOver(options.texts ?? {})),
    Layer.succeed(DeskOptions, deskOptions(options, folder))
  )
  const place = {
    ...(options.folder === undefined ? {} : { project: options.folder }),
    home,
    ownPaths: ownPaths(options, folder, home),
    files: realFiles,
    caseInsensitive: process.platform === "darwin" || process.platform === "win32"
  }
  const ports = Layer.mergeAll(
    toolsLayer(options),
    Tiers.layer({
      map: options.tiers ?? {},
      default: options.defaultTier ?? preset.defaultTier,
      ...(options.tierFunc === undefined ? {} : { func: options.tierFunc })
    }),
    hooksLayer(options),
    PolicySources.layer(
      (options.sources ?? []).map(({ consult, ...source }) => ({
        ...source,
        consult: (call) => fromHost(() => consult(call))
      }))
    ),
    classifierLayer(options),
    observerLayer(options),
    options.grants === false ? Grants.layerNone : Grants.layerStore,
    registryLayer(options)
  )
  return Gate.layer.pipe(
    Layer.provideMerge(options.asking === false ? Asking.layerNobody : Desk.layerAsking),
    Layer.provideMerge(Desk.layer),
    Layer.provideMerge(Adjudicator.layer),
    Layer.provideMerge(Parents.layer(mapValues(options.parents ?? {}, readParent))),
    Layer.provideMerge(Judge.layer),
    Layer.provideMerge(Outbox.layer),
    Layer.provideMerge(ports),
    Layer.provideMerge(CurrentSettings.layer(settings ?? settingsSource(options, folder, home), place)),
    Layer.provideMerge(storage),
    Layer.provideMerge(references)
  )
}

/** How a host may say what a parent is. */
export function readParent(parent: HostParent): Parent {
  if (typeof parent === "function") return Parent.fn(parent)
  return "kind" in parent ? parent : Parent.profile(parent)
}

function deskOptions({ asking, askUser, database, resolver, resume, tools }: HostOptions, folder: string): DeskOptions {
  return {
    folder,
    sharesStore: database !== undefined,
    resolver: resolver === undefined ? declaredTools(tools ?? {}) : resolverOf(resolver),
    ...(resume === undefined ? {} : { runner: readRunner(resume) }),
    ...(askUser === undefined
      ? {}
      : {
          dialog: {
            beside: asking === true,
            ask: (call, card, decision) => fromHost<unknown>((signal) => askUser(call, card, decision, { signal }))
          }
        })
  }
}

/** How a host may say what continues a session. */
export const readRunner = (resume: NonNullable<HostOptions["resume"]>): ResumeRunner => {
  const { ready } = resume
  return {
    run: (input) => fromHost(() => resume.run(input)),
    ...(ready === undefined ? {} : { ready: (sessionId) => Effect.asVoid(fromHost(() => ready(sessionId))) })
  }
}

const resolverOf = (resolver: NonNullable<HostOptions["resolver"]>): ToolResolver =>
  fromHost(resolver).pipe(Effect.map((tools) => callable(Object.entries(tools))))

const declaredTools = (tools: NonNullable<HostOptions["tools"]>): ToolResolver =>
  Effect.sync(() =>
    callable(
      Object.entries(tools).flatMap(([name, { execute }]) => (execute === undefined ? [] : [[name, execute] as const]))
    )
  )

type HostExecute = NonNullable<NonNullable<HostOptions["tools"]>[string]["execute"]>

const callable = (tools: readonly (readonly [string, HostExecute])[]): ReadonlyMap<string, CallableTool> =>
  new Map(
    tools.map(([name, execute]) => [name, (args, call) => fromHost(() => execute(args, call)).pipe(Effect.map(plain))])
  )

const plain = (value: unknown): Json => JSON.parse(JSON.stringify(value) ?? "null") as Json

function settingsSource(
  { files, home: givenHome, settings = {}, trusted }: HostOptions,
  folder: string,
  home: string
): SettingsSource {
  if (files !== undefined) {
    const configHome = configHomeFor(givenHome, home)
    return settingsFiles(
      files === "default" ? defaultFiles({ project: folder, home, configHome }) : files,
      trusted === undefined ? trustedBy(trustFile(configHome)) : () => trusted
    )
  }
  return staticSettings(
    RuleLayerName.literals.flatMap((layer): readonly SettingsFile[] => {
      const given = settings[layer]
      if (given === undefined) return []
      return [
        {
          layer,
          file: layer,
          text: typeof given === "string" ? given : JSON.stringify(given),
          trusted: trusted === true
        }
      ]
    })
  )
}

/** What the floor guards: nobody's call may change what calls are judged by. */
function ownPaths({ database, files }: HostOptions, folder: string, home: string): readonly string[] {
  const given = files === undefined || files === "default" ? [] : files.map(({ path }) => path)
  const folders = ownFolders({
    project: folder,
    home,
    configHome: configHomeOf(homedir(), process.env),
    files: realFiles
  })
  return [...given, ...given.map((path) => realPath(path, realFiles)), ...folders, ...databaseFiles(database)]
}

/** The machine's own environment says nothing of another home. */
const configHomeFor = (given: string | undefined, home: string) =>
  configHomeOf(home, given === undefined ? process.env : {})

/** A SQLite database is more than one file. */
const databaseFiles = (database: string | undefined): readonly string[] =>
  database === undefined
    ? []
    : ["", "-wal", "-shm", "-journal", ".nodes"].map((ending) => `${resolve(database)}${ending}`)

const toolsLayer = ({ tools }: HostOptions) =>
  Tools.layer(
    [
      { name: spawnTool, capability: { readOnly: true } },
      ...Object.entries(tools ?? {}).map(([name, tool]) => ({
        name,
        capability: capabilityOf(tool),
        ...(tool.validate === undefined ? {} : { validate: tool.validate })
      }))
    ],
    { others: tools === undefined ? "known" : "unknown" }
  )

/** What of a tool speaks of what it can do; the rest is how it does it. */
const capabilityOf = (tool: HostTool): Capability =>
  Object.fromEntries(Object.entries(tool).filter(([key]) => key !== "execute" && key !== "validate"))

const hooksLayer = ({ hooks = [], preapprove }: HostOptions) =>
  Hooks.layer(
    hooks.map(({ run, ...hook }) => ({ ...hook, run: (call, result) => fromHost(() => run(call, result)) })),
    preapprove === undefined ? undefined : (call) => fromHost(() => preapprove(call))
  )

const classifierLayer = ({ classifier }: HostOptions) =>
  classifier === undefined
    ? Classifier.layerNone
    : Classifier.layer({
        id: classifier.id,
        rejectEffect: classifier.rejectEffect ?? "ask",
        consult: (call, decision) => fromHost(() => classifier.consult(call, decision)),
        ...(classifier.timeoutMs === undefined ? {} : { timeoutMs: classifier.timeoutMs })
      })

const observerLayer = ({ observer }: HostOptions) =>
  observer === undefined
    ? Observer.layerNone
    : Layer.succeed(
        Observer,
        Observer.of({ observe: (event) => Effect.asVoid(fromHost((signal) => observer(event, { signal }))) })
      )

/** The main agent works in the host's mode, else in the one of the strongest settings that name one. */
const registryLayer = ({ bounds, mainAgent = "main", mode }: HostOptions) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const { settings } = yield* (yield* CurrentSettings).view()
      const isAncestors = ({ layer }: { readonly layer: RuleLayerName }) =>
        settings.ancestorModes.some((mode) => mode.layer === layer)
      const set = settings.defaultModes.find((mode) => !isAncestors(mode))?.mode
      const own = mode === undefined ? undefined : readMode(mode)
      return AgentRegistry.layer({
        agentId: mainAgent,
        mode: own ?? set ?? "default",
        ...(bounds === undefined ? {} : { bounds })
      })
    })
  )

const mapValues = <A, B>(record: Readonly<Record<string, A>>, map: (value: A) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]))
