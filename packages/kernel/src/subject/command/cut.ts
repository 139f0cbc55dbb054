/**
 * Places where the parser ends a text elsewhere than bash does, so that what it found there is not what runs.
 */
import { type HereDoc, parse, type ParameterExpansionPart } from "unbash"

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
