/** How a command ends when not with 0: an exit code, and words where something is to be said. */
import { Data, Runtime } from "effect"

/** Ends the program with `code`; the message, where there is one, is shown as an error and says what to do. */
export class Exited extends Data.TaggedError("Exited")<{ readonly code: number; readonly words: string | undefined }> {
  override readonly [Runtime.errorExitCode] = this.code
  // `main.ts` shows the words itself; nothing is left to report
  override readonly [Runtime.errorReported] = false
  override get message() {
    return this.words ?? `exit code ${this.code}`
  }
}

/** The program's exit codes, as `countersign check --help` says them. */
export const exitCodes = { allow: 0, failure: 1, deny: 2, invalidSettings: 3, ask: 4 } as const

/** Ends with a code and nothing more to say. */
export const exitWith = (code: number): Exited => new Exited({ code, words: undefined })

/** Ends with code 1 and the words. */
export const failure = (words: string): Exited => new Exited({ code: exitCodes.failure, words })
