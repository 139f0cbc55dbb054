/** Settings from files: four layers, looked at again by their stat, so that a saved file acts without a watcher. */
import { type FileSystem, realPath, type RuleLayerName, type SettingsFile } from "@countersign/kernel"
import { isUtf8 } from "node:buffer"
import { readFileSync, readlinkSync, type Stats, statSync } from "node:fs"
import { isAbsolute, join } from "node:path"
import type { SettingsSource } from "./CurrentSettings.ts"
import type { Trusts } from "./Trust.ts"

/** A file that a layer is read from. */
export interface LayerFile {
  readonly layer: RuleLayerName
  readonly path: string
  readonly dialect?: SettingsFile["dialect"]
}

/** The folder of the user's settings: `$XDG_CONFIG_HOME`, else `.config` at home. */
export function configHomeOf(home: string, env: Readonly<Record<string, string | undefined>> = {}): string {
  const named = env["XDG_CONFIG_HOME"]
  // one that is not absolute is to be ignored, says the standard
  return named !== undefined && isAbsolute(named) ? named : join(home, ".config")
}

const policyFolder = "/etc/countersign"

/** The default places of the four layers (`rules.md`, Layers). */
export const defaultFiles = (options: {
  readonly project: string
  readonly home: string
  readonly configHome?: string
}): readonly LayerFile[] => [
  { layer: "policy", path: join(policyFolder, "settings.json") },
  { layer: "user", path: join(options.configHome ?? configHomeOf(options.home), "countersign/settings.json") },
  { layer: "projectLocal", path: join(options.project, ".countersign/settings.local.json") },
  { layer: "projectShared", path: join(options.project, ".countersign/settings.json") }
]

/** The folders of Countersign's own settings and trust records, as they are named and where they really lie. */
export function ownFolders(options: {
  readonly project: string
  readonly home: string
  readonly configHome?: string
  readonly files: FileSystem
}): readonly string[] {
  const { configHome, files, home, project } = options
  const configHomes = [configHomeOf(home), ...(configHome === undefined ? [] : [configHome])]
  const named = [
    policyFolder,
    ...configHomes.map((folder) => join(folder, "countersign")),
    join(project, ".countersign")
  ]
  return [...new Set(named.flatMap((folder) => [folder, realPath(folder, files)]))]
}

/** A file as it was last read. */
interface Known {
  readonly stamp: string
  /** By the machine's clock. */
  readonly readAt: number
  readonly changedAt: number
  readonly read: SettingsFile
}

/** A clock tick of any file system is shorter: two changes within one bear the same time. */
const tickMs = 2_000

/** Reads the files that exist; absent is not broken. */
export function settingsFiles(files: readonly LayerFile[], trusts: Trusts): SettingsSource {
  let known: readonly (Known | undefined)[] = []
  let trustSeen = ""
  let current: readonly SettingsFile[] = []
  return {
    look: () => {
      const trustNow = `${trusts.stamp?.() ?? ""}\0${trusts.problem?.() ?? ""}`
      const before = known
      known = files.map((file, index) => lookAt(file, before[index], trusts, trustNow !== trustSeen))
      trustSeen = trustNow
      const found = known.flatMap((each) => each?.read ?? [])
      if (found.length !== current.length || found.some((file, index) => file !== current[index])) current = found
      return current
    },
    trusts: (file, text) => file.file !== undefined && trusts({ path: file.file }, text)
  }
}

/** The real file system, as far as judging needs it. */
export const realFiles: FileSystem = {
  readLink: (path) => {
    try {
      return readlinkSync(path)
    } catch {
      // no link, or nothing there: both are "not a link" for whoever resolves
      return undefined
    }
  }
}

/** The file as it is now; the same object as before where nothing changed. */
function lookAt(file: LayerFile, before: Known | undefined, trusts: Trusts, trustChanged: boolean): Known | undefined {
  // INVARIANT: the stamp is taken first, so that a change while reading is seen the next time
  const readAt = Date.now()
  const { changedAt, stamp } = stampOf(file.path)
  if (stamp === undefined) return undefined
  const young = before !== undefined && before.readAt - before.changedAt < tickMs
  if (before !== undefined && before.stamp === stamp && !young && !trustChanged) return before
  const read = readLayer(file, trusts)
  const same = before !== undefined && JSON.stringify(before.read) === JSON.stringify(read)
  // a trust that changed acts on what a broken file left in force, too
  return { stamp, readAt, changedAt, read: same && !trustChanged ? before.read : read }
}

function stampOf(path: string): { readonly stamp: string | undefined; readonly changedAt: number } {
  try {
    const { ctimeMs, ctimeNs, dev, gid, ino, mode, mtimeNs, size, uid } = statSync(path, { bigint: true })
    return { stamp: [dev, ino, size, mtimeNs, ctimeNs, mode, uid, gid].join(":"), changedAt: Number(ctimeMs) }
  } catch (error) {
    return { stamp: isAbsent(error) ? undefined : "unreadable", changedAt: 0 }
  }
}

function readLayer(file: LayerFile, trusts: Trusts): SettingsFile {
  const { dialect, layer, path } = file
  const problem = layer === "policy" || layer === "user" ? undefined : trusts.problem?.()
  const named = {
    layer,
    file: path,
    ...(dialect === undefined ? {} : { dialect }),
    ...(problem === undefined ? {} : { notes: [problem] })
  }
  try {
    const fault = unusable(layer, statSync(path))
    if (fault !== undefined) return { ...named, text: undefined, unreadable: fault }
    const bytes = readFileSync(path)
    if (!isUtf8(bytes)) return { ...named, text: undefined, unreadable: "the file is not UTF-8" }
    const text = bytes.toString("utf8")
    return { ...named, text, trusted: trusts(file, text) }
  } catch (error) {
    // INVARIANT: a file that is there and can't be read is told as such (`text: undefined`), never as absent
    const words = error instanceof Error ? error.message : String(error)
    return { ...named, text: undefined, unreadable: `the file can't be read: ${words}` }
  }
}

/** More than this no settings file holds. */
const maxBytes = 4 * 1024 * 1024

/** Why a file is not even opened. */
function unusable(layer: RuleLayerName, file: Stats): string | undefined {
  const { mode, size, uid } = file
  // a link that was committed could lead to what never ends
  if (!file.isFile()) return "the file is not used: it is no regular file"
  if (size > maxBytes) return `the file is not used: it is larger than ${maxBytes} bytes`
  if (layer !== "policy") return undefined
  // policy files lift what nothing else may: only root may write them
  const must = "a policy file belongs to root and nobody else may write it"
  if (uid !== 0) return `the file is not used, its owner is the user ${uid}: ${must}`
  if ((mode & 0o022) !== 0) return `the file is not used, others than its owner may write it: ${must}`
  return undefined
}

const isAbsent = (error: unknown) =>
  error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR")
