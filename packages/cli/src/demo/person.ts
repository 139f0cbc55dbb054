/** The person: somebody at a terminal who answers with keys, or a list of answers where nobody sits there. */
import { createInterface } from "node:readline/promises"
import { type CardView, cardLines, scopeText } from "../render/card.ts"
import type { Style } from "../render/Style.ts"
import { oneLine } from "../render/visible.ts"
import type { Answer } from "./Script.ts"

/** What the person says to a card. */
export interface PersonAnswer {
  readonly approved: boolean
  readonly reason?: string
  /** "Always for this agent": the narrowest grant that is offered. */
  readonly always: boolean
}

/** Somebody who answers cards. */
export interface Person {
  readonly name: string
  readonly answer: (card: CardView, call: string) => Promise<PersonAnswer>
}

/** Answers from a list; a card that it does not name is refused. */
export function listedPerson(answers: readonly Answer[], show: (text: string) => void, style: Style): Person {
  return {
    name: "ada",
    answer: async (card, call) => {
      show(cardLines(card, style, Date.now()).join("\n"))
      const found = answers.find((answer) => answer.call === call)
      if (found === undefined) {
        show(style.red(`  no answer is listed for \`${oneLine(call)}\`: refused`))
        return { approved: false, always: false, reason: "no answer was listed" }
      }
      const { answer, reason } = found
      show(`  ${style.bold("ada")} ${words[answer]}${reason === undefined ? "" : `: ${oneLine(reason)}`}`)
      return { approved: answer !== "refuse", always: answer === "always", ...(reason === undefined ? {} : { reason }) }
    }
  }
}

/** Answers from the keyboard: one key each, and a line for the reason of a refusal. */
export function keyboardPerson(
  name: string,
  show: (text: string) => void,
  style: Style,
  { nextKey, nextLine }: Keyboard = terminal
): Person {
  return {
    name,
    answer: async (card) => {
      show(cardLines(card, style, Date.now()).join("\n"))
      const [offer] = card.offered
      const lasting = offer === undefined ? "" : `   ${style.bold("l")} ${scopeText(offer)}`
      show(`  ${style.bold("a")} approve   ${style.bold("r")} refuse${lasting}`)
      for (;;) {
        const key = await nextKey()
        if (key === "a") return { approved: true, always: false }
        if (key === "l" && offer !== undefined) return { approved: true, always: true }
        if (key === "r") {
          const reason = await nextLine("  why? (enter for no reason) ")
          return { approved: false, always: false, ...(reason === "" ? {} : { reason }) }
        }
        show(style.dim(`  ${oneLine(key)} is no answer`))
      }
    }
  }
}

/** Where keys come from. */
export interface Keyboard {
  readonly nextKey: () => Promise<string>
  readonly nextLine: (question: string) => Promise<string>
}

const words = { approve: "approves", refuse: "refuses", always: "approves, always for this agent" } as const

const terminal: Keyboard = {
  nextKey: () => {
    const { stdin } = process
    return new Promise((resolve) => {
      stdin.setRawMode(true)
      stdin.resume()
      stdin.once("data", (bytes: Buffer) => {
        stdin.setRawMode(false)
        stdin.pause()
        const key = bytes.toString("utf8")
        // ctrl-c and ctrl-d leave as they do everywhere
        if (key === "\u0003" || key === "\u0004") process.kill(process.pid, "SIGINT")
        else resolve(key)
      })
    })
  },
  nextLine: async (question) => {
    const reader = createInterface({ input: process.stdin, output: process.stdout })
    try {
      return (await reader.question(question)).trim()
    } finally {
      reader.close()
    }
  }
}
