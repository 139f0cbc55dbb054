/** Programs and builtins that launch another one named on the line, shells among them. */
import type { Pen } from "./Pen.ts"
import { doubleQuoted, quoted, singleQuoted, unknownWord, word } from "./words.ts"

/**
 * Launchers of a simple command whose words stand on the line. `passes`: allow rules look through them.
 */
const wrappers: readonly (readonly [construct: string, passes: boolean, before: readonly string[]])[] = [
  ["wrapper: command", true, ["command", "command --"]],
  ["wrapper: exec", true, ["exec"]],
  ["wrapper: exec", false, ["exec -a name", "exec -c"]],
  ["wrapper: timeout", true, ["timeout 5", "timeout -k 1 5", "timeout --signal=KILL 5", "timeout --sig KILL 5"]],
  ["wrapper: nice", true, ["nice", "nice -n 5", "nice -5", "nice --adjustment=3"]],
  ["wrapper: nohup", true, ["nohup", "nohup --"]],
  ["wrapper: stdbuf", true, ["stdbuf -oL", "stdbuf -o L -e0", "stdbuf --output=L"]],
  ["wrapper: setsid", false, ["setsid", "setsid -w", "setsid --wait"]],
  ["wrapper: env", false, ["env", "env A=1", "env -u B A=1", "env --unset=B", "env -- A=1", "env -uB", "env -C ."]],
  ["wrapper: sudo", false, ["sudo", "sudo -u root", "sudo -n --", "sudo A=1", "sudo -nE"]],
  ["wrapper: doas", false, ["doas", "doas -u root"]],
  ["wrapper: flock", false, ["flock f", "flock -w 1 f", "flock -n f"]],
  ["wrapper: watch", false, ["watch", "watch -n 1", "watch -x"]],
  ["assignment before a command", true, ["LANG=C", "LC_ALL=C CI=1", "NO_COLOR=1", "TZ='UTC'"]],
  ["assignment before a command", false, ["A=1", "A='x y' B=", "LANG=a/b", "A=$(echo)", "a[0]=1"]],
  ["wrapper: xargs", true, ["xargs"]],
  ["wrapper: xargs", false, ["xargs -n 1", "xargs -I{}", "xargs -r", "xargs --max-args=1", "xargs -0"]]
]

/** Writes a launcher in front of a command. */
export function wrapped(pen: Pen, command: string): string {
  // behind a launcher an assignment would be a program's name
  if (/^[A-Za-z_]\w*(?:\[.*?\])?=/.test(command)) return command
  // a builtin is another program there, or none
  if (!/^\W*(?:o|f|g|d)/.test(command)) pen.mayAsk()
  const [construct, passes, before] = pen.construct(wrappers)
  if (!passes) pen.mayAsk()
  const text = `${pen.pick(before)} ${command}`
  return construct === "wrapper: xargs" ? `echo x | ${text}` : text
}

/** Launchers that take their command in a way of their own. */
const others: readonly (readonly [
  construct: string,
  isStatic: boolean,
  write: (command: string, pen: Pen) => string
])[] = [
  ["find -exec", true, (command) => `find . -exec ${command} {} \\;`],
  ["find -exec", true, (command) => `find . -maxdepth 0 -execdir ${command} ';'`],
  ["find -exec", true, (command) => `find . -exec ${command} {} +`],
  ["find -exec", true, (command) => `find . -exec sh -c ${singleQuoted(command)} \\;`],
  ["wrapper: flock", true, (command, pen) => `flock f -c ${quoted(pen, command)}`],
  ["wrapper: watch", true, (command, pen) => `watch ${quoted(pen, `ok; ${command}`)}`],
  ["env -S", true, (command) => `env -S ${doubleQuoted(command)}`],
  ["env -S", true, (command) => `env -S'A=1 '${doubleQuoted(command)}`],
  ["env -S", false, (command) => `env -S '-u B A=1 '${doubleQuoted(command)}`],
  ["mapfile -C", true, (command, pen) => `mapfile -C ${quoted(pen, command)} -c 1 x <<< y`],
  ["mapfile -C", true, (command, pen) => `readarray -c1 -C ${quoted(pen, `${command}; ok`)} <<< y`],
  ["compgen -C", true, (command, pen) => `compgen -C ${quoted(pen, command)} x`],
  ["compgen -C", true, (command, pen) => `compgen -C${quoted(pen, `ok; ${command}`)}`],
  ["complete -C", true, (command, pen) => `complete -C ${quoted(pen, command)} x; ok`],
  ["jobs -x", false, (command) => `jobs -x ${command}`]
]

