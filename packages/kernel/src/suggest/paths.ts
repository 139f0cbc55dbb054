/** Path rules for files that a call touches: exactly each file, or the folder that several of them share. */
import type { Access } from "../subject/Subject.ts"
import { isInside } from "../subject/path.ts"
import { isBroadFolder } from "./launchers.ts"

/** Where paths are written from. */
export interface Folders {
  readonly project: string
  readonly home: string
}

/** One rule text a file, the shared folder's instead where there are several; `undefined` if one can't be named. */
export function pathRules(tool: string, accesses: readonly Access[], folders: Folders): readonly string[] | undefined {
  const files = new Set<string>()
  const trees = new Set<string>()
  for (const { glob, path, whole } of accesses) {
    if (path === undefined || glob) return undefined
    const list = whole ? trees : files
    list.add(path)
  }
  const parents = new Set([...files].map((path) => path.slice(0, path.lastIndexOf("/")) || "/"))
  const [shared] = parents
  // several files of one folder: the folder, if that is not too much to give away
  if (files.size > 1 && parents.size === 1 && shared !== undefined && !isTooMuch(shared, folders)) {
    trees.add(shared)
    files.clear()
  }
  if ([...trees].some((folder) => isTooMuch(folder, folders))) return undefined
  const below = [...trees].map((path) => written(path, folders).replace(/^\.\//, ""))
  const exact = [...files].map((path) => written(path, folders))
  if (![...below, ...exact].every(isPlain)) return undefined
  return [...below.map((path) => `${tool}(${path}/**)`), ...exact.map((path) => `${tool}(${path})`)]
}

/** As a person would write it: from the project, from home, or absolute. */
function written(path: string, { home, project }: Folders): string {
  if (path !== project && isInside(path, project)) {
    const relative = path.slice(project === "/" ? 1 : project.length + 1)
    // a bare name would match at any depth
    return relative.includes("/") && !relative.startsWith("~") ? relative : `./${relative}`
  }
  return path !== home && isInside(path, home) ? `~${path.slice(home.length)}` : path
}

const isTooMuch = (folder: string, folders: Folders) => folder === folders.project || isBroadFolder(folder, folders)

/** Stars would widen it, and what is not printable nobody could read. */
const isPlain = (content: string) => !/[*\p{Cc}\p{Cf}]|:$/u.test(content) && content.trim() === content
