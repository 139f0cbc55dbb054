/** Settings from files: four layers, looked at again by their stat, so that a saved file acts without a watcher. */
import type { FileSystem, RuleLayerName, SettingsFile } from "@countersign/kernel"
import { readFileSync, readlinkSync, statSync } from "node:fs"
import { join } from "node:path"
import type { SettingsSource } from "./CurrentSettings.ts"

/** A file that a layer is read from. */
export interface LayerFile {
  readonly layer: RuleLayerName
  readonly path: string
  readonly dialect?: SettingsFile["dialect"]
}

/** Whether a project layer's exact text is trusted. */
export type Trusts = (file: LayerFile, text: string) => boolean

/** The default places of the four layers (`rules.md`, Layers). */
export const defaultFiles = (options: {
  readonly project: string
  readonly home: string
  readonly configHome?: string
}): readonly LayerFile[] => [
  { layer: "policy", path: "/etc/countersign/settings.json" },
  { layer: "user", path: join(options.configHome ?? join(options.home, ".config"), "countersign/settings.json") },
  { layer: "projectLocal", path: join(options.project, ".countersign/settings.local.json") },
  { layer: "projectShared", path: join(options.project, ".countersign/settings.json") }
]

/** Reads the files that exist; absent is not broken. */
export function settingsFiles(files: readonly LayerFile[], trusts: Trusts): SettingsSource {
  let seen = ""
  let current: readonly SettingsFile[] = []
  return {
    look: () => {
      const stamps = files.map(({ path }) => stamp(path))
      const now = JSON.stringify(stamps)
      if (now !== seen) {
        seen = now
        current = files.flatMap((file, index) => (stamps[index] === undefined ? [] : [read(file, trusts)]))
      }
      return current
    }
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

function stamp(path: string): string | undefined {
  try {
    const { ctimeMs, dev, ino, mtimeMs, size } = statSync(path)
    return [dev, ino, size, mtimeMs, ctimeMs].join(":")
  } catch (error) {
    return isAbsent(error) ? undefined : "unreadable"
  }
}

function read(file: LayerFile, trusts: Trusts): SettingsFile {
  const { dialect, layer, path } = file
  const named = { layer, file: path, ...(dialect === undefined ? {} : { dialect }) }
  try {
    // policy files lift what nothing else may: only root may write them
    if (layer === "policy" && !ownedByRoot(path)) return { ...named, text: undefined }
    const text = readFileSync(path, "utf8")
    return { ...named, text, trusted: trusts(file, text) }
  } catch {
    // INVARIANT: a file that is there and can't be read is told as such (`text: undefined`), never as absent
    return { ...named, text: undefined }
  }
}

function ownedByRoot(path: string): boolean {
  const { mode, uid } = statSync(path)
  return uid === 0 && (mode & 0o022) === 0
}

const isAbsent = (error: unknown) =>
  error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR")
