/**
 * Liveness of incarnations on one machine: each holds an exclusive transaction on a file of its own for as long as it
 * lives. The operating system drops it at kill -9. It only says when to look; safety is the claim alone.
 */
import Sqlite from "better-sqlite3"
import { Effect } from "effect"
import { existsSync, mkdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { StoreError } from "../Store.ts"
import { memory } from "./Database.ts"

export interface Nodes {
  readonly isAlive: (node: string) => boolean
}

/** Announces this incarnation until the scope closes. */
export const announce = (file: string, node: string) =>
  file === memory
    ? Effect.succeed<Nodes>({ isAlive: (other) => other === node })
    : Effect.acquireRelease(
        Effect.try({
          try: () => hold(file, node),
          catch: (cause) => new StoreError({ operation: "announce this node", cause })
        }),
        (held) =>
          Effect.sync(() => {
            held.close()
            rmSync(nodeFile(file, node), { force: true })
          })
      ).pipe(Effect.as<Nodes>({ isAlive: (other) => other === node || probe(file, other) }))

function hold(file: string, node: string): Sqlite.Database {
  mkdirSync(folder(file), { recursive: true, mode: 0o700 })
  const held = new Sqlite(nodeFile(file, node))
  held.exec("begin exclusive")
  return held
}

/** Busy = alive. A dead one's file is taken away. Only reads: two that probe at once don't take each other for alive. */
function probe(file: string, node: string): boolean {
  const path = nodeFile(file, node)
  if (!existsSync(path)) return false
  const database = new Sqlite(path, { timeout: 0 })
  try {
    database.exec("select count(*) from sqlite_master")
  } catch (error) {
    if (error instanceof Sqlite.SqliteError && error.code.startsWith("SQLITE_BUSY")) return true
    throw error
  } finally {
    database.close()
  }
  rmSync(path, { force: true })
  return false
}

const folder = (file: string) => `${file}.nodes`
// a node's name comes out of the database: it must not lead out of the folder
const nodeFile = (file: string, node: string) => join(folder(file), `${node.replace(/[^0-9a-zA-Z-]/g, "_")}.db`)
