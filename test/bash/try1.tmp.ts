import * as kernel from "/tmp/bw/kernel1/src/index.ts"
import { Machine } from "./Machine.ts"
import { lineOf } from "./generate.ts"
import { makeJudge } from "./judge.ts"
import { breachOf, mustPass, ranForbidden } from "./laws.ts"
const [seed, n, show] = process.argv.slice(2).map(Number)
const m = new Machine(), judge = makeJudge(kernel)
const t0 = Date.now()
const counts: Record<string, number> = {}, ranBy: Record<string, number> = {}
const breaches: any[] = []
let must = 0, ran = 0, broken = 0, pass=0
for (let from = 0; from < n!; from += 200) {
  const lines = Array.from({ length: Math.min(200, n! - from) }, (_, i) => lineOf(seed!, from + i))
  const truths = await m.all(lines.map((l) => l.text))
  lines.forEach((line, i) => {
    const truth = truths[i]!
    const r = ranForbidden(truth)
    for (const c of line.constructs) { counts[c] = (counts[c] ?? 0) + 1; if (r) ranBy[c] = (ranBy[c] ?? 0) + 1 }
    if (mustPass(line, truth)) must++
    if (r) ran++
    if (truth.broken) { broken++; if (show === 2) console.log("BROKEN", JSON.stringify(line.text)) }
    const said = judge(line.text)
    const b = breachOf(line, truth, said)
    if (b) breaches.push({ b, text: line.text, said: Object.values(said).join(), ran: truth.ran.map((x) => x.join(" ")).join("|") })
  })
}
m.close()
if (show) for (const [c, k] of Object.entries(counts).sort((a, b) => a[1] - b[1])) console.log(c, k, ranBy[c] ?? 0, (100 * k / n!).toFixed(2))
const by: Record<string, any[]> = {}
for (const b of breaches) (by[b.b] ??= []).push(b)
for (const [k, l] of Object.entries(by)) { console.log("==", k, l.length); for (const b of l.sort((a, b) => a.text.length - b.text.length).slice(0, 25)) console.log(JSON.stringify(b.text), b.said, "RAN", b.ran.replaceAll("\u001f", " ")) }
console.log({ n, ms: (Date.now() - t0) / n!, must, ran, broken, breaches: breaches.length })
