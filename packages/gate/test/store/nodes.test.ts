import { openDatabase, Store, StoreSqlite } from "@countersign/gate"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, type Scope } from "effect"
import { sql } from "kysely"
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process"
import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { ask, approval, ended, fresh } from "./rows.ts"
import { temporaryFolder } from "./temporaryFolder.ts"

const folder = temporaryFolder()
const place = () => join(folder, fresh("place"), "gate.db")

/** Another process on the file; killed, if it still lives, with the test's scope. */
interface Node {
  readonly name: string
  /** Sends all requests at once; the answers come in their order. */
  readonly ask: (...requests: readonly (readonly [verb: string, id: string])[]) => Effect.Effect<readonly unknown[]>
  readonly kill: Effect.Effect<void>
}

const program = fileURLToPath(new URL("node.child.ts", import.meta.url))

const start = (file: string) =>
  Effect.acquireRelease(
    Effect.sync(() =>
      spawn(process.execPath, ["--conditions=source", "--disable-warning=ExperimentalWarning", program, file])
    ),
    (child) => Effect.promise(() => gone(child))
  ).pipe(Effect.flatMap((child) => Effect.promise(() => listen(child))))

/** SIGKILL, and the process is really no more. */
const gone = (child: ChildProcessWithoutNullStreams) =>
  new Promise<void>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve()
    child.once("close", () => resolve())
    child.kill("SIGKILL")
  })

async function listen(child: ChildProcessWithoutNullStreams): Promise<Node> {
  let complaint = ""
  child.stderr.on("data", (text) => (complaint += String(text)))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async (): Promise<unknown> => {
    const { done, value } = await lines.next()
    if (done === true) throw new Error(`the node ended: ${complaint}`)
    return JSON.parse(value) as unknown
  }
  const name = String(await next())
  const askAll = async (requests: readonly (readonly [string, string])[]) => {
    child.stdin.write(requests.map((request) => `${JSON.stringify(request)}\n`).join(""))
    const answers: unknown[] = []
    while (answers.length < requests.length) answers.push(await next())
    return answers
  }
  return {
    name,
    ask: (...requests) => Effect.promise(() => askAll(requests)),
    kill: Effect.promise(() => gone(child))
  }
}

/** A test's own store on a file, and as many other nodes as it wants. */
const among = <A>(
  nodes: number,
  body: (store: Store["Service"], others: readonly Node[], file: string) => Effect.Effect<A, unknown, Scope.Scope>
) =>
  Effect.scoped(
    Effect.gen(function* () {
      const file = place()
      const context = yield* Layer.build(StoreSqlite.layer(file))
      const others = yield* Effect.all(
        Array.from({ length: nodes }, () => start(file)),
        { concurrency: "unbounded" }
      )
      return yield* Effect.flatMap(Store, (store) => body(store, others, file)).pipe(Effect.provideContext(context))
    })
  )

const times = (count: number, verb: string, names: readonly string[]) =>
  Array.from({ length: count }, (_, index) => [verb, names[index]!] as const)

