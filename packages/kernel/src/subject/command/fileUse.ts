/**
 * The files a command names: what it reads, writes and removes, by the table of programs and a few that need code.
 */
import { baseName } from "../path.ts"
import { type FileUse, fileUses } from "./fileUseTable.ts"
import { globalsEnd } from "./globalOptions.ts"
import { has, isAbbreviation, means, readArguments, type Arguments } from "./options.ts"
import { isRunByGit } from "./told.ts"
import { type Arg, literal, without } from "./words.ts"
import { launchOf } from "./wrappers.ts"

/** One use of a file by a command; relative paths start where the command stands. */
export interface Use {
  readonly kind: "read" | "write" | "remove"
  /** The word that names it; undefined when only bash can know. */
  readonly file: Arg | undefined
  /** With all that lies below. */
  readonly whole?: boolean
  /** It is taken away with all that lies below, so that the floor has to look. */
  readonly tree?: boolean
  /** What is taken away is searched for below it. */
  readonly searched?: boolean
  /** Only some of what lies below is hit: filters choose. */
  readonly filtered?: boolean
  /** A relative path starts at home. */
  readonly atHome?: boolean
}

const here = literal(".")
const isSet = (when: true | readonly string[] | undefined, read: Arguments) =>
  when === true || (when !== undefined && has(read.options, when))

/** Every use of a file that the words of one command show. */
export function fileUsesOf(words: readonly Arg[]): readonly Use[] {
  const name = words[0]?.value
  if (name === undefined) return []
  const base = baseName(name)
  if (base === "git") return usesOfGit(words)
  if (base === "find") return usesOfFind(words)
  if (base === "tar" || base === "bsdtar") return usesOfTar(words)
  if (base === "dd") return usesOfDd(words)
  if (base === "uniq") return usesOfUniq(words)
  if (base === "zip") return usesOfZip(words)
  if (base === "sed") return usesOfSed(words)
  if (base.startsWith("mkfs.")) return usesByTable(fileUses["mkfs"]!, words)
  if (Object.hasOwn(logs, base)) return usesOfLauncher(logs[base]!, words)
  const use = Object.hasOwn(fileUses, base) ? fileUses[base] : undefined
  // the shell itself reads folders for a glob, whatever the program does with the names
  if (use === undefined || base === "[" || base === "test")
    return listers.has(base) ? words.filter(listsElsewhere).map((file) => ({ kind: "read", file })) : []
  const uses = usesByTable(use, words)
  return base === "curl" ? [...uses, ...usesOfCurl(words)] : base === "wget" ? [...uses, ...usesOfWget(words)] : uses
}

const listers: ReadonlySet<string> = new Set([
  "echo",
  "printf",
  "test",
  "[",
  ":",
  "true",
  "false",
  "basename",
  "dirname",
  "expr",
  "which"
])
const listsElsewhere = ({ glob, head, text }: Arg) => glob && (head.startsWith("/") || text.includes(".."))

function usesByTable(use: FileUse, words: readonly Arg[]): readonly Use[] {
  const read = readArguments(words.slice(1), use)
  const uses: Use[] = []
  const whole = isSet(use.whole, read)
  let into: Arg | undefined
  for (const { name, value } of read.options) {
    if (value === undefined) continue
    const named = (names: readonly string[] | undefined) => names?.some((each) => means(name, each)) === true
    if (named(use.into)) into = value
    // a list of names: what it holds only the program can know
    else if (name.startsWith("--files0") || (name === "-f" && words[0]!.value === "file"))
      uses.push({ kind: "read", file: undefined })
    else if (named(use.writes)) uses.push({ kind: "write", file: value })
    // an option that is not known to be anything else may name a file
    else if (named(use.reads) || (name.startsWith("--") && use.operands === "read"))
      uses.push({ kind: "read", file: value })
  }
  const skip = use.unlessGiven !== undefined && has(read.options, use.unlessGiven) ? 0 : (use.skip ?? 0)
  const skipped = read.operands.slice(0, skip)
  const local = use.remote === true ? read.operands.filter(({ head }) => !/^[^/]*:/.test(head)) : read.operands
  const files = local.slice(skip)
  if (use.operands === "read" || use.operands === "write") {
    for (const file of files) uses.push({ kind: use.operands, file, whole })
    // a word that may become several may become options and files
    if (skipped.some(({ loose }) => loose)) uses.push({ kind: use.operands, file: undefined })
    if (files.length === 0 && isSet(use.here, read)) uses.push({ kind: "read", file: here, whole })
  } else if (use.operands === "remove") {
    const tree = isSet(use.tree, read)
    for (const file of files) uses.push({ kind: "remove", file, tree: tree || isEverything(file) })
  } else if (use.operands !== "none") uses.push(...transfers(use, files, into, whole))
  return uses
}

