/**
 * Inputs made to break whoever reads them, in any size, and one look at a call through the whole kernel: what it
 * throws, if it does, and how long it takes.
 */
import {
  compileRules,
  evaluate,
  type Evaluation,
  type Json,
  mergeSettings,
  parseSettings,
  plainEvaluation,
  presets,
  readCall,
  readSubject,
  type Surroundings
} from "@countersign/kernel"

/** A call to be judged: its tool, and its arguments as JSON text or as a value. */
export interface HostileCall {
  readonly tool: string
  readonly input: unknown
}

const bash = (command: string): HostileCall => ({ tool: "Bash", input: { command } })
const times = (text: string, size: number) => text.repeat(Math.max(1, Math.floor(size / text.length)))

/** Calls of about so many characters, by what is wrong with them. */
export const hostileCalls: Readonly<Record<string, (size: number) => HostileCall>> = {
  "commands without end": (size) => bash(times("a;", size)),
  "nested parentheses": (size) => bash("(".repeat(size / 2) + ")".repeat(size / 2)),
  "open parentheses": (size) => bash("(".repeat(size)),
  "nested substitutions": (size) => bash(`${times("$(echo ", size / 2)}x${")".repeat(size / 14)}`),
  "one long word": (size) => bash(`echo ${"x".repeat(size)}`),
  blanks: (size) => bash(`echo${" ".repeat(size)}x`),
  stars: (size) => bash(`rm ${times("*/", size)}`),
  quotes: (size) => bash(times(`'"`, size)),
  "back-slashes": (size) => bash("\\".repeat(size)),
  assignments: (size) => bash(times("a=b ", size)),
  pipes: (size) => bash(times("cat x | ", size)),
  redirects: (size) => bash(`echo ${times("> f ", size)}`),
  heredocs: (size) => bash(times("cat <<E\n", size)),
  wrappers: (size) => bash(`${times("sudo ", size)}rm x`),
  braces: (size) => bash(`echo ${times("{a,b}", size)}`),
  "words that only the shell knows": (size) => bash(`git ${times("$X ", size)}`),
  "folders up": (size) => ({ tool: "Read", input: { file_path: times("../", size) } }),
  slashes: (size) => ({ tool: "Write", input: { file_path: "/".repeat(size), content: "" } }),
  names: (size) => ({ tool: "Edit", input: { file_path: times("/a", size) } }),
  "a host without end": (size) => ({ tool: "WebFetch", input: { url: `https://${times("a.", size)}b/` } }),
  "a path without end": (size) => ({ tool: "WebFetch", input: { url: `https://a.b/${times("%2e/", size)}` } }),
  "a long argument": (size) => ({ tool: "mcp__notes__add", input: { text: "x".repeat(size) } }),
  "many parameters": (size) => ({
    tool: "mcp__notes__add",
    input: Object.fromEntries(Array.from({ length: size / 16 }, (_, index) => [`p${index}`, index]))
  }),
  "nested arrays as text": (size) => ({ tool: "mcp__notes__add", input: "[".repeat(size / 2) + "]".repeat(size / 2) }),
  "a tool's name": (size) => ({ tool: `mcp__${times("a__", size)}`, input: {} })
}

const project = "/srv/project"
const surroundings: Surroundings = {
  folder: project,
  project,
  home: "/home/me",
  additionalDirectories: [],
  ownPaths: [`${project}/.countersign`],
  files: { readLink: () => undefined },
  caseInsensitive: false
}

const rules = {
  deny: [
    "Bash(rm:*)",
    "Bash(git * --force)",
    "Bash(* | sh)",
    "Read(**/.env*)",
    "WebFetch(domain:*.evil.test)",
    "mcp__*"
  ],
  ask: ["Bash(git push:*)", "Edit(src/**/*.sql)", "mcp__notes__add(text:*x*y*)"],
  allow: ["Bash(echo:*)", "Bash(a*b*c*d)", "Read(**)", "Edit(/srv/**/a/**/a/**)", "WebFetch(https://*.b.test/*)"]
}
const settings = parseSettings({ layer: "user", text: JSON.stringify({ permissions: rules }) })
const place = { ...surroundings, dialectOf: () => "native" as const, workspace: [project] }
const compiled = compileRules(mergeSettings([settings.settings]), place, presets.default)

/** What came of a call. */
export interface Judged {
  readonly decision: "allow" | "ask" | "deny" | "not a call"
  /** Of this thread's own work: what else the machine does meanwhile does not count. */
  readonly milliseconds: number
  /** What the kernel threw; it must throw nothing. */
  readonly thrown?: string
}

/** One call through `readCall`, `readSubject` and `evaluate`. */
export function judge({ input, tool }: HostileCall): Judged {
  const started = process.threadCpuUsage()
  const spent = () => {
    const { system, user } = process.threadCpuUsage(started)
    return (system + user) / 1000
  }
  try {
    const read = readCall({
      sessionId: "s",
      agentId: "main",
      toolCallId: "t",
      toolName: tool,
      arguments: input as Json,
      folder: project
    })
    if ("problem" in read) return { decision: "not a call", milliseconds: spent() }
    const { decision } = evaluate(question(readSubject(read.call, {}, surroundings, presets.default))).ruling
    return { decision, milliseconds: spent() }
  } catch (thrown) {
    const told = thrown instanceof Error ? (thrown.stack ?? thrown.message) : "something that is no error"
    return { decision: "deny", milliseconds: spent(), thrown: told }
  }
}

const question = (subject: Evaluation["subject"]): Evaluation => plainEvaluation(subject, compiled)
