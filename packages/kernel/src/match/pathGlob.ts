/**
 * Path patterns as tokens: literal text, `*` within a segment, `**` across, and `**` followed by a slash for any
 * number of whole segments. Matching goes back at most to the last star of each kind, so that no path makes it slow.
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

/** Tokens one behind the other, literal text in one piece. */
export function joinGlobs(...parts: readonly PathGlob[]): PathGlob {
  const tokens: PathToken[] = []
  for (const token of parts.flat()) {
    if (typeof token === "string") push(tokens, token)
    else tokens.push(token)
  }
  return tokens
}

/** Everything below what the pattern names. */
export const belowGlob = (glob: PathGlob): PathGlob => joinGlobs(glob, ["/", across])

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
  if (!headsMeet(headOf(glob), headOf(named)) || !endsMeet(endOf(glob), endOf(named))) return false
  if (hasFixedDepth(named) && depthOf(glob) > depthOf(named)) return false
  const one = states(glob)
  const other = states(named)
  const width = other.length + 1
  if (one.length * width > maxSteps) return true
  const seen = new Uint8Array((one.length + 1) * width)
  const todo = [0]
  const go = (left: number, right: number) => {
    const next = left * width + right
    if (seen[next] === 1) return
    seen[next] = 1
    todo.push(next)
  }
  for (let state = todo.pop(); state !== undefined; state = todo.pop()) {
    const left = Math.floor(state / width)
    const right = state % width
    if (left === one.length && right === other.length) return true
    const a = one[left]
    const b = other[right]
    if (a?.skip !== undefined) go(a.skip, right)
    if (b?.skip !== undefined) go(left, b.skip)
    if (a === undefined || b === undefined) continue
    // of the characters that no pattern names one is as good as another
    for (const char of [a.char ?? b.char ?? "other", "/"]) {
      if (!takes(a, char) || !takes(b, char)) continue
      for (const nextLeft of after(a, char)) for (const nextRight of after(b, char)) go(nextLeft, nextRight)
    }
  }
  return false
}

/** What a shell's glob can name. */
export function shellPathGlob(path: string): PathGlob {
  const tokens: PathToken[] = []
  for (const piece of path.split(/(\*+|\?|\[[^\]/]*\]|\{[^}]*\})/)) {
    if (piece === "") continue
    if (piece.startsWith("**") || piece.startsWith("{")) tokens.push(across)
    // one character counts as any number: more paths than can be, never fewer
    else if (/^[*?[]/.test(piece)) tokens.push(inSegment)
    else push(tokens, piece)
  }
  return tokens
}

/** Everything below a folder, and the folder itself. */
export const wholeFolder = (path: PathGlob): readonly PathGlob[] => [path, belowGlob(path)]

const maxSteps = 1_000_000

/** One place in a pattern. */
interface State {
  /** Where the pattern can go on without a character. */
  readonly skip?: number
  /** The only character that is taken here; absent: any. */
  readonly char?: string
  readonly noSlash?: boolean
  /** Where it goes on after a character, and also after a slash. */
  readonly to: number
  readonly toBySlash?: number
}

function states(glob: PathGlob): readonly State[] {
  const list: State[] = []
  for (const token of glob) {
    const at = list.length
    if (typeof token === "string") list.push(...token.split("").map((char, index) => ({ char, to: at + index + 1 })))
    else if (token === inSegment) list.push({ skip: at + 1, noSlash: true, to: at })
    else if (token === across) list.push({ skip: at + 1, to: at })
    else list.push({ skip: at + 2, to: at + 1, toBySlash: at + 2 }, { to: at + 1, toBySlash: at + 2 })
  }
  return list
}

const takes = ({ char: only, noSlash }: State, char: string) =>
  only === undefined ? !(noSlash === true && char === "/") : only === char

const after = ({ to, toBySlash }: State, char: string): readonly number[] =>
  toBySlash !== undefined && char === "/" ? [to, toBySlash] : [to]

const endOf = (glob: PathGlob) => {
  const last = glob.at(-1)
  return typeof last === "string" ? last : ""
}

const endsMeet = (one: string, other: string) => one.endsWith(other) || other.endsWith(one)

/** How many slashes are sure. */
const depthOf = (glob: PathGlob) =>
  glob.reduce<number>((sum, token) => sum + (typeof token === "string" ? token.split("/").length - 1 : 0), 0)

const hasFixedDepth = (glob: PathGlob) => glob.every((token) => token !== across && token !== segments)

const headsMeet = (one: string, other: string) => one.startsWith(other) || other.startsWith(one)

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
