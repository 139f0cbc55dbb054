/** Places in the syntax of bash where it runs a script. Each writes one statement around what stands there. */
import type { Pen } from "./Pen.ts"
import { singleQuoted } from "./words.ts"

/** What a place is written around. */
export interface Inner {
  /** A script of one or several statements, closed: any statement may follow. */
  readonly script: () => string
  /** One statement that may stand in a list, a pipe, behind `!` or `time`. */
  readonly statement: () => string
  /** A harmless statement, for where the forbidden one stands elsewhere. */
  readonly other: () => string
}

type Place = readonly [construct: string, write: (inner: Inner, pen: Pen) => string]

/** Closes a script so that anything may follow. */
export const closed = (script: string): string =>
  script.endsWith("\n") ? script : script.endsWith("&") ? `${script} ` : `${script}; `

/** Two statements of which one is the script's. */
function both(inner: Inner, pen: Pen, join: (one: string, other: string) => string): string {
  return pen.below(2) === 0 ? join(inner.statement(), inner.other()) : join(inner.other(), inner.statement())
}

const group = (script: string) => `{ ${script}}`

/** Statements that run their script for certain, and that allow rules see through. */
const lists: readonly Place[] = [
  ["list: ;", (inner, pen) => both(inner, pen, (one, other) => `${one}; ${other}`)],
  ["list: newline", (inner, pen) => both(inner, pen, (one, other) => `${one}\n${other}`)],
  ["list: &&", (inner, pen) => both(inner, pen, (one, other) => `${one} && ${other}`)],
  ["list: ||", (inner) => `fail || ${inner.statement()}`],
  ["list: ||", (inner) => `${inner.other()} && fail || ${inner.statement()}`],
  ["pipe", (inner, pen) => both(inner, pen, (one, other) => `${one} | ${other}`)],
  ["pipe: |&", (inner, pen) => both(inner, pen, (one, other) => `${one} |& ${other}`)],
  ["background", (inner) => `${inner.statement()} & ${inner.other()}`],
  ["background", (inner) => `${inner.other()}; ${inner.statement()} &`],
  ["!", (inner) => `! ${inner.statement()}`],
  ["time", (inner, pen) => `time ${pen.pick(["", "-p "])}${inner.statement()}`],
  ["subshell", (inner) => `( ${inner.script()})`],
  ["group", (inner) => group(inner.script())],
  ["comment", (inner) => `${inner.statement()} # danger; $(danger)\n${inner.other()}`],
  ["word characters", (inner) => `${inner.statement()}; ok \r\u000b\u00a0; fine`]
]

const controls: readonly Place[] = [
  ["if", (inner) => `if ${inner.script()}then ok; fi`],
  ["if", (inner) => `if ok; then ${inner.script()}fi`],
  ["if", (inner) => `if fail; then ok; elif ${inner.script()}then ok; fi`],
  ["if", (inner) => `if fail; then ok; elif fine; then ${inner.script()}else ok; fi`],
  ["if", (inner) => `if fail; then ok; else ${inner.script()}fi`],
  ["while", (inner) => `while ${inner.script()}fail; do ok; done`],
  ["while", (inner) => `while ok; do ${inner.script()}break; done`],
  ["until", (inner) => `until ${inner.script()}true; do ok; done`],
  ["for", (inner) => `for i in 1 x; do ${inner.script()}done`],
  ["for", (inner) => `for i in $(${inner.script()}); do ok; done`],
  ["for ((;;))", (inner) => `for ((i = 0; i < 1; i++)); do ${inner.script()}done`],
  ["for ((;;))", (inner) => `for ((i = $(${inner.script()}) + 0; i < 1; i++)); do ok; done`],
  [
    "case",
    (inner) => `case x in y) ok ;; x | z) ${inner.script()};; esac`.replace("; ;;", " ;;").replace("& ;;", "& ;;")
  ],
  ["case", (inner) => `case $(${inner.script()}) in *) ok ;; esac`],
  ["case pattern", (inner) => `case x in $(${inner.script()})) ok ;; *) fine ;; esac`],
  ["select", (inner) => `select i in x; do ${inner.script()}break; done <<< 1`],
  ["[[ ]]", (inner) => `[[ $(${inner.script()}) == x ]]`],
  ["[[ ]]", (inner) => `[[ -n "$(${inner.script()})" && x = x ]]`],
  ["[[ ]]", (inner) => `[[ x =~ $(${inner.script()}) ]]`],
  ["coproc", (inner) => `coproc ${group(inner.script())} < /dev/null; wait`],
  ["coproc", (inner) => `coproc job ${group(inner.script())} < /dev/null; wait`]
]

