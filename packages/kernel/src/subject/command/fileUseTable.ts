/**
 * Which of a program's words are files, and what it does with them. Data only; `fileUse.ts` reads it. A program that
 * is not here opens files that nobody sees.
 */
import type { Valued } from "./options.ts"

/** What a program does with files. */
export interface FileUse extends Valued {
  /** What its operands are; `copy`, `move` and `link` write the last one. */
  readonly operands: "read" | "write" | "remove" | "copy" | "move" | "link" | "none"
  /** Operands before the files: a pattern, a script. */
  readonly skip?: number
  /** Options that make up for the skipped operand. */
  readonly unlessGiven?: readonly string[]
  /** Options whose value is a file that is read. */
  readonly reads?: readonly string[]
  /** Options whose value is a file that is written. */
  readonly writes?: readonly string[]
  /** Options that name the folder the operands go to. */
  readonly into?: readonly string[]
  /** It reads folders with all that lies below them: always, or with one of these options. */
  readonly whole?: true | readonly string[]
  /** Without operands it reads the folder it stands in: always, or with one of these options. */
  readonly here?: true | readonly string[]
  /** It removes folders with all that lies below them: always, or with one of these options. */
  readonly tree?: true | readonly string[]
  /** Operands with a colon are on another host. */
  readonly remote?: true
}

const recursive = ["-r", "-R", "--recursive"]
const read: FileUse = { operands: "read" }
const sum: FileUse = { operands: "read" }
const grep: FileUse = {
  operands: "read",
  skip: 1,
  unlessGiven: ["-e", "-f", "--regexp", "--file"],
  short: "efABCmdD",
  long: [
    "--regexp",
    "--file",
    "--after-context",
    "--before-context",
    "--context",
    "--max-count",
    "--include",
    "--exclude",
    "--exclude-dir",
    "--exclude-from",
    "--color"
  ],
  reads: ["-f", "--file", "--exclude-from"],
  whole: [...recursive, "-d", "--directories"],
  here: recursive
}
const copy: FileUse = {
  operands: "copy",
  short: "tS",
  long: ["--target-directory", "--suffix"],
  into: ["-t", "--target-directory"],
  whole: [...recursive, "-a", "--archive"]
}

