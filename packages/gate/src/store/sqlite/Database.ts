/** A Kysely handle on a SQLite file as a scoped resource, migrated: the one place that knows the driver. */
import Sqlite from "better-sqlite3"
import { Effect } from "effect"
import { Kysely, sql, SqliteDialect } from "kysely"
import { Migrator } from "kysely/migration"
import { chmodSync, mkdirSync } from "node:fs"
import { dirname } from "node:path"
import { migrations } from "../migrations/index.ts"
import { StoreError } from "../Store.ts"
import type { Db, Tables } from "../Tables.ts"

export const memory = ":memory:"

/** Opens and migrates the database; closes it with the scope. */
export const openDatabase = (file: string) =>
  Effect.acquireRelease(
    Effect.tryPromise({ try: () => open(file), catch: (cause) => new StoreError({ operation: `open \`${file}\``, cause }) }),
    (db) => Effect.promise(() => db.destroy())
  )

async function open(file: string): Promise<Db> {
  if (file !== memory) mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const database = new Sqlite(file)
  if (file !== memory) chmodSync(file, 0o600)
  database.pragma("journal_mode = WAL")
  // INVARIANT: what was committed is on the disk before anybody hears of it
  database.pragma("synchronous = FULL")
  database.pragma("busy_timeout = 5000")
  database.pragma("foreign_keys = ON")
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database }) })
  try {
    await migrate(db)
  } catch (error) {
    await db.destroy()
    throw error
  }
  return db
}

async function migrate(db: Db): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(migrations) } })
  const known = new Set(Object.keys(migrations))
  const done = (await migrator.getMigrations().catch(() => [])).filter(({ executedAt }) => executedAt !== undefined)
  const unknown = done.find(({ name }) => !known.has(name))
  if (unknown !== undefined) throw new Error(`the database was written by a newer version (\`${unknown.name}\`); update countersign`)
  let { error } = await migrator.migrateToLatest()
  // two processes that make the same file at once: the second finds the first one's tables, and then nothing to do
  for (let tries = 0; error !== undefined && tries < 20 && isCollision(error); tries++) {
    await new Promise((resolve) => setTimeout(resolve, 25))
    ;({ error } = await migrator.migrateToLatest())
  }
  if (error === undefined) return
  const message = error instanceof Error ? error.message : String(error)
  throw message.includes("is missing")
    ? new Error(`the database was written by a newer version (${message}); update countersign`)
    : error
}

const isCollision = (error: unknown) => error instanceof Error && /already exists|database is locked/.test(error.message)

/** Runs a body in one write transaction, taken at once so that no reader turns into a writer half-way. */
export async function immediately<A>(db: Db, around: Around, body: (db: Db) => Promise<A>): Promise<A> {
  return db.connection().execute(async (connection) => {
    await around("begin", () => sql`begin immediate`.execute(connection))
    try {
      const result = await body(connection)
      await around("commit", () => sql`commit`.execute(connection))
      return result
    } catch (error) {
      await sql`rollback`.execute(connection).catch(() => {
        // INVARIANT: the first error is told; a rollback fails only where SQLite has rolled back already
      })
      throw error
    }
  })
}

/** What happens around a statement. */
export interface Around {
  <A>(statement: string, run: () => Promise<A>): Promise<A>
}
