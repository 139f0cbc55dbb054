/**
 * Symbolic links that a line makes itself: what it touches through one of them it touches where the link leads.
 */
import { lexicallyClean } from "../path.ts"
import type { Link, Touch } from "./analysis.ts"
import { has, readArguments } from "./options.ts"
import type { Arg } from "./words.ts"

/** More touches than this are not followed. */
const maxTouches = 200

/** The targets of the links that the command makes; an empty list when it makes none. */
export function linkTargets(words: readonly Arg[]): readonly Arg[] {
  const { operands, options } = readArguments(words.slice(1), { short: "tS", long: ["--target-directory", "--suffix"] })
  if (!has(options, ["-s", "--symbolic"])) return []
  return operands.length > 1 && !has(options, ["-t", "--target-directory"]) ? operands.slice(0, -1) : operands
}

/** The touches, and each of them again where one of the links leads. Whether the link was made only bash can know. */
export function throughLinks(touches: readonly Touch[], links: readonly Link[]): readonly Touch[] {
  const all = [...touches]
  for (let index = 0; index < all.length && all.length < maxTouches; index++) {
    const touch = all[index]!
    if (touch.path === undefined) continue
    const path = lexicallyClean(touch.path)
    // `x/` is what the link leads to, `x` is the link
    const inside = touch.path.endsWith("/") ? `${path}/` : path
    for (const link of links) {
      if (touch.part === link.part || !inside.startsWith(`${link.path}/`)) continue
      const rest = inside.slice(link.path.length)
      if (link.target === undefined) all.push({ ...touch, path: undefined, uncertain: true, emptied: rest })
      else all.push({ ...touch, path: lexicallyClean(`${link.target}${rest}`), uncertain: true, filtered: true })
    }
  }
  return all
}
