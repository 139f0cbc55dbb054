/**
 * The floor: what no rule, mode or person lets pass. Removal of the machine's or a person's own folders, writes to
 * devices and to Countersign's own files, and the verbs of its program that change what is allowed.
 */
import { mayLie, segmentMayBe, segments } from "./pathGlob.ts"
import type { Access, FloorHit, Surroundings } from "./Subject.ts"

/** An access with what the floor has to know besides. */
export interface FloorAccess {
  readonly access: Access
  /** Taken away with all that lies below it. */
  readonly tree: boolean
  /** What is taken away is searched for below it. */
  readonly searched: boolean
  /** Filters choose what is hit below it. */
  readonly filtered: boolean
  /** The path if all that is unknown in the word were empty. */
  readonly emptied: string | undefined
}

/** What the floor says of the files a call touches. */
export function floorOfAccesses(accesses: readonly FloorAccess[], surroundings: Surroundings): readonly FloorHit[] {
  const hits: FloorHit[] = []
  for (const each of accesses) {
    const { access } = each
    if (access.kind === "read") continue
    const paths =
      access.path === undefined ? [] : access.real === access.path ? [access.path] : [access.path, access.real!]
    const tree = access.kind === "remove" && each.tree
    const removed = tree ? paths.find((path) => isForbidden(path, surroundings)) : undefined
    if (removed !== undefined) hits.push(hit("floor.remove", `it removes \`${removed}\``, each.filtered))
    const own = paths.find((path) => touchesOwn(path, each, surroundings))
    if (own !== undefined) hits.push(hit("floor.own", `it writes to Countersign's own files (\`${own}\`)`))
    const device = paths.find(isDisk)
    if (device !== undefined) hits.push(hit("floor.device", `it writes to the device \`${device}\``))
    if (!tree) continue
    if (each.emptied !== undefined && mayBeRoot(each.emptied, surroundings)) {
      hits.push(hit("floor.remove", "it may remove the root or home folder, should a variable be empty", true))
    }
    if (each.emptied !== undefined && anotherHome.test(each.emptied))
      hits.push(hit("floor.remove", `it removes \`${each.emptied}\``))
  }
  return hits
}

/** What the floor says of a line that is longer or deeper than is looked at: it may hold anything. */
export const floorOfExhausted: readonly FloorHit[] = [
  {
    ruleId: "floor.remove",
    reason: "the line is longer or deeper than is looked at, and may remove anything",
    possible: true
  }
]

/** What the floor says of verbs of Countersign's own program. */
export const floorOfVerbs = (verbs: readonly string[]): readonly FloorHit[] =>
  verbs.map((verb) => hit("floor.self", `it runs \`${verb}\`, which only a person may`))

const hit = (ruleId: string, reason: string, possible = false): FloorHit => ({ ruleId, reason, possible })

/** Folders whose direct members are never removed. */
const guarded = ["usr", "var", "home", "Users"]

/** `/`, its direct children, `/usr/*`, `/var/*`, home folders, `~/*`, and whatever home lies in. */
function isForbidden(path: string, { caseInsensitive, home }: Surroundings): boolean {
  const fold = (text: string) => (caseInsensitive ? text.toLowerCase() : text)
  const names = segments(fold(path))
  if (names.length <= 1) return true
  if (names.length === 2 && guarded.some((name) => segmentMayBe(names[0]!, fold(name)))) return true
  const { above, below, on } = mayLie(fold(path), fold(home))
  return on || above || (below && names.length === segments(home).length + 1)
}

function mayBeRoot(path: string, { home }: Surroundings): boolean {
  const bare = path.replace(/(?:\/+\**)+$/, "")
  return bare === "" || bare === home
}

/** `~user`, and all that lies in it. */
const anotherHome = /^~[A-Za-z_][\w-]*(?:\/+\**)*$/

const disks = /^\/dev\/(?:sd|hd|vd|xvd|nvme|mmcblk|disk|rdisk|loop|md|dm-|mapper\/|ram|zd|nbd|mem$|kmem$|port$)/

const isDisk = (path: string) => disks.test(path)

function touchesOwn(
  path: string,
  { searched, tree }: FloorAccess,
  { caseInsensitive, ownPaths }: Surroundings
): boolean {
  const fold = (text: string) => (caseInsensitive ? text.toLowerCase() : text)
  return ownPaths.some((own) => {
    const { above, below, on } = mayLie(fold(path), fold(own))
    return on || below || (above && tree && !searched)
  })
}
