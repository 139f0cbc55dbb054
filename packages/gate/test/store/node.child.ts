/**
 * A node of its own on a database file: says its name, then answers one request a line (`[verb, id]`) with one line.
 * Ends when its standard input does.
 */
import { Store, StoreSqlite } from "@countersign/gate"
import { Effect, Stream } from "effect"
import { createInterface } from "node:readline"
import { approval, ask, ended } from "./rows.ts"

const say = (answer: unknown) => process.stdout.write(`${JSON.stringify(answer)}\n`)

const answer = (store: Store["Service"], verb: string, id: string): Effect.Effect<unknown, unknown> => {
  const row = ask({ id, toolCallId: id, node: store.node })
  switch (verb) {
    case "open":
      return store.open(row, undefined)
    case "approve":
      return Effect.flatMap(store.revision, (revision) => {
        const settlement = approval(row, revision)
        return store.settle({ ...settlement, record: { ...settlement.record, id: `decision of ${id}` } })
      })
    case "claim":
      return store.claim(id)
    case "finish":
      return store.finish(id, ended(row, { id: `outcome of ${id}` }))
    case "takeOver":
      return store.takeOver(id)
    case "isAlive":
      return store.isAlive(id)
    default:
      return Effect.die(`no verb \`${verb}\``)
  }
}

const live = Effect.gen(function* () {
  const store = yield* Store
  say(store.node)
  const lines = Stream.fromAsyncIterable(createInterface({ input: process.stdin }), String)
  yield* Stream.runForEach(lines, (line) => {
    const [verb, id] = JSON.parse(line) as [string, string]
    return Effect.map(answer(store, verb, id), say)
  })
})

await Effect.runPromise(live.pipe(Effect.provide(StoreSqlite.layer(process.argv[2] ?? ""))))
