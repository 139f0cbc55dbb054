/** Medians of what peers need for a command, within a cap on time: who would go over it is not waited for. */
import { benchLines } from "../lines.ts"
import { median } from "../measure.ts"
import { benchWorld } from "../worlds.ts"
import { gemini, geminiParser, type PeerJudge, peers } from "./peers.ts"

/** What a peer needs: nanoseconds for a command, or why that is not known. */
export type PeerTime = { readonly nanoseconds: number } | { readonly problem: string }

export interface PeerResult {
  readonly name: string
  /** By the number of rules. */
  readonly simple: readonly (readonly [rules: number, PeerTime])[]
}

/** Seconds a peer may need to load its rules; and to answer. */
const buildCap = 20
const answerCap = 2

/** Measures all peers on the simple calls. */
export async function benchPeers(sizes: readonly number[]): Promise<readonly PeerResult[]> {
  const worlds = sizes.map((size) => benchWorld(size, 300, 7))
  const results: PeerResult[] = []
  for (const peer of peers) {
    const simple: (readonly [number, PeerTime])[] = []
    await attempt(() => peer.build(worlds[0]!.rules), ["ls"])
    let seconds = 0
    for (const [index, { calls, rules }] of worlds.entries()) {
      // loading grows at least with the number of rules
      const expected = index === 0 ? 0 : (seconds * sizes[index]!) / sizes[index - 1]!
      if (expected > buildCap) simple.push([sizes[index]!, { problem: "over the cap" }])
      else {
        const commands = calls.map(({ subject }) => subject.command!.text)
        const build = async () => {
          const started = performance.now()
          const judge = await peer.build(rules)
          seconds = (performance.now() - started) / 1000
          return judge
        }
        simple.push([sizes[index]!, await attempt(build, commands)])
      }
    }
    results.push({ name: peer.name, simple })
  }
  return results
}

/** Gemini's engine on the compound lines, by the number of rules, and its parser alone. */
export async function benchGemini(sizes: readonly number[]): Promise<PeerResult> {
  const simple: (readonly [number, PeerTime])[] = [[0, await attempt(geminiParser, benchLines)]]
  for (const size of sizes) {
    const { rules } = benchWorld(size, 1, 7)
    simple.push([size, await attempt(() => gemini.build(rules), benchLines)])
  }
  return { name: gemini.name, simple }
}

async function attempt(make: () => Promise<PeerJudge>, commands: readonly string[]): Promise<PeerTime> {
  const { debug } = console
  // Gemini's engine tells of every rule it tries; its time must not be the terminal's
  console.debug = () => {}
  try {
    return { nanoseconds: await answerTime(await make(), commands) }
  } catch (error) {
    return { problem: (error instanceof Error ? error.message : String(error)).split("\n")[0]! }
  } finally {
    console.debug = debug
  }
}

async function answerTime(judge: PeerJudge, commands: readonly string[]): Promise<number> {
  const times: number[] = []
  const end = performance.now() + answerCap * 1000
  for (let index = 0; index < 3 || performance.now() < end; index++) {
    const start = process.hrtime.bigint()
    const answer = judge(commands[index % commands.length]!)
    if (answer instanceof Promise) await answer
    times.push(Number(process.hrtime.bigint() - start))
  }
  // the first half warmed it up
  return median(times.slice(times.length >> 1))
}
