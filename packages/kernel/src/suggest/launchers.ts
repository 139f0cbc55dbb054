/**
 * The one idea of what is too broad to be allowed for good: programs that run whatever they are fed. A rule for one of
 * them without more would be a rule for everything.
 */

/** Shells and interpreters: alone, or with `-c` and its like, they run any text. */
export const interpreters: ReadonlySet<string> = new Set([
  "bash",
  "sh",
  "zsh",
  "dash",
  "ksh",
  "fish",
  "python",
  "python2",
  "python3",
  "node",
  "deno",
  "bun",
  "ruby",
  "perl",
  "php",
  "lua",
  "pwsh",
  "powershell",
  "osascript",
  "awk",
  "gawk"
])

/** Programs that run another program, or that do almost anything by a sub-command of theirs. */
const others = [
  "sudo",
  "su",
  "doas",
  "env",
  "xargs",
  "exec",
  "eval",
  "source",
  ".",
  "command",
  "nohup",
  "timeout",
  "time",
  "nice",
  "watch",
  "parallel",
  "git",
  "ssh",
  "npx",
  "pnpx",
  "bunx",
  "uvx",
  "docker",
  "podman",
  "kubectl"
]

const launchers: ReadonlySet<string> = new Set([...interpreters, ...others])

/** Whether a command is nothing but the name of a program that runs what it is fed, by any path. */
export const isBareLauncher = (command: string): boolean => {
  const name = command.trim().replace(/^.*\//s, "")
  return launchers.has(name) || launchers.has(name.replace(/[\d.]+$/, ""))
}

/** Whether a folder is too much to be given away with all that lies below it. */
export const isBroadFolder = (folder: string, { home, project }: { readonly home: string; readonly project: string }) =>
  folder === home ||
  home.startsWith(folder === "/" ? "/" : `${folder}/`) ||
  project.startsWith(folder === "/" ? "/" : `${folder}/`) ||
  folder.lastIndexOf("/") <= 0
