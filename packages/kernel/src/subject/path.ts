/**
 * Paths as the kernel compares them: absolute, lexically clean, and where symbolic links matter, real.
 * The only file system it knows is the link reader it is handed.
 */
import type { FileSystem } from "./Subject.ts"

/** More links than this on one way are a loop: nothing can be opened through it. */
const maxLinks = 40

/** The path made absolute against the folder, `~` and `~/x` against home, without `.`, `..` and double slashes. */
export function cleanPath(path: string, folder: string, home: string): string {
  return lexicallyClean(absolutePath(path, folder, home))
}

/** The path made absolute against the folder and home, its segments left as they are. */
export function absolutePath(path: string, folder: string, home: string): string {
  if (path.startsWith("/")) return path
  if (path === "~") return home
  if (path.startsWith("~/")) return `${home}/${path.slice(2)}`
  return `${folder}/${path}`
}

/**
 * The path with symbolic links resolved through the nearest existing ancestor. `..` goes up from where a link
 * leads to, as the kernel of an operating system does.
 */
export function realPath(path: string, files: FileSystem): string {
  const todo = path.split("/").reverse()
  let links = 0
  let real = ""
  while (todo.length > 0) {
    const segment = todo.pop()!
    if (segment === "" || segment === ".") continue
    if (segment === "..") {
      real = real.slice(0, Math.max(0, real.lastIndexOf("/")))
      continue
    }
    const next = `${real}/${segment}`
    const target = files.readLink(next)
    if (target === undefined) real = next
    else if (++links > maxLinks) return lexicallyClean(path)
    else {
      if (target.startsWith("/")) real = ""
      todo.push(...target.split("/").reverse())
    }
  }
  return real === "" ? "/" : real
}

/** Whether an absolute, clean path is the folder or lies below it. */
export function isInside(path: string, folder: string): boolean {
  if (folder === "/") return path.startsWith("/")
  return path.startsWith(folder) && (path.length === folder.length || path.charCodeAt(folder.length) === 0x2f)
}

/** A path without `.`, `..` and double slashes; a relative one stays relative. */
export function lexicallyClean(path: string): string {
  if (isClean(path)) return path
  const rooted = path.startsWith("/")
  const kept: string[] = []
  for (const segment of path.split("/")) {
    if (segment === "" || segment === ".") continue
    if (segment !== "..") kept.push(segment)
    else if (kept.length > 0 && kept.at(-1) !== "..") kept.pop()
    else if (!rooted) kept.push("..")
  }
  return rooted ? `/${kept.join("/")}` : kept.join("/") || "."
}

/** The last name of a path. */
export const baseName = (path: string) => path.slice(path.lastIndexOf("/") + 1)

const isClean = (path: string) =>
  path.startsWith("/") && !path.includes("//") && !path.includes("/.") && (path.length === 1 || !path.endsWith("/"))
