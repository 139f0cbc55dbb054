import { analyse } from "../src/subject/command/analyse.ts"
for (const s of process.argv.slice(2)) {
  const a = analyse(s, "/srv/proj", "/home/u")
  console.log("==", s, "parsed", a.parsed, "transparent", a.transparent, a.ownVerbs)
  for (const p of a.parts) console.log("  part", JSON.stringify(p.text), p.unknown?"UNKNOWN":"", p.readOnly?"RO":"", p.free?"FREE":"", p.fileCommand?"FILE":"", p.asks??"", "\n     allow", p.allow.map(f=>`${f.plain} [${f.literalWords}] ${f.mustName}`).join(" | "), "\n     ban", p.ban.map(f=>f.plain).join(" | "))
  for (const t of a.touches) console.log("  ", t.kind, t.path, Object.entries(t).filter(([k,v])=>v===true||k==="emptied"&&v).map(([k])=>k).join(","))
}
