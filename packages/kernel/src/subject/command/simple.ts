/**
 * One simple command on the walk: the part it makes, the files it touches, the scripts it runs, and what it does to
 * the shell for the words that come after it.
 */
import type { Command as CommandSyntax, Redirection, SyntaxNode } from "unbash"
import { baseName, lexicallyClean } from "../path.ts"
import type { Form } from "../Subject.ts"
import { type After, type Found, fork, type Place, redefine, TooMuch } from "./analysis.ts"
import { builtins } from "./builtins.ts"
import { fileUsesOf } from "./fileUse.ts"
import { anywhere, changed, type Folders } from "./folders.ts"
import { linkTargets } from "./links.ts"
import { ownVerb } from "./ownVerbs.ts"
import { type Command, form, type Level, seeThrough } from "./part.ts"
import { isReadOnly } from "./readOnly.ts"
import { isHarmlessAssignment, redefines, redefinesWords } from "./redefine.ts"
import { addRedirects, addTouches, knownAt, literalInput } from "./touches.ts"
import { commandEvaluatesTwice, looksEvaluable } from "./twice.ts"
import { appended, type Arg, knowsNothing, readAssignment, readWord } from "./words.ts"

/** More parts than this are no line that anyone could judge. */
const maxParts = 1_000

const fileCommands: ReadonlySet<string> = new Set(["mkdir", "touch", "cp", "mv"])

/** Walks a simple command. */
export function walkSimple(found: Found, node: CommandSyntax, place: Place): After {
  if (found.parts.length >= maxParts) throw new TooMuch()
  const still: After = { ok: place.folders, failed: place.folders }
  for (const each of node.prefix) found.walker.visit(found, each, place)
  if (node.name !== undefined) found.walker.visit(found, node.name, place)
  const judged = ownScripts(found, node, place)
  for (const each of node.suffix) if (!judged.includes(each)) found.walker.visit(found, each, place)
  const known = knownAt(found, place)
  const assigned = node.prefix.filter((each) => each.type === "Assignment")
  const assignments = assigned.map((each) => readAssignment(each, known))
  if (node.name === undefined) {
    addAssignments(found, assignments, node.redirects, place)
    for (const { name } of assigned) place.assigned.add(name)
    if (assigned.some(({ name }) => redefines(name))) redefine(found)
    return still
  }
  const words = [
    readWord(node.name, known),
    ...node.args.map((arg) => (arg.type === "Word" ? readWord(arg, known) : readAssignment(arg, known)))
  ]
  if (node.name.value !== "alias")
    for (const arg of node.args) if (arg.type === "Assignment") place.assigned.add(arg.name)
  return addCommand(found, assignments, words, node.redirects, place)
}

/** Static texts that the command runs as scripts: what is literal in them is looked at when they are walked. */
function ownScripts(found: Found, { args, name, redirects }: CommandSyntax, place: Place): readonly SyntaxNode[] {
  const given = redirects.filter(({ type }) => type === "HereDoc" || type === "HereString")
  if (name === undefined || !(given.length > 0 || args.some(({ text }) => looksEvaluable(text)))) return []
  const words = [name, ...args].map((word) => (word.type === "Word" ? readWord(word, knowsNothing) : appended))
  const { scripts, shells } = seeThrough([], words, true)
  const [program, ...rest] = words
  const texts = program!.value === "eval" || program!.value === "trap" ? rest.map(({ value }) => value) : scripts
  // a comment is not walked, and would be text again where a variable takes the script on
  const runs = (text: string | undefined) => text !== undefined && !text.includes("#")
  const own: SyntaxNode[] = args.filter((_, at) => runs(rest[at]!.value) && texts.includes(rest[at]!.value))
  const input = shells.some(({ from }) => from === "stdin") ? literalInput(found, given, place) : undefined
  return runs(input) && given.length === 1 ? [...own, ...given] : own
}

