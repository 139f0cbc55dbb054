/** Asking: what happens when the answer is `ask`. Agents, their parents, the desk, and the person who decides. */
export { type AgentHandle, isHandle } from "./AgentHandle.ts"
export * from "./Adjudicator.ts"
export * from "./Agents.ts"
export * from "./Card.ts"
export * from "./Desk.ts"
export * from "./DeskError.ts"
export * from "./DeskOptions.ts"
export * from "./HostDialog.ts"
export * from "./Offers.ts"
export * from "./Parent.ts"
export * from "./Runner.ts"
export * from "./createGate.ts"
export {
  type Answering,
  type HostHook,
  type HostOptions,
  type HostParent,
  type HostSource,
  type HostTool,
  OptionError
} from "./host/HostOptions.ts"
