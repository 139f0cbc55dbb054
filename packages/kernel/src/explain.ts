/**
 * Why a call is allowed, asked for or denied: what it is made of, which rule speaks of each piece, what nobody can
 * know before it runs, and every step's word. `explain/headline.ts` says it in one sentence.
 */
import type { Basis, DecisionSource, PermissionDecision } from "./GateDecision.ts"
import { evaluate, type Evaluated, type Evaluation } from "./evaluate.ts"
import { alone, needsNothing } from "./explain/alone.ts"
import { headlineOf } from "./explain/headline.ts"
import { unknownIn } from "./explain/unknown.ts"
import type { RuleLayerName } from "./RuleLayer.ts"
import type { Who } from "./RuleSet.ts"
import type { TraceEntry } from "./Ruling.ts"
import { isInsideWorkspace } from "./subject/accesses.ts"
import type { Subject } from "./subject/Subject.ts"
import { suggestRules, type Suggesting } from "./suggest.ts"

/** What decided a piece: a rule that denies, may deny, asks or allows; the mode; its only reading; or nothing. */
export type PieceVerdict =
  | "deny"
  | "possible deny"
  | "ask"
  | "allow"
  | "accept edits"
  | "read-only"
  | "not needed"
  | "nothing"

/** Who decided a piece. */
export interface Piece {
  readonly verdict: PieceVerdict
  /** The rule's text; absent where none spoke. */
  readonly rule?: string
  readonly layer?: RuleLayerName
}

/** One simple command of the line. */
export interface ExplainedPart extends Piece {
  readonly text: string
  /** Why only a person or an exact rule lets it run. */
  readonly asks?: string
  /** What of it is known only when it runs. */
  readonly unknown: readonly string[]
}

/** A file or folder that the call touches. */
export interface ExplainedAccess extends Piece {
  readonly kind: "read" | "write" | "remove"
  /** Absolute; absent when only the shell can know it. */
  readonly path?: string
  /** Where its links lead, when elsewhere. */
  readonly real?: string
  /** Its path is a pattern, or all that lies below it is read. */
  readonly reach: "one" | "glob" | "whole folder"
  readonly inWorkspace: boolean
  /** Writing it asks unless an allow rule names it. */
  readonly protected: boolean
  /** Index of the part that touches it; absent for a path tool. */
  readonly part?: number
  /** It is written by a redirect: rules for commands don't cover it. */
  readonly redirect: boolean
}

/** An address that the call fetches. */
export interface ExplainedUrl extends Piece {
  readonly url: string
}

/** Everything there is to say of a decision. The JSON shape only grows. */
export interface Explanation {
  readonly decision: PermissionDecision
  /** Why, in one sentence, for somebody who never read the language. */
  readonly headline: string
  readonly ruleId: string
  readonly source: DecisionSource
  readonly basis?: Basis
  readonly matchedRule?: string
  readonly sourceLayer?: RuleLayerName
  readonly reason: string
  readonly because?: string
  readonly parts: readonly ExplainedPart[]
  readonly accesses: readonly ExplainedAccess[]
  readonly urls: readonly ExplainedUrl[]
  /** What nobody can know before the call runs, and why. */
  readonly unknown: readonly string[]
  /** Every step that was taken, with its word. */
  readonly trace: readonly TraceEntry[]
  /** Rules that together would allow it; empty where there are none. */
  readonly suggestions: readonly string[]
}

/** Explains what the pipeline says of a call. */
export function explainCall(input: Evaluation, place: Suggesting): Explanation {
  const { subject } = input
  const evaluated = evaluate(input, { trace: true })
  const byLine = byWholeLine(evaluated)
  const pieces = {
    parts: partsOf(input, place).map(byLine),
    accesses: accessesOf(input, place).map(byLine),
    urls: urlsOf(input)
  }
  const unknown = unknownIn(subject, pieces.parts)
  return {
    ...groundsOf(evaluated),
    headline: headlineOf(evaluated.ruling, subject, pieces, unknown),
    ...pieces,
    unknown,
    trace: evaluated.ruling.trace ?? [],
    suggestions: suggestRules(input, place)
  }
}

