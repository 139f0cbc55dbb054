/** Reads entries from a gate's database. Loaded only when asked for: it brings the database along. */
import { type LedgerRecord, type RecordQuery, Store } from "@countersign/gate"
import { Effect } from "effect"
import { existsSync } from "node:fs"
import { failure } from "../Exited.ts"
import { storeAt } from "../Live.ts"
import { entriesOf } from "./Entry.ts"

/** The newest decisions that fit, with their outcomes, oldest first. */
export const listEntries = (database: string, query: Omit<RecordQuery, "kind">) =>
  reading(database, (store) =>
    store.records.list({ ...query, kind: "decision" }).pipe(Effect.flatMap((found) => withOutcomes(store, found)))
  )

/** The decisions that an id names: a record's id or number, or a call's id. */
export const findEntries = (database: string, id: string) =>
  reading(database, (store) =>
    Effect.gen(function* () {
      const byId = yield* store.records.list({ id })
      if (byId.length > 0) return yield* withOutcomes(store, byId)
      const byCall = yield* store.records.list({ kind: "decision", toolCallId: id })
      if (byCall.length > 0 || !/^\d+$/.test(id)) return yield* withOutcomes(store, byCall)
      const all = yield* store.records.list({ kind: "decision" })
      return yield* withOutcomes(
        store,
        all.filter(({ seq }) => seq === Number(id))
      )
    })
  )

type Found = Effect.Success<ReturnType<Store["Service"]["records"]["list"]>>

const withOutcomes = (store: Store["Service"], found: Found) =>
  Effect.forEach(found, ({ record }) => outcomesOf(store, record)).pipe(
    Effect.map((outcomes) => entriesOf([...found, ...outcomes.flat()]))
  )

const outcomesOf = (store: Store["Service"], record: LedgerRecord) =>
  record.kind === "decision" && record.caseId !== undefined
    ? store.records.list({ kind: "outcome", caseId: record.caseId })
    : Effect.succeed([])

/** Reads from a database that is there; a mistyped name must not make an empty one. */
const reading = Effect.fnUntraced(function* <A, E extends { readonly message: string }>(
  file: string,
  read: (store: Store["Service"]) => Effect.Effect<A, E>
) {
  if (!existsSync(file))
    return yield* failure(`the database \`${file}\` does not exist; name the file that the gate was given`)
  return yield* Effect.flatMap(Store, read).pipe(
    Effect.provide(storeAt(file)),
    Effect.mapError((error) => failure(error.message))
  )
})
