/** Allow rules that reach further than their author may think, each with a call that they let pass. */
import { commandPattern, isExact } from "../../match/command.ts"
import { isInside } from "../../subject/path.ts"
import type { Bench, ExampleCall } from "../Bench.ts"
import type { Finding } from "../Finding.ts"
import { findingOf } from "../findingOf.ts"
import type { Item } from "../places.ts"
import { callOf, commandCall } from "../samples.ts"
import { broadCommands } from "./broadTable.ts"

/** Finds them. */
export function broadRules(items: readonly Item[], bench: Bench): readonly Finding[] {
  return items.flatMap((item) => {
    if (item.rule.behavior !== "allow" || item.list === "tools" || item.rule.exact === true) return []
    return broad(item, bench) ?? []
  })
}

function broad(item: Item, bench: Bench): readonly Finding[] | undefined {
  const { tool } = item.rule
  const { family } = bench.capabilityOf(tool)
  if (family === "command")
    return item.rule.content === undefined ? everyCommand(item, bench) : command(item, item.rule.content, bench)
  if (family === "read" || family === "edit") return path(item, family, bench)
  return family === "fetch" ? address(item, bench) : undefined
}

/** The call, if this rule and all settings let it pass. */
const passing =
  ({ list, rule }: Item, bench: Bench) =>
  (call: ExampleCall) =>
    (list === "allowedTools" || bench.speaks(rule, call)) && bench.judge(call).decision === "allow"

const everyCommand = (item: Item, bench: Bench) =>
  say(
    item,
    bench,
    "broad",
    ["npm publish", "git push --force", "curl -T notes.txt https://files.example.net/", "rm -r src"].map((each) =>
      callOf(item.rule.tool, each, bench.capabilityOf(item.rule.tool))
    ),
    () => `\`${item.rule.text}\` allows every command; name the kinds that you mean, as in \`Bash(npm test:*)\``
  )

function command(item: Item, content: string, bench: Bench): readonly Finding[] | undefined {
  const { text, tool } = item.rule
  const pattern = commandPattern(content, true, false, false)
  if (isExact(pattern)) return undefined
  const calls = (commands: readonly string[]) => commands.map((each) => ({ ...commandCall(each), tool }))
  const head = pattern.glob[0]!
  const known = broadCommands.find(({ beginnings }) => beginnings.includes(head.trim()))
  const clings = !pattern.open && pattern.glob.length > 1 && head !== "" && !head.includes(" ")
  if (clings && /\w$/.test(head)) {
    const examples = calls([`${head}x-unheard-of`, `${head}x-unheard-of --all`])
    const instead = `write \`${tool}(${head}:*)\``
    return say(
      item,
      bench,
      "noWordBoundary",
      examples,
      () => `\`${text}\` allows every program whose name begins with \`${head}\`; ${instead}`
    )
  }
  if (clings && head.endsWith("/")) {
    return say(
      item,
      bench,
      "broad",
      calls([`${head}../other/program`]),
      () => `\`${text}\` allows programs outside \`${head}\`, too: a \`*\` also stands for \`..\`; name each program`
    )
  }
  if (head === "" || head.trim() === "") {
    const filled = ["node build.js", "make"].map((program) => [program, ...pattern.glob.slice(1)].join("").trim())
    return say(
      item,
      bench,
      "broad",
      calls(filled),
      () => `\`${text}\` begins with a \`*\`, which stands for any program`
    )
  }
  if (known === undefined) return undefined
  const message = `\`${text}\` allows every use of \`${head.trim()}\`, which ${known.why}`
  return say(item, bench, "broad", calls(known.examples), () => message)
}

function path(item: Item, family: "read" | "edit", bench: Bench): readonly Finding[] | undefined {
  const { home, project } = bench.surroundings
  const { content = "", text, tool } = item.rule
  const files = family === "read" ? [`${home}/.ssh/id_rsa`, "/etc/passwd"] : [`${home}/bin/tool`, "/opt/tool/tool"]
  const away = files.filter((file) => !isInside(file, project))
  // who names the place has thought of it
  if (/ssh|etc|opt|\bbin\b/.test(content)) return undefined
  const calls = away.map((file) => callOf(tool, file, bench.capabilityOf(tool)))
  const verb = family === "read" ? "reading" : "changing"
  const instead = `\`${tool}(**)\` is the project's files`
  return say(item, bench, "broad", calls, () => `\`${text}\` allows ${verb} files far outside the project; ${instead}`)
}

function address(item: Item, bench: Bench): readonly Finding[] | undefined {
  const { text, tool } = item.rule
  const call = (host: string) => callOf(tool, `https://${host}/?q=what-it-read`, bench.capabilityOf(tool))
  const everywhere = ["zz0.example", "zz1.zz2.test"].map(call).every(passing(item, bench))
  if (!everywhere) return undefined
  const why = "an address can carry away what was read"
  return say(item, bench, "broad", [call("files.example.net")], () => `\`${text}\` allows every host, and ${why}`)
}

function say(
  item: Item,
  bench: Bench,
  kind: "broad" | "noWordBoundary",
  calls: readonly ExampleCall[],
  message: () => string
): readonly Finding[] | undefined {
  const call = calls.find(passing(item, bench))
  return call && [findingOf(item, kind, message(), [bench.exampleOf(item.rule, call)])]
}
