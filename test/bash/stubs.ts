/**
 * The programs that lines may run: stubs that log their names and arguments on descriptor 9 and do nothing, those
 * that launch what they are given as the real ones would, and a few real ones that only launch or filter.
 */
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { delimiter, join } from "node:path"

/** Begins a record of the log, and separates its words. */
export const recordMark = "\u001e"
export const wordMark = "\u001f"

// without a `#!` line bash runs a stub in the process it has forked already: half the time of any interpreter
const log = `IFS='${wordMark}'\nprintf '${recordMark}%s' "\${0##*/}${wordMark}$*" >&9\nIFS=' '\n`
const quiet = `${log}echo 1\n`
/** Runs what a variable or option tells a program to run. */
const obeys = (value: string) => `${log}v=${value}\n[ -z "$v" ] || $v\n`

const stubs: Readonly<Record<string, string>> = {
  ok: quiet,
  fine: quiet,
  fail: `${log}exit 1\n`,
  danger: quiet,
  node: obeys('"${NODE_OPTIONS:-${LD_PRELOAD:-$DYLD_INSERT_LIBRARIES}}"'),
  python: obeys('"$PYTHONSTARTUP"'),
  perl: obeys('"$PERL5OPT"'),
  ruby: obeys('"$RUBYOPT"'),
  java: obeys('"$JAVA_TOOL_OPTIONS"'),
  less: obeys('"$LESSOPEN"'),
  git: `${log}p=\${GIT_PAGER:-$PAGER}
while [ $# -gt 0 ]; do
  case $1 in
    -C) shift ;;
    -c) shift; case $1 in core.pager=*) p=\${1#*=} ;; esac ;;
    -*) ;;
    *) break ;;
  esac
  shift
done
case $1 in
  commit) \${GIT_EDITOR:-\${VISUAL:-$EDITOR}} ;;
  log) $p ;;
  grep) for a; do case $a in -O?*) \${a#-O} ;; esac; done ;;
esac
echo 1
`,
  rg: `${log}while [ $# -gt 0 ]; do case $1 in --pre=*) \${1#*=} ;; --pre) shift; $1 ;; esac; shift; done\n`,
  sudo: `while :; do case $1 in -u|-g) shift 2 ;; --) shift; break ;; -*|*=*) shift ;; *) break ;; esac; done\n"$@"\n`,
  doas: `while :; do case $1 in -u) shift 2 ;; --) shift; break ;; -*) shift ;; *) break ;; esac; done\n"$@"\n`,
  flock: `while :; do case $1 in -w|-E) shift 2 ;; -*) shift ;; *) break ;; esac; done
shift
case $1 in -c) sh -c "$2" ;; *) "$@" ;; esac
`,
  watch: `x=
while :; do case $1 in -n) shift 2 ;; -x) x=1; shift ;; -*) shift ;; *) break ;; esac; done
[ -n "$x" ] && "$@" || sh -c "$*"
`
}

/** Real programs that lines may start: they launch what is named on the line, or only filter. */
const real = ["bash", "env", "nice", "timeout", "xargs", "find", "nohup", "stdbuf", "setsid", "sed", "tar", "cat"]

/** Fills a folder with `bin`, a `home` with a stub in it, a folder `evil` whose `ok` is not, and an empty `work`. */
export function makeStubs(root: string): void {
  for (const folder of ["bin", "home", "evil", "work"]) mkdirSync(join(root, folder))
  const write = (path: string, text: string) => writeFileSync(join(root, path), text, { mode: 0o755 })
  for (const [name, text] of Object.entries(stubs)) write(`bin/${name}`, text)
  write("home/danger", quiet)
  write("evil/ok", `printf '${recordMark}danger' >&9\n`)
  for (const name of real) symlinkSync(locate(name), join(root, "bin", name))
  // not every other `sh` runs a stub without a `#!` line
  symlinkSync(locate("bash"), join(root, "bin/sh"))
}

/** Where a program lies on this machine. */
export function locate(name: string): string {
  const folders = (process.env["PATH"] ?? "").split(delimiter)
  const path = folders.map((folder) => join(folder, name)).find((each) => existsSync(each))
  if (path === undefined) throw new Error(`no \`${name}\` on the search path`)
  return path
}
