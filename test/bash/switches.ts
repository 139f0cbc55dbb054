/**
 * What the kernel does about each construct, as a change of its sources that undoes it. With any of them the same
 * lines have to find an escape: else the lines prove nothing of it. Handlings that stand in for one another are
 * undone together.
 */

/** A change of one source file: this text is replaced by that. */
export type Edit = readonly [file: string, find: string, replace: string]

export interface Switch {
  readonly name: string
  readonly edits: readonly Edit[]
}

const at = (file: string) => `subject/command/${file}.ts`
const off = (name: string, ...edits: readonly Edit[]): Switch => ({ name, edits })
const edit = (file: string, find: string, replace = ""): Edit => [at(file), find, replace]

/** A node that is passed over where the walk comes to it. */
const unwalked = (type: string) =>
  edit("walk", `    case "${type}":\n`, `    case "${type}":\n      if (node.type === "${type}") return still(place)\n`)
/** A node that is not visited for the scripts in it. */
const unvisited = (type: string) =>
  edit("walk", `    case "Word":\n      note`, `    case "${type}":\n      return\n    case "Word":\n      note`)

/** Launchers that are programs like others. */
const launchers = [
  "command",
  "exec",
  "timeout",
  "nice",
  "nohup",
  "stdbuf",
  "xargs",
  "env",
  "sudo",
  "doas",
  "setsid",
  "watch",
  "flock"
]

/** Variables that are like others. */
const variables = [
  "BASH_CMDS",
  "BASH_ENV",
  "PROMPT_COMMAND",
  "PATH",
  "EDITOR",
  "VISUAL",
  "NODE_OPTIONS",
  "JAVA_TOOL_OPTIONS"
]
const families = ["LD_", "DYLD_", "GIT_", "PYTHON", "PERL", "RUBY", "LESS"]

