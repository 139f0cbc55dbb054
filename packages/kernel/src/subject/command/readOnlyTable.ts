/**
 * Commands that are known to change nothing, reviewed one by one. Data only; `readOnly.ts` reads it. The files they
 * read, and options by which they write or run programs, are looked at elsewhere.
 */

/** Commands that change nothing with any options and operands, apart from `powers.ts`'s options. */
export const harmlessCommands: ReadonlySet<string> = new Set([
  ":",
  "true",
  "false",
  "break",
  "continue",
  "return",
  "exit",
  "shift",
  "pwd",
  "echo",
  "cd",
  "cat",
  "nl",
  "tac",
  "rev",
  "head",
  "tail",
  "wc",
  "cut",
  "paste",
  "fold",
  "fmt",
  "join",
  "comm",
  "cmp",
  "diff",
  "column",
  "expand",
  "unexpand",
  "od",
  "hexdump",
  "strings",
  "md5sum",
  "sha1sum",
  "sha224sum",
  "sha256sum",
  "sha384sum",
  "sha512sum",
  "b2sum",
  "cksum",
  "base64",
  "base32",
  "stat",
  "readlink",
  "realpath",
  "ls",
  "dir",
  "vdir",
  "du",
  "tree",
  "grep",
  "egrep",
  "fgrep",
  "rg",
  "sort",
  "uniq",
  "find",
  "sed",
  "file",
  "zcat",
  "bzcat",
  "xzcat",
  "tsort",
  "tr",
  "basename",
  "dirname",
  "seq",
  "sleep",
  "whoami",
  "id",
  "groups",
  "logname",
  "uname",
  "arch",
  "nproc",
  "uptime",
  "which",
  "type",
  "expr",
  "tty"
])

/** Sub-commands of git that change nothing, apart from `powers.ts`'s options. */
export const harmlessGit: ReadonlySet<string> = new Set([
  "status",
  "log",
  "diff",
  "show",
  "blame",
  "annotate",
  "rev-parse",
  "ls-files",
  "ls-tree",
  "describe",
  "shortlog",
  "cat-file",
  "rev-list",
  "merge-base",
  "name-rev",
  "grep",
  "for-each-ref",
  "diff-tree",
  "diff-index",
  "diff-files",
  "count-objects",
  "whatchanged",
  "show-ref",
  "check-ignore",
  "cherry",
  "range-diff",
  "version"
])

/** Options of git before the sub-command that keep it harmless. */
export const harmlessGitGlobals: ReadonlySet<string> = new Set([
  "--no-pager",
  "-P",
  "--no-optional-locks",
  "--literal-pathspecs",
  "--glob-pathspecs",
  "--icase-pathspecs",
  "--no-replace-objects"
])

/** Sub-commands that change nothing with these options only, and take operands only behind a selector. */
export const listingGit: Readonly<
  Record<string, { readonly options: readonly string[]; readonly selectors: readonly string[] }>
> = {
  branch: {
    options: [
      "-a",
      "-r",
      "-v",
      "-l",
      "-i",
      "--all",
      "--remotes",
      "--verbose",
      "--list",
      "--show-current",
      "--contains",
      "--no-contains",
      "--merged",
      "--no-merged",
      "--points-at",
      "--sort",
      "--format",
      "--color",
      "--no-color",
      "--column",
      "--no-column",
      "--abbrev",
      "--no-abbrev",
      "--ignore-case"
    ],
    selectors: ["--list", "-l", "--contains", "--no-contains", "--merged", "--no-merged", "--points-at"]
  },
  tag: {
    options: [
      "-l",
      "-n",
      "-i",
      "--list",
      "--contains",
      "--no-contains",
      "--merged",
      "--no-merged",
      "--points-at",
      "--sort",
      "--format",
      "--color",
      "--column",
      "--no-column",
      "--ignore-case"
    ],
    selectors: ["--list", "-l", "-n", "--contains", "--no-contains", "--merged", "--no-merged", "--points-at"]
  },
  config: {
    options: [
      "--get",
      "--get-all",
      "--get-regexp",
      "--list",
      "-l",
      "--local",
      "--show-origin",
      "--show-scope",
      "--name-only",
      "--null",
      "-z",
      "--type",
      "--bool",
      "--int"
    ],
    selectors: ["--get", "--get-all", "--get-regexp", "--list", "-l"]
  }
}

/** Sub-commands of git that change nothing with exactly these first operands (the empty one: none at all). */
export const wordedGit: Readonly<Record<string, readonly string[]>> = {
  remote: ["", "get-url"],
  reflog: ["", "show", "exists"],
  stash: ["list", "show"],
  worktree: ["list"],
  notes: ["", "list", "show"]
}

/** `set -o` names that only steer the shell. */
export const steeringOptions: ReadonlySet<string> = new Set([
  "errexit",
  "nounset",
  "pipefail",
  "noglob",
  "noclobber",
  "xtrace",
  "verbose"
])