/** What no piece alone is allowed by, an exact rule for the whole line may allow. */
const byWholeLine =
  ({ ruling: { decision, matchedRule, sourceLayer } }: Evaluated) =>
  <P extends Piece>(piece: P): P =>
    decision !== "allow" || piece.verdict !== "nothing" || matchedRule === undefined || sourceLayer === undefined
      ? piece
      : { ...piece, verdict: "allow", rule: matchedRule, layer: sourceLayer }

function groundsOf({ ruling }: Evaluated) {
  const { basis, because, decision, matchedRule, reason, ruleId, source, sourceLayer } = ruling
  return {
    decision,
    ruleId,
    source,
    ...(basis === undefined ? {} : { basis }),
    ...(matchedRule === undefined ? {} : { matchedRule }),
    ...(sourceLayer === undefined ? {} : { sourceLayer }),
    reason,
    ...(because === undefined ? {} : { because })
  }
}

function partsOf(input: Evaluation, place: Suggesting): readonly ExplainedPart[] {
  const { subject } = input
  return (subject.command?.parts ?? []).map((part, index) => ({
    text: part.text,
    ...pieceOf(alone.part(subject, index), input, place, part.free),
    ...(part.asks === undefined ? {} : { asks: part.asks }),
    unknown: [
      ...new Set(
        part.allow.flatMap(({ words }) => words.flatMap(({ text, value }) => (value === undefined ? [text] : [])))
      )
    ]
  }))
}

function accessesOf(input: Evaluation, place: Suggesting): readonly ExplainedAccess[] {
  const { subject } = input
  return subject.accesses.map((access) => {
    const { glob, kind, part, path, real, redirect, whole } = access
    const own = pieceOf(alone.access(subject, access), input, place, false)
    const covered = own.verdict === "nothing" && subject.command !== undefined && !(redirect && kind !== "read")
    const inWorkspace = isInsideWorkspace(access, place.surroundings)
    return {
      kind,
      ...(path === undefined ? {} : { path }),
      ...(real === undefined || real === path ? {} : { real }),
      reach: glob ? "glob" : whole ? "whole folder" : "one",
      inWorkspace,
      protected: [path, real].some((each) => each !== undefined && subject.protectedWrites.includes(each)),
      ...(part === undefined ? {} : { part }),
      redirect,
      ...own,
      // what a command reads and writes needs no rule of its own: its part does
      verdict: covered ? "not needed" : readsByItself(own, subject, inWorkspace) ? "read-only" : own.verdict
    }
  })
}

const readsByItself = ({ verdict }: Piece, { command, readOnly }: Subject, inWorkspace: boolean) =>
  verdict === "nothing" && command === undefined && readOnly && inWorkspace

const urlsOf = (input: Evaluation): readonly ExplainedUrl[] =>
  input.subject.urls.map((url) => ({ url, ...pieceOf(alone.url(input.subject, url), input, undefined, false) }))

/** The strictest that anybody says of a piece, over the rules in force and those of each agent's spawn. */
function pieceOf(piece: Subject, input: Evaluation, place: Suggesting | undefined, free: boolean): Piece {
  const { lineage, now, preset, rules } = input
  const caller = lineage[0]!
  for (const kind of ["deny", "possibleDeny", "ask"] as const) {
    for (const agent of lineage) {
      const who: Who = { agentId: agent.agentId, mode: agent.mode, now }
      const said = rules[kind](piece, who) ?? agent.rules?.[kind](piece, who)
      if (said === undefined) continue
      const rule = "text" in said ? said : said.rule
      const verdict = kind === "possibleDeny" ? "possible deny" : kind
      return { verdict, ...(rule === undefined ? {} : { rule: rule.text }), layer: said.layer }
    }
  }
  const who: Who = { agentId: caller.agentId, mode: caller.mode, now }
  const allowance = rules.allow(piece, who, caller.mode === "acceptEdits")
  if (allowance?.by === "rule") return { verdict: "allow", rule: allowance.rule.text, layer: allowance.rule.layer }
  if (allowance?.by === "acceptEdits") return { verdict: "accept edits" }
  if (place === undefined || !needsNothing(piece, preset, place.surroundings)) return { verdict: "nothing" }
  // the pieces of a shell's script are pieces of their own
  return piece.command?.parts.length === 0 ? { verdict: "nothing" } : { verdict: free ? "not needed" : "read-only" }
}