export const switches: readonly Switch[] = [
  off("list", edit("walk", "of statements) {", "of statements.slice(0, 1)) {")),
  off(
    "&& and ||",
    edit("walk", "index < commands.length; index++) {\n    const and", "index < 1; index++) {\n    const and")
  ),
  off(
    "pipe",
    edit(
      "walk",
      "of commands) walkNode(found, command, fork(place))",
      "of commands.slice(0, 1)) walkNode(found, command, fork(place))"
    )
  ),
  off("background", edit("walk", "      walkNode(found, command, fork(place))\n      continue", "      continue")),
  off("! and time", edit("walk", "commands[0] === undefined ?", "commands[0] === undefined || prefixes.length > 0 ?")),
  ...[
    "Subshell",
    "BraceGroup",
    "If",
    "Case",
    "For",
    "Select",
    "While",
    "ArithmeticFor",
    "Function",
    "Coproc",
    "Redirected"
  ].map((type) => off(type, unwalked(type))),
  off("case pattern", edit("walk", "    pattern.forEach((each) => visit(found, each, place))\n")),
  off("for: words", edit("walk", "        visit(found, word, place)\n      })", "      })")),
  off(
    "$(…)",
    edit(
      "walk",
      "      walkScript(found, node.script, inner)\n",
      `      if (!node.text.startsWith("$(")) walkScript(found, node.script, inner)\n`
    )
  ),
  off(
    "`…`",
    edit(
      "walk",
      "      walkScript(found, node.script, inner)\n",
      `      if (node.text.startsWith("$(")) walkScript(found, node.script, inner)\n`
    )
  ),
  off('$(…) in "…"', unvisited("DoubleQuoted")),
  off("<(…) and >(…)", edit("walk", "      walkScript(found, node.script, fork(place))\n")),
  off("heredoc", edit("walk", "  visit(found, body, place)\n")),
  off("heredoc: joined lines", edit("walk", "if (!isJoined(doc)) return", "return")),
  off("heredoc: lost semicolon", edit("cut", "  look(script)\n", "")),
  off("here-string", unvisited("HereString")),
  off("arithmetic", unvisited("ArithmeticExpansion"), unvisited("ArithmeticCommand")),
  off(
    "parameter expansion",
    edit(
      "walk",
      `    case "ParameterExpansion":\n`,
      `    case "ParameterExpansion":\n      return\n    case "Select":\n`
    )
  ),
  off("parameter expansion: a slash within", edit("walk", "if (isCut(node))", "if (false)")),
  off("[[ ]]", unvisited("TestCommand")),
  off("assignment", unvisited("Assignment")),
  off(
    "subscript",
    edit("walk", `    case "Assignment":\n`, `    case "Assignment":\n      if (node.index !== undefined) return\n`)
  ),
  off(
    "redirect target",
    unvisited("Redirect"),
    edit("simple", "  for (const redirect of redirects) found.walker.visit(found, redirect, place)\n")
  ),
  off("eval", edit("builtins", `  found.walker.text(found, rest.map(({ value }) => value).join(" "), place, true)\n`)),
  off(
    "trap",
    edit(
      "builtins",
      "    else found.walker.text(found, at.value, apart(place), true)\n  }\n  return still(place)\n}\n\nfunction alias",
      "  }\n  return still(place)\n}\n\nfunction alias"
    )
  ),
  off(
    "alias",
    edit("builtins", "    else if (equals !== -1) found.walker.text(found, text.value, apart(place), true)\n")
  ),
  off("mapfile -C", edit("builtins", "    mapfile: callback,\n    readarray: callback,\n")),
  off("complete -C and compgen -C", edit("builtins", "    complete: callback,\n    compgen: callback\n")),
  off("jobs -x", edit("builtins", "    jobs,\n")),
  off("shell: -c", edit("part", `    if (shell.from === "argument") draft.scripts.push(shell.script)\n`)),
  off(
    "shell: unknown script",
    edit("part", `draft.scripts.push(shell.script)\n`, `draft.scripts.push(shell.script ?? "")\n`)
  ),
  off(
    "shell: heredoc and here-string",
    edit(
      "simple",
      "readsInput && input !== undefined ? [...command.scripts, input] : command.scripts",
      "command.scripts"
    )
  ),
  off("shell: standard input", edit("simple", `? "a shell that reads its script from standard input"`, "? undefined")),
  off(
    "shell: another name of standard input",
    edit("shells", "if (word === undefined) return false\n", "return false\n")
  ),
  off(
    "source",
    edit("shells", `if (name === "source" || name === ".") return isInput(words[1]) ? { from: "stdin" } : undefined\n`)
  ),
  off(
    "--rcfile and --init-file",
    edit("shells", `if (file?.value === undefined || isInput(file)) return { from: "unclear" }\n`)
  ),
  ...launchers.map((name) => off(`wrapper: ${name}`, edit("wrapperTable", `\n  ${name}: {`, `\n  "no ${name}": {`))),
  off("appended word", edit("wrappers", "[...rest.map(replacing(markOf(words.slice(1, index)))), appended]", "rest")),
  off("find -exec", edit("wrappers", `  if (base === "find") return launchOfFind(words)\n`)),
  off("env -S", edit("wrappers", `if (base === "env" && words`, `if (base === "no env" && words`)),
  off(
    "a star rule has to name what is launched",
    edit("part", "(unruled ? count + 1 : deepest > from + 1 ? deepest - from : 0)", "from * count * 0")
  ),
  off(
    "option that runs a program: allow",
    edit("powers", `  const base = baseName(name)\n  if (base === "git")`, `  const base = ""\n  if (base === "git")`)
  ),
  off(
    "option that runs a program: bans",
    edit("told", `  const base = baseName(words[0]?.value ?? "")\n`, `  const base = ""\n`)
  ),
  off("global option before a sub-command", edit("part", "    for (const lean of withoutGlobals(named)) add(lean)\n")),
  off("program by path", edit("part", "    if (named !== level.words) add(named)\n")),
  off("quotes", edit("part", "value ?? text).join", "text).join")),
  ...["AnsiCQuoted", "SingleQuoted"].map((type) => off(`quotes: ${type}`, edit("words", `    case "${type}":\n`))),
  off(
    "command word: $X",
    edit(
      "words",
      "    value: nul ? undefined : reading.value,",
      "    value: nul ? undefined : (reading.value ?? text),"
    )
  ),
  off(
    "command word: glob and brace",
    edit("words", "  reading.glob = true\n  endValue(reading, pattern)\n", "  addStatic(reading, pattern)\n")
  ),
  off("redirect: write", [
    "match/allowance.ts",
    `if (!access.redirect || access.kind === "read") return "nothing needed"`,
    `return "nothing needed"`
  ]),
  off("twice: arithmetic", edit("twice", `    case "ArithmeticExpansion":\n    case "ArithmeticCommand":\n`)),
  off(
    "twice: for ((;;))",
    edit("walk", "      found.twice = true\n      return walkLoop", " return walkLoop"),
    edit("twice", `    case "ArithmeticFor":\n`)
  ),
  off("twice: subscript", edit("twice", "return node.index !== undefined ||", "return false ||")),
  off("twice: subscript in an array", edit("twice", `    case "ArrayValue":\n`)),
  off("twice: variable that is a number", edit("twice", 'new Set([\n  "RANDOM",', "new Set([]) || new Set([")),
  off("twice: compgen -W", edit("twice", `name === "compgen" ||`, "")),
  off("heredoc: quotes", edit("walk", '  if (!text.includes("\'")) return', "  return")),
  off("twice: [[ -eq ]]", edit("twice", `return numeric.has(node.operator)`, "return false")),
  off("twice: -v", edit("twice", `return node.operator === "-v" || node.operator === "-R"`, "return false")),
  off("twice: test -v", edit("twice", `name === "test" || name === "["`, "false")),
  off("twice: printf -v", edit("twice", `name === "printf" ||`, "")),
  off("twice: let", edit("twice", `"let", "unset"`, `"unset"`)),
  off("twice: unset", edit("twice", `"let", "unset"`, `"let"`)),
  off("twice: read", edit("twice", `"unset", "read"`, `"unset"`)),
  off("twice: declare", edit("twice", `["declare", "typeset", `, `["typeset", `)),
  off("twice: ${!x}", edit("twice", `node.prefix === "!" || `, "")),
  off("twice: ${v:n}", edit("twice", `    case "Slice":\n`)),
  off("twice: ${x@P}", edit("twice", `node.operand.text.includes("P") || node.operand.value.includes("P")`, "false")),
  off("twice: what a text looks like", edit("twice", `if (text.includes("\`")) return true\n`)),
  off(
    "twice: half of a substitution",
    edit("walk", `.endsWith("$")) found.evaluable = true`, `.endsWith("\\u0001")) found.evaluable = true`)
  ),
  ...variables.map((name) => off(`redefine: ${name}`, edit("redefine", `  "${name}",\n`))),
  ...families.map((name) => off(`redefine: ${name}*`, edit("redefine", `"${name}"`, `"no ${name}"`))),
  off("redefine: *PAGER", edit("redefine", `variable.endsWith("PAGER") || `, "")),
  off(
    "redefine: PS4",
    edit("redefine", `  "PS4",\n`),
    edit("walk", `    case "Assignment":\n`, `    case "Assignment":\n      if (node.name === "PS4") return\n`)
  ),
  off(
    "redefine: alias",
    edit("redefine", `  if (name === "alias")\n`, `  if (name === "no alias")\n`),
    edit("redefine", `  "expand_aliases",\n`)
  ),
  off("redefine: BASH_ALIASES", edit("redefine", `  "BASH_ALIASES",\n`), edit("redefine", `  "expand_aliases",\n`)),
  off("redefine: PS1", edit("redefine", `  "PS0",\n  "PS1",\n`)),
  off(
    "redefine: set -k",
    edit("redefine", `  if (name === "set")\n`, `  if (name === "no set")\n`),
    edit("redefine", `,\n  "keyword"\n`, "\n")
  ),
  off("redefine: BASH_FUNC_*", edit("redefine", `, "BASH_FUNC_"]`, "]")),
  off(
    "redefine: by a default value",
    edit("walk", `if (node.prefix === "!" || redefines(node.parameter)) redefine(found)`, "found.depth += 0")
  ),
  off("redefine: hash -p", edit("redefine", `  if (name === "hash") return`, `  if (name === "no hash") return`)),
  off("redefine: in front of a command", edit("told", "  if (!redefines(name) ||", "  if (redefines(name) ||")),
  off("redefine: by for and select", edit("walk", "      if (redefines(node.name.value)) redefine(found)\n")),
  off("redefine: by read and the like", edit("redefine", `  if (assigners.has(name)) return rest.some(mayRedefine)\n`)),
  off("redefine: by printf -v", edit("redefine", `  if (name === "printf")`, `  if (name === "no printf")`)),
  off(
    "redefine: by export and declare",
    edit("redefine", `  if (declarers.has(name))`, `  if (name === "no declarer")`)
  ),
  off("redefine: by an unknown name", edit("redefine", "  return value === undefined\n}", "  return false\n}"))
]
