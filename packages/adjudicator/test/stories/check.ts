/** The checks of a story: each says what it found when it does not hold. */
import { parseSettings, type RuleLayerName } from "@countersign/kernel"
import { Effect, Exit } from "effect"
import { textOf } from "../stage.ts"
import type { Played, Theatre } from "./Theatre.ts"
import { maybe, text, type Words } from "./Story.ts"

type Found = string | undefined

/** Undefined if the check holds, else what was found. */
export const check = (theatre: Theatre, words: Words): Effect.Effect<Found, unknown> => {
  const [kind] = Object.keys(words)
  const run = checks[kind ?? ""]
  return run === undefined ? Effect.succeed(`unknown check \`${kind}\``) : run(theatre, words)
}

const plain = (value: unknown) => (value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as unknown))
const same = (wanted: unknown, found: unknown): boolean => {
  if (Array.isArray(wanted) && !Array.isArray(found)) return wanted.some((one) => same(one, found))
  return JSON.stringify(plain(wanted ?? null)) === JSON.stringify(plain(found ?? null))
}
/** Compares the keys that are asked for; a list stands for any of its words. */
const differs = (words: Words, keys: readonly string[], found: Words): Found => {
  const wrong = keys.filter((key) => words[key] !== undefined && !same(words[key], found[key]))
  return wrong.length === 0 ? undefined : wrong.map((key) => `${key} is ${JSON.stringify(found[key])}`).join(", ")
}
const holds = (whole: string, part: unknown) => whole.toLowerCase().includes(String(part).toLowerCase())
const keyOf = ({ confirmationId, sessionId }: Played) => `${sessionId}/${confirmationId}`
const each = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : value === undefined ? [] : [value])

const decided = (theatre: Theatre, played: Played) =>
  Effect.gen(function* () {
    const exit = played.fiber.pollUnsafe()
    if (exit !== undefined && Exit.isSuccess(exit)) {
      const { decision } = exit.value
      return { words: decision as unknown as Words, text: textOf(exit.value) }
    }
    const row = yield* theatre.stage.store.cases.byConfirmation(played.sessionId, played.confirmationId)
    if (row?.status === "pending") return { words: row.decision as unknown as Words, text: "" }
    const [stored] = yield* theatre.stage.store.records.list({ caseId: row?.id ?? "none", kind: "decision" })
    return { words: (stored?.record ?? {}) as unknown as Words, text: "" }
  })