describe("Nodes on one file", () => {
  it.live("know of each other whether they live, and a dead one's file is taken away", () =>
    among(2, (store, [one, other], file) =>
      Effect.gen(function* () {
        assert.isTrue(yield* store.isAlive(one!.name))
        assert.deepStrictEqual(yield* other!.ask(["isAlive", one!.name], ["isAlive", store.node]), [true, true])
        yield* one!.kill
        assert.isTrue(existsSync(join(`${file}.nodes`, `${one!.name}.db`)))
        assert.isFalse(yield* store.isAlive(one!.name))
        assert.isFalse(existsSync(join(`${file}.nodes`, `${one!.name}.db`)))
        assert.deepStrictEqual(yield* other!.ask(["isAlive", one!.name]), [false])
        assert.isTrue(yield* store.isAlive(other!.name))
      })
    )
  )

  it.live("know of each other in one process, and asking takes nobody's life", () =>
    among(1, (store, [child], file) =>
      Effect.gen(function* () {
        const second = Context.get(yield* Layer.build(StoreSqlite.layer(file)), Store)
        assert.notStrictEqual(second.node, store.node)
        assert.isTrue(yield* store.isAlive(second.node))
        assert.isTrue(yield* second.isAlive(store.node))
        // a file that is opened and closed takes its process's locks away, if SQLite is not careful
        const names = [["isAlive", store.node] as const, ["isAlive", second.node] as const]
        assert.deepStrictEqual(yield* child!.ask(...names), [true, true])
      })
    )
  )

  it.live("take nobody for dead whose file cannot be read", () =>
    among(0, (store, _, file) =>
      Effect.gen(function* () {
        const row = ask({ id: fresh("case"), node: "torn" })
        const claimed = ask({ status: "approved", claimedBy: "torn" })
        for (const each of [row, claimed]) yield* store.open(each, undefined)
        const torn = join(`${file}.nodes`, "torn.db")
        writeFileSync(torn, "this is no database\n".repeat(200))
        const error = yield* Effect.flip(store.isAlive("torn"))
        assert.strictEqual(error._tag, "StoreError")
        assert.match(error.message, /^the store failed to probe a node: /)
        assert.strictEqual((yield* Effect.flip(store.takeOver(row.id)))._tag, "StoreError")
        assert.strictEqual((yield* Effect.flip(store.sweepClaims((each) => ended(each))))._tag, "StoreError")
        assert.deepStrictEqual(yield* store.cases.byId(row.id), row)
        assert.isTrue(existsSync(torn))
      })
    )
  )

  it.live("never follow a node's name out of the folder", () =>
    among(0, (store, _, file) =>
      Effect.gen(function* () {
        assert.isFalse(yield* store.isAlive("../gate"))
        assert.isTrue(existsSync(file))
      })
    )
  )

  it.live("take over and sweep what a dead one left, and nothing of a live one", () =>
    among(2, (store, [dead, live]) =>
      Effect.gen(function* () {
        for (const [node, name] of [
          [dead!, "dead"],
          [live!, "live"]
        ] as const) {
          const begun = yield* node.ask(
            ["open", `${name} waits`],
            ["open", `${name} ran`],
            ["approve", `${name} ran`],
            ["claim", `${name} ran`],
            ["open", `${name} may run`],
            ["approve", `${name} may run`]
          )
          assert.deepStrictEqual(begun, [
            { kind: "opened" },
            { kind: "opened" },
            "settled",
            true,
            { kind: "opened" },
            "settled"
          ])
        }
        yield* dead!.kill
        const swept = yield* store.sweepClaims((row) => ended(row, { outcome: "unknown" }))
        assert.deepStrictEqual(
          swept.map(({ id }) => id),
          ["dead ran"]
        )
        assert.deepStrictEqual(
          (yield* store.cases.unknownOutcomes()).map(({ id }) => id),
          ["dead ran"]
        )
        assert.strictEqual(yield* store.records.count({ kind: "outcome", caseId: "dead ran" }), 1)
        assert.deepStrictEqual(yield* store.sweepClaims((row) => ended(row)), [])
        assert.deepStrictEqual(
          (yield* store.cases.approvedUnclaimed).map(({ id }) => id),
          ["dead may run"]
        )
        assert.isFalse(yield* store.takeOver("live waits"))
        assert.isTrue(yield* store.takeOver("dead waits"))
        assert.strictEqual((yield* store.cases.byId("live waits"))?.node, live!.name)
        assert.strictEqual((yield* store.cases.byId("dead waits"))?.node, store.node)
        assert.deepStrictEqual(yield* live!.ask(["finish", "live ran"], ["finish", "dead ran"]), [true, false])
      })
    )
  )

  it.live("give each permit to one of them", () =>
    among(2, (store, [one, other]) =>
      Effect.gen(function* () {
        const names = Array.from({ length: 60 }, () => fresh("contested"))
        for (const id of names) {
          const row = ask({ id })
          yield* store.open(row, undefined)
          yield* store.settle(approval(row, yield* store.revision))
        }
        const requests = times(names.length, "claim", names)
        const [mine, theirs] = yield* Effect.all([one!.ask(...requests), other!.ask(...requests)], {
          concurrency: "unbounded"
        })
        for (const [index, id] of names.entries()) {
          assert.notStrictEqual(mine[index], theirs[index], `both or neither got \`${id}\``)
          const winner = mine[index] === true ? one! : other!
          assert.strictEqual((yield* store.cases.byId(id))?.claimedBy, winner.name)
        }
      })
    )
  )

  it.live("divide what a dead one left: each ask is taken over by one", () =>
    among(3, (store, [dead, one, other]) =>
      Effect.gen(function* () {
        const names = Array.from({ length: 30 }, () => fresh("orphan"))
        yield* dead!.ask(...times(names.length, "open", names))
        yield* dead!.kill
        const requests = times(names.length, "takeOver", names)
        const [mine, theirs] = yield* Effect.all([one!.ask(...requests), other!.ask(...requests)], {
          concurrency: "unbounded"
        })
        for (const [index, id] of names.entries()) {
          assert.notStrictEqual(mine[index], theirs[index], `both or neither got \`${id}\``)
          const winner = mine[index] === true ? one! : other!
          assert.strictEqual((yield* store.cases.byId(id))?.node, winner.name)
        }
      })
    )
  )

  it.live("open a call once, and settle it once", () =>
    among(2, (store, [one, other]) =>
      Effect.gen(function* () {
        const names = Array.from({ length: 30 }, () => fresh("call"))
        const requests = names.flatMap(
          (name) =>
            [
              ["open", name],
              ["approve", name]
            ] as const
        )
        yield* Effect.all([one!.ask(...requests), other!.ask(...requests)], { concurrency: "unbounded" })
        assert.strictEqual(yield* store.records.count({ kind: "decision" }), names.length)
        assert.deepStrictEqual(yield* store.cases.pending(), [])
        assert.strictEqual((yield* store.outbox.peek(1000)).length, names.length)
      })
    )
  )

  it.live("may all start at the same time on a file that is not there yet", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const file = place()
        const nodes = yield* Effect.all(
          Array.from({ length: 4 }, () => start(file)),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(new Set(nodes.map(({ name }) => name)).size, 4)
        const db = yield* openDatabase(file)
        const { rows } = yield* Effect.promise(() => sql`select name from kysely_migration`.execute(db))
        assert.deepStrictEqual(rows, [{ name: "0001_house" }])
      })
    )
  )
})
