/**
 * The arrows of the house, checked on every import: `effect ← kernel ← gate ← adjudicator ← cli`, packages through
 * their doors only, no cycles, and each outside library in the one place that may know it.
 *
 *     node scripts/imports.ts [ROOT]      prints `file:line:column rule: what to do`, exits 1 if there is something
 */
import { resolve } from "node:path"
import { findFloatingEffects } from "./effects.ts"
import { type Finding, type Import, openWorkspace, packageFolder, packageName, type Workspace } from "./program.ts"

/** From the bottom up: a package may import those before it. */
const arrows = ["kernel", "gate", "adjudicator", "cli"]

/** Libraries that only one place may know, so that a change of theirs stays there. */
const confined: readonly { readonly what: RegExp; readonly where: RegExp; readonly say: string }[] = [
  {
    what: /^effect\/http(-api)?(\/|$)/,
    where: /^packages\/(adjudicator\/src\/doors\/http|cli\/src)\//,
    say: "HTTP is spoken only in `packages/adjudicator/src/doors/http` and `packages/cli`: move this there"
  },
  {
    what: /^effect\/cli(\/|$)/,
    where: /^packages\/cli\/src\//,
    say: "commands are defined only in `packages/cli`: move this there"
  },
  {
    what: /^(kysely|better-sqlite3)(\/|$)/,
    where: /^packages\/gate\/src\/store\//,
    say: "the database is known only to `packages/gate/src/store`: ask the `Store` port instead"
  }
]

/** What a folder or file must not know of its own package, so that each can be read without the others. */
const strangers: readonly { readonly who: RegExp; readonly whom: RegExp; readonly say: string }[] = [
  {
    who: /^packages\/kernel\/src\/subject\//,
    whom: /^packages\/kernel\/src\/(match\/|Rule[^/]*$|evaluate\.ts)/,
    say: "reading a call knows nothing of rules: put it into the subject, and match it in `match/`"
  },
  {
    who: /^packages\/kernel\/src\/(match\/|RuleSet\.ts)/,
    whom: /^packages\/kernel\/src\/evaluate\.ts/,
    say: "matching knows nothing of the steps: hand what it needs over as a parameter"
  },
  {
    who: /^packages\/gate\/src\/Judge\.ts/,
    whom: /^packages\/gate\/src\/(Gate|Asking)\.ts/,
    say: "judging never waits for anybody: that is `Gate`'s part"
  }
]

/** Everything that breaks an arrow, in the order of the files. */
export function checkImports(workspace: Workspace): readonly Finding[] {
  const findings = [
    ...workspace.imports.flatMap((each) => rules.flatMap((rule) => rule(each, workspace))),
    ...cycles(workspace),
    ...free(workspace),
    ...fast(workspace)
  ]
  return findings.sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line || a.column - b.column))
}

/** One line for people and editors. */
export function render({ column, file, line, message, rule }: Finding): string {
  return `${file}:${line}:${column} ${rule}: ${message}`
}

type Rule = (each: Import, workspace: Workspace) => readonly Finding[]

const arrow: Rule = (each, { packages }) => {
  const here = packageFolder(each.from)
  const there = each.specifier.startsWith(".")
    ? each.target && packageFolder(each.target)
    : packages.find(({ name }) => name === packageName(each.specifier))?.folder
  if (here === undefined || there === undefined || here === there || rank(there) < rank(here)) return []
  const what = `\`${short(here)}\` may not import \`${short(there)}\``
  return [
    finding(each, "arrow", `${what} (${arrows.join(" ← ")}): declare a port in \`${short(here)}\` and fill it above`)
  ]
}

const door: Rule = (each, { packages }) => {
  const here = packageFolder(each.from)
  if (each.specifier.startsWith(".")) {
    const there = each.target && packageFolder(each.target)
    const outside = here !== undefined || each.from.startsWith("examples/")
    if (!outside || there === undefined || there === here) return []
    const name = packages.find(({ folder }) => folder === there)?.name ?? there
    return [finding(each, "door", `\`${each.specifier}\` reaches into another package: import from \`${name}\``)]
  }
  const found = packages.find(({ name }) => name === packageName(each.specifier))
  if (found === undefined) return []
  if (found.folder === here && each.from.startsWith(`${here}/src/`)) {
    return [finding(each, "door", `a file of \`${found.name}\` imports its own package: import the file that is meant`)]
  }
  if (each.target !== undefined) return []
  const doors = [...found.doors.keys()].map((sub) => `\`${found.name}${sub.slice(1)}\``).join(", ")
  return [finding(each, "door", `\`${each.specifier}\` is no export of the package: import from ${doors}`)]
}