const checks: Readonly<Record<string, (theatre: Theatre, words: Words) => Effect.Effect<Found, unknown>>> = {
  call: (theatre, words) =>
    Effect.gen(function* () {
      const played = theatre.calls.get(text(words, "call"))!
      const { text: told, words: found } = yield* decided(theatre, played)
      const asked = theatre.asked.has(keyOf(played))
      const wrong = differs(words, ["decision", "source", "ruleId", "matchedRule", "sourceLayer", "asked"], {
        ...found,
        asked
      })
      if (wrong !== undefined) return `${wrong} (${JSON.stringify(found)})`
      const missing = each(words["text"]).filter((part) => !holds(told, part))
      const there = each(words["notText"]).filter((part) => holds(told, part))
      return missing.length + there.length === 0 ? undefined : `the text is ${JSON.stringify(told)}`
    }),
  ran: (theatre, words) =>
    Effect.sync(() => {
      const runs = theatre.ran.filter(({ id }) => id === words["ran"])
      if (runs.length !== words["times"]) return `it ran ${runs.length} times`
      const other = words["input"] === undefined ? undefined : runs.find(({ input }) => !same(words["input"], input))
      return other && `it ran with ${JSON.stringify(other.input)}`
    }),
  pending: (theatre, words) =>
    Effect.gen(function* () {
      const items = yield* theatre.stage.desk.pending(maybe(words, "session"))
      const found = items
        .map(
          ({ confirmationId, sessionId }) =>
            [...theatre.calls.values()].find(
              (played) => played.confirmationId === confirmationId && played.sessionId === sessionId
            )?.id ?? confirmationId
        )
        .sort()
      if (!same([...(words["pending"] as string[])].sort(), found)) return `pending is ${JSON.stringify(found)}`
      const other = items.find(({ live }) => words["live"] !== undefined && live !== words["live"])
      return other && `live is ${other.live}`
    }),
  card: (theatre, words) =>
    Effect.gen(function* () {
      const played = theatre.calls.get(text(words, "card"))!
      const card = yield* theatre.stage.desk.card(played.sessionId, played.confirmationId)
      if (card === undefined) return "there is no card"
      const wrong = differs(
        words,
        ["toolName", "arguments", "sessionId", "status", "decidedBy"],
        card.payload as unknown as Words
      )
      if (wrong !== undefined) return wrong
      const missing = each(words["shows"]).filter((part) => !holds(card.text, part))
      if (missing.length > 0) return `the card is ${JSON.stringify(card.text)}`
      return words["escapes"] === true && /[\p{Cc}\p{Cf}]/u.test(card.text.replaceAll("\n", ""))
        ? "the card holds a character that can't be seen"
        : undefined
    }),
  chain: (theatre, words) =>
    Effect.gen(function* () {
      const played = theatre.calls.get(text(words, "chain"))!
      const row = yield* theatre.stage.store.cases.byConfirmation(played.sessionId, played.confirmationId)
      const found = row?.decision.adjudication
      const chain = found?.chain ?? row?.chain ?? []
      return differs(words, ["verdicts", "adjudicators", "childAgentId", "childDescription", "endorsed"], {
        ...found,
        verdicts: chain.map(({ verdict }) => verdict),
        adjudicators: chain.map(({ adjudicatorId }) => adjudicatorId)
      })
    }),
  events: (theatre, words) =>
    Effect.sync(() => {
      const found = theatre.statuses.get(keyOf(theatre.calls.get(text(words, "events"))!)) ?? []
      return same(words["statuses"], found) ? undefined : `the statuses are ${found.join(", ")}`
    }),
  records: (theatre, words) =>
    Effect.gen(function* () {
      const { agentId, sessionId, toolCallId } = theatre.calls.get(text(words, "records"))!
      const records = yield* theatre.stage.store.records.list({ sessionId, agentId, toolCallId, kind: "decision" })
      if (records.length !== (words["count"] ?? 1)) return `there are ${records.length} records`
      const keys = ["decision", "source", "basis", "matchedRule", "sourceLayer", "decidedBy", "agentId"]
      return records
        .map(({ record }) => differs(words, keys, record as unknown as Words))
        .find((wrong) => wrong !== undefined)
    }),
  answer: (theatre, words) =>
    Effect.sync(() =>
      differs(words, ["path", "error"], (theatre.answers.get(text(words, "answer")) ?? {}) as unknown as Words)
    ),
  race: (theatre, words) =>
    Effect.gen(function* () {
      const ids = words["race"] as readonly string[]
      const answers = ids.map((id) => theatre.answers.get(id)!)
      const won = answers.filter((answer) => !("error" in answer))
      if (won.length !== 1) return `${won.length} answers were accepted`
      if (answers.some((answer) => "error" in answer && answer.error !== "not-found"))
        return `the answers are ${JSON.stringify(answers)}`
      const played = theatre.calls.get(theatre.answered.get(ids[0]!)!)!
      const runs = theatre.ran.filter(({ id }) => id === played.id).length
      const approved = won[0] !== undefined && "outcome" in won[0] && won[0].outcome === "approved"
      if (runs !== (approved ? 1 : 0)) return `it ran ${runs} times`
      const count = yield* theatre.stage.store.records.count({
        toolCallId: played.toolCallId,
        sessionId: played.sessionId,
        kind: "decision"
      })
      return count === 1 ? undefined : `there are ${count} records`
    }),
  grants: (theatre, words) =>
    Effect.gen(function* () {
      const grants = yield* theatre.stage.store.grants.list()
      const wanted = words["grants"] as readonly Words[]
      const matched =
        wanted.length === grants.length &&
        wanted.every((want) =>
          grants.some((grant) => differs(want, Object.keys(want), grant as unknown as Words) === undefined)
        )
      return matched ? undefined : `the grants are ${JSON.stringify(grants)}`
    }),
  offered: (theatre, words) =>
    Effect.gen(function* () {
      const played = theatre.calls.get(text(words, "offered"))!
      const row = yield* theatre.stage.store.cases.byConfirmation(played.sessionId, played.confirmationId)
      const bad = each(words["never"]).filter((part) => row?.offered.some(({ text }) => holds(text, part)))
      return bad.length === 0 ? undefined : `offered are ${JSON.stringify(row?.offered)}`
    }),
  consulted: (theatre, words) =>
    Effect.sync(() => {
      const found = theatre.consulted.get(text(words, "consulted")) ?? 0
      return found === words["times"] ? undefined : `it was consulted ${found} times`
    }),
  resumed: (theatre, words) =>
    Effect.sync(() => {
      const found = theatre.resumed.filter((sessionId) => sessionId === words["resumed"]).length
      return found === words["times"] ? undefined : `it was continued ${found} times`
    }),
  problem: (theatre, words) =>
    Effect.sync(() => {
      const found = Array.from(
        theatre.given,
        ([layer, words]) =>
          parseSettings({ layer: layer as RuleLayerName, file: layer, text: words, trusted: theatre.trusted }).problems
      ).flat()
      const wanted = words["problem"] as Words | null
      if (wanted === null) return found.length === 0 ? undefined : `the problems are ${JSON.stringify(found)}`
      const hit = found.some(
        (problem) =>
          problem.file === wanted["file"] &&
          (wanted["line"] === undefined || problem.line === wanted["line"]) &&
          each(wanted["text"]).every((part) => holds(problem.message, part))
      )
      return hit ? undefined : `the problems are ${JSON.stringify(found)}`
    }),
  unchanged: (theatre, words) =>
    Effect.sync(() => {
      const changed = (words["unchanged"] as readonly string[]).filter(
        (layer) => theatre.files.get(layer) !== theatre.given.get(layer)
      )
      return changed.length === 0 ? undefined : `changed are ${changed.join(", ")}`
    }),
  anyOf: (theatre, words) =>
    Effect.gen(function* () {
      const found = yield* Effect.forEach(words["anyOf"] as readonly Words[], (one) => check(theatre, one))
      return found.some((wrong) => wrong === undefined) ? undefined : found.join("; ")
    })
}
