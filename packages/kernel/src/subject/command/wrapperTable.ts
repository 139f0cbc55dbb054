/**
 * Programs that launch another program named in their own arguments, each with the options it takes before it.
 * Data only; `wrappers.ts` reads it.
 */

/** How a launcher's own words are told from the launched program's. */
export interface Wrapper {
  /** Allow rules may look through it: it changes nothing about what the program does. `bare`: only without options. */
  readonly harmless?: true | "bare"
  /** Letters of short options without a value. */
  readonly flags?: string
  /** Letters of short options with a value. */
  readonly valued?: string
  /** Long options without a value. */
  readonly longFlags?: readonly string[]
  /** Long options with a value in the next word. */
  readonly longValued?: readonly string[]
  /** Options that mean that nothing is launched. */
  readonly inert?: readonly string[]
  /** Words of its own before the program. */
  readonly operands?: number
  /** `NAME=value` words may stand before the program. */
  readonly assignments?: true
  /** What it launches gets further words that are not on the line. */
  readonly appends?: true
  /** Its words, joined by blanks, are a shell script. */
  readonly joined?: true
  /** Options whose value is a shell script. */
  readonly script?: readonly string[]
  /** Without a program it starts a shell. */
  readonly shell?: true
  /** `-` alone is an option. */
  readonly dash?: true
  /** `-5` is an option. */
  readonly numeric?: true
}

const help = ["--help", "--version"]

