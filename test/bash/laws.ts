/** The laws that hold between what a line did and what the kernel said of it. */
import { harmlessGit, harmlessPrograms, type Verdicts } from "./judge.ts"
import type { Truth } from "./Machine.ts"
import type { Line } from "./Pen.ts"

/** How a line can break them. */
export type Breach =
  /** It ran what no rule allows, and was allowed. */
  | "escape: allowed"
  /** It ran what a rule denies, and was allowed. */
  | "escape: denied program allowed"
  | "escape: denied program allowed in yolo"
  /** It ran what stands on it literally and a rule denies, and was not denied. */
  | "escape: static word not denied"
  /** It wrote a file by a redirect that no rule allows, and was allowed. */
  | "escape: written"
  | "hung"
  /** It is made of static, allowed parts, and was not allowed. */
  | "needless ask"

/** Whether the line ran what is forbidden. */
export const ranForbidden = ({ ran }: Truth): boolean =>
  ran.some((words) => words[0] === "danger" || gitVerb(words) === "push")

/** The first law that the line breaks. */
export function breachOf(line: Line, truth: Truth, said: Verdicts): Breach | undefined {
  if (truth.hung) return "hung"
  if (said.allowing === "allow") {
    if (!truth.ran.every(isHarmless)) return "escape: allowed"
    if (truth.files > 0) return "escape: written"
  }
  if (ranForbidden(truth)) {
    if (said.denying === "allow") return "escape: denied program allowed"
    if (said.yolo === "allow") return "escape: denied program allowed in yolo"
    if (line.isStatic && (said.denying !== "deny" || said.yolo !== "deny")) return "escape: static word not denied"
    return undefined
  }
  return mustPass(line, truth) && Object.values(said).some((each) => each !== "allow") ? "needless ask" : undefined
}

/** Whether the line has to pass: bash took it as it was meant. */
export const mustPass = (line: Line, truth: Truth): boolean => line.passes && !truth.broken && !ranForbidden(truth)

const isHarmless = (words: readonly string[]) =>
  harmlessPrograms.includes(words[0]!) || (words[0] === "git" && harmlessGit.includes(gitVerb(words) ?? "status"))

function gitVerb(words: readonly string[]): string | undefined {
  if (words[0] !== "git") return undefined
  let index = 1
  for (; index < words.length && words[index]!.startsWith("-"); index++)
    if (words[index] === "-C" || words[index] === "-c") index++
  return words[index]
}