const substitutions: readonly Place[] = [
  ["$(…)", (inner) => `ok $(${inner.script()})`],
  ["$(…)", (inner) => `ok a$(${inner.script()})b`],
  ['$(…) in "…"', (inner) => `ok "a $(${inner.script()})"`],
  ["`…`", (inner) => `ok ${backticks(inner.script())}`],
  ["`…`", (inner) => `ok a"${backticks(inner.script())}"`],
  ["<(…)", (inner) => `ok <(${inner.script()})`],
  ["<(…)", (inner) => `cat < <(${inner.script()})`],
  [">(…)", (inner) => `ok >(${inner.script()})`],
  ["here-string", (inner) => `cat <<< $(${inner.script()})`],
  ["here-string", (inner) => `ok <<< "x $(${inner.script()})"`],
  ["arithmetic", (inner) => `ok $((1 + $(${inner.script()}) + 0))`],
  ["arithmetic", (inner) => `((1 + $(${inner.script()}) + 0))`],
  ["arithmetic", (inner) => `ok $[1 + ${backticks(inner.script())} + 0]`],
  ["arithmetic", (inner) => `ok "$((1 + \${x:-$(${inner.script()})} + 0))"`],
  ["parameter expansion", (inner) => `ok \${x:-$(${inner.script()})}`],
  ["parameter expansion", (inner) => `ok "\${x:-a $(${inner.script()})}"`],
  ["parameter expansion", (inner) => `x=1; ok \${x:+$(${inner.script()})}`],
  ["parameter expansion", (inner) => `x=1; ok \${x#$(${inner.script()})}`],
  ["parameter expansion", (inner) => `x=1; ok \${x/$(${inner.script()})/b}`],
  ["parameter expansion", (inner) => `x=1; ok "\${x/1/$(${inner.script()})}"`],
  ["parameter expansion: a slash within", (inner) => `x=1; ok \${x/$(ok a/b; ${inner.script()})/b}`],
  ["parameter expansion: a slash within", (inner) => `x=1; ok "\${x//$(${inner.script()}ok /)/$(ok)}"`],
  ["parameter expansion", (inner) => `x=1; ok \${x:$(${inner.script()})+0}`],
  ["subscript", (inner) => `a[$(${inner.script()})]=1`],
  ["subscript", (inner) => `a=(1 2); ok \${a[$(${inner.script()})]}`],
  ["subscript", (inner) => `a=([$(${inner.script()})]=2)`],
  ["assignment", (inner) => `x=$(${inner.script()})`],
  ["assignment", (inner) => `x="a $(${inner.script()})" y=1`],
  ["assignment", (inner) => `a=(1 $(${inner.script()}))`],
  ["assignment", (inner) => `x+=$(${inner.script()})`],
  ["redirect target", (inner) => `ok < $(${inner.script()})`],
  ["redirect target", (inner) => `{ ok; } < "$(${inner.script()})"`]
]

const heredocs: readonly ((mark: string, script: string, pen: Pen) => string)[] = [
  (mark, script, pen) => see(pen, "heredoc", `cat <<${mark}\na $(${script}) b\n${mark}\n`),
  (mark, script, pen) => see(pen, "heredoc", `ok <<-${mark}\n\ta ${backticks(script)}\n\t${mark}\n`),
  (mark, script, pen) => see(pen, "heredoc", `ok <<${mark} x\n\${x:-$(${script})}\n${mark}\n`),
  (mark, script, pen) => see(pen, "heredoc: quotes", `cat <<${mark}\n\${x:-'$(${script})'}\n${mark}\n`),
  (mark, script, pen) => see(pen, "heredoc", `{ ok; } <<${mark}\n$(${script})\n${mark}\n`),
  (mark, script, pen) => see(pen, "heredoc: joined lines", `cat <<${mark}\n$\\\n(${script})\n${mark}\n`),
  (mark, script, pen) => see(pen, "heredoc: joined lines", `cat <<${mark}\na\\\nb $(${script})\n${mark}\n`)
]

const redirects: readonly Place[] = [
  ["redirect: free", (inner) => `{ ${inner.script()}} > /dev/null 2>&1`],
  ["redirect: free", (inner) => `2>&1 ok 3>&- < /dev/null; ${inner.statement()}`],
  ["redirect: free", (inner) => `{ ${inner.script()}} 2> /dev/null`]
]

/** Places that keep what passes passing, by how they run their script. */
const passing: readonly (readonly Place[])[] = [lists, controls, substitutions, lists, redirects]

/** A place whose parts are seen by allow rules and bans alike. */
export function place(inner: Inner, pen: Pen): string {
  const kind = pen.below(passing.length + 1)
  if (kind === passing.length) return heredoc(inner, pen)
  const [, write] = pen.construct(passing[kind]!)
  return write(inner, pen)
}

