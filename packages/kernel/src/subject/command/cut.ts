/**
 * Places where what the parser found is not what bash runs: it ends a text elsewhere, or bash garbles it.
 */
import { forEachChild, type HereDoc, parse, type ParameterExpansionPart, type SyntaxNode } from "unbash"

/** The pattern of `${x/…}` ends at its first slash for the parser, within a substitution, too. */
export function isCut({ operation }: ParameterExpansionPart): boolean {
  if (operation?.type !== "Replace") return false
  const { text } = operation.pattern
  // an open `<(` or `$[` is no error for the parser
  return (
    (/[$`]/.test(text) && (parse(asOperand(text)).errors !== undefined || /\$\[[^\]]*$/.test(text))) ||
    /[<>]\(/.test(text)
  )
}

/** Pattern and replacement, as they stand, where the parser does not look for slashes. */
export const uncut = ({ text }: ParameterExpansionPart) => parse(asOperand(text.slice(text.indexOf("/") + 1, -1)))

// neither a blank nor `#` ends an operand, as they do not end a pattern
const asOperand = (text: string) => `: \${x:-${text}}`

/** Bash joins the lines of a heredoc before it looks for substitutions, the parser does not. */
export const isJoined = ({ body, delimiter }: HereDoc): boolean =>
  delimiter?.quoted !== true && body.text.includes("\\\n")

/** A line in which `((` opens no arithmetic, which the parser does not always see. */
export const withoutArithmetic = (text: string) => parse(text.replaceAll("((", "( ("))

/**
 * Bash writes the script of `$(…)` and `<(…)` anew before it runs it, and loses the first semicolon behind a heredoc:
 * what were two commands are then one.
 */
export function losesSemicolon(script: SyntaxNode): boolean {
  let loses = false
  const look = (node: SyntaxNode): void => {
    const list = listOf(node)
    loses ||= list.some(
      (each, at) => hasHereDoc(each) && at + 1 < list.length && (at + 2 < list.length || !isSimple(list[at + 1]!))
    )
    if (!loses) forEachChild(node, look)
  }
  look(script)
  return loses
}

/** The statements that are written one after the other. */
function listOf(node: SyntaxNode): readonly SyntaxNode[] {
  switch (node.type) {
    case "Script":
    case "CompoundList":
      return node.commands.map(({ command }) => command)
    case "While":
      return [...listOf(node.clause), ...listOf(node.body)]
    case "If":
      return [
        ...listOf(node.clause),
        ...listOf(node.then),
        ...node.elif,
        ...(node.else === undefined ? [] : listOf(node.else))
      ]
    case "Case":
      return node.items.flatMap(({ body }) => listOf(body))
    default:
      return []
  }
}

/** Whether a heredoc belongs to the command itself, and to nothing that is closed within it. */
function hasHereDoc(node: SyntaxNode): boolean {
  switch (node.type) {
    case "Command":
    case "Redirected":
      return node.redirects.some(({ type }) => type === "HereDoc")
    case "AndOr":
    case "Pipeline":
      return node.commands.some(hasHereDoc)
    default:
      return false
  }
}

const isSimple = (node: SyntaxNode): boolean =>
  node.type === "Command" || ((node.type === "AndOr" || node.type === "Pipeline") && node.commands.every(isSimple))
