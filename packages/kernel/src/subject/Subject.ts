/**
 * What a call is about, found once per call: the command's parts, the files it touches, the hosts it reaches,
 * its parameters. Rules are matched against this and never against the arguments themselves.
 */
import type { Family } from "../Capability.ts"
import type { Json } from "../Json.ts"

/** The surroundings a call is read in. All paths absolute and clean. */
export interface Surroundings {
  /** The call's working folder. */
  readonly folder: string
  /** The project's folder: where relative rule contents start. */
  readonly project: string
  readonly home: string
  /** Folders that count as inside the workspace, besides the working folder. */
  readonly additionalDirectories: readonly string[]
  /** Countersign's own files and folders (settings, trust, database, keys): the floor guards them. */
  readonly ownPaths: readonly string[]
  readonly files: FileSystem
  readonly caseInsensitive: boolean
}

/** The little that judging needs of a file system. */
export interface FileSystem {
  /** Target of the symbolic link at exactly this path; undefined when it is none or does not exist. */
  readonly readLink: (path: string) => string | undefined
}

/** A file or folder that a call reads, writes or removes. */
export interface Access {
  readonly kind: "read" | "write" | "remove"
  /** Absolute and clean, as written; undefined when only the shell can know it. */
  readonly path: string | undefined
  /** `path` with symbolic links resolved through the nearest existing ancestor; undefined as `path` is. */
  readonly real: string | undefined
  /** What can be known of it when the whole can't: unquoted `*`, `?`, `[…]` of a glob stand in `path`. */
  readonly glob: boolean
  /** The folder is read with all that lies below it. */
  readonly whole: boolean
  /** One of several paths that are possible: deny and ask count it, allow needs all of them anyway. */
  readonly uncertain: boolean
  /** Index of the command part it comes from; undefined for a path tool or a redirect of a compound. */
  readonly part: number | undefined
  /** A redirect of the shell: `Bash` rules do not cover a write by it, `Edit(…)` rules do. */
  readonly redirect: boolean
}

/** One word of a command part. */
export interface PartWord {
  /** As written, quotes and all. */
  readonly text: string
  /** After quote removal; undefined when only bash can know it. */
  readonly value: string | undefined
  /** It holds an unquoted glob or brace, so that it may become several words or an option. */
  readonly glob: boolean
}

/**
 * One way to see a command part: its words from some point on. Deny and ask rules are tried on more forms than
 * allow rules are: behind every wrapper, by base name, without global options.
 */
export interface Form {
  readonly words: readonly PartWord[]
  /** Words as written, joined by one blank. */
  readonly written: string
  /** Words after quote removal, joined by one blank; a word only bash can know stands as written. */
  readonly plain: string
  /**
   * For allow: a rule with a star counts only if its literal beginning holds at least this many words (it has to
   * name the program that is launched). 0 = any star rule counts.
   */
  readonly literalWords: number
  /** For allow: a rule with a star counts only if its text holds each of these (options that write or run). */
  readonly mustName: readonly string[]
}

/** One simple command that bash could run, wherever it stands in the line. */
export interface Part {
  /** As written, redirects left out. */
  readonly text: string
  /** Forms for allow rules: the part itself, then what is behind harmless wrappers. */
  readonly allow: readonly Form[]
  /** Forms for deny and ask rules. */
  readonly ban: readonly Form[]
  /** Only bash can know which program runs (dynamic word, redefined word, script that is not static). */
  readonly unknown: boolean
  /** Known to change nothing, paths aside (those are accesses). */
  readonly readOnly: boolean
  /** A plain file command that `acceptEdits` covers inside the workspace: mkdir, touch, cp, mv. */
  readonly fileCommand: boolean
  /** It needs no rule: a plain assignment, a shell whose static script is judged by its own parts. */
  readonly free: boolean
  /** Why only an exact rule or a person lets it run, under a bare `Bash` rule too: a shell that reads its script from standard input, `/dev/tcp`. */
  readonly asks: string | undefined
}

/** A removal that the floor forbids, or may forbid. */
export interface FloorHit {
  /** What would be hit: `floor.remove`, `floor.own`, `floor.device`, `floor.self`. */
  readonly ruleId: string
  readonly reason: string
  /** Only bash can know: a forced ask (`floor.possible`) instead of a deny. */
  readonly possible: boolean
}

/** A command line, taken apart. */
export interface CommandSubject {
  /** The whole text. */
  readonly text: string
  readonly parts: readonly Part[]
  /** False: it does not parse. Bans are tried all the same on what could be taken out. */
  readonly parsed: boolean
  /** False: some place evaluates text twice or a script is not static, so that every part counts as unknown. */
  readonly transparent: boolean
}

/** What a call is about. */
export interface Subject {
  readonly toolName: string
  /** The name, then its aliases. */
  readonly names: readonly string[]
  readonly family: Family | undefined
  readonly command: CommandSubject | undefined
  readonly accesses: readonly Access[]
  /** URLs that the call fetches, as given. */
  readonly urls: readonly string[]
  /** For tools without a family: permgate's subject fields, paths among them cleaned. */
  readonly fields: readonly string[]
  /** Top-level scalar parameters as text, without the subject. */
  readonly parameters: ReadonlyMap<string, string>
  /** Names of parameters that the tool's registration declares. */
  readonly declared: readonly string[]
  /** What the floor has to say. */
  readonly floor: readonly FloorHit[]
  /** Protected paths that it writes, absolute. */
  readonly protectedWrites: readonly string[]
  /** By what the tool declares and what the call does: it changes nothing. */
  readonly readOnly: boolean
  /** Every path lies inside the working folder or an additional directory. */
  readonly insideWorkspace: boolean
  /** The call is what `acceptEdits` lets pass: edits, or plain file commands, inside the workspace, nothing protected. */
  readonly acceptEdits: boolean
  /** Names this call's tool and subject for refusals that stick. */
  readonly key: string
  readonly arguments: Json
}
