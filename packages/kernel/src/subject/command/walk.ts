/**
 * The walk over a parsed line: to every simple command that bash could run, in the order and the folders it could
 * run them. What one simple command is, `simple.ts` says.
 */
import {
  forEachChild,
  parse,
  type AndOr,
  type Case,
  type CommandNode,
  type CompoundList,
  type HereDoc,
  type If,
  type ParameterExpansionPart,
  type ParsedScript,
  type Pipeline,
  type Statement,
  type SyntaxNode,
  type Word,
  type WordPart
} from "unbash"
import {
  type After,
  apart,
  exhaust,
  type Found,
  fork,
  type Place,
  redefine,
  type Walker,
  noteErrors
} from "./analysis.ts"
import { isCut, isJoined, losesSemicolon, uncut } from "./cut.ts"
import { anywhere, either, type Folders } from "./folders.ts"
import { redefines } from "./redefine.ts"
import { walkRedirects, walkSimple } from "./simple.ts"
import { evaluatesTwice, looksEvaluable } from "./twice.ts"
import { collectVariables } from "./variables.ts"

/** Scripts nested deeper than this in texts (`bash -c "bash -c …"`) are not looked at. */
const maxDepth = 12

/** Walks a script that is a text of its own, with variables of its own. */
export function walkText(found: Found, text: string, place: Place, shared: boolean): void {
  if (found.depth >= maxDepth) return exhaust(found)
  found.depth++
  const script = parse(text)
  const variables = collectVariables(script)
  if (variables.words.has("HOME")) found.home = undefined
  // a text that the same shell runs may read what the line assigned elsewhere
  const inner: Place = { folders: place.folders, assigned: new Set(), variables: shared ? unknownVariables : variables }
  walkScript(found, script, inner)
  if (shared) place.folders = inner.folders
  found.depth--
}

const unknownVariables = { words: new Map(), opaque: true }

/** Walks a parsed script; its own errors count wherever it is nested. */
export function walkScript(found: Found, script: ParsedScript | undefined, place: Place): After {
  if (script === undefined) found.parsed = false
  noteErrors(found, script?.errors)
  return walkList(found, script?.commands ?? [], place)
}

function walkList(found: Found, statements: readonly Statement[], place: Place): After {
  let after: After = { ok: place.folders, failed: place.folders }
  for (const { background, command } of statements) {
    if (background === true) {
      walkNode(found, command, fork(place))
      continue
    }
    after = walkNode(found, command, place)
    place.folders = either(after.ok, after.failed)
  }
  return after
}

type Node = Statement["command"] | CommandNode | CompoundList

function walkNode(found: Found, node: Node, place: Place): After {
  switch (node.type) {
    case "Command":
      return walkSimple(found, node, place)
    case "AndOr":
      return walkAndOr(found, node, place)
    case "Pipeline":
      return walkPipeline(found, node, place)
    case "Redirected":
      walkRedirects(found, node.redirects, place)
      return walkNode(found, node.command, place)
    case "CompoundList":
      return walkList(found, node.commands, place)
    case "BraceGroup":
      return walkList(found, node.body.commands, place)
    case "Subshell":
      walkList(found, node.body.commands, fork(place))
      return still(place)
    case "If":
      return walkIf(found, node, place)
    case "Case":
      return walkCase(found, node, place)
    case "For":
    case "Select":
      visit(found, node.name, place)
      if (redefines(node.name.value)) redefine(found)
      if (evaluatesTwice(node)) found.twice = true
      node.wordlist?.forEach((word) => {
        notePieces(found, word)
        visit(found, word, place)
      })
      return walkLoop(found, [node.body], place, node.wordlist === undefined ? undefined : node.name.value)
    case "While":
      return walkLoop(found, [node.clause, node.body], place)
    case "ArithmeticFor":
      visitAll(found, [node.initialize, node.test, node.update], place)
      found.twice = true
      return walkLoop(found, [node.body], place)
    case "Function":
      visit(found, node.name, place)
      redefine(found)
      walkNode(found, node.body, apart(place))
      return still(place)
    case "Coproc":
      if (node.name !== undefined && redefines(node.name.value)) redefine(found)
      walkNode(found, node.body, fork(place))
      return still(place)
    default:
      visit(found, node, place)
      return still(place)
  }
}

