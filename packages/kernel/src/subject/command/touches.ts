/**
 * From the words that name files to the paths they can have, in every folder the command may stand in.
 */
import type { Redirection } from "unbash"
import type { Found, Place, Touch } from "./analysis.ts"
import type { Use } from "./fileUse.ts"
import type { Folders } from "./folders.ts"
import { valuesOf } from "./variables.ts"
import { type Arg, type Known, readWord } from "./words.ts"

/** What is known of variables and home at this place. */
export function knownAt(found: Found, place: Place, depth = 0): Known {
  return {
    home: found.home,
    lookup: (name) => {
      const { folders, variables } = place
      if (name === "HOME") return found.home === undefined ? undefined : [found.home]
      if (name === "PWD" && !variables.words.has(name))
        return depth > 0 || folders.unknown || found.redefined ? undefined : folders.paths
      if (depth > 4 || !place.assigned.has(name)) return undefined
      return valuesOf(variables, name, knownAt(found, place, depth + 1))
    }
  }
}

/** Files that are nobody's: reading and writing them is free. */
const isFreeDevice = (path: string) =>
  path === "/dev/null" || path === "/dev/tty" || /^\/dev\/(?:std(?:in|out|err)|fd\/\d+)$/.test(path)

/** Adds the paths of one use of a file. */
export function addTouches(found: Found, use: Use, folders: Folders, part: number | undefined, redirect = false): void {
  const touch = (path: string | undefined, glob: boolean, uncertain: boolean, emptied?: string): Touch => ({
    kind: use.kind,
    path,
    glob,
    whole: use.whole === true,
    uncertain,
    part,
    redirect,
    tree: use.tree === true,
    searched: use.searched === true,
    filtered: use.filtered === true,
    emptied
  })
  const { file } = use
  if (file?.spellings === undefined) {
    const { emptied } = file ?? { emptied: undefined }
    found.touches.push(
      touch(undefined, false, true, emptied !== undefined && /^[/~]/.test(emptied) ? emptied : undefined)
    )
    return
  }
  if (use.atHome === true) {
    const home = found.home
    for (const { text } of file.spellings)
      found.touches.push(touch(home === undefined ? undefined : `${home}/${text}`, false, home === undefined))
    return
  }
  const elsewhere = folders.unknown || found.redefined
  for (const { glob, text } of file.spellings) {
    if (text === "" || isFreeDevice(text)) continue
    if (text.startsWith("/")) found.touches.push(touch(text, glob, file.spellings.length > 1))
    else {
      const many = elsewhere || folders.paths.length > 1 || file.spellings.length > 1
      for (const base of folders.paths) found.touches.push(touch(`${base}/${text}`, glob, many))
      // `cd "$X" && rm -rf *` is `rm -rf "$X"/*`
      const all = folders.unknown && use.tree === true && glob && /^(?:\.\/+)*\*+$/.test(text)
      if (elsewhere) found.touches.push(touch(undefined, false, true, all ? "/*" : undefined))
    }
    // `.*` may match `..`
    if (glob && /(?:^|\/)\.[*?[]/.test(text)) found.touches.push(touch(undefined, false, true))
  }
}

/** Adds the files that redirects open; gives the reason why one of them needs a person. */
export function addRedirects(
  found: Found,
  redirects: readonly Redirection[],
  place: Place,
  part: number | undefined
): string | undefined {
  let asks: string | undefined
  for (const redirect of redirects) {
    if (redirect.type !== "Redirect" || redirect.target === undefined) continue
    const file = readWord(redirect.target, knownAt(found, place))
    if (duplicates(redirect.operator, file)) continue
    if (isConnection(file)) asks = "a redirect that opens a network connection"
    if (redirect.operator !== "<") addTouches(found, { kind: "write", file }, place.folders, part, true)
    if (redirect.operator === "<" || redirect.operator === "<>")
      addTouches(found, { kind: "read", file }, place.folders, part, true)
  }
  return asks
}

function duplicates(operator: string, { head, value }: Arg): boolean {
  if (operator === "<&") return true
  return operator === ">&" && (value === undefined ? /^\d*$/.test(head) && head !== "" : /^(?:\d+-?|-)$/.test(value))
}

const isConnection = ({ head, spellings, value }: Arg) =>
  spellings?.some(({ text }) => text.startsWith("/dev/tcp/") || text.startsWith("/dev/udp/")) ??
  (value === undefined && head.startsWith("/dev/"))

/** The text that a command reads from standard input, when it stands on the line literally. */
export function literalInput(found: Found, redirects: readonly Redirection[], place: Place): string | undefined {
  let text: string | undefined
  for (const redirect of redirects) {
    if (
      redirect.descriptor !== undefined &&
      !(redirect.descriptor.type === "FileDescriptor" && redirect.descriptor.value === 0)
    )
      continue
    if (redirect.type === "HereDoc") {
      const { body, delimiter } = redirect
      text = delimiter?.quoted === true || !/[$`\\]/.test(body.text) ? body.text : undefined
    } else if (redirect.type === "HereString") {
      text = redirect.target === undefined ? undefined : readWord(redirect.target, knownAt(found, place)).value
    } else if (redirect.operator === "<" || redirect.operator === "<>" || redirect.operator === "<&") text = undefined
  }
  return text
}
