/**
 * Whether a path with shell globs in it may name a given path. In doubt it may.
 */

/** Whether the segment, its globs unquoted, may name exactly this name. */
export function segmentMayBe(segment: string, name: string): boolean {
  if (!isGlob(segment)) return segment === name
  // a star at the beginning leaves hidden files alone
  if (name.startsWith(".") && !segment.startsWith(".")) return false
  // a bracket stands for one character of its set: any, here
  const pattern = segment.replace(/\[[^\]]*\]/g, "?")
  if (pattern.includes("[")) return true
  return matches(pattern, 0, name, 0)
}

/** Whether unquoted glob characters stand in the text. */
export const isGlob = (text: string) => text.includes("*") || text.includes("?") || text.includes("[")

/** How a path, its globs unquoted, may lie to another: on it, below it, above it. */
export function mayLie(
  path: string,
  to: string
): { readonly on: boolean; readonly below: boolean; readonly above: boolean } {
  const ours = segments(path)
  const theirs = segments(to)
  const shared = Math.min(ours.length, theirs.length)
  for (let index = 0; index < shared; index++) {
    if (!segmentMayBe(ours[index]!, theirs[index]!)) return { on: false, below: false, above: false }
  }
  return { on: ours.length === theirs.length, below: ours.length > theirs.length, above: ours.length < theirs.length }
}

/** The names of an absolute path, root first. */
export const segments = (path: string) => path.split("/").filter((segment) => segment !== "")

function matches(pattern: string, at: number, name: string, from: number): boolean {
  let star = -1
  let mark = 0
  let index = from
  let next = at
  while (index < name.length) {
    if (next < pattern.length && (pattern[next] === "?" || pattern[next] === name[index])) {
      next++
      index++
    } else if (pattern[next] === "*") {
      star = next++
      mark = index
    } else if (star !== -1) {
      next = star + 1
      index = ++mark
    } else return false
  }
  while (pattern[next] === "*") next++
  return next === pattern.length
}
