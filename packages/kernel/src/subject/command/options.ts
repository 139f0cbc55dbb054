/**
 * Options and operands of a command, as getopt would read them: clusters, glued values, `--name=value`, every
 * unambiguous abbreviation of a long name, `--`.
 */
import { type Arg, without } from "./words.ts"

/** Which options of a program take a value. */
export interface Valued {
  /** Letters of short options that take one. */
  readonly short?: string
  /** Long options that take one as the next word; `--name=value` needs no entry. */
  readonly long?: readonly string[]
}

export interface Option {
  /** `-x`, or the long name as given. */
  readonly name: string
  readonly value: Arg | undefined
}

export interface Arguments {
  readonly options: readonly Option[]
  readonly operands: readonly Arg[]
}

const none: Valued = {}

/** Takes a command's words after its name apart. Options may stand after operands. */
export function readArguments(words: readonly Arg[], valued: Valued = none): Arguments {
  const options: Option[] = []
  const operands: Arg[] = []
  for (let index = 0; index < words.length; index++) {
    const word = words[index]!
    const head = word.head
    if (head === "--" && word.value === "--") {
      operands.push(...words.slice(index + 1))
      break
    }
    if (head.length < 2 || head[0] !== "-") operands.push(word)
    else if (head[1] === "-") {
      const equals = head.indexOf("=")
      if (equals !== -1) options.push({ name: head.slice(0, equals), value: without(word, equals + 1) })
      else {
        const takes = valued.long?.some((name) => isAbbreviation(head, name)) === true
        options.push({ name: head, value: takes ? words[++index] : undefined })
      }
    } else index = readCluster(words, index, valued.short ?? "", options)
  }
  return { options, operands }
}

function readCluster(words: readonly Arg[], index: number, takers: string, options: Option[]): number {
  const word = words[index]!
  for (let at = 1; at < word.head.length; at++) {
    const name = `-${word.head[at]}`
    if (!takers.includes(word.head[at]!)) options.push({ name, value: undefined })
    else {
      const glued = at + 1 < word.head.length || word.value === undefined
      options.push({ name, value: glued ? without(word, at + 1) : words[index + 1] })
      return glued ? index : index + 1
    }
  }
  return index
}

/** Whether a long option, given in full or cut short, can mean the name. */
export const isAbbreviation = (given: string, name: string) => given.length > 2 && name.startsWith(given)

/** Whether an option as given can mean the named one; short names are compared exactly. */
export const means = (given: string, name: string) =>
  given === name || (given.startsWith("--") && isAbbreviation(given, name))

/** Whether one of the options can mean one of the names. */
export const has = (options: readonly Option[], names: readonly string[]) =>
  options.some((option) => names.some((name) => means(option.name, name)))