const place: Rule = (each) => {
  if (!/^packages\/[^/]+\/src\//.test(each.from)) return []
  return confined.flatMap(({ say, what, where }) =>
    what.test(each.specifier) && !where.test(each.from) ? [finding(each, "place", `\`${each.specifier}\`: ${say}`)] : []
  )
}

const stranger: Rule = (each) =>
  strangers.flatMap(({ say, who, whom }) =>
    who.test(each.from) && whom.test(each.target ?? "")
      ? [finding(each, "stranger", `\`${each.specifier}\`: ${say}`)]
      : []
  )

const pure: Rule = (each) =>
  each.from.startsWith("packages/kernel/src/") &&
  each.specifier.startsWith("node:") &&
  !pureBuiltins.has(each.specifier)
    ? [finding(each, "pure", `\`${each.specifier}\`: the kernel does no IO: let it be handed in`)]
    : []

const pureBuiltins: ReadonlySet<string> = new Set(["node:crypto", "node:path", "node:path/posix", "node:url"])

const declared: Rule = (each, { packages }) => {
  const own = packages.find(({ folder }) => each.from.startsWith(`${folder}/src/`))
  const name = packageName(each.specifier)
  if (own === undefined || /^[.#]|^node:/.test(each.specifier) || name === own.name) return []
  if (own.dependencies.includes(name)) return []
  return [
    finding(each, "declared", `\`${name}\` is not in the dependencies of \`${own.folder}/package.json\`: add it there`)
  ]
}

const rules: readonly Rule[] = [arrow, door, place, stranger, pure, declared]

/** Cycles that exist at run time; each is told once, at its first file. */
function cycles({ imports }: Workspace): readonly Finding[] {
  const edges = Map.groupBy(
    imports.filter(({ target, typeOnly }) => !typeOnly && target !== undefined),
    ({ from }) => from
  )
  const told = new Set<string>()
  return [...edges.keys()].sort().flatMap((start) => {
    if (told.has(start)) return []
    const way = search(start, edges, ({ target }) => target === start)
    if (way === undefined) return []
    for (const { from } of way) told.add(from)
    const [first] = way
    const names = [...way.map(({ from }) => from), start].map((name) => `\`${name}\``).join(" → ")
    const say = "move what both need into a file of its own, or make one of them `import type`"
    return first === undefined ? [] : [finding(first, "cycle", `${names}: ${say}`)]
  })
}

/** Checklist G30: the decision's shape knows nothing of the rule engine, however far one follows its imports. */
function free({ imports }: Workspace): readonly Finding[] {
  const edges = Map.groupBy(
    imports.filter(({ target }) => target !== undefined),
    ({ from }) => from
  )
  return ["GateDecision", "AdjudicationChainEntry"].flatMap((name) => {
    const way = search(`packages/kernel/src/${name}.ts`, edges, ({ target }) =>
      /\/(Rule[^/]*|evaluate)\.tsx?$/.test(target ?? "")
    )
    const [first] = way ?? []
    if (first === undefined || way === undefined) return []
    return [
      finding(
        first,
        "free",
        `\`${name}\` stays free of the rule engine, and reaches \`${way.at(-1)?.target}\`: copy the literal union`
      )
    ]
  })
}

/** The small entry starts without the Effect runtime. */
function fast({ imports }: Workspace): readonly Finding[] {
  const edges = Map.groupBy(
    imports.filter(({ typeOnly }) => !typeOnly),
    ({ from }) => from
  )
  const way = search("packages/kernel/src/fast.ts", edges, ({ specifier }) =>
    /^(effect|@effect\/[^/]+)(\/|$)/.test(specifier)
  )
  const last = way?.at(-1)
  if (way === undefined || last === undefined) return []
  const names = way.map(({ from }) => `\`${from}\``).join(" → ")
  return [
    finding(last, "fast", `${names} loads \`${last.specifier}\` at run time: use \`import type\`, or split the file`)
  ]
}

/** The shortest way of imports from a file to one that is looked for. */
function search(
  start: string,
  edges: ReadonlyMap<string, readonly Import[]>,
  found: (each: Import) => boolean
): readonly Import[] | undefined {
  const seen = new Set([start])
  let ways: (readonly Import[])[] = [[]]
  while (ways.length > 0) {
    const longer = ways.flatMap((way) => (edges.get(way.at(-1)?.target ?? start) ?? []).map((each) => [...way, each]))
    const hit = longer.find((way) => found(way.at(-1)!))
    if (hit !== undefined) return hit
    ways = longer.filter((way) => {
      const target = way.at(-1)?.target
      if (target === undefined || seen.has(target)) return false
      seen.add(target)
      return true
    })
  }
  return undefined
}

const finding = ({ column, from, line }: Import, rule: string, message: string): Finding => ({
  file: from,
  line,
  column,
  rule,
  message
})

const short = (folder: string): string => folder.replace(/^packages\//, "")

// a package that nobody has ranked may be imported by all and imports none
const rank = (folder: string): number => arrows.indexOf(short(folder))

if (import.meta.main) {
  const workspace = openWorkspace(resolve(process.argv[2] ?? "."))
  const findings = [...checkImports(workspace), ...findFloatingEffects(workspace)]
  workspace.close()
  for (const each of findings) console.error(render(each))
  console.error(`${workspace.files.length} files, ${workspace.imports.length} imports, ${findings.length} findings`)
  if (findings.length > 0) process.exitCode = 1
}