const still = ({ folders }: Place): After => ({ ok: folders, failed: folders })

function walkAndOr(found: Found, { commands, operators }: AndOr, place: Place): After {
  let after = walkNode(found, commands[0]!, place)
  let assigned = place.assigned
  for (let index = 1; index < commands.length; index++) {
    const and = operators[index - 1] === "&&"
    const branch: Place = { ...place, assigned: new Set(assigned), folders: and ? after.ok : after.failed }
    const next = walkNode(found, commands[index]!, branch)
    // what runs under a condition has assigned nothing for certain behind the next `||`
    assigned = and ? branch.assigned : place.assigned
    after = and
      ? { ok: next.ok, failed: either(after.failed, next.failed) }
      : { ok: either(after.ok, next.ok), failed: next.failed }
  }
  return after
}

function walkPipeline(found: Found, { commands, prefixes }: Pipeline, place: Place): After {
  if (commands.length > 1) {
    for (const command of commands) walkNode(found, command, fork(place))
    return still(place)
  }
  const after = commands[0] === undefined ? still(place) : walkNode(found, commands[0], place)
  return prefixes.some(({ type }) => type === "Negation") ? { ok: after.failed, failed: after.ok } : after
}

function walkIf(found: Found, { clause, elif, else: otherwise, then }: If, place: Place): After {
  let condition = walkList(found, clause.commands, place)
  const ends: Folders[] = []
  const branch = (list: CompoundList, folders: Folders) => {
    const inner = { ...fork(place), folders }
    walkList(found, list.commands, inner)
    ends.push(inner.folders)
  }
  branch(then, condition.ok)
  for (const each of elif) {
    const inner = { ...fork(place), folders: condition.failed }
    condition = walkList(found, each.clause.commands, inner)
    branch(each.then, condition.ok)
  }
  if (otherwise === undefined) ends.push(condition.failed)
  else branch(otherwise, condition.failed)
  place.folders = ends.reduce(either)
  return still(place)
}

function walkCase(found: Found, { items, word }: Case, place: Place): After {
  visit(found, word, place)
  let folders = place.folders
  for (const { body, pattern } of items) {
    pattern.forEach((each) => visit(found, each, place))
    // `;&` falls through, so that a body may start where the one before ended
    const inner = { ...fork(place), folders }
    walkList(found, body.commands, inner)
    folders = either(folders, inner.folders)
  }
  place.folders = folders
  return still(place)
}

function walkLoop(found: Found, lists: readonly CompoundList[], place: Place, variable?: string): After {
  const outermost = found.loop === undefined
  if (outermost) found.loop = found.parts.length
  const inner = fork(place)
  if (variable !== undefined) inner.assigned.add(variable)
  // a later round starts where an earlier one ended
  if (lists.some(mayMove)) inner.folders = anywhere(inner.folders)
  for (const list of lists) walkList(found, list.commands, inner)
  if (outermost) found.loop = undefined
  place.folders = either(place.folders, inner.folders)
  return still(place)
}

const movers: ReadonlySet<string> = new Set(["cd", "pushd", "popd", "eval", "source", ".", "builtin", "command"])

/** Whether something below may change the folder. */
function mayMove(node: SyntaxNode): boolean {
  if (
    node.type === "Command" &&
    node.name !== undefined &&
    (node.name.parts !== undefined || movers.has(node.name.value))
  )
    return true
  let moves = false
  forEachChild(node, (child) => {
    moves ||= child.type !== "Word" && mayMove(child)
  })
  return moves
}

function visitAll(found: Found, nodes: readonly (SyntaxNode | undefined)[], place: Place): void {
  for (const node of nodes) if (node !== undefined) visit(found, node, place)
}