function heredoc(inner: Inner, pen: Pen): string {
  // closed with a newline, so that a group has to stand around it
  const mark = `E${pen.fresh()}`
  if (pen.oneIn(4)) {
    pen.saw("heredoc: quoted word")
    // closed, since bash may lose the semicolon of what comes next
    return group(`{ ok <<'${mark}'\n$(danger) \`danger\`\ndanger\n${mark}\n}; ${inner.script()}`)
  }
  return group(`${pen.pick(heredocs)(mark, inner.script(), pen)}`)
}

/** A heredoc without its end line, which takes all the rest of a line. */
export function openHeredoc(inner: Inner, pen: Pen): string {
  pen.saw("heredoc: without end")
  return `cat <<E${pen.fresh()}\na $(${inner.script()})`
}

/** A heredoc whose split word is joined before bash looks for commands. */
export function splitHeredoc(pen: Pen): string {
  pen.saw("heredoc: joined lines")
  pen.mayAsk()
  const mark = `E${pen.fresh()}`
  return `{ cat <<${mark}\n$('dan\\\nger' x)\n${mark}\n}`
}

/** A heredoc within a substitution, behind which bash loses a semicolon and makes one command of two. */
export function lostSemicolon(pen: Pen): string {
  pen.saw("heredoc: lost semicolon")
  pen.mayAsk()
  pen.hide()
  const mark = `E${pen.fresh()}`
  const use = pen.pick([
    "git; push",
    "while git; push; do break; done",
    "if git; push; then ok; fi",
    "{ git; push; }",
    "for i in 1; do git; push; done"
  ])
  return pen.pick([
    `ok $(ok <<${mark}\nx\n${mark}\n${use})`,
    `ok "$(ok <<'${mark}'\nx\n${mark}\n${use}\n)"`,
    `ok <(ok <<${mark}\nx\n${mark}\n${use}\n)`
  ])
}

function see(pen: Pen, construct: string, text: string): string {
  pen.saw(construct)
  return text
}

/** A script in backticks, where backslashes and backticks of its own need one more backslash. */
export const backticks = (script: string): string => `\`${script.replace(/[\\`]/g, "\\$&")}\``

/** Places whose script is a text that the shell reads later; bans see it, and where it `passes` allow rules too. */
const texts: readonly (readonly [construct: string, passes: boolean, write: (script: string, pen: Pen) => string])[] = [
  ["eval", true, (script) => `eval ${singleQuoted(script)}`],
  ["eval", true, (script) => `eval ok x ';' ${singleQuoted(script)}`],
  ["eval", true, (script) => `command eval -- ${singleQuoted(script)}`],
  ["trap", true, (script) => `trap ${singleQuoted(script)} EXIT`],
  ["trap", true, (script) => `trap -- ${singleQuoted(script)} ERR; fail`],
  ["trap", true, (script) => `trap ${singleQuoted(script)} 0`],
  ["trap DEBUG", false, (script) => `trap ${singleQuoted(script)} DEBUG; ok`],
  ["function", false, (script, pen) => defined(pen, script, "NAME() { SCRIPT}; NAME")],
  ["function", false, (script, pen) => defined(pen, script, "function NAME { SCRIPT} ; NAME x")],
  ["function", false, (script, pen) => defined(pen, script, "NAME() ( SCRIPT) ; NAME x")],
  ["alias", false, (script, pen) => aliased(pen, script, "shopt -s expand_aliases\nalias NAME=SCRIPT\nNAME")],
  ["alias", false, (script, pen) => aliased(pen, script, "shopt -s expand_aliases\nalias 'NAME'=SCRIPT; ok\nNAME")],
  [
    "alias: BASH_ALIASES",
    false,
    (script, pen) => aliased(pen, script, "shopt -s expand_aliases\nBASH_ALIASES[NAME]=SCRIPT\nNAME")
  ]
]

const defined = (pen: Pen, script: string, text: string) =>
  text.replaceAll("NAME", `f${pen.fresh()}`).replace("SCRIPT", () => script)
const aliased = (pen: Pen, script: string, text: string) =>
  text.replaceAll("NAME", `al${pen.fresh()}`).replace("SCRIPT", () => singleQuoted(script))

/** A place where a text is read as a script later. */
export function textPlace(inner: Inner, pen: Pen): string {
  const [construct, passes, write] = pen.construct(texts)
  if (!passes) pen.mayAsk()
  const script = inner.script()
  // several lines are not one text any more where an alias stands for them
  if (construct === "alias: BASH_ALIASES" || (construct === "alias" && script.includes("\n"))) pen.hide()
  return write(script, pen)
}
