/**
 * The settings in force: merged layers, what is wrong with them, and the rules compiled for a place. Where the texts
 * come from (given by the host, or files that are looked at again) is a source's business.
 */
import {
  type Bounds,
  cleanPath,
  type CompiledBounds,
  compileBounds,
  compileRules,
  type FileSystem,
  type Grant,
  grantCovers,
  keepBans,
  type LayerSettings,
  mergeSettings,
  parseRule,
  parseSettings,
  type Place,
  type Preset,
  type Rule,
  type RuleLayerName,
  type RuleSet,
  type Settings,
  type SettingsFile,
  type SettingsProblem,
  type Subject,
  type Surroundings
} from "@countersign/kernel"
import { Clock, Context, Effect, Layer } from "effect"
import { GateOptions } from "./GateOptions.ts"

/** One frozen view of the settings: a call is judged on one and the same from S0 to S21. */
export interface SettingsView {
  readonly settings: Settings
  readonly problems: readonly SettingsProblem[]
  /** Names the settings: equal texts, equal version. */
  readonly version: string
  /** Where a call in this folder is judged. */
  readonly surroundings: (folder: string) => Surroundings
  /** The compiled rules for that place. */
  readonly rules: (folder: string) => RuleSet
  /** Rules given at an agent's spawn, compiled; one that is malformed acts on what can be read of it. */
  readonly spawnRules: (
    rules: { readonly deny?: readonly string[]; readonly ask?: readonly string[]; readonly allow?: readonly string[] },
    folder: string
  ) => RuleSet
  readonly bounds: (bounds: Bounds, folder: string) => CompiledBounds
  readonly grantCovers: (grant: Grant, subject: Subject, folder: string) => boolean
}

/** What does not change while a gate runs. */
export interface SettingsPlace {
  /** The project's folder; absent = each call's working folder. */
  readonly project?: string
  readonly home: string
  /** Countersign's own files: the floor guards them. */
  readonly ownPaths: readonly string[]
  readonly files: FileSystem
  readonly caseInsensitive: boolean
}

/** Where settings texts come from. */
export interface SettingsSource {
  /** The files that are there; the same array as long as nothing changed. */
  readonly look: () => readonly SettingsFile[]
  /** Whether a project's file is trusted with an earlier text. Absent = as the file itself is. */
  readonly trusts?: (file: SettingsFile, text: string) => boolean
}

/** A saved file acts at the latest this long after. */
const lookEachMs = 100

export class CurrentSettings extends Context.Service<
  CurrentSettings,
  {
    /** The newest view; `fresh` looks at the source again first, however short ago it was looked at. */
    readonly view: (options?: { readonly fresh?: boolean }) => Effect.Effect<SettingsView>
  }
>()("@countersign/gate/CurrentSettings") {
  static readonly layer = (source: SettingsSource, place: SettingsPlace) =>
    Layer.effect(
      CurrentSettings,
      Effect.gen(function* () {
        const { preset } = yield* GateOptions
        let files = source.look()
        let layers = readLayers(files, [], source)
        let current = compile(layers, place, preset)
        let lookedAt = yield* Clock.currentTimeMillis
        return CurrentSettings.of({
          view: ({ fresh = false } = {}) =>
            Effect.gen(function* () {
              const now = yield* Clock.currentTimeMillis
              // a clock that was set back must not keep anybody from looking
              if (!fresh && now >= lookedAt && now - lookedAt < lookEachMs) return current
              lookedAt = now
              const seen = source.look()
              if (seen === files) return current
              files = seen
              layers = readLayers(files, layers, source)
              // INVARIANT: the swap is one assignment; a call holds on to the view it began with
              current = compile(layers, place, preset)
              return current
            })
        })
      })
    )
}

/** Settings that the host gives as texts. */
export const staticSettings = (files: readonly SettingsFile[]): SettingsSource => ({ look: () => files })

/** A layer in force. */
interface ReadLayer {
  readonly file: SettingsFile
  readonly settings: LayerSettings
  readonly problems: readonly SettingsProblem[]
  /** The text of the last version that could be read. */
  readonly text: string | undefined
}

const sameFile = (one: SettingsFile, other: SettingsFile) => one.layer === other.layer && one.file === other.file

/** What is in force now, after what was before: what a file forbade no mistake in it, and not its going, takes away. */
function readLayers(
  files: readonly SettingsFile[],
  before: readonly ReadLayer[],
  source: SettingsSource
): readonly ReadLayer[] {
  const gone = before.filter(({ file }) => !files.some((each) => sameFile(each, file)))
  return [
    ...files.map((file) =>
      readLayer(
        file,
        before.find((each) => sameFile(each.file, file)),
        source
      )
    ),
    ...gone.map(leftBehind)
  ]
}

