import { faultPoints, Faults, openDatabase, Store, type StoreError, storeOver, type Verb } from "@countersign/gate"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { approval, ask, decided, ended, entry, event, grant, refusal } from "./rows.ts"

/** A store in memory whose points are handed to `at`, and its database. */
const storeWith = (at: (point: string) => void) =>
  Layer.effect(
    Store,
    Effect.flatMap(openDatabase(":memory:"), (db) => storeOver(db, ":memory:"))
  ).pipe(Layer.provide(Layer.succeed(Faults, { at })))

const saved = grant({ id: "saved", uses: 5 })
const standing = { grantId: saved.id }

interface Trial {
  /** What has to be there before. */
  readonly prepare: (store: Store["Service"]) => Effect.Effect<unknown, StoreError>
  readonly run: (store: Store["Service"]) => Effect.Effect<unknown, StoreError>
}

/** Each verb, on a row that needs all its statements. */
const verbs: Readonly<Record<Verb, () => Trial>> = {
  terminal: () => {
    const row = ask()
    const terminal = { record: decided(row, standing), events: [event("t")], permit: { id: row.id, case: row } }
    return { prepare: () => Effect.void, run: (store) => store.terminal(terminal) }
  },
  open: () => {
    const row = ask()
    return { prepare: () => Effect.void, run: (store) => store.open(row, { agent: 99, session: 99 }) }
  },
  appendEntry: () => {
    const row = ask()
    return { prepare: (store) => store.open(row, undefined), run: (store) => store.appendEntry(row.id, entry("a")) }
  },
  show: () => {
    const row = ask()
    const decision = { ...row.decision, reason: "shown" }
    return {
      prepare: (store) => store.open(row, undefined),
      run: (store) => store.show(row.id, decision, [event("s")])
    }
  },
  settle: () => {
    const row = ask()
    const more = { grant: grant(), record: decided(row, standing) }
    return {
      prepare: (store) => store.open(row, undefined),
      run: (store) => Effect.flatMap(store.revision, (revision) => store.settle({ ...refusal(row, revision), ...more }))
    }
  },
  claim: () => {
    const row = ask()
    return { prepare: (store) => approve(store, row), run: (store) => store.claim(row.id) }
  },
  finish: () => {
    const row = ask()
    return {
      prepare: (store) => Effect.andThen(approve(store, row), store.claim(row.id)),
      run: (store) => store.finish(row.id, ended(row))
    }
  }
}

const approve = (store: Store["Service"], row: ReturnType<typeof ask>) =>
  Effect.andThen(
    store.open(row, undefined),
    Effect.flatMap(store.revision, (revision) => store.settle(approval(row, revision)))
  )

/** All that the store holds. */
const everything = (store: Store["Service"]) =>
  Effect.all([
    store.records.list({}),
    store.grants.list(),
    store.outbox.peek(1000),
    store.refusal("s1", "Bash npm publish"),
    store.revision,
    store.cases.pending(),
    store.cases.approvedUnclaimed,
    store.cases.unknownOutcomes()
  ])

describe("Fault points", () => {
  it.effect("are all passed, in order, by one run of the protocol", () => {
    const passed: string[] = []
    let listening = false
    return Effect.gen(function* () {
      const store = yield* Store
      yield* store.grants.save(saved)
      for (const make of Object.values(verbs)) {
        const { prepare, run } = make()
        yield* prepare(store)
        listening = true
        yield* run(store)
        listening = false
      }
      assert.deepStrictEqual(passed, faultPoints)
    }).pipe(
      Effect.provide(
        storeWith((point) => {
          if (listening) passed.push(point)
        })
      )
    )
  })

  it.effect("end an interruption's wait: a verb that began is over before its caller is", () => {
    const passed: string[] = []
    let interrupt = () => {}
    return Effect.gen(function* () {
      const store = yield* Store
      const row = ask()
      yield* store.open(row, undefined)
      const settling = store
        .settle(approval(row, yield* store.revision))
        .pipe(Effect.onExit(() => Effect.sync(() => passed.push("the caller is over"))))
      const fiber = yield* Effect.forkChild(settling)
      interrupt = () => fiber.interruptUnsafe()
      yield* Fiber.await(fiber)
      assert.deepStrictEqual(passed.slice(-2), ["settle.commit.after", "the caller is over"])
      assert.strictEqual((yield* store.cases.byId(row.id))?.status, "approved")
      assert.strictEqual(yield* store.records.count({}), 1)
    }).pipe(
      Effect.provide(
        storeWith((point) => {
          passed.push(point)
          if (point === "settle.begin.after") interrupt()
        })
      )
    )
  })

  // after the commit nothing is taken back: that is what the next start finds
  const takenBack = faultPoints.filter((point) => !point.endsWith(".commit.after"))
  it.effect.each(takenBack)("take the whole verb back when `%s` fails, and the next try works", (point) => {
    let failing = false
    return Effect.gen(function* () {
      const store = yield* Store
      yield* store.grants.save(saved)
      const { prepare, run } = verbs[point.split(".")[0] as Verb]()
      yield* prepare(store)
      const before = yield* everything(store)
      failing = true
      const error = yield* Effect.orDie(Effect.flip(run(store)))
      failing = false
      assert.strictEqual(error._tag, "StoreError")
      assert.match(error.message, /^the store failed to [a-z' ]+: the disk is full$/)
      assert.deepStrictEqual(yield* everything(store), before)
      assert.notInclude([false, "lost", "moved"], yield* run(store))
      assert.notDeepEqual(yield* everything(store), before)
    }).pipe(
      Effect.provide(
        storeWith((passed) => {
          if (failing && passed === point) throw new Error("the disk is full")
        })
      )
    )
  })
})
