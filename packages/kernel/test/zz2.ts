import { readFileSync } from "node:fs"
import { presets } from "../src/Preset.ts"
import { readSubject } from "../src/subject/readSubject.ts"
for (const f of ["peers","users","extra"]) for (const line of readFileSync(`test/cases/${f}.ndjson`,"utf8").trim().split("\n")) {
  const c = JSON.parse(line)
  const links = c.links ?? {}
  const s = readSubject({sessionId:"s",agentId:"a",toolCallId:"t",toolName:c.call.tool,arguments:c.call.input,folder:c.cwd}, {}, {folder:c.cwd,project:c.cwd,home:c.home,additionalDirectories:[],ownPaths:[c.home+"/.config/countersign",c.cwd+"/.countersign"],files:{readLink:p=>links[p]},caseInsensitive:false}, presets.default)
  console.log(`${c.id} ${c.expect} ${c.mode} ${JSON.stringify(c.rules)}\n    ${JSON.stringify(c.call.input.command ?? c.call.input).slice(0,150)}\n    ro=${s.readOnly} in=${s.insideWorkspace} ae=${s.acceptEdits} floor=${s.floor.map(h=>h.ruleId+(h.possible?"?":""))} prot=${s.protectedWrites} ${s.command?`parsed=${s.command.parsed} tr=${s.command.transparent} parts=${s.command.parts.map(p=>`{${p.text.slice(0,60)}${p.unknown?" UNK":""}${p.readOnly?" RO":""}${p.free?" FREE":""}${p.asks?" ASKS":""} ${p.allow.map(f=>f.literalWords+"/"+f.mustName)}}`).join(" ").slice(0,400)}`:""} acc=${s.accesses.map(a=>`${a.kind[0]}${a.redirect?">":""}${a.glob?"g":""}${a.whole?"w":""}${a.uncertain?"u":""}:${a.path}${a.real!==a.path?"="+a.real:""}`).join(" ").slice(0,300)}`)
}
