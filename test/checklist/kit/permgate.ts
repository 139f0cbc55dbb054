/**
 * permgate's service (`Service`, `Check`, `AllowForSession`, `ResetSession`) over the kernel alone: preset `permgate`,
 * its project rules as the trusted shared layer. One instance is one session.
 */
import {
  type Behavior,
  type Capability,
  compileRules,
  evaluate,
  type Grant,
  grantCovers,
  mergeSettings,
  type Mode,
  parseSettings,
  plainEvaluation,
  presets,
  readCall,
  readSubject,
  reasonFor,
  type RuleSet,
  type Ruling
} from "@countersign/kernel"
import { place, surroundings } from "./place.ts"

/** What a tool declares of itself. */
export type Capabilities = Pick<Capability, "readOnly" | "alwaysAsk" | "requiresUserInteraction">

/** What a service is made of; everything may be left out. */
export interface PermgateOptions {
  readonly allowedTools?: readonly string[]
  readonly disallowedTools?: readonly string[]
  /** Rule texts: `Tool`, `Tool(content)`. */
  readonly projectRules?: Readonly<Partial<Record<Behavior, readonly string[]>>>
  /** Allows what nothing before it decided, if it gives an id and says yes. */
  readonly preapprove?: (tool: string, input: unknown) => readonly [ruleId: string, ok: boolean]
}

/** permgate's structured decision, with the kernel's ruling that it was read from. */
export interface Decision {
  readonly behavior: Behavior
  readonly ruleId: string
  readonly reason: string
  readonly ruling: Ruling | undefined
}

/** Who in which mode gets what for which input; the service without options works, everything goes to the fallback. */
export class PermgateService {
  readonly #options: PermgateOptions
  readonly #rules: RuleSet
  #grants: readonly Grant[] = []

  constructor(options: PermgateOptions = {}) {
    this.#options = options
    this.#rules = compile(options)
  }

  /** Decides one call; a string is the input itself and no JSON text. */
  check(tool: string, input: unknown, mode: Mode = "default", capability: Capabilities = {}): Decision {
    const read = readCall({
      sessionId: "session",
      agentId: "main",
      toolCallId: "call",
      toolName: tool,
      arguments: typeof input === "string" ? JSON.stringify(input) : input,
      folder: place.project
    })
    if ("problem" in read) {
      return { behavior: "deny", ruleId: "call.invalid", reason: reasonFor("call.invalid", tool), ruling: undefined }
    }
    const subject = readSubject(read.call, capability, surroundings, preset)
    const [preapproved, ok] = this.#options.preapprove?.(tool, read.call.arguments) ?? ["", false]
    const { ruling } = evaluate(
      plainEvaluation(subject, this.#rules, {
        mode,
        preset,
        tier: preset.defaultTier,
        alwaysAsk: capability.alwaysAsk === true,
        requiresUserInteraction: capability.requiresUserInteraction === true,
        preapproved: ok ? preapproved : undefined,
        grants: this.#grants.filter((grant) => grantCovers(grant, subject, place.project, place, preset))
      })
    )
    return { behavior: ruling.decision, ruleId: ruling.ruleId, reason: ruling.reason, ruling }
  }

  /** Always allows such calls from now on; an empty content is every call of the tool. */
  allowForSession(tool: string, content: string): void {
    const grant: Grant = {
      id: `grant-${this.#grants.length}`,
      userId: "user",
      sessionId: "session",
      toolName: tool,
      ...(content === "" ? {} : { content }),
      createdBy: "user",
      createdAt: 0
    }
    this.#grants = [...this.#grants, grant]
  }

  /** Forgets everything that was always allowed. */
  resetSession(): void {
    this.#grants = []
  }
}

const preset = presets.permgate

function compile({ allowedTools = [], disallowedTools = [], projectRules = {} }: PermgateOptions): RuleSet {
  const text = JSON.stringify({ permissions: projectRules, allowedTools, disallowedTools })
  const { problems, settings } = parseSettings({ layer: "projectShared", text, trusted: true })
  const errors = problems.filter(({ severity }) => severity === "error")
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join("; "))
  return compileRules(mergeSettings([settings]), place, preset)
}
