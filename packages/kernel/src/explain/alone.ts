/**
 * One part, file or host of a call as if it were all of the call: so that the rules can be asked about each of them,
 * by the same questions that they are asked about the whole.
 */
import type { Evaluation } from "../evaluate.ts"
import type { Preset } from "../Preset.ts"
import type { RuleSet, Who } from "../RuleSet.ts"
import { isInsideWorkspace } from "../subject/accesses.ts"
import type { Access, Subject, Surroundings } from "../subject/Subject.ts"

const noParameters: ReadonlyMap<string, string> = new Map()
const nothing = { text: "", parts: [], parsed: true, transparent: true } as const

const isWrite = ({ kind, redirect }: Access) => redirect && kind !== "read"

/** The call cut down to one of its pieces. */
export const alone = {
  /** The part with the files it touches; writes by a redirect of its are pieces of their own. */
  part: (subject: Subject, index: number): Subject => {
    const command = subject.command!
    const part = command.parts[index]!
    const accesses = subject.accesses.filter((access) => access.part === index && !isWrite(access))
    return {
      ...subject,
      command: { ...command, text: part.text, parts: [part] },
      accesses: accesses.map((access) => ({ ...access, part: 0 })),
      parameters: noParameters
    }
  },
  /** The file. Of a command only rules for files speak of it. */
  access: (subject: Subject, access: Access): Subject =>
    subject.command === undefined
      ? { ...subject, accesses: [access], parameters: noParameters }
      : {
          ...subject,
          toolName: "",
          names: [],
          command: { ...nothing },
          accesses: [{ ...access, part: undefined }],
          parameters: noParameters
        },
  url: (subject: Subject, url: string): Subject => ({ ...subject, urls: [url], parameters: noParameters })
}

/** Whether a piece needs no more leave than these rules, its being read-only or the mode give it. */
export function isCovered(
  piece: Subject,
  rules: RuleSet,
  who: Who,
  { preset }: Evaluation,
  place: Surroundings
): boolean {
  if (rules.allow(piece, who, who.mode === "acceptEdits") !== undefined) return true
  return needsNothing(piece, preset, place)
}

/** Whether a piece needs no rule at all: it only reads, and inside the workspace, or nothing of it runs. */
export function needsNothing({ accesses, command }: Subject, preset: Preset, place: Surroundings): boolean {
  const inside = () => accesses.every((access) => isInsideWorkspace(access, place))
  if (command === undefined || accesses.some(isWrite)) return false
  return command.parts.every(
    ({ asks, free, readOnly, unknown }) =>
      asks === undefined && !unknown && command.transparent && (free || (readOnly && preset.readOnlyTable && inside()))
  )
}