function readLayer(file: SettingsFile, before: ReadLayer | undefined, source: SettingsSource): ReadLayer {
  const { problems, settings } = parseSettings(file)
  if (before === undefined || before.settings.broken || !problems.some(({ severity }) => severity === "error")) {
    return { file, settings, problems, text: settings.broken ? undefined : file.text }
  }
  // until it is mended the bans of the version before stay beside what can be read of this one
  if (!settings.broken) return { file, settings: keepBans(settings, before.settings), problems, text: file.text }
  if (stillTrusted(file, before, source)) return { ...before, file, problems }
  return { ...before, file, settings: keepBans(emptyLayer(file), before.settings), problems }
}

/** Whether a broken file's last good version may still loosen: a trust that was taken back acts on it, too. */
function stillTrusted(file: SettingsFile, { settings, text }: ReadLayer, { trusts }: SettingsSource): boolean {
  if (settings.layer === "policy" || settings.layer === "user" || !settings.trusted) return true
  return trusts === undefined || text === undefined ? file.trusted === true : trusts(file, text)
}

function leftBehind({ file, settings, text }: ReadLayer): ReadLayer {
  const problem: SettingsProblem = {
    severity: "warning",
    layer: file.layer,
    ...(file.file === undefined ? {} : { file: file.file }),
    line: 1,
    column: 1,
    message: "the file is gone; what it forbade stays forbidden until it is there again, or the gate starts anew"
  }
  // what it declared of tools stays as it was: nobody can say any more whether it would still be trusted
  const empty = { ...emptyLayer(file), trusted: settings.trusted }
  return { file, settings: keepBans(empty, settings), problems: [problem], text }
}

const emptyLayer = ({ dialect, layer }: SettingsFile): LayerSettings =>
  parseSettings({ layer, text: "{}", ...(dialect === undefined ? {} : { dialect }) }).settings

function compile(layers: readonly ReadLayer[], place: SettingsPlace, preset: Preset): SettingsView {
  const settings = mergeSettings(layers.map(({ settings }) => settings))
  const directoriesOf = (folder: string) =>
    settings.additionalDirectories.map((directory) => cleanPath(directory, place.project ?? folder, place.home))
  const placeOf = (folder: string): Place => ({
    project: place.project ?? folder,
    home: place.home,
    files: place.files,
    caseInsensitive: place.caseInsensitive,
    dialectOf: (layer) => settings.dialects[layer] ?? "native",
    workspace: [folder, ...directoriesOf(folder)]
  })
  const compiled = cached((folder: string) => compileRules(settings, placeOf(folder), preset))
  const spawned = cached((key: string) => {
    const [folder, rules] = JSON.parse(key) as [string, SpawnRules]
    return compileRules(readSpawnRules(rules), placeOf(folder), preset)
  })
  const bounded = cached((key: string) => {
    const [folder, bounds] = JSON.parse(key) as [string, Bounds]
    return compileBounds(bounds, placeOf(folder), preset)
  })
  return {
    settings,
    problems: layers.flatMap(({ problems }) => problems),
    version: settings.digest,
    surroundings: (folder) => ({
      folder,
      project: place.project ?? folder,
      home: place.home,
      additionalDirectories: directoriesOf(folder),
      ownPaths: place.ownPaths,
      files: place.files,
      caseInsensitive: place.caseInsensitive
    }),
    rules: compiled,
    spawnRules: (rules, folder) => spawned(JSON.stringify([folder, rules])),
    bounds: (bounds, folder) => bounded(JSON.stringify([folder, bounds])),
    grantCovers: (grant, subject, folder) => grantCovers(grant, subject, folder, placeOf(folder), preset)
  }
}

type SpawnRules = Parameters<SettingsView["spawnRules"]>[0]

/** The host speaks for the user: rules of a spawn are rules of that layer. A ban that can't be read may ban anything. */
function readSpawnRules(texts: SpawnRules): {
  readonly rules: readonly Rule[]
  readonly blind: readonly RuleLayerName[]
} {
  const read = (["deny", "ask", "allow"] as const).flatMap((behavior) =>
    (texts[behavior] ?? []).map((text) => ({ behavior, rule: parseRule(text, behavior, "user").rule }))
  )
  return {
    rules: read.flatMap(({ rule }) => rule ?? []),
    blind: read.some(({ behavior, rule }) => rule === undefined && behavior !== "allow") ? ["user"] : []
  }
}

/** A small cache: the same few folders, spawns and bounds are asked for again and again. */
function cached<V>(make: (key: string) => V): (key: string) => V {
  const values = new Map<string, V>()
  return (key) => {
    const found = values.get(key)
    if (found !== undefined) return found
    if (values.size >= 256) values.clear()
    const made = make(key)
    values.set(key, made)
    return made
  }
}
