import { presets } from "../src/Preset.ts"
import { readSubject } from "../src/subject/readSubject.ts"
const sur = {folder:"/srv/proj",project:"/srv/proj",home:"/home/u",additionalDirectories:[],ownPaths:["/home/u/.config/countersign","/srv/proj/.countersign"],files:{readLink:()=>undefined},caseInsensitive:false}
for (const command of ["git status", "cd packages/api && npm test 2>&1 | tail -20", "sed -n 1,20p src/a.ts"]) {
const call = {sessionId:"s",agentId:"a",toolCallId:"t",toolName:"Bash",arguments:{command},folder:"/srv/proj"}
for (let r=0;r<3;r++){ const t=performance.now(); for (let i=0;i<20000;i++) readSubject(call, {}, sur, presets.default); console.log(command, ((performance.now()-t)/20000*1000).toFixed(2),"us cached") }
let t=performance.now(); for (let i=0;i<5000;i++) readSubject({...call,arguments:{command:command+" "+i}}, {}, sur, presets.default); console.log(((performance.now()-t)/5000*1000).toFixed(2),"us fresh")
}