/** Writes a launcher that is none of the simple ones. Allow rules look through none of them. */
export function launched(pen: Pen, command: string): string {
  const [construct, isStatic, write] = pen.construct(others)
  pen.mayAsk()
  // `env -S` has quotes of its own, and gives up none of the shell's
  if (!isStatic || (construct === "env -S" && /[\\'"$]/.test(command))) pen.hide()
  return write(command, pen)
}

const flags = ["", " -e", " -x", " +e", " -o errexit", " --norc", " -O extglob", " -eu", " --posix"]

/** Shells with a static script: their parts decide. */
const shells: readonly ((script: string, pen: Pen) => string)[] = [
  (script, pen) => `bash${pen.pick(flags)} -c ${quoted(pen, script)}`,
  (script, pen) => `bash -${pen.pick(["ec", "ce", "uc", "cx"])} ${quoted(pen, script)} x y`,
  (script, pen) => `sh -c ${quoted(pen, script)}`,
  (script) => `bash -c -- ${singleQuoted(script)}`
]

/** Writes a shell around a script. */
export function shell(pen: Pen, script: string): string {
  pen.saw("shell: -c")
  return pen.pick(shells)(script, pen)
}

/** Shells that read a static script from standard input. */
const inputs: readonly (readonly [construct: string, write: (script: string, mark: string) => string])[] = [
  ["shell: heredoc", (script, mark) => `bash <<'${mark}'\n${script}\n${mark}\n`],
  ["shell: heredoc", (script, mark) => `bash -s x <<-"${mark}"\n${script}\n${mark}\n`],
  ["shell: heredoc", (script, mark) => `timeout 5 sh <<\\${mark}\n${script}\n${mark}\n`],
  ["shell: here-string", (script) => `bash <<< ${singleQuoted(script)}`],
  ["shell: here-string", (script) => `bash - <<< ${doubleQuoted(script)}`],
  ["shell: here-string", (script) => `sh /dev/stdin <<< ${singleQuoted(script)}`],
  ["source", (script) => `source /dev/stdin <<< ${singleQuoted(script)}`]
]

/** Writes a shell that reads a script from its heredoc or here-string. */
export function shellInput(pen: Pen, script: string): string {
  const [construct, write] = pen.construct(inputs)
  if (construct === "source") pen.mayAsk()
  return `{ ${write(script, `E${pen.fresh()}`)}\n}`
}

/** Shells that read what nobody can know from standard input, or as a file that is none. */
const pipes: readonly (readonly [construct: string, write: (script: string) => string])[] = [
  ["shell: pipe", (script) => `echo ${singleQuoted(script)} | bash`],
  ["shell: pipe", (script) => `printf '%s\\n' ${singleQuoted(script)} | sh -s`],
  ["shell: pipe", (script) => `echo ${singleQuoted(script)} | { ok < /dev/null; bash -; }`],
  ["shell: pipe", (script) => `echo ${singleQuoted(script)} | timeout 5 bash /dev/stdin`],
  ["shell: pipe", (script) => `echo ${singleQuoted(script)} | xargs -0 bash -c`],
  ["shell: inherited input", (script) => `{ bash; } <<< ${singleQuoted(script)}`],
  [
    "shell: inherited input",
    (script) => `if ok < /dev/null; then sh; fi <<E\n${script.replace(/[\\$`]/g, "\\$&")}\nE\n`
  ],
  ["shell: inherited input", (script) => `exec <<< ${singleQuoted(script)}; bash -s`],
  ["shell: inherited input", (script) => `bash <&3 3<<< ${singleQuoted(script)}`],
  ["shell: <(…)", (script) => `bash <(echo ${singleQuoted(script)})`],
  ["shell: <(…)", (script) => `source <(echo ${singleQuoted(script)})`],
  ["shell: <(…)", (script) => `. <(echo ${singleQuoted(script)})`],
  ["shell: <(…)", (script) => `bash < <(echo ${singleQuoted(script)})`],
  ["shell: unknown script", (script) => `x=${singleQuoted(script)}; bash -c "$x"`],
  ["shell: unknown script", (script) => `x=${singleQuoted(script)}; eval "$x"`],
  ["shell: unknown script", (script) => `eval $(echo ${singleQuoted(script)})`],
  ["shell: unknown script", (script) => `x=${singleQuoted(script)}; trap "$x" EXIT`],
  ["shell: unknown script", (script) => `set -- ${singleQuoted(script)}; sh -c "$1"`],
  ["shell: unknown script", (script) => `x=-c; bash $x ${singleQuoted(script)}`],
  ["--rcfile", (script) => `bash --rcfile <(echo ${singleQuoted(script)}) -ic ok`],
  ["--init-file", (script) => `bash --init-file <(echo ${singleQuoted(script)}) -i -c ok`],
  ["source", (script) => `echo ${singleQuoted(script)} | source /dev/stdin`]
]

/** Writes a shell whose script can't be told. */
export function shellUnknown(pen: Pen, script: string): string {
  const [, write] = pen.construct(pipes)
  pen.mayAsk()
  pen.hide()
  return `{ ${write(script.includes("E") ? "danger" : script)}\n}`
}

/** Launchers in front of a program whose name only bash can know, or that they read themselves. */
export function unknownProgram(pen: Pen, program: string): string {
  pen.mayAsk()
  pen.hide()
  if (pen.below(2) === 0) {
    const [, write] = pen.construct(appending)
    return write(program)
  }
  const { before, word: unknown } = unknownWord(pen, program)
  pen.saw("unknown word behind a wrapper")
  const launcher = pen.pick([
    "timeout 5",
    "env",
    "sudo",
    "command",
    "exec",
    "nohup",
    "xargs",
    "nice -n 1",
    "A=1",
    "setsid -w"
  ])
  return `{ ${before}${launcher} ${unknown} < /dev/null; }`
}

const appending: readonly (readonly [construct: string, write: (program: string) => string])[] = [
  ["appended word", (program) => `echo ${program} | xargs env`],
  ["appended word", (program) => `echo ${program} | xargs -n1 timeout 5`],
  ["appended word", (program) => `echo ${program} | xargs nice`],
  ["appended word", (program) => `echo ${program} | xargs -I{} {}`],
  ["appended word", (program) => `echo ${program} | xargs -I% nohup %`],
  ["appended word", (program) => `echo ${program} | xargs sh -c`],
  ["appended word", (program) => `echo ${program} | xargs -I{} bash -c {}`],
  ["appended word", (program) => `echo ${program} | xargs --replace=R env R`],
  ["appended word", (program) => `find ../bin -name ${program} -exec {} \\;`],
  ["appended word", (program) => `find ../bin -name ${program} -exec env {} +`]
]

/** Options by which a program that an allow rule names runs another one. */
const powers: readonly ((program: string) => string)[] = [
  (program) => `sed -n '1e ${program}' <<< x`,
  (program) => `sed 's/x/${program}/e' <<< x`,
  (program) => `tar -cf /dev/null --checkpoint=1 --checkpoint-action=exec=${program} .`,
  (program) => `tar -c -I ${program} -f - .`,
  (program) => `tar cIf ${program} - .`,
  (program) => `tar -c --use-comp=${program} -f - .`,
  (program) => `rg --pre=${program} x`,
  (program) => `rg --pre ${program} x`,
  (program) => `git -c core.pager=${program} log`,
  (program) => `git grep -O${program} x`,
  (program) => `git grep -nO${program} x`
]

/** Writes a program with an option that runs another. */
export function powerful(pen: Pen, program: string): string {
  pen.saw("option that runs a program")
  pen.mayAsk()
  pen.hide()
  return pen.pick(powers)(program)
}

/** `git push` with global options in front of the sub-command. */
export function globalOptions(pen: Pen): string {
  pen.saw("global option before a sub-command")
  return `${word(pen, "git")} ${pen.pick(["-C .", "-c a=b", "--no-pager", "-C . -c a=b"])} ${word(pen, "push")}`
}
