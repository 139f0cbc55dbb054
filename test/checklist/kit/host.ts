/**
 * A host as ack's are: a gate with preset `ack` behind its public face, everything that it tells written down, and a
 * person who answers. What a process leaves behind is read from its database, as the next process would.
 */
import {
  createGate,
  type Decided,
  type DeskAnswer,
  type HostCall,
  type HostGate,
  type HostOptions,
  type PendingItem
} from "@countersign/adjudicator"
import {
  type ConfirmationPayload,
  type GateEvent,
  type PermissionEvent,
  type RunResult,
  Sessions,
  SessionsSqlite
} from "@countersign/gate"
import type { FrozenCall } from "@countersign/kernel"
import { Effect } from "effect"
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"

/** What a call is made of; session `s1` and no arguments unless said otherwise. */
export type Said = Partial<HostCall> & { readonly toolName: string }

/** A gate with what it told, and its calls' executions. */
export interface Host {
  readonly gate: HostGate
  readonly events: readonly GateEvent[]
  /** The calls that were really executed, in order. */
  readonly ran: readonly FrozenCall[]
  /** ack's PermissionEvents so far, as plain JSON; of one call, if it is named. */
  readonly permissions: (toolCallId?: string) => readonly PermissionEvent[]
  /** The payloads of `tool_confirmation` so far, as plain JSON; of one card, if it is named. */
  readonly cards: (confirmationId?: string) => readonly ConfirmationPayload[]
  /** Runs a call to its end; `execute` is what its tool does. */
  readonly run: (
    call: Said,
    options?: { readonly execute?: () => unknown; readonly signal?: AbortSignal }
  ) => Promise<RunResult<unknown>>
  /** Waits until so many asks are pending, in all sessions or in one. */
  readonly shown: (wanted?: number, sessionId?: string) => Promise<readonly PendingItem[]>
  /** Answers in session `s1` unless said otherwise. */
  readonly decide: (confirmationId: string, approved: boolean, more?: Partial<DeskAnswer>) => Promise<Decided>
}

/** Opens a gate; the call whose tool nobody says anything about gives `ran <tool>`. */
export async function open(options: HostOptions = {}): Promise<Host> {
  const events: GateEvent[] = []
  const ran: FrozenCall[] = []
  const { observer } = options
  const gate = await createGate({
    preset: "ack",
    user: "u1",
    folder: "/srv/proj",
    home: "/home/u",
    ...options,
    observer: (event, context) => {
      events.push(event)
      return observer?.(event, context)
    }
  })
  return {
    gate,
    events,
    ran,
    permissions: (toolCallId) =>
      events.flatMap(({ event, kind }) =>
        kind === "permission" && (toolCallId === undefined || event.call.toolCallId === toolCallId)
          ? [plain(event)]
          : []
      ),
    cards: (confirmationId) =>
      events.flatMap(({ event, kind }) =>
        kind === "confirmation" && (confirmationId === undefined || event.value.confirmationId === confirmationId)
          ? [plain(event.value)]
          : []
      ),
    run: (call, { execute, signal } = {}) => {
      const running = gate.run(
        { sessionId: "s1", arguments: {}, ...call },
        async (final) => {
          ran.push(final)
          return execute === undefined ? `ran ${final.toolName}` : execute()
        },
        signal === undefined ? {} : { signal }
      )
      // a call that still waits when its gate closes rejects, and not every test wants to know
      running.catch(() => undefined)
      return running
    },
    shown: (wanted = 1, sessionId) =>
      until(
        () => gate.desk.pending(sessionId),
        (items) => items.length === wanted
      ),
    decide: (confirmationId, approved, more = {}) =>
      gate.desk.decide({ sessionId: "s1", confirmationId, approved, ...more })
  }
}

/** Opens a gate for the body and closes it after. */
export async function withHost(options: HostOptions, body: (host: Host) => Promise<void>): Promise<void> {
  const host = await open(options)
  try {
    await body(host)
  } finally {
    await host.gate.close()
  }
}

/** Begins a call and waits until its card is shown; the call goes on waiting. */
export async function asked(
  host: Host,
  call: Said & { readonly toolCallId: string },
  options?: Parameters<Host["run"]>[1]
) {
  const running = host.run(call, options)
  await until(
    () => host.cards(call.toolCallId),
    ({ length }) => length > 0
  )
  return { running }
}

/** What a card was shown as, one after the other. */
export const statuses = (host: Host, confirmationId: string) => host.cards(confirmationId).map(({ status }) => status)

/** A process that ends, without settling anything, while these calls wait; gives them as they were shown. */
export async function orphans(options: HostOptions, calls: readonly Said[]): Promise<readonly PendingItem[]> {
  const host = await open(options)
  for (const call of calls) void host.run(call)
  const items = await host.shown(calls.length)
  await host.gate.close()
  return items
}

/** A resume runner that writes down what it was asked to continue; `run` is what the continuation does. */
export function fakeResume(
  run: (input: { readonly sessionId: string; readonly userId: string }) => unknown = () => {}
) {
  const resumed: { readonly sessionId: string; readonly userId: string }[] = []
  const resume: NonNullable<HostOptions["resume"]> = {
    run: (input) => {
      resumed.push(input)
      return run(input)
    }
  }
  return { resume, resumed }
}

/** The error that a promise is rejected with. */
export const rejection = (promise: Promise<unknown>): Promise<Error> =>
  promise.then(
    (value) => {
      throw new Error(`it was not refused, but gave ${JSON.stringify(value)}`)
    },
    (error: unknown) => error as Error
  )

/** The text that the model gets of a denied call; empty if it was not denied. */
export const textOf = (result: RunResult<unknown>): string => (result.status === "denied" ? result.result.text : "")

/** A file for a database that outlives a gate. */
export const databaseFile = (): string => join(mkdtempSync(join(tmpdir(), "countersign-ack-")), "countersign.db")

/** A session's history, as its store has it. */
export const historyOf = (file: string, session = { app: "ack", userId: "u1", sessionId: "s1" }) =>
  Effect.runPromise(
    Effect.flatMap(Sessions, ({ history }) => history(session)).pipe(Effect.provide(SessionsSqlite.layer(file)))
  )

/** Every key of the session store that a database holds. */
export const stateKeys = (file: string) =>
  inDatabase(file, (db) => db.prepare("select app, user_id, session_id, key from session_state").all().map(plain))

/** From now on the session store of this database fails to write for this session. */
export const breakSession = (file: string, sessionId: string) =>
  inDatabase(file, (db) =>
    db.exec(
      `create trigger broken before insert on session_state when new.session_id = '${sessionId}'
       begin select raise(abort, 'disk full'); end`
    )
  )

function inDatabase<A>(file: string, use: (db: DatabaseSync) => A): A {
  const db = new DatabaseSync(file)
  try {
    return use(db)
  } finally {
    db.close()
  }
}

/** Looks again until it is so. */
export async function until<A>(look: () => A | Promise<A>, holds: (value: A) => boolean): Promise<A> {
  const end = Date.now() + 20_000
  for (;;) {
    const value = await look()
    if (holds(value)) return value
    if (Date.now() > end) throw new Error(`it never came to be: ${JSON.stringify(value)}`)
    await sleep(1)
  }
}

/** Waits for real time to pass. */
export const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** The value as a wire carries it: own keys, without prototypes. */
export const plain = <A>(value: A): A => JSON.parse(JSON.stringify(value)) as A
