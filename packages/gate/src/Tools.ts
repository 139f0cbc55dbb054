/** The port to the host's tools: what is registered, and what each tool declares of itself. */
import type { Capability, Json } from "@countersign/kernel"
import { Context, Effect, Layer } from "effect"

/** A tool as the host registered it. */
export interface RegisteredTool {
  readonly name: string
  readonly capability: Capability
  /** Says what is wrong with arguments, if anything; asked for arguments that a hook or a person put in. */
  readonly validate?: (args: Json) => string | undefined
}

export class Tools extends Context.Service<
  Tools,
  {
    /** The tool of that name; undefined when none is registered (S0, `tool.unknown`). */
    readonly find: (name: string) => Effect.Effect<RegisteredTool | undefined>
  }
>()("@countersign/gate/Tools") {
  /** A fixed list. `others: "known"` lets any other name pass as a tool that declares nothing. */
  static readonly layer = (tools: readonly RegisteredTool[], options: { readonly others: "known" | "unknown" }) =>
    Layer.sync(Tools, () => {
      const byName = new Map(
        tools.flatMap((tool) => [tool.name, ...(tool.capability.aliases ?? [])].map((name) => [name, tool]))
      )
      return Tools.of({
        find: (name) =>
          Effect.succeed(byName.get(name) ?? (options.others === "known" ? { name, capability: {} } : undefined))
      })
    })
}
