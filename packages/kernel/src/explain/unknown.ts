/** What nobody can know of a call before it runs, each with the reason, in plain words. */
import type { ExplainedPart } from "../explain.ts"
import type { Part, Subject } from "../subject/Subject.ts"

/** The sentences; empty for a call that is what it says. */
export function unknownIn({ accesses, command }: Subject, parts: readonly ExplainedPart[]): readonly string[] {
  const said = new Set<string>()
  if (command !== undefined) {
    if (!command.parsed) said.add("the line does not parse as bash, so what it would run is not known")
    else if (!command.transparent)
      said.add("bash reads some text of the line twice, so what it would run is not known before")
    command.parts.forEach((part, index) => {
      for (const sentence of ofPart(part, parts[index]?.unknown ?? [])) said.add(sentence)
    })
  }
  if (accesses.some(({ path }) => path === undefined))
    said.add("which file it touches is known only when it runs, or is not given as a path")
  for (const { glob, path } of accesses)
    if (glob) said.add(`\`${path}\` is a pattern: which files it names is known only then`)
  return [...said]
}

function ofPart({ allow, asks, text, unknown }: Part, words: readonly string[]): readonly string[] {
  if (asks !== undefined) return [`\`${text}\`: ${asks}`]
  const first = allow[0]?.words[0]
  if (unknown && first !== undefined && first.value === undefined)
    return [`which program \`${first.text}\` stands for is known only when it runs`]
  if (unknown) {
    const why = "its words may mean something else by then, or it runs a script that is not written out"
    return [`what \`${text}\` would run is not known: ${why}`]
  }
  return words.map((word) => `\`${word}\` in \`${text}\` is known only when it runs`)
}
