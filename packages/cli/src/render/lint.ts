/** What `lint` found, as text: place, what is wrong, the calls that show it, and the other rule it is about. */
import type { Finding, LintExample } from "@countersign/kernel"
import { ofDecision, type Style } from "./Style.ts"
import { json, oneLine } from "./visible.ts"

/** The lines of a finding. */
export function findingLines(finding: Finding, style: Style): readonly string[] {
  const { column, examples, file, kind, layer, line, message, other } = finding
  return [
    `${oneLine(file ?? layer)}:${line}:${column}: ${style.yellow(words[kind])}: ${oneLine(message)}`,
    ...examples.map(
      (example) => `    ${exampleText(example, style)}${isSilent(kind) ? style.dim(", not by this rule") : ""}`
    ),
    ...(other === undefined
      ? []
      : [
          style.dim(
            `    see ${oneLine(other.file ?? other.layer)}:${other.line}:${other.column}: ${oneLine(other.rule)}`
          )
        ])
  ]
}

/** Its examples show what the rule does not speak of. */
const isSilent = (kind: Finding["kind"]) => kind === "noEffect" || kind === "hardlyEver"

/** The last line: how many there are. */
export const lintSummary = (count: number, files: number): string => {
  const where = `${files} settings file${files === 1 ? "" : "s"}`
  if (files === 0) return "no settings file is there"
  return count === 0 ? `nothing to say about ${where}` : `${count} finding${count === 1 ? "" : "s"} in ${where}`
}

const words: Readonly<Record<Finding["kind"], string>> = {
  noEffect: "no effect",
  hardlyEver: "hardly ever",
  shadowed: "shadowed",
  contradicted: "contradicted",
  covered: "covered",
  broad: "broad",
  noWordBoundary: "no word boundary",
  pair: "bad pair"
}

function exampleText({ decision, input, matchedRule, ruleId, tool }: LintExample, style: Style): string {
  const by = matchedRule === undefined ? ruleId : matchedRule
  return `${oneLine(tool)} ${json(input)} → ${ofDecision(style, decision)(decision)} ${style.dim(`(${oneLine(by)})`)}`
}
