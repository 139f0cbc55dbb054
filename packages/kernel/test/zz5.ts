import { spawnSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { analyse } from "../src/subject/command/analyse.ts"
let seed = Number(process.argv[2] ?? 1)
const rnd = (n: number) => { seed = (seed * 1103515245 + 12345) & 0x7fffffff; return (seed >> 8) % n }
const pick = <A>(a: readonly A[]) => a[rnd(a.length)]!
const word = (): string => pick([()=>"a",()=>"'b c'",()=>"\"d\"",()=>"$'e'",()=>"$X",()=>"\"$X\"",()=>"f\\ g",()=>"{1,2}",()=>"~",()=>"$(c1 s)",()=>"\"$(c2 t)\"",()=>"`c3 u`",()=>"${X:-$(c4 v)}",()=>"$((1+1))",()=>"--",()=>"-n",()=>"\\\n",()=>"''",()=>"*",()=>"<(c5 p)", ()=>"a=b"])()
const name = () => pick(["c1","c2","c3","c4","c5","c1","c2","c\\1","'c2'","\"c3\"","c''4","$'\\x63'5","c\\\n1"])
const wrap = () => pick(["","","","","env ","env A=1 ","timeout 5 ","nice -n 1 ","nohup ","command ","builtin command ","exec ","A=1 ","env -i PATH=\"$PATH\" ","! ","time ","stdbuf -oL ","timeout -s KILL 5 ","env -u X ","nice ","setsid ","env -S 'c1 x' ", "bash -c 'c1 \"$0\"' ", "env -- ", "xargs ", "xargs -n 1 ", "2>&1 ", "</dev/null "])
const simple = () => wrap() + name() + Array.from({length: rnd(3)}, () => " " + word()).join("") + pick(["","",""," 2>&1"," > /dev/null"," <<< x", " < /dev/null"])
const q = (s: string) => "'" + s.replaceAll("'", "'\\''") + "'"
const line = (d: number): string => d <= 0 ? simple() : pick([
 ()=>simple(),()=>`${line(d-1)}; ${line(d-1)}`,()=>`${line(d-1)} && ${line(d-1)}`,()=>`${line(d-1)} || ${line(d-1)}`,()=>`${line(d-1)} | ${line(d-1)}`,()=>`(${line(d-1)})`,()=>`{ ${line(d-1)}; }`,
 ()=>`if ${line(d-1)}; then ${line(d-1)}; else ${line(d-1)}; fi`,()=>`for i in 1 $(c1); do ${line(d-1)}; done`,()=>`case $X in ${pick(["x","$(c2)","*"])}) ${line(d-1)};; esac`,()=>`while ${line(d-1)}; do ${line(d-1)}; break; done`,
 ()=>`X=$(${line(d-1)})`,()=>`bash -c ${q(line(d-1))}`,()=>`eval ${q(line(d-1))}`,()=>`trap ${q(line(d-1))} EXIT`,()=>`c1 "$(${line(d-1)})"`,()=>`cat <<E\n$(${line(d-1)})\nE\n`,()=>`bash <<'E'\n${line(d-1)}\nE\n`,()=>`cat <<E\n\`${line(d-1).replaceAll("\\","\\\\").replaceAll("`","\\`")}\`\nE\n`,
 ()=>`f() { ${line(d-1)}; }; f`,()=>`[[ -n $(${line(d-1)}) ]]`,()=>`echo $(( $(${line(d-1)} >/dev/null; echo 1) ))`,()=>`A=(x $(${line(d-1)}))`,()=>`cat <(${line(d-1)})`,()=>`coproc { ${line(d-1)}; }; wait`,()=>`${line(d-1)} # ${line(0)}\n${line(d-1)}`,()=>`${line(d-1)} &\nwait`, ()=>`bash <<< ${q(line(d-1))}`, ()=>`A[$(${line(d-1)} > /dev/null; echo 0)]=1`, ()=>`c1 > "/dev/null$(${line(d-1)} > /dev/null)"`, ()=>`alias zz=${q(line(d-1))}\nzz`, ()=>`select i in 1; do ${line(d-1)}; break; done <<< 1`, ()=>`mapfile -C ${q(line(d-1))} -c 1 v <<< x`])()
let bad = 0, ran = 0, unparsed = 0
for (let i = 0; i < Number(process.argv[3] ?? 300); i++) {
  const s = line(rnd(4))
  writeFileSync("/tmp/k1fuzz/log", "")
  const r = spawnSync("/tmp/k1fuzz/bin/bash", ["-c", s], { cwd: "/tmp/k1fuzz/work", env: { PATH: "/tmp/k1fuzz/bin" }, timeout: 4000, input: "in\n" })
  const cmds = readFileSync("/tmp/k1fuzz/log","utf8").split("\n").map(l => l.split(" ")[0]!).filter(c => /^c[1-5]$/.test(c))
  const a = analyse(s, "/srv/proj", "/home/u")
  const firsts = new Set(a.parts.flatMap(p => p.ban.map(f => f.words[0]?.value)))
  const anyUnknown = !a.parsed || !a.transparent || a.parts.some(p => p.unknown || p.asks !== undefined)
  ran += cmds.length; if (!a.parsed) unparsed++
  const miss = cmds.filter(c => !firsts.has(c))
  if (miss.length) { bad++; console.log(anyUnknown ? "miss(unknown)" : "MISS", miss, JSON.stringify(s), [...firsts].join(",")) }
  if (!a.parsed && r.status === 0 && !String(r.stderr).includes("syntax error")) console.log("UNPARSED but bash ok", JSON.stringify(s).slice(0,300))
}
console.log({ bad, ran, unparsed })
