import { readFileSync } from "node:fs"
import { compileRules, evaluate, mergeSettings, parseSettings, presets, readMode, readSubject } from "../src/index.ts"
let total: Record<string, [number, number]> = {}
for (const f of ["peers","users","extra"]) for (const line of readFileSync(`test/cases/${f}.ndjson`,"utf8").trim().split("\n")) {
  const c = JSON.parse(line)
  const links = c.links ?? {}
  const files = { readLink: (p: string) => links[p] }
  const layers = Object.entries(c.rules).map(([layer, permissions]) => parseSettings({ layer: layer as never, text: JSON.stringify({ permissions }), dialect: c.dialect ?? "native", trusted: c.trusted ?? false }).settings)
  const settings = mergeSettings(layers)
  const rules = compileRules(settings, { project: c.cwd, home: c.home, files, caseInsensitive: false, dialectOf: (l) => settings.dialects[l] ?? "native", workspace: [c.cwd] }, presets.default)
  const subject = readSubject({sessionId:"s",agentId:"a",toolCallId:"t",toolName:c.call.tool,arguments:c.call.input,folder:c.cwd}, settings.tools[c.call.tool] ?? {}, {folder:c.cwd,project:c.cwd,home:c.home,additionalDirectories:[],ownPaths:[c.home+"/.config/countersign",c.cwd+"/.countersign"],files,caseInsensitive:false}, presets.default)
  const mode = readMode(c.mode)
  const { ruling } = evaluate({ subject, lineage: [{ agentId: "a", mode: mode as never, bounds: undefined, rules: undefined }], rules, preset: presets.default, tier: undefined, alwaysAsk: false, requiresUserInteraction: false, hookForced: undefined, policy: undefined, preapproved: undefined, grants: [], refusedAt: undefined, disabled: { yolo: false, auto: false }, now: 0 })
  const got = c.mode === "dontAsk" && ruling.decision === "ask" ? "deny" : ruling.decision
  const t = total[f] ??= [0, 0]; t[1]++
  if (got === c.expect) t[0]++
  else console.log(got === "allow" && c.expect !== "allow" ? "!!!!" : "    ", c.id, "expected", c.expect, "got", got, ruling.ruleId, JSON.stringify(c.rules), JSON.stringify(c.call.input).slice(0,120))
}
console.log(total)
