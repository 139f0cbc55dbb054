/** What a long run is: many small trials that must all keep a promise. `scripts/soak.ts` runs them. */

export interface SoakOptions {
  readonly seed: number
  readonly runs: number
  /** Told from time to time how many runs are done. */
  readonly progress: (done: number) => void
}

export interface SoakResult {
  /** What was met how often: a run that meets nothing proves nothing. */
  readonly counts: Readonly<Record<string, number>>
  /** Each trial that broke the promise, with what is needed to repeat it. */
  readonly violations: readonly unknown[]
}

export interface Soak {
  /** How many runs make evidence. */
  readonly runs: number
  /** How many make a quick look. */
  readonly small: number
  readonly run: (options: SoakOptions) => Promise<SoakResult>
}
