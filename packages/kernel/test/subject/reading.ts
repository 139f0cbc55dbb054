/** Shorthands of the subject tests: one project, one home, no links unless a test says so. */
import { presets, type Preset } from "../../src/Preset.ts"
import type { Capability } from "../../src/Capability.ts"
import type { Json } from "../../src/Json.ts"
import { analyse } from "../../src/subject/command/analyse.ts"
import { readSubject } from "../../src/subject/readSubject.ts"
import type { Subject, Surroundings } from "../../src/subject/Subject.ts"

export const folder = "/srv/proj"
export const home = "/home/u"

/** Surroundings with the given symbolic links. */
export const surroundings = (links: Readonly<Record<string, string>> = {}): Surroundings => ({
  folder,
  project: folder,
  home,
  additionalDirectories: [],
  ownPaths: ["/home/u/.config/countersign", "/srv/proj/.countersign"],
  files: { readLink: (path) => links[path] },
  caseInsensitive: false
})

/** What a call of the tool is about. */
export const read = (
  toolName: string,
  args: Json,
  {
    capability = {},
    links = {},
    preset = presets.default
  }: {
    readonly capability?: Capability
    readonly links?: Readonly<Record<string, string>>
    readonly preset?: Preset
  } = {}
): Subject =>
  readSubject(
    { sessionId: "s", agentId: "main", toolCallId: "t", toolName, arguments: args, folder },
    capability,
    surroundings(links),
    preset
  )

/** What a command line is about. */
export const bash = (command: string, links: Readonly<Record<string, string>> = {}) =>
  read("Bash", { command }, { links })

/** The texts of a line's parts, those first that run first. */
export const partsOf = (command: string) => analyse(command, folder, home).parts.map(({ text }) => text)

/** The forms that bans are tried on, of all parts. */
export const bansOf = (command: string) =>
  analyse(command, folder, home).parts.flatMap(({ ban }) => ban.map(({ plain }) => plain))

/** The line's accesses: `read /x`, `write ?`. */
export const accessesOf = (command: string) =>
  bash(command).accesses.map(
    ({ glob, kind, path, whole }) => `${kind} ${path ?? "?"}${glob ? " (glob)" : ""}${whole ? " (whole)" : ""}`
  )
