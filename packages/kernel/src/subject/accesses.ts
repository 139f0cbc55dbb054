/**
 * From paths as written to accesses: clean, and real through symbolic links at the time of the call.
 */
import { absolutePath, isInside, lexicallyClean, realPath } from "./path.ts"
import type { Access, Surroundings } from "./Subject.ts"

/** What is known of an access besides its path. */
export type AccessKind = Omit<Access, "path" | "real">

/**
 * The accesses of one absolute path as written. Where `..` follows a link, a program that cleans paths first and one
 * that does not open different files: then there are two.
 */
export function accessesOf(path: string | undefined, kind: AccessKind, surroundings: Surroundings): readonly Access[] {
  if (path === undefined) return [{ ...kind, path, real: undefined }]
  const clean = lexicallyClean(path)
  const real = realPath(path, surroundings.files)
  const access: Access = { ...kind, path: clean, real }
  if (clean === path || !path.includes("..")) return [access]
  const cleanReal = realPath(clean, surroundings.files)
  return cleanReal === real ? [access] : [access, { ...access, real: cleanReal }]
}

/** The accesses of a path that a tool is given: against the working folder, `~/` as home. */
export function toolAccesses(
  path: unknown,
  kind: Partial<AccessKind> & Pick<Access, "kind">,
  surroundings: Surroundings
): readonly Access[] {
  const all: AccessKind = { glob: false, whole: false, uncertain: false, part: undefined, redirect: false, ...kind }
  // a path that is no text, or that ends early for the system, is one nobody knows
  const known = typeof path === "string" && path !== "" && !path.includes("\0")
  return accessesOf(known ? absolutePath(path, surroundings.folder, surroundings.home) : undefined, all, surroundings)
}

/** Whether the access lies in the working folder or an additional directory, as written and in fact. */
export function isInsideWorkspace({ path, real }: Access, surroundings: Surroundings): boolean {
  if (path === undefined || real === undefined) return false
  return (
    isInsideOne(path, real, surroundings.folder, surroundings) ||
    surroundings.additionalDirectories.some((directory) => isInsideOne(path, real, directory, surroundings))
  )
}

function isInsideOne(path: string, real: string, folder: string, { files }: Surroundings): boolean {
  if (!isInside(path, folder) && !isInside(path, realPath(folder, files))) return false
  return isInside(real, folder) || isInside(real, realPath(folder, files))
}
