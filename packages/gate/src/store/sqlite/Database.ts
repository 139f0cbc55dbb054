/** A Kysely handle on a SQLite file as a scoped resource, migrated: the one place that knows the driver. */
import Sqlite from "better-sqlite3"
import { Effect } from "effect"
import { Kysely, sql, SqliteDialect } from "kysely"
import { DEFAULT_MIGRATION_TABLE, Migrator } from "kysely/migration"
import { chmodSync, mkdirSync } from "node:fs"
import { dirname } from "node:path"
import { migrations } from "../migrations/index.ts"
import { StoreError } from "../Store.ts"
import type { Db, Tables } from "../Tables.ts"

export const memory = ":memory:"

/** Opens and migrates the database; closes it with the scope. */
export const openDatabase = (file: string) =>
  Effect.acquireRelease(
    Effect.tryPromise({
      try: () => open(file),
      catch: (cause) => new StoreError({ operation: `open \`${file}\``, cause })
    }),
    (db) => Effect.promise(() => db.destroy())
  )

async function open(file: string): Promise<Db> {
  if (file !== memory) mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const database = new Sqlite(file)
  try {
    if (file !== memory) chmodSync(file, 0o600)
    database.pragma("journal_mode = WAL")
    // INVARIANT: what was committed is on the disk before anybody hears of it
    database.pragma("synchronous = FULL")
    database.pragma("busy_timeout = 5000")
    database.pragma("foreign_keys = ON")
    const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database }) })
    await migrate(db)
    return db
  } catch (error) {
    database.close()
    throw error
  }
}

/** All or nothing, and one process at a time. */
const migrate = (db: Db) =>
  immediately(
    db,
    (_, run) => run(),
    async (connection) => {
      const unknown = (await migrationsOf(connection)).find((name) => !Object.hasOwn(migrations, name))
      if (unknown !== undefined)
        throw new Error(`a newer version wrote it (it knows \`${unknown}\`); update countersign`)
      const provider = { getMigrations: () => Promise.resolve(migrations) }
      // the transaction is ours: Kysely's own would not keep a second process out
      const { error } = await new Migrator({ db: connection, provider, disableTransactions: true }).migrateToLatest()
      if (error !== undefined) throw error
    }
  )

/** The names of the migrations that the database has seen. */
async function migrationsOf(db: Db): Promise<readonly string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some(({ name }) => name === DEFAULT_MIGRATION_TABLE)) return []
  const { rows } = await sql<{ readonly name: string }>`select name from ${sql.table(DEFAULT_MIGRATION_TABLE)}`.execute(
    db
  )
  return rows.map(({ name }) => name)
}

/** Runs a body in one write transaction, taken at once so that no reader turns into a writer half-way. */
export async function immediately<A>(db: Db, around: Around, body: (db: Db) => Promise<A>): Promise<A> {
  return db.connection().execute(async (connection) => {
    try {
      await around("begin", () => sql`begin immediate`.execute(connection))
      const result = await body(connection)
      await around("commit", () => sql`commit`.execute(connection))
      return result
    } catch (error) {
      await sql`rollback`.execute(connection).catch(() => {
        // INVARIANT: the first error is told; a rollback fails only where there is no transaction (any more)
      })
      throw error
    }
  })
}

/** What happens around a statement. */
export interface Around {
  <A>(statement: string, run: () => Promise<A>): Promise<A>
}
