/**
 * Where a command may stand: the folders that are possible at one point of a line. `cd` may fail, branches may not
 * be taken, so that several are possible; sometimes only bash can know.
 */
import { lexicallyClean } from "../path.ts"
import type { Arg } from "./words.ts"

/** The folders that are possible; `unknown` when others are, too. */
export interface Folders {
  readonly paths: readonly string[]
  readonly unknown: boolean
}

/** More folders than this are as good as unknown. */
const maxFolders = 8

/** Exactly this folder. */
export const folder = (path: string): Folders => ({ paths: [path], unknown: false })

/** Either of both. */
export function either(one: Folders, other: Folders): Folders {
  if (one === other) return one
  const paths = [...new Set([...one.paths, ...other.paths])]
  return { paths: paths.slice(0, maxFolders), unknown: one.unknown || other.unknown || paths.length > maxFolders }
}

/** Any folder, those known among them. */
export const anywhere = (folders: Folders): Folders => (folders.unknown ? folders : { ...folders, unknown: true })

/** Where a successful `cd` to the word leads. */
export function changed(from: Folders, target: Arg): Folders {
  if (target.spellings === undefined || target.spellings.some(({ glob }) => glob)) return { paths: [], unknown: true }
  const paths = new Set<string>()
  for (const { text } of target.spellings) {
    if (text.startsWith("/")) paths.add(lexicallyClean(text))
    else for (const base of from.paths) paths.add(lexicallyClean(`${base}/${text}`))
  }
  const relative = target.spellings.some(({ text }) => !text.startsWith("/"))
  return { paths: [...paths].slice(0, maxFolders), unknown: (relative && from.unknown) || paths.size > maxFolders }
}
