/** What an allow pins: the real paths that the call names. If one leads elsewhere just before the call runs, it does not run. */
import { type FileSystem, type Permit, realPath, type Subject } from "@countersign/kernel"

/** The paths that a judged call names, with where they led when it was judged. */
export function pin(subject: Subject | undefined): Permit["pinned"] {
  const pinned = new Map<string, string>()
  for (const { glob, path, real } of subject?.accesses ?? []) {
    if (!glob && path !== undefined && real !== undefined) pinned.set(path, real)
  }
  return Array.from(pinned, ([path, real]) => ({ path, real }))
}

/** The first pinned path that leads elsewhere by now. */
export const moved = (pinned: Permit["pinned"], files: FileSystem): string | undefined =>
  pinned.find(({ path, real }) => realPath(path, files) !== real)?.path
