/** The kernel with something switched off: a copy of its sources, changed, beside the modules it needs. */
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { lineOf } from "./generate.ts"
import { makeJudge, type Verdicts } from "./judge.ts"
import { breachOf } from "./laws.ts"
import { Machine, type Truth } from "./Machine.ts"
import type { Line } from "./Pen.ts"
import type { Edit, Switch } from "./switches.ts"

const house = fileURLToPath(new URL("../../", import.meta.url))

/** A line with what it did. */
export interface Tried {
  readonly line: Line
  readonly truth: Truth
}

/** Runs that many lines from a seed. */
export async function runLines(
  seed: number,
  count: number,
  progress: (done: number) => void
): Promise<readonly Tried[]> {
  const machine = new Machine()
  const tried: Tried[] = []
  try {
    while (tried.length < count) {
      const lines = Array.from({ length: Math.min(500, count - tried.length) }, (_, at) =>
        lineOf(seed, tried.length + at)
      )
      const truths = await machine.all(lines.map(({ text }) => text))
      lines.forEach((line, at) => tried.push({ line, truth: truths[at]! }))
      progress(tried.length)
    }
  } finally {
    machine.close()
  }
  return tried
}

/** How many of the lines escape a kernel, and the shortest that does. */
export function escapesOf(
  tried: readonly Tried[],
  judge: (line: string) => Verdicts
): { readonly count: number; readonly shortest: string | undefined } {
  const escaped = tried.filter(
    ({ line, truth }) => breachOf(line, truth, judge(line.text))?.startsWith("escape") === true
  )
  const texts = escaped.map(({ line }) => line.text).sort((one, other) => one.length - other.length)
  return { count: texts.length, shortest: texts[0] }
}

/** Asks a kernel in which something is switched off. */
export async function withSwitch<A>({ edits }: Switch, use: (judge: (line: string) => Verdicts) => A): Promise<A> {
  const root = mkdtempSync(join(tmpdir(), "countersign-switch-"))
  try {
    cpSync(join(house, "packages/kernel/src"), join(root, "src"), { recursive: true })
    symlinkSync(join(house, "node_modules"), join(root, "node_modules"))
    writeFileSync(join(root, "package.json"), `{ "type": "module" }`)
    for (const edit of edits) apply(join(root, "src"), edit)
    return use(makeJudge(await import(join(root, "src/index.ts"))))
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

function apply(folder: string, [file, find, replace]: Edit): void {
  const path = join(folder, file)
  const text = readFileSync(path, "utf8")
  if (!text.includes(find)) throw new Error(`no \`${find}\` in \`${file}\``)
  writeFileSync(
    path,
    text.replace(find, () => replace)
  )
}
