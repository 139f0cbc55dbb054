/**
 * Which project files a person trusts: records of real path and content hash, in a file of Countersign's own under the
 * user's config folder. Whoever cannot be sure of the records trusts nothing.
 */
import { createHash, randomUUID } from "node:crypto"
import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync
} from "node:fs"
import { dirname, join } from "node:path"

/** A file whose exact content a person trusts. */
export interface TrustRecord {
  /** Real, absolute. */
  readonly path: string
  /** Of the bytes, in hex. */
  readonly sha256: string
  /** When it was trusted, as an ISO date. */
  readonly at: string
}

/** Answers for a file's exact content. */
export interface Trusts {
  (file: { readonly path: string }, text: string): boolean
  /** Changes whenever an answer may. */
  readonly stamp?: () => string
  /** Why nothing is trusted, where the records themselves are at fault. */
  readonly problem?: () => string | undefined
}

/** Trust records that can't be read or written; the message says what to do. */
export class TrustRecordsError extends Error {
  override readonly name = "TrustRecordsError"
}

/** Where the records lie. */
export const trustFile = (configHome: string): string => join(configHome, "countersign/trust.json")

/** The hash that a record holds of a content. A settings text stands for its bytes: only UTF-8 is read. */
export const contentHash = (text: string): string => createHash("sha256").update(text, "utf8").digest("hex")

/** Answers by the records in the file, read again when it changes. An absent file trusts nothing; nor does a faulty one. */
export function trustedBy(path: string): Trusts {
  let seen: string | undefined
  let records: readonly TrustRecord[] = []
  let problem: string | undefined
  const look = () => {
    const now = trustStamp(path)
    if (now === seen) return now
    seen = now
    records = []
    problem = undefined
    try {
      records = readTrust(path)
    } catch (error) {
      problem = error instanceof Error ? error.message : String(error)
    }
    return now
  }
  return Object.assign(
    (file: { readonly path: string }, text: string) => {
      look()
      if (records.length === 0) return false
      const real = realPathOf(file.path)
      const hash = contentHash(text)
      return records.some((record) => record.path === real && record.sha256 === hash)
    },
    {
      stamp: look,
      problem: () => {
        look()
        return problem
      }
    }
  )
}

/** The records in the file; throws `TrustRecordsError` for one that nobody may rely on. */
export function readTrust(path: string): readonly TrustRecord[] {
  const text = readOwn(path)
  if (text === undefined) return []
  const faulty = `the trust records \`${path}\` do not have the right form; remove the file and trust anew`
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new TrustRecordsError(faulty, { cause })
  }
  const { trusted, version } = (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>
  if (version !== 1 || !Array.isArray(trusted) || !trusted.every(isRecord)) throw new TrustRecordsError(faulty)
  return trusted
}

/** Records that exactly these contents are trusted; what was trusted of the same files before no longer is. */
export function recordTrust(
  path: string,
  files: readonly { readonly path: string; readonly text: string }[],
  at: string
): readonly TrustRecord[] {
  const added = files.map((file): TrustRecord => {
    const real = realPathOf(file.path)
    if (real === undefined) throw new TrustRecordsError(`the file \`${file.path}\` is gone`)
    return { path: real, sha256: contentHash(file.text), at }
  })
  const kept = readTrust(path).filter((record) => !added.some((each) => each.path === record.path))
  writeTrust(path, [...kept, ...added])
  return added
}

/** Takes back the records that are chosen, and says which those were. */
export function revokeTrust(path: string, chosen: (record: TrustRecord) => boolean): readonly TrustRecord[] {
  const records = readTrust(path)
  const revoked = records.filter(chosen)
  if (revoked.length > 0)
    writeTrust(
      path,
      records.filter((record) => !revoked.includes(record))
    )
  return revoked
}

function readOwn(path: string): string | undefined {
  try {
    const { mode, uid } = statSync(path)
    const me = process.getuid?.()
    if (me !== undefined && uid !== me && uid !== 0) {
      throw new TrustRecordsError(
        `the trust records \`${path}\` belong to another user (${uid}), so nothing is trusted`
      )
    }
    if (me !== undefined && (mode & 0o022) !== 0) {
      throw new TrustRecordsError(
        `the trust records \`${path}\` can be written by others, so nothing is trusted; run \`chmod 600\` on them`
      )
    }
    return readFileSync(path, "utf8")
  } catch (error) {
    if (error instanceof TrustRecordsError) throw error
    if (isAbsent(error)) return undefined
    throw new TrustRecordsError(`the trust records \`${path}\` can't be read: ${wordsOf(error)}`, { cause: error })
  }
}

/** Whole or not at all: a new file takes the old one's place, readable by its owner only. */
function writeTrust(path: string, trusted: readonly TrustRecord[]): void {
  const next = `${path}.${randomUUID()}`
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    const file = openSync(next, "wx", 0o600)
    try {
      writeSync(file, `${JSON.stringify({ version: 1, trusted }, null, 2)}\n`)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    chmodSync(next, 0o600)
    renameSync(next, path)
  } catch (error) {
    rmSync(next, { force: true })
    throw new TrustRecordsError(`the trust records \`${path}\` can't be written: ${wordsOf(error)}`, { cause: error })
  }
}

function trustStamp(path: string): string {
  try {
    const { ctimeNs, dev, ino, mode, mtimeNs, size, uid } = statSync(path, { bigint: true })
    return [dev, ino, size, mtimeNs, ctimeNs, mode, uid].join(":")
  } catch (error) {
    return isAbsent(error) ? "absent" : "unreadable"
  }
}

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    // gone, or behind a folder that can't be entered: then nobody can have trusted what lies there
    return undefined
  }
}

const isRecord = (value: unknown): value is TrustRecord => {
  if (typeof value !== "object" || value === null) return false
  const { at, path, sha256 } = value as Record<string, unknown>
  return (
    typeof path === "string" && typeof sha256 === "string" && /^[0-9a-f]{64}$/.test(sha256) && typeof at === "string"
  )
}

const isAbsent = (error: unknown) =>
  error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR")

const wordsOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