/** `rm ~/*` takes all files even without `-r`. */
const isEverything = ({ spellings, text }: Arg) =>
  spellings?.some((spelling) => spelling.glob && baseName(spelling.text) === "*") ?? text.endsWith("/*")

function transfers(use: FileUse, files: readonly Arg[], into: Arg | undefined, whole: boolean): readonly Use[] {
  const target = into ?? (files.length > 1 ? files.at(-1) : undefined)
  const sources = into === undefined && files.length > 1 ? files.slice(0, -1) : files
  const uses: Use[] = []
  for (const source of sources) {
    if (use.operands === "move") uses.push({ kind: "remove", file: source, tree: true, whole: true })
    if (use.operands !== "move") uses.push({ kind: "read", file: source, whole })
    // without a target a link goes where it stands, and `rsync` only lists
    const to = target ?? (use.operands === "link" ? here : undefined)
    if (to !== undefined) uses.push({ kind: "write", file: joined(to, source) })
  }
  if (target !== undefined) uses.push({ kind: "write", file: target })
  return uses
}

/** `to/name`, as a copy into a folder is called. */
function joined(to: Arg, source: Arg): Arg | undefined {
  if (to.spellings === undefined || source.spellings === undefined) return undefined
  const [first, ...others] = source.spellings
  if (first === undefined) return undefined
  const spellings = to.spellings.flatMap(({ glob, text }) =>
    [first, ...others].map((each) => ({ text: `${text}/${lastName(each.text)}`, glob: glob || each.glob }))
  )
  return { ...to, value: undefined, spellings: spellings.slice(0, 16), emptied: undefined }
}

const lastName = (path: string) => baseName(path.endsWith("/") ? path.slice(0, -1) : path)

/** Launchers that write files of their own: by options, or as their first operand. */
const logs: Readonly<Record<string, FileUse>> = {
  strace: { operands: "none", short: "abeEIoOpPsSuUX", long: ["--output"], writes: ["-o", "--output"] },
  ltrace: { operands: "none", short: "aADeFlnoPpsuwxX", long: ["--output"], writes: ["-o", "--output"] },
  time: { operands: "none", short: "fo", long: ["--format", "--output"], writes: ["-o", "--output"] },
  valgrind: {
    operands: "none",
    long: ["--log-file", "--xml-file"],
    writes: ["--log-file", "--xml-file", "--callgrind-out-file", "--massif-out-file"]
  },
  perf: { operands: "none", short: "o", long: ["--output"], writes: ["-o", "--output"] },
  flock: { operands: "write", short: "Ewc", long: ["--command", "--timeout", "--wait"] },
  script: { operands: "write", short: "BEIOTmoc", long: ["--command"], writes: ["-B", "-I", "-O", "-T"] }
}

/** What stands behind the launched program's name is the program's. */
function usesOfLauncher(use: FileUse, words: readonly Arg[]): readonly Use[] {
  const launch = launchOf(words)
  const at = launch?.unclear === true ? undefined : launch?.programs[0]?.at
  return usesByTable(use, at === undefined ? words : words.slice(0, at))
}

function usesOfSed(words: readonly Arg[]): readonly Use[] {
  const read = readArguments(words.slice(1), { short: "efl", long: ["--expression", "--file", "--line-length"] })
  const inPlace = read.options.some(({ name }) => name === "-i" || isAbbreviation(name, "--in-place"))
  const given = has(read.options, ["-e", "-f", "--expression", "--file"])
  const files = given ? read.operands : read.operands.slice(1)
  const scripts = read.options.filter(({ name }) => means(name, "-f") || means(name, "--file"))
  return [
    ...scripts.map(({ value }): Use => ({ kind: "read", file: value })),
    ...files.map((file): Use => ({ kind: inPlace ? "write" : "read", file }))
  ]
}

function usesOfUniq(words: readonly Arg[]): readonly Use[] {
  const [from, to] = readArguments(words.slice(1), { short: "fsw" }).operands
  return [
    ...(from === undefined ? [] : [{ kind: "read", file: from } as const]),
    ...(to === undefined ? [] : [{ kind: "write", file: to } as const])
  ]
}

function usesOfZip(words: readonly Arg[]): readonly Use[] {
  const { operands } = readArguments(words.slice(1), { short: "bixntP" })
  return operands.map((file, index): Use => ({ kind: index === 0 ? "write" : "read", file, whole: index > 0 }))
}

