import { openDatabase, Store, StoreSqlite, writeRecord } from "@countersign/gate"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { sql } from "kysely"
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { failure } from "./contract/kit.ts"
import { approval, ask, decided, ended, entry, fresh } from "./rows.ts"
import { temporaryFolder } from "./temporaryFolder.ts"

const folder = temporaryFolder()
const place = () => join(folder, fresh("place"), "gate.db")
const mode = (path: string) => (statSync(path).mode & 0o777).toString(8)

/** Runs one statement past the store. */
const statement = (file: string, text: string) =>
  Effect.scoped(
    Effect.flatMap(openDatabase(file), (db) =>
      Effect.tryPromise({ try: () => sql.raw<Record<string, unknown>>(text).execute(db), catch: String })
    )
  ).pipe(Effect.map(({ rows }) => rows))

describe("The database", () => {
  it.effect("is its owner's alone: folder 700, files 600", () =>
    Effect.gen(function* () {
      const file = place()
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* Effect.flatMap(Store, (store) => store.revision).pipe(Effect.provide(StoreSqlite.layer(file)))
          const db = yield* openDatabase(file)
          yield* Effect.promise(() => sql`update world set frozen = 0`.execute(db))
          assert.strictEqual(mode(join(file, "..")), "700")
          assert.strictEqual(mode(`${file}.nodes`), "700")
          for (const each of [file, `${file}-wal`]) assert.strictEqual(mode(each), "600")
        })
      )
    })
  )

  it.effect("syncs every commit to the disk and works in WAL", () =>
    Effect.gen(function* () {
      const file = place()
      assert.deepStrictEqual(yield* statement(file, "pragma journal_mode"), [{ journal_mode: "wal" }])
      assert.deepStrictEqual(yield* statement(file, "pragma synchronous"), [{ synchronous: 2 }])
      assert.deepStrictEqual(yield* statement(file, "pragma busy_timeout"), [{ timeout: 5000 }])
    })
  )

  it.effect("is refused when a newer version wrote it, with the way out", () =>
    Effect.gen(function* () {
      const file = place()
      yield* statement(
        file,
        "insert into kysely_migration (name, timestamp) values ('0009_later', '2026-01-01T00:00:00.000Z')"
      )
      const error = yield* Effect.flip(Effect.provide(Store, StoreSqlite.layer(file)))
      assert.strictEqual(
        error.message,
        `the store failed to open \`${file}\`: a newer version wrote it (it knows \`0009_later\`); update countersign`
      )
    })
  )

  it.effect("fails with an error that a caller can act on where no file can be, or something else is", () =>
    Effect.gen(function* () {
      const noDatabase = join(folder, fresh("file"))
      writeFileSync(noDatabase, "this is a letter and no database\n".repeat(200))
      // `/sys`: a folder in which not even root makes another
      for (const file of [noDatabase, join(noDatabase, "below", "gate.db"), folder, "/sys/countersign/gate.db"]) {
        const error = yield* Effect.flip(Effect.provide(Store, StoreSqlite.layer(file)))
        assert.strictEqual(error._tag, "StoreError")
        assert.include(error.message, `the store failed to open \`${file}\`: `)
      }
    })
  )

  it.effect("fails with such an error at every verb that writes, when the file may only be read", () =>
    Effect.gen(function* () {
      const file = place()
      const row = ask()
      yield* Effect.flatMap(Store, (store) => store.open(row, undefined)).pipe(Effect.provide(StoreSqlite.layer(file)))
      // a write version that SQLite does not know makes a file read-only for everybody, root included
      const bytes = readFileSync(file)
      bytes[18] = 9
      writeFileSync(file, bytes)
      yield* Effect.gen(function* () {
        const store = yield* Store
        for (const verb of [
          store.terminal({ record: decided(ask()), events: [] }),
          store.open(ask(), undefined),
          store.appendEntry(row.id, entry("a")),
          store.show(row.id, row.decision, []),
          store.settle(approval(row, 0)),
          store.claim(row.id),
          store.finish(row.id, ended(row)),
          store.takeOver(row.id),
          store.sessions.setFrozen(undefined, true)
        ]) {
          const error = yield* failure(verb)
          assert.strictEqual(error._tag, "StoreError")
          assert.match(error.message, /: attempt to write a readonly database$/)
        }
        assert.deepStrictEqual(yield* store.cases.pending(), [row])
      }).pipe(Effect.provide(StoreSqlite.layer(file)))
    })
  )

  it.effect("fails with such an error on damage that shows up later, and serves what is sound", () =>
    Effect.gen(function* () {
      const file = place()
      const [damaged, sound] = [ask(), ask()]
      yield* Effect.gen(function* () {
        const store = yield* Store
        for (const row of [damaged, sound]) yield* store.open(row, undefined)
        yield* statement(file, `update cases set fixed = '{', chain = '[' where id = '${damaged.id}'`)
        for (const verb of [
          store.cases.byId(damaged.id),
          store.cases.pending(),
          store.appendEntry(damaged.id, entry("a")),
          store.settle(approval(damaged, 0)),
          store.open(damaged, undefined)
        ]) {
          assert.strictEqual((yield* failure(verb))._tag, "StoreError")
        }
        assert.deepStrictEqual(yield* store.cases.byId(sound.id), sound)
        assert.strictEqual(yield* store.settle(approval(sound, yield* store.revision)), "settled")
        assert.strictEqual(yield* store.records.count({}), 1)
      }).pipe(Effect.provide(StoreSqlite.layer(file)))
      const status = `select status from cases where id = '${damaged.id}'`
      assert.deepStrictEqual(yield* statement(file, status), [{ status: "pending" }])
    })
  )

  it.effect("holds one ask a call, whoever writes", () =>
    Effect.gen(function* () {
      const file = place()
      const row = ask()
      yield* Effect.flatMap(Store, (store) => store.open(row, undefined)).pipe(Effect.provide(StoreSqlite.layer(file)))
      const columns = (yield* statement(file, "select * from cases")).flatMap(Object.keys)
      const others = columns.map((name) => (name === "id" ? "'another'" : name)).join(", ")
      const copy = `insert into cases (${columns.join(", ")}) select ${others} from cases`
      assert.include(yield* Effect.flip(statement(file, copy)), "UNIQUE constraint failed")
    })
  )

  it.effect("keeps records and nothing can change them, not even SQL", () =>
    Effect.gen(function* () {
      const file = place()
      const record = decided(ask())
      yield* Effect.flatMap(Store, (store) => store.terminal({ record, events: [] })).pipe(
        Effect.provide(StoreSqlite.layer(file))
      )
      for (const text of [
        "update records set body = '{}'",
        "update records set seq = 9",
        "delete from records",
        `insert or replace into records (seq, body) values (1, '{"id":"other"}')`,
        `insert or replace into records (body) values ('{"id":"${record.id}"}')`,
        `insert or replace into records (body) values ('{"id":"x","kind":"decision","caseId":"${record.caseId}"}')`
      ])
        assert.include(yield* Effect.flip(statement(file, text)), "records are written once", text)
      assert.deepStrictEqual(yield* statement(file, "select body from records"), [{ body: writeRecord(record) }])
    })
  )

  it.effect("has the columns of a record from the record's own text", () =>
    Effect.gen(function* () {
      const file = place()
      const row = ask()
      yield* Effect.gen(function* () {
        const store = yield* Store
        yield* store.terminal({ record: decided(row), events: [], permit: { id: row.id, case: row } })
        yield* store.finish(row.id, ended(row))
        const { caseId: _, ...alone } = decided(ask({ agent: "child" }), { decision: "deny" })
        yield* store.terminal({ record: alone, events: [] })
      }).pipe(Effect.provide(StoreSqlite.layer(file)))
      const rows = yield* statement(file, "select * from records order by seq")
      assert.strictEqual(rows.length, 3)
      for (const { body, seq: _, ...columns } of rows) {
        const record = JSON.parse(String(body)) as Record<string, unknown>
        assert.deepStrictEqual(columns, {
          id: record["id"],
          kind: record["kind"],
          at: record["at"],
          session_id: record["sessionId"],
          agent_id: record["agentId"],
          tool_call_id: record["toolCallId"],
          tool_name: record["toolName"],
          decision: record["decision"] ?? null,
          case_id: record["caseId"] ?? null
        })
      }
      assert.include(
        yield* Effect.flip(statement(file, "insert into records (body, kind) values ('{}', 'decision')")),
        "generated column"
      )
    })
  )

  it.effect("looks asks, claims and records up by an index", () =>
    Effect.gen(function* () {
      const file = place()
      const plan = (query: string) =>
        Effect.map(statement(file, `explain query plan select * from ${query}`), (rows) => String(rows[0]?.["detail"]))
      for (const [query, index] of [
        ["cases where session_id = 's' and agent_id = 'a' and tool_call_id = 't' and asked = 1", "cases_by_call"],
        ["cases where status = 'pending'", "cases_pending"],
        ["cases where status = 'approved' and claimed_by is null", "cases_unclaimed"],
        ["cases where claimed_by is not null and outcome is null", "cases_open_claims"],
        ["cases where outcome = 'unknown'", "cases_unknown"],
        ["records where session_id = 's'", "records_by_call"],
        ["records where case_id = 'c' and kind = 'outcome'", "records_by_case"]
      ] as const)
        assert.include(yield* plan(query), index)
    })
  )

  it.effect("leaves no file of a node that ended in order", () =>
    Effect.gen(function* () {
      const file = place()
      const node = yield* Effect.gen(function* () {
        const { node } = yield* Store
        assert.isTrue(existsSync(join(`${file}.nodes`, `${node}.db`)))
        return node
      }).pipe(Effect.provide(StoreSqlite.layer(file)))
      assert.isFalse(existsSync(join(`${file}.nodes`, `${node}.db`)))
    })
  )
})
