/** Places where bash evaluates text a second time, and ways for a literal text to reach them. */
import type { Pen } from "./Pen.ts"

/** Each runs `$(…)` that stands in the text of VALUE, an arithmetic expression or the name of an element. */
const evaluators: readonly (readonly [construct: string, write: string])[] = [
  ["twice: arithmetic", "((VALUE))"],
  ["twice: arithmetic", "ok $((VALUE))"],
  ["twice: arithmetic", "ok $[VALUE]"],
  ["twice: arithmetic", "for ((; VALUE; )); do break; done"],
  ["twice: let", "let VALUE"],
  ["twice: subscript", "b[VALUE]=1"],
  ["twice: subscript", "ok ${b[VALUE]}"],
  ["twice: [[ -eq ]]", "[[ VALUE -eq 1 ]]"],
  ["twice: [[ -eq ]]", "[[ 1 -lt VALUE ]]"],
  ["twice: -v", "[[ -v VALUE ]]"],
  ["twice: -v", 'test -v "VALUE"'],
  ["twice: unset", 'a=(1); unset "VALUE"'],
  ["twice: printf -v", 'printf -v "VALUE" x'],
  ["twice: read", 'read "VALUE" <<< x'],
  ["twice: declare", "declare -i y=VALUE"],
  ["twice: declare", 'declare "VALUE=1"'],
  ["twice: subscript", "b=([VALUE]=1)"],
  ["twice: variable that is a number", "RANDOM=VALUE"],
  ["twice: variable that is a number", "OPTIND=VALUE"],
  ["twice: ${!x}", "p=VALUE; ok ${!p}"],
  ["twice: ${v:n}", "v=abc; ok ${v:VALUE}"],
  ["twice: ${v:n}", "v=abc; ok ${v:0:VALUE}"]
]

/** Ways for the text to get there. */
const ways: readonly ((text: string, evaluator: string) => string)[] = [
  (text, evaluator) => `x='${text}'; ${put(evaluator, "$x")}`,
  (text, evaluator) => `for x in '${text}'; do ${put(evaluator, "$x")}; done`,
  (text, evaluator) => `set -- '${text}'; ${put(evaluator, "$1")}`,
  (text, evaluator) => `read -r x <<< '${text}'; ${put(evaluator, "$x")}`,
  (text, evaluator) => `x="${text.replaceAll("$", "\\$").replaceAll("`", "\\`")}"; ${put(evaluator, "$x")}`,
  (text, evaluator) => `x=$'${text.replaceAll("$", "\\x24")}'; ${put(evaluator, "$x")}`,
  (text, evaluator) => `: '${text}'; x=$_; ${put(evaluator, "$x")}`,
  (text, evaluator) => `mapfile -t m <<'E'\n${text}\nE\nx=\${m[0]}; ${put(evaluator, "$x")}`,
  (text, evaluator) => `x=('${text}'); ${put(evaluator, "${x[0]}")}`,
  (text, evaluator) => `printf -v x %s '${text}'; ${put(evaluator, "$x")}`
]

const put = (evaluator: string, value: string) => evaluator.replace("VALUE", () => value)

/** Whole statements of the kind, each with its own way. */
const wholes: readonly (readonly [construct: string, text: string])[] = [
  ["twice: ${x@P}", "x='$(PROGRAM)'; ok \"${x@P}\""],
  ["twice: ${x@P}", "x='$(PROGRAM)'; : ${x@P}"],
  ["twice: PS4", "PS4='$(PROGRAM)'; set -x; ok"],
  ["twice: declare", "declare -n r='a[$(PROGRAM)]'; ok $r"],
  ["twice: arithmetic", "x='a[$(PROGRAM)]'; y=x; ((y))"],
  ["twice: arithmetic", "x='$'; y='(PROGRAM)'; z=a[$x$y]; ((z))"],
  ["twice: subscript", "b['$(PROGRAM)']=1"],
  ["twice: -v", "test -v 'a[$(PROGRAM)]'"],
  ["twice: compgen -W", "compgen -W '$(PROGRAM)'"],
  ["twice: compgen -W", "compgen -W '`PROGRAM`' x"],
  ["twice: declare", "declare -a b='($(PROGRAM))'"],
  ["twice: declare", "b=(); declare b='($(PROGRAM))'"],
  ["twice: variable that is a number", "for RANDOM in 'a[$(PROGRAM)]'; do :; done"]
]

/** Writes text that runs the program when it is evaluated, and a place that evaluates it. */
export function evaluated(pen: Pen, program: string): string {
  pen.mayAsk()
  pen.hide()
  if (pen.oneIn(3)) {
    const [, text] = pen.construct(wholes)
    return `{ ${text.replaceAll("PROGRAM", program)}; }`
  }
  const [, evaluator] = pen.construct(evaluators)
  const text = pen.pick([`a[$(${program})]`, `a[\`${program}\`]`, `a[\${b:-$(${program})}]`])
  return `{ ${pen.pick(ways)(text, evaluator)}; }`
}
