/**
 * Path contents: where a pattern starts (root, home, project), what it covers, and how much further a ban reaches
 * than an allow rule. `pathGlob.ts` does the comparing of texts.
 */
import type { Behavior } from "../Rule.ts"
import type { Dialect } from "../Settings.ts"
import { isInside, lexicallyClean, realPath } from "../subject/path.ts"
import type { Access, FileSystem } from "../subject/Subject.ts"
import {
  across,
  belowGlob,
  literalGlob,
  mayMeet,
  type PathGlob,
  pathGlob,
  pathGlobMatches,
  segments,
  shellPathGlob,
  wholeFolder
} from "./pathGlob.ts"

/** Where patterns start. */
export interface PathPlace {
  /** Absolute and clean; the working folder where there is no project. */
  readonly project: string
  readonly home: string
  readonly files: FileSystem
  readonly caseInsensitive: boolean
}

/** A content, compiled. */
export interface PathPattern {
  /** A path matches if it matches one of these. */
  readonly globs: readonly PathGlob[]
  /** Folders, without stars, of which the pattern covers everything below. */
  readonly folders: readonly string[]
  readonly ban: boolean
  readonly ignoreCase: boolean
}

/** How a content is to be read. */
export interface Reading {
  readonly behavior: Behavior
  readonly dialect: Dialect
  readonly exact: boolean
  readonly malformed: boolean
}

/** Compiles a content. */
export function pathPattern(content: string, reading: Reading, place: PathPlace): PathPattern {
  const ban = reading.behavior !== "allow"
  const ignoreCase = ban && place.caseInsensitive
  const { folders, globs } = ban ? banGlobs(content, reading, place) : allowGlobs(content, reading, place)
  const fold = (glob: PathGlob) =>
    ignoreCase ? glob.map((token) => (typeof token === "string" ? token.toLowerCase() : token)) : glob
  return { globs: globs.map(fold), folders, ban, ignoreCase }
}

/** Whether a ban surely speaks of the access: by one of its two paths. */
export function bans({ globs, ignoreCase }: PathPattern, access: Access): boolean {
  const speaksOf = (path: string | undefined) => {
    if (path === undefined) return false
    const text = ignoreCase ? path.toLowerCase() : path
    return globs.some((glob) => pathGlobMatches(glob, text))
  }
  return speaksOf(access.path) || (access.real !== access.path && speaksOf(access.real))
}

/**
 * What an access may turn out to be: the paths that a glob may name, what lies in a folder. Empty for one that is
 * what it is; undefined when it may be any path.
 */
export function mayName(access: Access, ignoreCase: boolean): readonly PathGlob[] | undefined {
  const { glob, path, whole } = access
  if (path === undefined) return undefined
  if (!glob && !whole) return []
  return [...new Set([path, access.real ?? path])].flatMap((each) => {
    const text = ignoreCase ? each.toLowerCase() : each
    const named = glob ? shellPathGlob(text) : literalGlob(text === "/" ? "" : text)
    return whole ? wholeFolder(named) : [named]
  })
}

/** Whether a ban may speak of what an access may turn out to be. */
export const mayBan = ({ globs }: PathPattern, named: readonly PathGlob[] | undefined): boolean =>
  named === undefined || globs.some((glob) => named.some((each) => mayMeet(glob, each)))

/** Whether an allow rule covers the access: both of its paths, and all that it may name. */
export function allows(pattern: PathPattern, access: Access): boolean {
  const { path, real } = access
  if (path === undefined || real === undefined) return false
  return covers(pattern, path, access) && (real === path || covers(pattern, real, access))
}