/** By base name. */
export const fileUses: Readonly<Record<string, FileUse>> = {
  cat: read,
  nl: read,
  tac: read,
  rev: read,
  bat: read,
  batcat: read,
  more: read,
  strings: read,
  zcat: read,
  bzcat: read,
  xzcat: read,
  zless: read,
  zmore: read,
  column: read,
  expand: read,
  unexpand: read,
  less: { ...read, writes: ["-o", "-O", "--log-file", "--LOG-FILE"], short: "oO" },
  head: { ...read, short: "nc", long: ["--lines", "--bytes"] },
  tail: { ...read, short: "ncs", long: ["--lines", "--bytes", "--pid", "--sleep-interval"] },
  wc: { ...read, reads: ["--files0-from"], long: ["--files0-from"] },
  cut: { ...read, short: "bcdf" },
  paste: { ...read, short: "d" },
  fold: { ...read, short: "w" },
  fmt: { ...read, short: "wpg" },
  pr: read,
  join: { ...read, short: "aeotv12j" },
  comm: read,
  cmp: { ...read, short: "in" },
  diff: { ...read, short: "UCIxXFWS", whole: recursive, reads: ["-X", "--exclude-from"], writes: ["--output"] },
  colordiff: { ...read, whole: recursive },
  sdiff: { ...read, writes: ["-o", "--output"], short: "o" },
  sort: {
    ...read,
    short: "koStT",
    long: ["--key", "--output", "--buffer-size", "--field-separator", "--temporary-directory"],
    writes: ["-o", "--output"],
    reads: ["--files0-from"]
  },
  shuf: { ...read, short: "noi", writes: ["-o", "--output"] },
  tsort: read,
  od: { ...read, short: "jNtwAS" },
  hexdump: { ...read, short: "nsef" },
  xxd: { ...read, short: "clsgo" },
  md5sum: sum,
  sha1sum: sum,
  sha224sum: sum,
  sha256sum: sum,
  sha384sum: sum,
  sha512sum: sum,
  b2sum: sum,
  cksum: sum,
  sum,
  shasum: { ...sum, short: "a" },
  base64: { ...read, short: "w" },
  base32: { ...read, short: "w" },
  stat: { ...read, short: "cf", long: ["--format", "--printf"] },
  file: { ...read, short: "mFfPe", reads: ["-f", "-m"] },
  readlink: read,
  realpath: read,
  ls: { ...read, short: "IwT", here: true },
  dir: { ...read, here: true },
  vdir: { ...read, here: true },
  exa: { ...read, here: true },
  eza: { ...read, here: true },
  tree: { ...read, short: "LPIHo", here: true, writes: ["-o"] },
  du: { ...read, short: "dtBX", here: true },
  date: {
    operands: "none",
    short: "dfr",
    long: ["--date", "--file", "--reference"],
    reads: ["-f", "--file", "-r", "--reference"]
  },
  df: read,
  test: { operands: "none" },
  "[": { operands: "none" },
  grep,
  egrep: grep,
  fgrep: grep,
  zgrep: grep,
  rgrep: { ...grep, whole: true, here: true },
  rg: {
    ...grep,
    short: "efABCmgtTjMdErE",
    whole: true,
    here: true,
    long: [
      ...(grep.long ?? []),
      "--glob",
      "--iglob",
      "--type",
      "--type-not",
      "--threads",
      "--replace",
      "--sort",
      "--max-depth",
      "--ignore-file",
      "--colors"
    ],
    reads: ["-f", "--file", "--ignore-file"]
  },
  ag: { ...grep, short: "ABCGmp", whole: true, here: true },
  ack: { ...grep, whole: true, here: true },
  awk: {
    operands: "read",
    skip: 1,
    unlessGiven: ["-f", "--file", "-e", "--source"],
    short: "fFvei",
    reads: ["-f", "--file", "-i"]
  },
  gawk: {
    operands: "read",
    skip: 1,
    unlessGiven: ["-f", "--file", "-e", "--source"],
    short: "fFvei",
    reads: ["-f", "--file", "-i"]
  },
  mawk: { operands: "read", skip: 1, unlessGiven: ["-f"], short: "fFv", reads: ["-f"] },
  jq: {
    operands: "read",
    skip: 1,
    unlessGiven: ["-f", "--from-file"],
    short: "fL",
    reads: ["-f", "--from-file", "-L"],
    long: ["--from-file", "--indent"]
  },
  yq: { operands: "read", skip: 1 },
  source: read,
  ".": read,
  tee: { operands: "write" },
  touch: { operands: "write", short: "drt", reads: ["-r", "--reference"] },
  mkdir: { operands: "write", short: "m", long: ["--mode"] },
  mkfifo: { operands: "write", short: "m" },
  mknod: { operands: "write" },
  mktemp: { operands: "none", short: "p" },
  sponge: { operands: "write" },
  truncate: { operands: "write", short: "sr", long: ["--size", "--reference"], reads: ["-r", "--reference"] },
  fallocate: { operands: "write", short: "lo" },
  split: { operands: "read", short: "abCln" },
  chmod: { operands: "write", skip: 1, unlessGiven: ["--reference"] },
  chgrp: { operands: "write", skip: 1 },
  chown: { operands: "write", skip: 1, unlessGiven: ["--reference"] },
  chattr: { operands: "write", skip: 1 },
  setfacl: { operands: "write", short: "mxMX" },
  patch: { operands: "write", short: "iopdDFVBYzr", reads: ["-i"], writes: ["-o", "-r"] },
  rimraf: { operands: "remove", tree: true },
  rm: { operands: "remove", tree: recursive },
  rmdir: { operands: "remove", tree: true },
  unlink: { operands: "remove", tree: true },
  shred: { operands: "remove", short: "ns", tree: true },
  trash: { operands: "remove", tree: true },
  "trash-put": { operands: "remove", tree: true },
  "gio-trash": { operands: "remove", tree: true },
  srm: { operands: "remove", tree: true },
  wipe: { operands: "remove", tree: true },
  cp: copy,
  gcp: copy,
  scp: { ...copy, short: "cFiJlooPSDXt", remote: true },
  install: { ...copy, short: "gmotS", long: [...(copy.long ?? []), "--mode", "--owner", "--group"] },
  rsync: {
    operands: "copy",
    remote: true,
    short: "efBTM",
    whole: [...recursive, "-a", "--archive"],
    long: [
      "--exclude",
      "--include",
      "--exclude-from",
      "--include-from",
      "--files-from",
      "--rsh",
      "--log-file",
      "--out-format"
    ],
    reads: ["--exclude-from", "--include-from", "--files-from"],
    writes: ["--log-file"]
  },
  mv: { operands: "move", short: "tS", long: ["--target-directory", "--suffix"], into: ["-t", "--target-directory"] },
  ln: { operands: "link", short: "tS", long: ["--target-directory", "--suffix"], into: ["-t", "--target-directory"] },
  link: { operands: "link" },
  unzip: { operands: "read", short: "dxP", writes: ["-d"] },
  gzip: { operands: "write", short: "S" },
  gunzip: { operands: "write", short: "S" },
  bzip2: { operands: "write" },
  xz: { operands: "write" },
  zstd: { operands: "write", short: "o", writes: ["-o"] },
  curl: {
    operands: "none",
    short: "oTKDcbdFHXAeuxmCYyzrUwtEP",
    long: [
      "--output",
      "--upload-file",
      "--config",
      "--dump-header",
      "--cookie-jar",
      "--trace",
      "--trace-ascii",
      "--output-dir",
      "--stderr",
      "--header",
      "--data",
      "--request",
      "--user",
      "--etag-save"
    ],
    reads: ["-T", "--upload-file", "-K", "--config"],
    writes: [
      "-o",
      "--output",
      "-D",
      "--dump-header",
      "-c",
      "--cookie-jar",
      "--trace",
      "--trace-ascii",
      "--output-dir",
      "--stderr",
      "--etag-save"
    ]
  },
  wget: {
    operands: "none",
    short: "OoaPieUtTwQ",
    long: ["--output-document", "--output-file", "--directory-prefix", "--input-file"],
    reads: ["-i", "--input-file"],
    writes: ["-O", "--output-document", "-o", "--output-file", "-a", "-P", "--directory-prefix"]
  },
  vi: { operands: "write" },
  vim: { operands: "write" },
  nano: { operands: "write" },
  ed: { operands: "write" },
  ex: { operands: "write" },
  emacs: { operands: "write" },
  xargs: { operands: "none", short: "adEILnPs", reads: ["-a", "--arg-file"] },
  mkfs: { operands: "write" },
  wipefs: { operands: "write" },
  blkdiscard: { operands: "write" },
  mkswap: { operands: "write" }
}