function usesOfDd(words: readonly Arg[]): readonly Use[] {
  return words.slice(1).flatMap((word): readonly Use[] => {
    if (word.head.startsWith("of=")) return [{ kind: "write", file: without(word, 3), tree: true }]
    return word.head.startsWith("if=") ? [{ kind: "read", file: without(word, 3) }] : []
  })
}

function usesOfTar(words: readonly Arg[]): readonly Use[] {
  const first = words[1]
  const old = first !== undefined && first.value !== undefined && !first.value.startsWith("-")
  const rest = old
    ? [
        literal(
          `-${[...first.value].filter((letter) => letter !== "f").join("")}${first.value.includes("f") ? "f" : ""}`
        ),
        ...words.slice(2)
      ]
    : words.slice(1)
  const read = readArguments(rest, {
    short: "fCTXbgKLNVIFH",
    long: ["--file", "--directory", "--files-from", "--exclude", "--exclude-from"]
  })
  const extracts = has(read.options, ["-x", "--extract", "--get"])
  const writes = has(read.options, ["-c", "-r", "-u", "-A", "--create", "--append", "--update"])
  const uses: Use[] = []
  let folder = here
  for (const { name, value } of read.options) {
    if (means(name, "-C") || means(name, "--directory")) folder = value ?? folder
    if (means(name, "-f") || means(name, "--file")) uses.push({ kind: writes ? "write" : "read", file: value })
    if (means(name, "-T") || means(name, "--files-from")) uses.push({ kind: "read", file: undefined })
  }
  if (extracts) uses.push({ kind: "write", file: folder, whole: true })
  if (writes) for (const file of read.operands) uses.push({ kind: "read", file, whole: true })
  return uses
}

function usesOfCurl(words: readonly Arg[]): readonly Use[] {
  const read = readArguments(words.slice(1), {
    short: "oTKDcbdFHXAeuxmCYyzrUwtEP",
    long: ["--data", "--data-binary", "--form"]
  })
  const uses: Use[] = []
  for (const { name, value } of read.options) {
    const at = value?.head.indexOf("@") ?? -1
    const sends = ["-d", "-F", "--data", "--data-binary", "--data-raw", "--data-urlencode", "--form"].some((each) =>
      means(name, each)
    )
    if (sends && value !== undefined && at !== -1) uses.push({ kind: "read", file: without(value, at + 1) })
    if (name === "-O" || means(name, "--remote-name") || means(name, "--remote-name-all")) {
      for (const url of read.operands)
        uses.push({ kind: "write", file: url.value === undefined ? undefined : literal(lastName(url.value)) })
    }
  }
  for (const url of read.operands)
    if (url.head.startsWith("file://")) uses.push({ kind: "read", file: without(url, 7) })
  return uses
}

function usesOfWget(words: readonly Arg[]): readonly Use[] {
  const read = readArguments(words.slice(1), { short: "OoaPieUtTwQ" })
  if (has(read.options, ["-O", "--output-document", "-P", "--directory-prefix"])) return []
  return read.operands.map(({ value }) => ({
    kind: "write",
    file: value === undefined ? undefined : literal(lastName(value))
  }))
}