function covers({ folders, globs }: PathPattern, path: string, { glob, kind, whole }: Access): boolean {
  if (!glob && !whole) {
    // whoever may read all that lies in a folder may list it
    return globs.some((pattern) => pathGlobMatches(pattern, path)) || (kind === "read" && folders.includes(path))
  }
  // what can't be listed is covered only with everything below a folder; `..` behind a glob leads anywhere
  if (glob && path.split("/").includes("..")) return false
  const known = glob ? path.slice(0, path.search(/[*?[{]/) + 1 || undefined) : path
  return folders.some((folder) =>
    glob ? known.startsWith(folder === "/" ? "/" : `${folder}/`) : isInside(path, folder)
  )
}

interface Globs {
  readonly globs: readonly PathGlob[]
  readonly folders: readonly string[]
}

function allowGlobs(content: string, reading: Reading, place: PathPlace): Globs {
  if (reading.exact) return fixed(start(content, reading.dialect, place).path, place, false)
  const { base, subtree } = cutEnd(content, reading.dialect === "claude")
  if (isName(content)) {
    // the last name, at any depth below the project
    const roots = twice(place.project, place)
    return {
      globs: roots.map((root) => [below(root), segments, ...pathGlob(content, false)]),
      folders: /^\*\*+$/.test(content) ? roots : []
    }
  }
  const { path } = start(base, reading.dialect, place)
  const heads = inBothForms(path, place, subtree)
  if (!subtree) return { globs: heads.map((head) => pathGlob(head, false)), folders: [] }
  return {
    globs: heads.map((head) => [...pathGlob(below(head), false), across]),
    folders: heads.filter((head) => !head.includes("*"))
  }
}

function banGlobs(given: string, reading: Reading, place: PathPlace): Globs {
  if (reading.exact && !reading.malformed) return fixed(start(given, reading.dialect, place).path, place, true)
  // what begins like the readable part of a malformed ban, or of a prefix form, is banned
  const content = reading.malformed || given.endsWith(":*") ? `${given.replace(/:\*$/, "")}**` : given
  const { base, subtree } = cutEnd(content, false)
  const { anchored, path } = start(base, reading.dialect, place)
  const wide = (text: string) => pathGlob(text, true)
  const reach = (text: string): readonly PathGlob[] => (subtree ? [[...wide(below(text)), across]] : [wide(text)])
  if (!anchored && content.startsWith("*")) {
    // begins with a star: at any depth, and a bare name also what lies below a folder of that name
    const bare = content.includes("/") ? [] : [belowGlob(wide(content))]
    return { globs: [...reach(base), ...bare], folders: [] }
  }
  if (isName(content)) {
    const globs = twice(place.project, place).flatMap((root): readonly PathGlob[] => {
      const name: PathGlob = [below(root), segments, ...wide(content)]
      return [name, belowGlob(name)]
    })
    return { globs, folders: [] }
  }
  const globs = inBothForms(path, place, subtree, true).flatMap(reach)
  if (anchored || !subtree) return { globs, folders: [] }
  // a relative folder: wherever one of that name lies, on the way to the project too
  const relative = lexicallyClean(base)
  return {
    globs: relative.startsWith("..") ? globs : [...globs, [across, ...wide(`/${below(relative)}`), across]],
    folders: []
  }
}

/** A pattern without a slash: a name, wherever it stands. */
const isName = (content: string) => !content.includes("/") && !["~", ".", ".."].includes(content)

/** The pattern without an end that means everything below, and whether it had one. */
function cutEnd(content: string, oneStarIsOneLevel: boolean): { readonly base: string; readonly subtree: boolean } {
  const end = /(?:\/\*\*+|\/\*|\/)$/.exec(content)
  if (end === null || (oneStarIsOneLevel && end[0] === "/*")) return { base: content, subtree: false }
  return { base: content.slice(0, end.index) || (content.startsWith("/") ? "/" : "."), subtree: true }
}

/** The pattern made absolute; `anchored` unless it starts at the project. */
function start(
  pattern: string,
  dialect: Dialect,
  { home, project }: PathPlace
): { readonly path: string; readonly anchored: boolean } {
  const from = (folder: string, rest: string) => lexicallyClean(`${folder}/${rest}`)
  if (pattern === "~" || pattern.startsWith("~/")) return { path: from(home, pattern.slice(1)), anchored: true }
  if (dialect === "claude") {
    if (pattern.startsWith("//")) return { path: from("", pattern), anchored: true }
    return { path: from(project, pattern), anchored: pattern.startsWith("/") }
  }
  return pattern.startsWith("/")
    ? { path: from("", pattern), anchored: true }
    : { path: from(project, pattern), anchored: false }
}

/** One path without stars. */
function fixed(path: string, place: PathPlace, ban: boolean): Globs {
  return { globs: inBothForms(path, place, false, ban, true).map(literalGlob), folders: [] }
}

/**
 * The pattern as written and with the symbolic links of its literal head resolved. Inside the project only the
 * project's own folder is resolved: else a link that was committed would move the pattern. The last name of an allow
 * rule's path is no head: a rule for one name must not follow it anywhere.
 */
function inBothForms(path: string, place: PathPlace, subtree: boolean, ban = false, plain = false): readonly string[] {
  const { files, project } = place
  if (isInside(path, project))
    return distinct(path, join(realPath(project, files), path.slice(project === "/" ? 0 : project.length)))
  const star = plain ? -1 : path.indexOf("*")
  const whole = star === -1 && (subtree || ban)
  const end = whole ? path.length : path.lastIndexOf("/", star === -1 ? path.length : star)
  const head = path.slice(0, end)
  if (head === "") return [path]
  const folder = path.lastIndexOf("/", star === -1 ? path.length - 1 : star)
  const byFolder = ban && whole && folder > 0 ? [join(realPath(path.slice(0, folder), files), path.slice(folder))] : []
  return [...new Set([path, ...distinct(path, join(realPath(head, files), path.slice(end))), ...byFolder])]
}

const twice = (folder: string, { files }: PathPlace) => distinct(folder, realPath(folder, files))

const distinct = (one: string, other: string): readonly string[] => (one === other ? [one] : [one, other])

const join = (folder: string, rest: string) => (folder === "/" ? rest || "/" : folder + rest)

/** The folder with the slash behind it. */
const below = (folder: string) => (folder.endsWith("/") ? folder : `${folder}/`)

/** A whole literal segment that every path of the pattern holds: what it is looked up by. */
export function segmentOf(glob: PathGlob): string | undefined {
  for (let index = glob.length - 1; index >= 0; index--) {
    const token = glob[index]!
    if (typeof token !== "string") continue
    const before = glob[index - 1]
    const names = token.split("/")
    // a name is whole if a slash, or the path's end, stands on both its sides
    if (index < glob.length - 1) names.pop()
    if (index > 0 && before !== segments) names.shift()
    const name = names.findLast((each) => each !== "")
    if (name !== undefined) return name
  }
  return undefined
}
