/**
 * What builtins of the shell do to the words that come after them: folders, aliases, traps, texts to be run.
 */
import { type After, apart, type Found, type Place, redefine } from "./analysis.ts"
import { anywhere, changed, either, folder, type Folders } from "./folders.ts"
import { isHarmlessAssignment, redefines, redefinesWords } from "./redefine.ts"
import { addTouches } from "./touches.ts"
import { type Arg, without } from "./words.ts"

interface Call {
  readonly found: Found
  readonly place: Place
  readonly words: readonly Arg[]
  /** Index of the part that the command has made. */
  readonly part: number
  /** Nothing stands in front of it: it runs in this very shell. */
  readonly direct: boolean
}

const still = ({ folders }: Place): After => ({ ok: folders, failed: folders })

/** The part needs no rule: what it runs is judged by itself. */
function free({ found, part }: Call): void {
  const made = found.parts[part]!
  if (!made.unknown && made.asks === undefined) found.parts[part] = { ...made, free: true }
}

/** Only bash can know what the part does. */
function unknown({ found, part }: Call): void {
  found.parts[part] = { ...found.parts[part]!, unknown: true, readOnly: false, free: false }
}

function moveTo(call: Call, folders: Folders): After {
  const { direct, place } = call
  // `timeout 5 cd x` runs a program of that name, if there is one
  return { ok: direct ? folders : either(place.folders, folders), failed: place.folders }
}

function cd(call: Call): After {
  const { found, part, place, words } = call
  const target = words
    .slice(1)
    .find(({ head, value }) => value === undefined || value === "-" || !/^-[LPe@]+$|^--$/.test(head))
  const unknownFolder: Folders = { paths: [], unknown: true }
  if (target === undefined && found.home !== undefined) {
    addTouches(found, { kind: "read", file: homeWord(found.home) }, place.folders, part)
    return moveTo(call, folder(found.home))
  }
  const lost =
    target === undefined || target.value === "-" || target.head.startsWith("+") || place.variables.words.has("CDPATH")
  addTouches(found, { kind: "read", file: lost ? undefined : target }, place.folders, part)
  return moveTo(call, lost ? unknownFolder : changed(place.folders, target))
}

const homeWord = (home: string): Arg => ({
  text: "~",
  value: home,
  glob: false,
  spellings: [{ text: home, glob: false }],
  head: home,
  loose: false,
  emptied: undefined
})

function popd({ place }: Call): After {
  return { ok: { paths: [], unknown: true }, failed: place.folders }
}

function evaluate(call: Call): After {
  const { found, place, words } = call
  const rest = words.slice(words[1]?.value === "--" ? 2 : 1)
  if (rest.some(({ value }) => value === undefined)) {
    unknown(call)
    found.transparent = false
    redefine(found)
    place.folders = anywhere(place.folders)
    return still(place)
  }
  free(call)
  found.walker.text(found, rest.map(({ value }) => value).join(" "), place, true)
  return still(place)
}

function trap(call: Call): After {
  const { found, place, words } = call
  const [, action, ...signals] = words
  const listed = action === undefined || action.value === "-p" || action.value === "-l"
  if (!listed && action.value === undefined) {
    unknown(call)
    redefine(found)
  } else if (listed || signals.length === 0 || action.value === "-" || action.value === "") free(call)
  else {
    const at = action.value === "--" ? signals[0] : action
    if (!redefinesWords(words)) free(call)
    if (at?.value === undefined) unknown(call)
    else found.walker.text(found, at.value, apart(place), true)
  }
  return still(place)
}

function alias(call: Call): After {
  const { found, place, words } = call
  for (const word of words.slice(1)) {
    const equals = word.head.indexOf("=")
    const text = equals === -1 ? word : without(word, equals + 1)
    if (text.value === undefined) unknown(call)
    else if (equals !== -1) found.walker.text(found, text.value, apart(place), true)
  }
  return still(place)
}

function declare(call: Call): After {
  const { place, words } = call
  const options = words.slice(1).filter(({ head }) => head.startsWith("-") || head.startsWith("+"))
  const rest = words.slice(1).filter((word) => !options.includes(word))
  const exports = words[0]!.value === "export" || options.some(({ head }) => head.includes("x"))
  const plain = options.every(({ value }) => value !== undefined && /^[-+][rlugx]+$/.test(value))
  const names = rest.every(
    ({ head, text }) => !redefines((head === "" ? text : head).split(/[+=[]/)[0]!) && (head !== "" || /^\w/.test(text))
  )
  if (plain && names && rest.length > 0 && (!exports || rest.every(isHarmlessAssignment))) free(call)
  return still(place)
}

/** A command in an option's value: `mapfile -C`, `complete -C`. */
function callback(call: Call): After {
  const { found, place, words } = call
  words.forEach(({ head }, index) => {
    if (!head.startsWith("-C") && !head.startsWith("-F")) return
    const text = head.length > 2 ? without(words[index]!, 2) : words[index + 1]
    if (text?.value === undefined) unknown(call)
    else found.walker.text(found, text.value, apart(place), true)
  })
  return still(place)
}

function jobs(call: Call): After {
  if (call.words[0]!.value === "fc" || call.words.some(({ head }) => head.startsWith("-x"))) unknown(call)
  return still(call.place)
}

function source(call: Call): After {
  call.place.folders = anywhere(call.place.folders)
  return still(call.place)
}

/** By name. */
export const builtins: Readonly<Record<string, ((call: Call) => After) | undefined>> = Object.assign(
  Object.create(null),
  {
    cd,
    pushd: cd,
    popd,
    eval: evaluate,
    trap,
    alias,
    source,
    ".": source,
    jobs,
    fc: jobs,
    export: declare,
    declare,
    typeset: declare,
    local: declare,
    readonly: declare,
    mapfile: callback,
    readarray: callback,
    complete: callback,
    compgen: callback
  }
)
