/**
 * Path patterns as tokens: literal text, `*` within a segment, `**` across, and `**` followed by a slash for any number of whole segments. Matching goes back
 * at most to the last star of each kind, so that no path makes it slow.
 */

/** Any characters but a slash. */
export const inSegment = 1
/** Any characters. */
export const across = 2
/** Nothing, or any characters that end in a slash. */
export const segments = 3

export type PathToken = string | typeof inSegment | typeof across | typeof segments
export type PathGlob = readonly PathToken[]

/** Reads a pattern's stars; with `wide` each of them goes across segments. */
export function pathGlob(pattern: string, wide: boolean): PathGlob {
  const tokens: PathToken[] = []
  for (const piece of pattern.split(/(\*+\/?)/)) {
    if (piece === "") continue
    if (!piece.startsWith("*")) push(tokens, piece)
    else if (piece === "**/" && endsSegment(tokens)) tokens.push(segments)
    else {
      const stars = piece.endsWith("/") ? piece.length - 1 : piece.length
      tokens.push(wide || stars > 1 ? across : inSegment)
      if (piece.endsWith("/")) push(tokens, "/")
    }
  }
  return tokens
}

/** A pattern without stars. */
export const literalGlob = (path: string): PathGlob => [path]

/** The text that a pattern surely begins with. */
export const headOf = (glob: PathGlob) => (typeof glob[0] === "string" ? glob[0] : "")

/** Whether the whole path matches. */
export function pathGlobMatches(glob: PathGlob, path: string): boolean {
  let token = 0
  let at = 0
  // where to go on when what follows the last star fails: each try gives the star more text
  let narrow: { token: number; at: number } | undefined
  let wide: { token: number; at: number; whole: boolean } | undefined
  for (;;) {
    const next = glob[token]
    if (next === undefined) {
      if (at === path.length) return true
    } else if (next === inSegment) {
      narrow = { token: ++token, at }
      continue
    } else if (next === across || next === segments) {
      wide = { token: ++token, at, whole: next === segments }
      narrow = undefined
      continue
    } else if (path.startsWith(next, at)) {
      at += next.length
      token++
      continue
    }
    if (narrow !== undefined && narrow.at < path.length && path[narrow.at] !== "/") {
      at = ++narrow.at
      token = narrow.token
    } else if (wide !== undefined && wide.at < path.length) {
      narrow = undefined
      wide.at = wide.whole ? path.indexOf("/", wide.at) + 1 || path.length + 1 : wide.at + 1
      if (wide.at > path.length) return false
      at = wide.at
      token = wide.token
    } else return false
  }
}

/**
 * Whether some path matches both: the pattern of a rule, and what a shell's glob (`*`, `?`, `[…]`, braces) can name.
 * Where that would cost too much to find out, it may.
 */
export function mayMeet(glob: PathGlob, named: PathGlob): boolean {
  const one = spread(glob)
  const other = spread(named)
  const width = other.length + 1
  if (one.length * width > maxSteps) return true
  const seen = new Uint8Array((one.length + 1) * width)
  const todo = [0]
  for (let state = todo.pop(); state !== undefined; state = todo.pop()) {
    const left = Math.floor(state / width)
    const right = state % width
    if (left === one.length && right === other.length) return true
    const go = (nextLeft: number, nextRight: number) => {
      const next = nextLeft * width + nextRight
      if (seen[next] === 1) return
      seen[next] = 1
      todo.push(next)
    }
    const a = one[left]
    const b = other[right]
    if (isStar(a)) go(left + 1, right)
    if (isStar(b)) go(left, right + 1)
    if (a === undefined || b === undefined || !meet(a, b)) continue
    const afterA = isStar(a) ? left : left + 1
    const afterB = isStar(b) ? right : right + 1
    go(afterA, afterB)
  }
  return false
}

/** What a shell's glob can name. */
export function shellPathGlob(path: string): PathGlob {
  const tokens: PathToken[] = []
  for (const piece of path.split(/(\*+|\?|\[[^\]/]*\]|\{[^}]*\})/)) {
    if (piece === "") continue
    if (/^\*\*/.test(piece) || piece.startsWith("{")) tokens.push(across)
    // one character counts as any number: more paths than can be, never fewer
    else if (/^[*?[]/.test(piece)) tokens.push(inSegment)
    else push(tokens, piece)
  }
  return tokens
}

/** Everything below a folder, and the folder itself. */
export const wholeFolder = (path: PathGlob): readonly PathGlob[] => [path, [...path, "/", across]]

const maxSteps = 1_000_000

type Step = string | typeof inSegment | typeof across

/** Tokens as single characters; whole segments count as any characters. */
const spread = (glob: PathGlob): readonly Step[] =>
  glob.flatMap((token): readonly Step[] => (typeof token === "string" ? token.split("") : [token === segments ? across : token]))

const isStar = (step: Step | undefined) => typeof step === "number"

function meet(a: Step, b: Step): boolean {
  if (typeof a === "string" && typeof b === "string") return a === b
  if (a === inSegment) return b !== "/"
  return b !== inSegment || a !== "/"
}

function push(tokens: PathToken[], text: string): void {
  const last = tokens.at(-1)
  if (typeof last === "string") tokens[tokens.length - 1] = last + text
  else tokens.push(text)
}

/** Whether the next token begins a segment. */
const endsSegment = (tokens: readonly PathToken[]) => {
  const last = tokens.at(-1)
  return last === undefined || last === segments || (typeof last === "string" && last.endsWith("/"))
}