/** Visits what is no command: words, redirects, expressions, for the scripts that are nested in them. */
export function visit(found: Found, node: SyntaxNode, place: Place): void {
  if (evaluatesTwice(node)) found.twice = true
  switch (node.type) {
    case "CommandExpansion": {
      const inner = fork(place)
      walkScript(found, node.script, inner)
      if (node.script !== undefined && !node.text.startsWith("`") && losesSemicolon(node.script))
        found.transparent = false
      // `${ x; }` runs in this very shell
      if (node.text.startsWith("${")) place.folders = either(place.folders, inner.folders)
      return
    }
    case "ProcessSubstitution":
    case "ArithmeticCommandExpansion":
      walkScript(found, node.script, fork(place))
      if (node.script !== undefined && losesSemicolon(node.script)) found.transparent = false
      return
    case "HereDoc":
      return visitHereDoc(found, node, place)
    case "ParameterExpansion":
      if (node.operation?.type === "Default" && node.operation.operator.endsWith("="))
        if (node.prefix === "!" || redefines(node.parameter)) redefine(found)
      if (isCut(node)) return visitReplace(found, node, place)
      break
    case "Word":
      noteLiterals(found, node)
      break
    case "ArithmeticWord":
      if (looksEvaluable(node.parts === undefined ? node.value : node.parts.map(literalText).join("")))
        found.evaluable = true
      break
    case "ArithmeticCommand":
      // an expression that the parser can't read still runs
      if (node.expression === undefined && looksEvaluable(node.body)) found.evaluable = true
      break
    case "ArithmeticExpansion":
      if (node.expression === undefined && looksEvaluable(node.text.slice(2))) found.evaluable = true
      break
    case "Assignment":
      if (node.value.type === "Word") notePieces(found, node.value)
      break
    case "HereString":
      if (node.target !== undefined) notePieces(found, node.target)
      break
    default:
      break
  }
  forEachChild(node, (child) => visit(found, child, place))
}

function visitHereDoc(found: Found, doc: HereDoc, place: Place): void {
  const { body, delimiter } = doc
  const literals = delimiter?.quoted === true ? body.text : (body.parts?.map(literalText).join("") ?? body.text)
  if (looksEvaluable(literals)) found.evaluable = true
  if (delimiter?.quoted === true) return
  visit(found, body, place)
  for (const part of body.parts ?? []) if (part.type === "ParameterExpansion") visitOperand(found, part, place)
  if (!isJoined(doc)) return
  const end = `E${body.text.length}`
  const script = parse(`: <<${end}\n${body.text.replaceAll("\\\n", "")}${end}\n`)
  for (const { command } of script.commands) {
    if (command.type !== "Command") continue
    for (const redirect of command.redirects) if (redirect.type === "HereDoc") visit(found, redirect.body, place)
  }
}

/** A single quote is plain text in what a heredoc expands, as it is in double quotes. */
function visitOperand(found: Found, { text }: ParameterExpansionPart, place: Place): void {
  if (!text.includes("'")) return
  const { commands, errors } = parse(`: "${text}"`)
  noteErrors(found, errors)
  visitWords(found, commands, place)
}

function visitWords(found: Found, statements: readonly Statement[], place: Place): void {
  for (const { command } of statements)
    if (command.type === "Command") for (const each of command.suffix) visit(found, each, place)
}

/** Pattern and replacement are one text, to be looked at as such. */
function visitReplace(found: Found, node: ParameterExpansionPart, place: Place): void {
  const { commands, errors } = uncut(node)
  noteErrors(found, errors)
  visitWords(found, commands, place)
}

/** A value that ends in a dollar sign is half of a substitution; what follows may come from another variable. */
function notePieces(found: Found, word: Word): void {
  if ((word.parts?.map(literalText).join("") ?? word.value).endsWith("$")) found.evaluable = true
}

function noteLiterals(found: Found, word: Word): void {
  if (found.evaluable) return
  found.evaluable = looksEvaluable(word.parts === undefined ? word.value : word.parts.map(literalText).join(""))
}

function literalText(part: WordPart): string {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
    case "AnsiCQuoted":
      return part.value
    case "DoubleQuoted":
    case "LocaleString":
      return part.parts.map(literalText).join("")
    default:
      // what stands here is no literal, and separates what does
      return "\0"
  }
}

/** The walk, for those who find more to walk in what they are given. */
export const walker: Walker = { text: walkText, visit }