function usesOfFind(words: readonly Arg[]): readonly Use[] {
  let end = 1
  while (end < words.length && /^-(?:[HLP]|D|O.*)$/.test(words[end]!.head)) end += words[end]!.head === "-D" ? 2 : 1
  const starts: Arg[] = []
  for (; end < words.length && !/^[-(!]/.test(words[end]!.head); end++) starts.push(words[end]!)
  if (starts.length === 0) starts.push(here)
  const rest = words.slice(end)
  const says = (...names: readonly string[]) => rest.some(({ value }) => value !== undefined && names.includes(value))
  const runs = says("-exec", "-execdir", "-ok", "-okdir")
  const removers = ["rm", "rmdir", "unlink", "shred", "mv"]
  const removes =
    says("-delete") ||
    (runs && rest.some(({ text, value }) => removers.includes(baseName(value ?? "")) || removesInScript.test(text)))
  const filtered =
    removes &&
    rest.some(({ value }, index) => value !== undefined && filters.has(value) && rest[index + 1]?.value !== "*")
  const uses: Use[] = starts.map((file) =>
    removes
      ? { kind: "remove", file, tree: true, whole: true, searched: true, filtered }
      : { kind: "read", file, whole: runs }
  )
  rest.forEach(({ value }, index) => {
    if (value !== undefined && ["-fprint", "-fprint0", "-fprintf", "-fls"].includes(value))
      uses.push({ kind: "write", file: rest[index + 1] })
    if (value === "-newer" || value === "-samefile" || value === "-files0-from")
      uses.push({ kind: "read", file: rest[index + 1] })
  })
  return uses
}

/** `sh -c 'rm "$1"'` behind `-exec`. */
const removesInScript = /(?:^|[\s;&|('"/])(?:rm|rmdir|unlink|shred)\s/

/** Tests of find that choose among files; `-type`, `-mindepth` and the like leave the tree as good as gone. */
const filters = new Set([
  "-name",
  "-iname",
  "-path",
  "-ipath",
  "-wholename",
  "-regex",
  "-iregex",
  "-mtime",
  "-mmin",
  "-atime",
  "-amin",
  "-ctime",
  "-cmin",
  "-newer",
  "-size",
  "-empty",
  "-user",
  "-group",
  "-perm",
  "-inum",
  "-samefile",
  "-maxdepth"
])

/** Sub-commands of git whose operands may be files they read. */
const gitReads = new Set([
  "diff",
  "log",
  "show",
  "blame",
  "ls-files",
  "ls-tree",
  "diff-tree",
  "diff-index",
  "diff-files",
  "shortlog",
  "cat-file",
  "annotate",
  "add",
  "hash-object",
  "whatchanged",
  "rev-list",
  "check-ignore",
  "status"
])

function usesOfGit(words: readonly Arg[]): readonly Use[] {
  const end = globalsEnd("git", words)
  const uses: Use[] = [{ kind: "read", file: here }]
  const sub = words[end]?.value
  const rest = words.slice(end + 1)
  const { operands, options } = readArguments(rest, { short: "mCcefABOo", long: ["--message", "--file", "--output"] })
  for (const { name, value } of options) {
    if (means(name, "--output") || (sub === "archive" && name === "-o")) uses.push({ kind: "write", file: value })
    if ((name === "-F" || means(name, "--file") || name === "-f") && sub !== "push")
      uses.push(...(value === undefined ? [] : [{ kind: "read", file: value } as const]))
  }
  const dashes = rest.findIndex(({ value }) => value === "--")
  const paths = dashes === -1 ? [] : rest.slice(dashes + 1)
  const all = (kind: Use["kind"], files: readonly Arg[], more: Partial<Use> = {}) => {
    for (const file of files) uses.push({ kind, file, ...more })
  }
  if (sub === "checkout") all("write", paths)
  else if (sub === "restore") all("write", operands)
  else if (sub === "rm") all("remove", operands, { tree: true })
  else if (sub === "mv") uses.push(...transfers({ operands: "move" }, operands, undefined, true))
  else if (sub === "clean") all("remove", operands.length === 0 ? [here] : operands, { filtered: true })
  else if (sub === "clone" || sub === "init") all("write", operands.slice(sub === "clone" ? 1 : 0))
  else if (sub === "config") uses.push(...usesOfConfig(rest))
  else if (sub === "worktree") all("write", operands.slice(1, 2))
  else if (sub === "grep") all("read", operands.length > 1 ? operands.slice(1) : [here], { whole: true })
  else if (sub !== undefined && gitReads.has(sub)) all("read", operands.map(blob))
  return uses
}

/** Setting a key by which git runs something writes the file that holds it. */
function usesOfConfig(words: readonly Arg[]): readonly Use[] {
  const { operands, options } = readArguments(words, { short: "f", long: ["--file", "--blob", "--type", "--default"] })
  const [first, second] = operands
  const verb = ["set", "unset", "edit", "rename-section", "remove-section"].includes(first?.value ?? "")
  const edits = has(options, ["-e", "--edit", "--unset", "--unset-all", "--add", "--replace-all", "--rename-section"])
  const reads = has(options, ["-l", "--list", "--get", "--get-all", "--get-regexp", "--get-urlmatch"])
  const key = verb ? second : first
  if (reads || !(verb || edits || operands.length > 1) || first?.value === "get" || first?.value === "list") return []
  if (key?.value !== undefined && key.value.includes(".") && !isRunByGit(key.value)) return []
  const file = options.find(({ name }) => name === "-f" || means(name, "--file"))
  if (file !== undefined) return [{ kind: "write", file: file.value }]
  if (has(options, ["--global"])) return [{ kind: "write", file: literal(".gitconfig"), atHome: true }]
  return [{ kind: "write", file: literal(has(options, ["--system"]) ? "/etc/gitconfig" : ".git/config") }]
}

/** `rev:path` reads `path`. */
function blob(operand: Arg): Arg {
  const colon = operand.head.indexOf(":")
  return colon === -1 ? operand : without(operand, colon + 1)
}
