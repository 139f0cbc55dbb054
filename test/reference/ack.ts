/** ack's evaluation of a call, rule by rule as its own document has it (`systems.md` 1.1.8). */

export type AckVerdict = "abstain" | "allow" | "confirm" | "deny" | "error"

export interface AckSource {
  /** Undefined: anonymous. */
  readonly name: string | undefined
  readonly says: AckVerdict
}

export interface AckCall {
  readonly tier: "allow" | "confirm" | "deny"
  /** In the order in which they were given, named and anonymous mixed. */
  readonly sources: readonly AckSource[]
  /** A grant by the user matches: for this session, or for all. */
  readonly granted: boolean
}

/** How the evaluation ends. An ask goes to a person: by force, or because nothing allowed it. */
export type AckAnswer =
  | { readonly ends: "allow"; readonly basis: "tier" | "endorsement" | "grant"; readonly source: string }
  | { readonly ends: "deny"; readonly basis: "tier" | "verdict"; readonly source: string }
  | { readonly ends: "ask"; readonly forced: boolean }

/** What ack says of the call. */
export function ack({ granted, sources, tier }: AckCall): AckAnswer {
  if (tier === "deny") return { ends: "deny", basis: "tier", source: "" }

  const chain = [
    ...sources.filter(({ name }) => name !== undefined),
    ...sources.filter(({ name }) => name === undefined)
  ]
  const firstThatSays = (...words: readonly AckVerdict[]) => chain.find(({ says }) => words.includes(says))

  const refusing = firstThatSays("deny")
  if (refusing !== undefined) return { ends: "deny", basis: "verdict", source: refusing.name ?? "" }
  if (firstThatSays("confirm", "error") !== undefined) return { ends: "ask", forced: true }

  if (tier === "allow") return { ends: "allow", basis: "tier", source: "" }

  const endorsing = firstThatSays("allow")
  if (endorsing !== undefined) return { ends: "allow", basis: "endorsement", source: endorsing.name ?? "" }
  if (granted) return { ends: "allow", basis: "grant", source: "" }
  return { ends: "ask", forced: false }
}
