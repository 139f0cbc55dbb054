/**
 * A command line → its parts and the files it touches. Bounded in length, nesting and number of parts, and
 * remembered by text: agents ask for the same lines again and again.
 */
import { parse } from "unbash"
import type { Part } from "../Subject.ts"
import { type Analysis, exhaust, type Found, type Place, TooMuch } from "./analysis.ts"
import { withoutArithmetic } from "./cut.ts"
import { folder } from "./folders.ts"
import { throughLinks } from "./links.ts"
import { collectVariables } from "./variables.ts"
import { walker, walkScript } from "./walk.ts"

/** Longer lines are not looked at: nothing allows them. */
const maxLength = 256 * 1024
/** Longer lines are not remembered. */
const maxRemembered = 8 * 1024
const maxEntries = 512

const remembered = new Map<string, Analysis>()

/** Takes a command line apart, as run in the folder. */
export function analyse(text: string, start: string, home: string): Analysis {
  if (text.length > maxRemembered) return takeApart(text, start, home)
  const key = `${start}\0${home}\0${text}`
  const known = remembered.get(key)
  if (known !== undefined) {
    // the map's order is the order of use
    remembered.delete(key)
    remembered.set(key, known)
    return known
  }
  const analysis = takeApart(text, start, home)
  remembered.set(key, analysis)
  if (remembered.size > maxEntries) remembered.delete(remembered.keys().next().value!)
  return analysis
}

function takeApart(text: string, start: string, home: string): Analysis {
  const found: Found = {
    start,
    home,
    parts: [],
    touches: [],
    ownVerbs: [],
    links: [],
    parsed: text.length <= maxLength,
    exhausted: text.length > maxLength,
    transparent: true,
    twice: false,
    evaluable: false,
    redefined: false,
    loop: undefined,
    depth: 0,
    walker
  }
  if (found.parsed) walkLine(found, text)
  const transparent = found.transparent && !(found.twice && found.evaluable)
  // a line that nobody understands must not pass for one that runs nothing
  if ((!transparent || !found.parsed) && found.parts.length === 0) found.parts.push(whole(text))
  return {
    parts: found.parts.map((part) => (found.parsed ? (transparent ? part : opaque(part)) : unparsed(part))),
    touches: found.links.length === 0 ? found.touches : throughLinks(found.touches, found.links),
    parsed: found.parsed,
    exhausted: found.exhausted,
    transparent,
    ownVerbs: found.ownVerbs
  }
}

const opaque = (part: Part): Part => ({ ...part, unknown: true, readOnly: false, fileCommand: false, free: false })
/** No rule allows a part of a line that does not parse; bans are tried on it all the same. */
const unparsed = (part: Part): Part => ({ ...part, allow: [], readOnly: false, fileCommand: false, free: false })

function whole(text: string): Part {
  return { text, allow: [], ban: [], unknown: true, readOnly: false, fileCommand: false, free: false, asks: undefined }
}

function walkLine(found: Found, text: string): void {
  try {
    const script = parse(text)
    const variables = collectVariables(script)
    if (variables.words.has("HOME")) found.home = undefined
    const place: Place = { folders: folder(found.start), assigned: new Set(), variables }
    walkScript(found, script, place)
    // nothing allows it any more; bans are tried on the other reading, too
    if (!found.parsed && text.includes("((")) walkScript(found, withoutArithmetic(text), { ...place, variables })
  } catch (error) {
    // a line that exhausts the parser or the walk is one that does not parse; anything else is a fault of ours
    if (!(error instanceof TooMuch) && !(error instanceof RangeError)) throw error
    exhaust(found)
  }
}