function addAssignments(
  found: Found,
  assignments: readonly Arg[],
  redirects: readonly Redirection[],
  place: Place
): void {
  if (assignments.length === 0) return walkOpened(found, redirects, place)
  const plain = !assignments.some(({ head, text }) => redefines((head === "" ? text : head).split(/[+=[]/)[0]!))
  const asks = addRedirects(found, redirects, place, found.parts.length)
  const one = form(assignments, 0, [])
  found.parts.push({
    text: one.written,
    allow: [one],
    ban: [one],
    unknown: found.redefined,
    readOnly: plain && !found.redefined && asks === undefined,
    fileCommand: false,
    free: plain && !found.redefined,
    asks
  })
}

/** The redirects of a compound command: nested scripts in them, and the files they open. */
export function walkRedirects(found: Found, redirects: readonly Redirection[], place: Place): void {
  for (const redirect of redirects) found.walker.visit(found, redirect, place)
  walkOpened(found, redirects, place)
}

function walkOpened(found: Found, redirects: readonly Redirection[], place: Place): void {
  const asks = addRedirects(found, redirects, place, undefined)
  // without a command of its own the connection still needs a part to be asked for
  if (asks !== undefined) {
    found.parts.push({
      text: "",
      allow: [],
      ban: [],
      unknown: false,
      readOnly: false,
      fileCommand: false,
      free: false,
      asks
    })
  }
}

function addCommand(
  found: Found,
  assignments: readonly Arg[],
  words: readonly Arg[],
  redirects: readonly Redirection[],
  place: Place
): After {
  const harmless = assignments.every(isHarmlessAssignment)
  const command = seeThrough(assignments, words, harmless)
  const terminal = terminalOf(command)
  // what the shell itself does, behind words that change nothing about it
  const effect = terminal === undefined ? undefined : builtins[terminal.words[0]?.value ?? ""]
  const input = literalInput(found, redirects, place)
  const index = found.parts.length
  const readsInput = command.shells.some(({ from }) => from === "stdin")
  const blind = readsInput && input === undefined ? "a shell that reads its script from standard input" : undefined
  const asks = addRedirects(found, redirects, place, index) ?? blind
  const scripts = readsInput && input !== undefined ? [...command.scripts, input] : command.scripts
  // a script from standard input may be anything that a ban forbids
  const unknown = blind !== undefined || command.unknown || found.redefined || scripts.includes(undefined)
  const ban = bansTold(found, command, place, index)
  const firstTouch = found.touches.length
  addFiles(found, command, place, index)
  const changes = found.touches.slice(firstTouch).some(({ kind, redirect }) => kind !== "read" && !redirect)
  const atStart =
    !found.redefined &&
    !place.folders.unknown &&
    place.folders.paths.length === 1 &&
    place.folders.paths[0] === found.start
  const certain = !unknown && asks === undefined && terminal !== undefined
  const written = form([...assignments, ...words], 0, []).written
  found.parts.push({
    text: written,
    allow: command.allow,
    ban,
    unknown,
    readOnly: certain && !changes && isReadOnly(terminal.words, atStart),
    fileCommand: certain && fileCommands.has(terminal.words[0]!.value!) && terminal.words.every(({ loose }) => !loose),
    free:
      certain &&
      command.shells.length === 1 &&
      command.shells[0]!.from !== "file" &&
      !isDeferred(terminal.words) &&
      !terminal.words.some(readsStartFile),
    asks
  })
  for (const script of scripts) if (script !== undefined) walkApart(found, script, place)
  for (const { words: each } of command.levels) {
    if (commandEvaluatesTwice(each)) found.twice = true
    const verb = ownVerb(each)
    if (verb !== undefined) found.ownVerbs.push(verb)
    if (redefinesWords(each) && each[0]?.value !== "eval") redefine(found)
  }
  if (effect === undefined || terminal === undefined) return { ok: place.folders, failed: place.folders }
  return effect({ found, place, words: terminal.words, part: index, direct: command.levels.length === 1 })
}

/** What runs in the end, if nothing but harmless launchers stand in front of it. */
function terminalOf({ levels }: Command): Level | undefined {
  const last = levels.at(-1)
  return last?.harmless === true ? last : undefined
}

/** What `at` is given runs another day, wherever things then stand. */
const isDeferred = ([name]: readonly Arg[]) => ["at", "batch"].includes(baseName(name?.value ?? ""))

const readsStartFile = ({ head }: Arg) => head.startsWith("--rcfile") || head.startsWith("--init-file")

/** A script in a process of its own: what it redefines stays there. */
function walkApart(found: Found, script: string, place: Place): void {
  const { home, redefined } = found
  found.walker.text(found, script, place, false)
  found.redefined = redefined
  found.home = home
}

/** The forms of the command and of what its options and variables make it run. */
function bansTold(found: Found, { ban, told }: Command, place: Place, part: number): readonly Form[] {
  if (told.length === 0) return ban
  const forms = [...ban]
  for (const script of told) {
    const inner: Found = { ...found, parts: [], touches: [], redefined: false, loop: undefined }
    if (script !== undefined) found.walker.text(inner, script, fork(place), false)
    const unknown = script === undefined || !inner.parsed || inner.parts.some((each) => each.unknown)
    if (unknown) forms.push(form([appended], 0, []))
    for (const each of inner.parts) forms.push(...each.ban)
    for (const touch of inner.touches) found.touches.push({ ...touch, part })
  }
  return forms
}

function addFiles(found: Found, { levels }: Command, place: Place, part: number): void {
  let folders = place.folders
  for (const { words } of levels) {
    const at = words[0]?.value === "git" ? gitFolders(folders, words) : folders
    const first = found.touches.length
    for (const use of fileUsesOf(words)) addTouches(found, use, at, part)
    if (baseName(words[0]?.value ?? "") === "ln") addLinks(found, words, first, part)
    if (changesFolder(words)) folders = anywhere(folders)
  }
}

/** Each file that `ln -s` writes may be a link to each of its targets, which start where the link stands. */
function addLinks(found: Found, words: readonly Arg[], first: number, part: number): void {
  const targets = linkTargets(words).flatMap(({ spellings }) => spellings?.map(({ text }) => text) ?? [undefined])
  for (const { kind, path } of found.touches.slice(first)) {
    if (kind !== "write" || path === undefined) continue
    for (const text of targets) {
      const target = text === undefined || text.startsWith("/") ? text : lexicallyClean(`${path}/../${text}`)
      found.links.push({ path: lexicallyClean(path), target, part })
    }
  }
}

/** `env -C d`, `sudo -D d`, `chroot d`: what is launched stands elsewhere. */
function changesFolder(words: readonly Arg[]): boolean {
  const name = words[0]?.value
  if (name === "chroot" || name === "find")
    return name === "chroot" || words.some(({ value }) => value === "-execdir" || value === "-okdir")
  return (name === "env" || name === "sudo") && words.some(({ head }) => /^-[A-Za-z]*[CDR]|^--ch/.test(head))
}

function gitFolders(from: Folders, words: readonly Arg[]): Folders {
  let folders = from
  for (let index = 1; index < words.length - 1 && words[index]!.head.startsWith("-"); index++) {
    if (words[index]!.value === "-C") folders = changed(folders, words[++index]!)
    else if (words[index]!.value === "-c") index++
  }
  return folders
}
