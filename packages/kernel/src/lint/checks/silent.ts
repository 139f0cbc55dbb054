/** Rules that never speak, or hardly ever: what they were meant for goes by them. */
import { commandPattern } from "../../match/command.ts"
import { withoutEffect } from "../../match/withoutEffect.ts"
import { wrappers } from "../../subject/command/wrapperTable.ts"
import { builtinCapability, builtinTools } from "../../subject/tools.ts"
import type { Bench, ExampleCall } from "../Bench.ts"
import type { Finding } from "../Finding.ts"
import { findingOf } from "../findingOf.ts"
import type { Item } from "../places.ts"
import { callOf, samplesOf } from "../samples.ts"

/** Finds them. */
export function silentRules(items: readonly Item[], bench: Bench): readonly Finding[] {
  return items.flatMap((item) => {
    if (item.list === "tools") return []
    return noEffect(item, bench) ?? expired(item, bench) ?? tool(item, bench) ?? command(item, bench) ?? []
  })
}

type Found = readonly Finding[] | undefined

function noEffect(item: Item, bench: Bench): Found {
  const { rule } = item
  const message = rule.malformed === true ? undefined : withoutEffect(rule)
  if (message === undefined) return undefined
  const call = samplesOf(meantBy(item), bench).find((each) => !bench.speaks(rule, each))
  return [findingOf(item, "noEffect", message, call === undefined ? [] : [bench.exampleOf(item.rule, call)])]
}

/** The rule that its author probably meant. */
function meantBy({ rule }: Item): Item["rule"] {
  const { content } = rule
  return content?.endsWith(":*") === true ? { ...rule, content: `${content.slice(0, -2)}/**` } : rule
}

function expired(item: Item, bench: Bench): Found {
  const { expiresAt, text } = item.rule
  if (expiresAt === undefined || expiresAt > bench.now) return undefined
  const call = samplesOf(item.rule, bench).find((each) => bench.speaks(item.rule, each))
  const message = `\`${text}\` has expired, on ${new Date(expiresAt).toISOString()}, and counts no more`
  return [findingOf(item, "noEffect", message, call === undefined ? [] : [bench.exampleOf(item.rule, call)])]
}

/** A tool's name in another spelling: names are compared exactly. */
function tool(item: Item, bench: Bench): Found {
  const { rule } = item
  if (builtinCapability(rule.tool) !== builtinCapability("") || Object.hasOwn(bench.settings.tools, rule.tool))
    return undefined
  const meant = builtinTools.find((name) => name !== rule.tool && name.toLowerCase() === rule.tool.toLowerCase())
  if (meant === undefined) return undefined
  const call = samplesOf({ ...rule, tool: meant }, bench).find((each) => !bench.speaks(rule, each))
  const why = `names are compared exactly, and the tool is called \`${meant}\``
  const message = `\`${rule.text}\` hardly ever matches: ${why}`
  return call && [findingOf(item, "hardlyEver", message, [bench.exampleOf(item.rule, call)])]
}

function command(item: Item, bench: Bench): Found {
  const { content, exact, malformed, tool } = item.rule
  if (content === undefined || exact === true || malformed === true) return undefined
  if (bench.capabilityOf(tool).family !== "command") return undefined
  return cutWord(item, content, bench) ?? nameless(item, content, bench)
}

/** `make docker-:*`: a prefix ends at a word's end, and no word ends so. */
function cutWord(item: Item, content: string, bench: Bench): Found {
  const { rule } = item
  const call = (text: string): ExampleCall => callOf(rule.tool, text, bench.capabilityOf(rule.tool))
  if (!content.endsWith(":*") && !content.endsWith(" *")) return undefined
  const prefix = content.slice(0, -2)
  if (prefix.trim() === "") {
    if (rule.behavior !== "allow") return undefined
    const why = `nothing stands in front of \`:*\`; \`${rule.tool}\` is for every command`
    const message = `\`${rule.text}\` never matches: ${why}`
    return [findingOf(item, "noEffect", message, [bench.exampleOf(item.rule, call("npm publish"))])]
  }
  const last = prefix.slice(prefix.lastIndexOf(" ") + 1)
  const cut = content.endsWith(":*") && (/[^\W_][-_=:@]$/.test(last) || (/^\w+:\/\//.test(last) && last.endsWith("/")))
  if (!cut) return undefined
  const meant = call(`${prefix.replaceAll("*", "x")}build`)
  if (bench.speaks(rule, meant)) return undefined
  // a star behind a colon would end the rule as `:*` does
  const instead = prefix.endsWith(":") ? "name what may follow" : `write \`${rule.tool}(${prefix}*)\``
  const why = `\`:*\` begins a new word, and few words end with \`${last}\``
  const message = `\`${rule.text}\` hardly ever matches: ${why}; ${instead}`
  return [findingOf(item, "hardlyEver", message, [bench.exampleOf(item.rule, meant)])]
}

/** `sudo:*`, `watch *`, `bash -c:*`: an allow rule with a star has to name the program that is launched. */
function nameless(item: Item, content: string, bench: Bench): Found {
  const { rule } = item
  const pattern = commandPattern(content, true, false, false)
  const [program = "", ...words] = pattern.glob[0]!.trim().split(" ")
  const shell = shells.has(program) && words.at(-1) === "-c"
  if (rule.behavior !== "allow" || !pattern.open || pattern.glob.length > 1) return undefined
  if (!shell && !Object.hasOwn(wrappers, program)) return undefined
  const prefix = pattern.glob[0]!
  const launching = (shell ? [`${prefix} 'npm publish'`] : [`${prefix} npm publish`, `${prefix} 5 npm publish`])
    .map((text) => callOf(rule.tool, text, bench.capabilityOf(rule.tool)))
    .filter((each) => bench.subjectOf(each).command?.parts.some(({ allow }) => (allow[0]?.literalWords ?? 0) > 0))
  if (launching.length === 0 || launching.some((each) => bench.speaks(rule, each))) return undefined
  const lookedThrough = Object.hasOwn(wrappers, program) && wrappers[program]!.harmless === true
  const why = shell
    ? "the commands of the script are judged by themselves"
    : lookedThrough
      ? `\`${program}\` is looked through; what it launches needs a rule of its own, as \`${rule.tool}(npm test:*)\``
      : `the rule has to name the program that \`${program}\` launches, as in \`${rule.tool}(${prefix} npm test:*)\``
  const message = `\`${rule.text}\` hardly ever matches: ${why}`
  return [findingOf(item, "hardlyEver", message, [bench.exampleOf(item.rule, launching[0]!)])]
}

const shells: ReadonlySet<string> = new Set(["bash", "sh", "zsh", "dash", "ksh"])
