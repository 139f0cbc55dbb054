/** What a host gives the desk beside the gate's own options. */
import { Context } from "effect"
import type { HostDialog } from "./HostDialog.ts"
import type { ResumeRunner, ToolResolver } from "./Runner.ts"

export interface DeskOptions {
  /** The working folder of calls that only a session's pointer tells of. */
  readonly folder: string
  /** Absent: an approved orphan becomes a "tool unavailable". */
  readonly resolver?: ToolResolver
  /** Absent: orphans can't be answered until `bind`. */
  readonly runner?: ResumeRunner
  readonly dialog?: HostDialog
  /** Other processes answer on the same database: what they settle is looked for. */
  readonly sharesStore: boolean
}

export const DeskOptions = Context.Reference<DeskOptions>("@countersign/adjudicator/DeskOptions", {
  defaultValue: (): DeskOptions => ({ folder: "/", sharesStore: false })
})
