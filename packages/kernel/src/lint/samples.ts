/** Calls that a rule's author had in mind: its content with something plain in the place of each star. */
import type { Capability } from "../Capability.ts"
import type { Json } from "../Json.ts"
import type { Rule } from "../Rule.ts"
import type { Bench, ExampleCall } from "./Bench.ts"

/** A call of the tool whose subject is the text. */
export function callOf(tool: string, text: string, { family, subjects }: Capability): ExampleCall {
  const pointer = subjects?.command ?? subjects?.paths?.[0] ?? subjects?.urls?.[0]
  const given = pointer === undefined ? { [fallback(tool, family)]: text } : nested(pointer, text)
  return { tool, input: tool === "ApplyPatch" ? { patch: `*** Update File: ${text}\n` } : given }
}

/** A command line as a call. */
export const commandCall = (command: string): ExampleCall => ({ tool: "Bash", input: { command } })

/** Calls that the rule may speak of; those first that it is most surely about. */
export function samplesOf({ content, exact, tool: given }: Rule, bench: Bench): readonly ExampleCall[] {
  const tool = given.replaceAll("*", "x")
  const capability = bench.capabilityOf(tool)
  const calls = (texts: readonly string[]) => [...new Set(texts)].map((text) => callOf(tool, text, capability))
  if (content === undefined) return calls(bareTexts(capability))
  if (exact === true) return calls([content])
  switch (capability.family) {
    case "command":
      return calls(commandTexts(content))
    case "read":
    case "edit":
      return calls(pathTexts(content))
    case "fetch":
      return calls(urlTexts(content))
    default:
      return calls([...commandTexts(content), ...pathTexts(content)])
  }
}

/** Texts that a command content is about. */
export function commandTexts(content: string): readonly string[] {
  const filled = (text: string, by: string) => text.replace(/(?<!:)\*/g, by)
  const open = content.endsWith(":*") || content.endsWith(" *")
  if (open) {
    const prefix = content.slice(0, -2)
    return [filled(prefix, "x"), `${filled(prefix, "x")} x`]
  }
  return content.includes("*") ? [filled(content, "x"), filled(content, "")] : [content]
}

function pathTexts(content: string): readonly string[] {
  const path = content.startsWith("//") ? content.slice(1) : content
  const filled = path.replaceAll("**/", "x/").replaceAll("**", "x").replaceAll("*", "x")
  const flat = path.replaceAll("**/", "").replaceAll("**", "x").replaceAll("*", "x")
  const texts = [filled, flat].map((text) => (text.endsWith("/") ? `${text}x` : text))
  // in another agent's dialect a leading slash is the project's
  return [...texts, ...texts.filter((text) => text.startsWith("/")).map((text) => text.slice(1))]
}

function urlTexts(content: string): readonly string[] {
  if (!content.startsWith("domain:")) return [content.replaceAll("*", "x")]
  const host = content.slice("domain:".length)
  return [`https://${host === "*" ? "example.com" : host.replaceAll("*", "x")}/`]
}

function bareTexts({ family }: Capability): readonly string[] {
  if (family === "command") return ["npm publish"]
  return family === "fetch" ? ["https://example.com/"] : ["src/x.txt"]
}

const fallback = (tool: string, family: Capability["family"]) =>
  family === "command" ? "command" : family === "fetch" ? "url" : tool === "Agent" ? "subagent_type" : "path"

function nested(pointer: string, text: string): Json {
  const steps = pointer.split("/").filter((step) => step !== "")
  return steps.reduceRight<Json>(
    (value, step) => (step === "*" ? [value] : { [step.replaceAll("~1", "/").replaceAll("~0", "~")]: value }),
    text
  )
}
