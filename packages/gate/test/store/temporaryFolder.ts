/** A folder for the files of one test file; it is gone when the tests are over. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "countersign-store-"))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
