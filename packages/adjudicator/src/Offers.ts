/**
 * Which lasting grants a card offers: the narrowest that would make this very call pass, shown word for word. Where a
 * person has to decide each time (forced, interaction, rule) and where only bash knows what would run, there is none.
 */
import type { Offer, SettingsView } from "@countersign/gate"
import { type AskKind, type FrozenCall, type Grant, type Preset, type Subject, wholeCall } from "@countersign/kernel"

/** What offers are made from. */
export interface Offerable {
  readonly call: FrozenCall
  readonly subject?: Subject
  readonly askKind?: AskKind
  readonly userId: string
  readonly lineage: readonly { readonly agentId: string }[]
}

/** What a person may ask to be remembered. From a child's card `session` means that agent and all below it. */
export const rememberWords = ["session", "session:all", "global"] as const
export type Remember = (typeof rememberWords)[number]

/** The offers of a card; empty if nothing lasting may be had. */
export function offersFor(asked: Offerable, view: SettingsView, preset: Preset): readonly Offer[] {
  const { askKind, call, lineage, subject, userId } = asked
  if (
    subject === undefined ||
    askKind === undefined ||
    view.settings.disabled.lastingGrants ||
    !satisfiable.has(askKind)
  )
    return []
  const what = narrowest(subject, call, preset)
  if (what === undefined) return []
  const grant = { userId, toolName: call.toolName, ...what.content }
  const trial: Grant = { ...grant, id: "offer", createdBy: userId, createdAt: 0 }
  // what would not make this very call pass is no offer
  if (!view.grantCovers(trial, subject, call.folder)) return []
  const isChild = lineage.length > 1
  return [
    ...(isChild
      ? [
          {
            scope: "agent" as const,
            text: what.text,
            grant: { ...grant, sessionId: call.sessionId, agentId: call.agentId }
          }
        ]
      : []),
    { scope: "session", text: what.text, grant: { ...grant, sessionId: call.sessionId } },
    // what demands confirmation each time is satisfied by nothing wider than a session
    ...(askKind === "alwaysAsk" ? [] : [{ scope: "global" as const, text: what.text, grant }])
  ]
}

/** The narrowest of the offers that the word stands for; undefined if none of them does. */
export function pickOffer(offers: readonly Offer[], remember: Remember): Offer | undefined {
  const scopes: Readonly<Record<Remember, readonly Offer["scope"][]>> = {
    session: ["agent", "session"],
    "session:all": ["session"],
    global: ["global"]
  }
  return scopes[remember].flatMap((scope) => offers.find((offer) => offer.scope === scope) ?? [])[0]
}

/** The asks that an earlier consent satisfies (`pipeline.md` 5). */
const satisfiable: ReadonlySet<AskKind> = new Set(["alwaysAsk", "tier", "fallback"])

interface Narrowest {
  readonly text: string
  readonly content: Pick<Grant, "content" | "exact" | "folder">
}

function narrowest(subject: Subject, call: FrozenCall, preset: Preset): Narrowest | undefined {
  const { toolName } = call
  if (preset.toolWideGrants) return { text: toolName, content: {} }
  const whole = wholeCall(subject)
  if (whole === undefined) return undefined
  if (whole === "whole") return { text: toolName, content: {} }
  const folder = subject.command === undefined ? {} : { folder: call.folder }
  return {
    text: `exactly: ${toolName}(${whole.content})`,
    content: { content: whole.content, exact: true, ...folder }
  }
}
