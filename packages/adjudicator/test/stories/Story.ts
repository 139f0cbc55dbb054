/** A story: what is given, then steps and checks in one list. Its form is that of the stories in `test/cases`. */
export type Answer = unknown

export interface Story {
  readonly id: string
  readonly why: string
  readonly rules?: Readonly<Record<string, object>>
  readonly files?: Readonly<Record<string, string>>
  readonly trusted?: boolean
  readonly mode?: string
  readonly asking?: boolean | { readonly answers: readonly Answer[] }
  readonly askTimeoutMs?: number
  readonly hooks?: readonly {
    readonly name: string
    readonly on?: "pre" | "post"
    readonly timeoutMs?: number
    readonly answers: readonly Answer[]
  }[]
  readonly sources?: readonly { readonly name: string; readonly answers: readonly Answer[] }[]
  readonly parents?: Readonly<Record<string, readonly Answer[]>>
  readonly steps: readonly Step[]
}

export type Words = Readonly<Record<string, unknown>>

export interface Step extends Words {
  readonly do?: string
  readonly expect?: Words
}

export const text = (words: Words, key: string): string => String(words[key])
export const maybe = (words: Words, key: string): string | undefined =>
  words[key] === undefined ? undefined : text(words, key)