/** By the launcher's base name. */
export const wrappers: Readonly<Record<string, Wrapper>> = {
  command: { harmless: true, flags: "p", inert: ["-v", "-V"] },
  builtin: { harmless: true },
  exec: { harmless: "bare", flags: "cl", valued: "a" },
  time: {
    harmless: "bare",
    flags: "pavqV",
    valued: "fo",
    longFlags: ["--portability", "--append", "--verbose", "--quiet"],
    longValued: ["--format", "--output"],
    inert: help
  },
  timeout: {
    harmless: true,
    flags: "vfp",
    valued: "ks",
    longFlags: ["--foreground", "--preserve-status", "--verbose"],
    longValued: ["--kill-after", "--signal"],
    operands: 1,
    inert: help
  },
  nice: { harmless: true, valued: "n", longValued: ["--adjustment"], numeric: true, inert: help },
  nohup: { harmless: true, inert: help },
  stdbuf: { harmless: true, valued: "ioe", longValued: ["--input", "--output", "--error"], inert: help },
  xargs: {
    harmless: "bare",
    flags: "0rtpxo",
    valued: "adEILnPs",
    appends: true,
    longFlags: ["--null", "--no-run-if-empty", "--verbose", "--interactive", "--exit", "--open-tty"],
    longValued: [
      "--arg-file",
      "--delimiter",
      "--max-args",
      "--max-procs",
      "--max-chars",
      "--max-lines",
      "--replace",
      "--eof",
      "--process-slot-var"
    ],
    inert: [...help, "--show-limits"]
  },
  env: {
    flags: "i0v",
    valued: "uCa",
    dash: true,
    assignments: true,
    longFlags: [
      "--ignore-environment",
      "--null",
      "--debug",
      "--block-signal",
      "--default-signal",
      "--ignore-signal",
      "--list-signal-handling"
    ],
    longValued: ["--unset", "--chdir", "--argv0"],
    inert: help
  },
  sudo: {
    flags: "AbBEHikKlnNPsSvV",
    valued: "ughpCDRTrtU",
    assignments: true,
    shell: true,
    longFlags: [
      "--askpass",
      "--background",
      "--bell",
      "--preserve-env",
      "--set-home",
      "--login",
      "--non-interactive",
      "--preserve-groups",
      "--stdin",
      "--shell",
      "--reset-timestamp"
    ],
    longValued: [
      "--user",
      "--group",
      "--host",
      "--prompt",
      "--chroot",
      "--chdir",
      "--close-from",
      "--command-timeout",
      "--role",
      "--type",
      "--other-user"
    ],
    inert: [...help, "--list", "--validate", "--remove-timestamp", "-l", "-v", "-K", "-V"]
  },
  doas: { flags: "Lns", valued: "uCa", shell: true },
  ionice: { flags: "t", valued: "cnpPu", longFlags: ["--ignore"], longValued: ["--class", "--classdata"], inert: help },
  setsid: { flags: "cfw", longFlags: ["--ctty", "--fork", "--wait"], inert: help },
  watch: {
    flags: "bcdegptwxCr",
    valued: "nqs",
    joined: true,
    longFlags: [
      "--beep",
      "--color",
      "--differences",
      "--errexit",
      "--chgexit",
      "--precise",
      "--no-title",
      "--no-wrap",
      "--exec",
      "--no-color",
      "--no-rerun"
    ],
    longValued: ["--interval", "--equexit"],
    inert: help
  },
  flock: {
    flags: "eFnosux",
    valued: "Ew",
    operands: 1,
    script: ["-c", "--command"],
    longFlags: ["--close", "--exclusive", "--nonblock", "--nb", "--no-fork", "--shared", "--unlock", "--verbose"],
    longValued: ["--conflict-exit-code", "--timeout", "--wait"],
    inert: help
  },
  chroot: { operands: 1, shell: true, longFlags: ["--skip-chdir"], inert: help },
  chrt: { flags: "abdfiormvR", valued: "TPD", operands: 1, inert: help },
  taskset: { flags: "ac", operands: 1, longFlags: ["--all-tasks", "--cpu-list"], inert: help },
  strace: { flags: "cCdfFhiknqrtTvVwxyYzZ", valued: "abeEIoOpPsSuUX" },
  ltrace: { flags: "bcCfhiLrStttTV", valued: "aADeFlnoPpsuwxX" },
  unbuffer: { flags: "p" },
  rlwrap: { flags: "acinorRv", valued: "CbdDfFghHlmMNOpPqsStUwWz" },
  fakeroot: { valued: "lsifb" },
  gosu: { operands: 1 },
  "su-exec": { operands: 1 },
  setpriv: {},
  pkexec: { longFlags: ["--disable-internal-agent"], longValued: ["--user"], inert: help },
  su: {
    dash: true,
    flags: "lmfpP",
    valued: "gGsTw",
    script: ["-c", "--command", "--session-command"],
    shell: true,
    operands: 2
  },
  runuser: {
    dash: true,
    flags: "lmfpP",
    valued: "gGsTwu",
    script: ["-c", "--command", "--session-command"],
    shell: true
  },
  sg: { operands: 1, script: ["-c"], joined: true },
  script: { flags: "aefqD", valued: "BEIOTmot", script: ["-c", "--command"], operands: 1, shell: true },
  parallel: { joined: true, appends: true },
  busybox: {},
  toybox: {},
  caffeinate: { flags: "dimsu", valued: "tw" },
  torsocks: {},
  proxychains: { flags: "q", valued: "f" },
  proxychains4: { flags: "q", valued: "f" },
  "dbus-run-session": {},
  "xvfb-run": { flags: "al", valued: "efnpsw" },
  "systemd-run": { flags: "GPStdqr", valued: "pEuMHC" },
  "systemd-inhibit": {},
  unshare: {
    flags: "muinpUCTfrc",
    valued: "RwSG",
    longFlags: ["--mount-proc", "--fork", "--map-root-user"],
    shell: true
  },
  nsenter: { flags: "muinpUCTFZa", valued: "tGSrw", shell: true },
  numactl: {},
  prlimit: {},
  cpulimit: { flags: "ibzvh", valued: "lpeP" },
  firejail: {},
  bwrap: {},
  valgrind: {},
  gdb: {},
  perf: { operands: 1 },
  entr: { flags: "acdnprsxz" },
  ifne: { flags: "n" },
  chronic: { flags: "ev" },
  lldb: {}
}
