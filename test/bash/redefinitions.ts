/** Ways to give a harmless word another meaning, so that it runs the forbidden program. */
import type { Pen } from "./Pen.ts"

const redefinitions: readonly (readonly [construct: string, text: string])[] = [
  // an alias counts from the next line that is read, and a group is read as one
  ["redefine: alias", "eval 'shopt -s expand_aliases\nalias ok=PROGRAM\nok'"],
  ["redefine: alias", "eval $'shopt -s expand_aliases; alias fine=\\'ok; PROGRAM\\'\nfine x'"],
  ["redefine: function", "ok() { PROGRAM; }; ok x"],
  ["redefine: function", "function fine { command PROGRAM; }; ok; fine"],
  ["redefine: hash -p", "hash -p ../bin/PROGRAM ok; ok"],
  ["redefine: hash -p", "hash -p../bin/PROGRAM fine; fine x"],
  ["redefine: BASH_ALIASES", "eval 'shopt -s expand_aliases\nBASH_ALIASES[ok]=PROGRAM\nok'"],
  ["redefine: by an unknown name", 'x=PATH=../evil; export "$x"; ok'],
  ["redefine: by an unknown name", "x=PATH; read $x <<< ../evil; ok"],
  ["redefine: by an unknown name", "x=PATH; printf -v $x ../evil; ok"],
  ["redefine: by an unknown name", 'x=PATH; declare "$x=../evil"; ok'],
  ["redefine: by an unknown name", "declare -n r=PATH; r=../evil; ok"],
  ["redefine: by an unknown name", "x=expand_aliases; eval 'shopt -s $x\nBASH_ALIASES[ok]=PROGRAM\nok'"],
  ["redefine: BASH_CMDS", "BASH_CMDS[ok]=../bin/PROGRAM; ok"],
  ["redefine: BASH_ENV", "export BASH_ENV=/dev/stdin; bash -c ok <<< PROGRAM"],
  ["redefine: BASH_ENV", "BASH_ENV=/dev/stdin bash -c ok <<< PROGRAM"],
  ["redefine: BASH_ENV", "BASH_ENV=<(echo PROGRAM) bash -c ok"],
  ["redefine: BASH_ENV", "env BASH_ENV=<(echo PROGRAM) bash -c ok"],
  ["redefine: BASH_FUNC_*", "env 'BASH_FUNC_ok%%=() { PROGRAM; }' bash -c ok"],
  ["redefine: set -k", "set -k; git log PAGER=PROGRAM"],
  ["redefine: set -k", "set -o keyword; git log PAGER=PROGRAM"],
  ["redefine: set -k", "shopt -so keyword; git log PAGER=PROGRAM"],
  ["redefine: set -k", "bash -k -c 'git log PAGER=PROGRAM'"],
  ["redefine: BASH_CMDS", ": ${BASH_CMDS[ok]:=../bin/PROGRAM}; ok"],
  ["redefine: PS1", "PS1='$(PROGRAM)' bash --norc -i <<< ok"],
  ["redefine: PS1", "export PS0='$(PROGRAM)'; bash --norc -i <<< ok"],
  ["redefine: PROMPT_COMMAND", "export PROMPT_COMMAND=PROGRAM; bash -i <<< ok"],
  ["redefine: PROMPT_COMMAND", "PROMPT_COMMAND=PROGRAM bash -i <<< ok"],
  ["redefine: PS4", "PS4='$(PROGRAM)'; set -x; ok"],
  ["redefine: PATH", "PATH=../evil:$PATH; ok"],
  ["redefine: PATH", "export PATH=../evil; ok x"],
  ["redefine: PATH", "PATH=../evil ok"],
  ["redefine: PATH", "env PATH=../evil ok"],
  ["redefine: PATH", "PATH=../evil eval ok"],
  ["redefine: PATH", "for PATH in ../evil; do ok; done"],
  ["redefine: PATH", "read PATH <<< ../evil; ok"],
  ["redefine: PATH", "printf -v PATH ../evil; ok"],
  ["redefine: PATH", ": ${UNSET:=1}; declare PATH=../evil; ok"],
  ["redefine: HOME", "HOME=../bin; ~/PROGRAM"],
  ["redefine: HOME", "HOME=../evil; ~/ok"],
  ["redefine: IFS", "IFS=_; x=PROGRAM_x; $x"],
  ["redefine: CDPATH", "CDPATH=..; cd evil; ./ok"],
  ["redefine: GIT_*", "export GIT_PAGER=PROGRAM; git log"],
  ["redefine: GIT_*", "GIT_EDITOR=PROGRAM git commit"],
  ["redefine: *PAGER", "export PAGER=PROGRAM; git log"],
  ["redefine: *PAGER", "PAGER=PROGRAM git log x"],
  ["redefine: EDITOR", "export EDITOR=PROGRAM; git commit"],
  ["redefine: VISUAL", "VISUAL=PROGRAM git commit"],
  ["redefine: NODE_OPTIONS", "export NODE_OPTIONS=PROGRAM; node x"],
  ["redefine: NODE_OPTIONS", "env NODE_OPTIONS=PROGRAM node x"],
  ["redefine: PYTHON*", "PYTHONSTARTUP=PROGRAM python x"],
  ["redefine: PERL*", "export PERL5OPT=PROGRAM; perl x"],
  ["redefine: RUBY*", "RUBYOPT=PROGRAM ruby x"],
  ["redefine: JAVA_TOOL_OPTIONS", "export JAVA_TOOL_OPTIONS=PROGRAM; java x"],
  ["redefine: LESS*", "LESSOPEN=PROGRAM less x"],
  ["redefine: LESS*", "export LESSOPEN=PROGRAM; less x"],
  ["redefine: LD_*", "export LD_PRELOAD=PROGRAM; node x"],
  ["redefine: LD_*", "LD_PRELOAD=PROGRAM node x"],
  ["redefine: DYLD_*", "declare -x DYLD_INSERT_LIBRARIES=PROGRAM; node x"],
  ["redefine: SHELLOPTS", "export SHELLOPTS; set -x; PS4='$(PROGRAM)'; ok"],
  ["redefine: extdebug", "shopt -s extdebug; trap PROGRAM DEBUG; ok"],
  ["redefine: trap RETURN", "f() { ok; }; trap PROGRAM RETURN; source /dev/null"],
  ["redefine: enable", "enable -n echo; PATH=../evil; ok"]
]

/** Writes a redefinition and a use of the word. */
export function redefined(pen: Pen, program: string): string {
  const [, text] = pen.construct(redefinitions)
  pen.mayAsk()
  pen.hide()
  return `{ ${text.replaceAll("PROGRAM", program)}\n}`
}

/** Harmless lines that redefine nothing: assignments, `export` of harmless names, options of the shell. */
export function plainState(pen: Pen): string {
  pen.saw("assignment")
  return pen.pick([
    "x=1",
    "a=(1 2 'b c')",
    "x=$'a' y=\"b\"",
    "set -e",
    "set -uo pipefail",
    "export CI=1",
    "declare x=1",
    "readonly z=2",
    "set -f; set +f"
  ])
}
