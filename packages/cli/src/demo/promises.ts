/**
 * What the demo promises, checked one by one from the database and the files after everything is over. Nothing here
 * looks at what the performance said of itself.
 */
import type { AgentRow, Case } from "@countersign/gate"
import type { Grant } from "@countersign/kernel"
import { execFileSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Entry } from "../audit/Entry.ts"
import { type Script, stepsOf } from "./Script.ts"
import { environment, type Stage } from "./stage.ts"

/** What there is to check a promise against. */
export interface Evidence {
  readonly stage: Stage
  readonly script: Script
  readonly entries: readonly Entry[]
  readonly grants: readonly Grant[]
  readonly agents: readonly AgentRow[]
  readonly deaths: readonly Death[]
}

/** A process of the performance that was killed, and the asks that the database held just then. */
export interface Death {
  readonly signal: string
  readonly waiting: readonly Case[]
}

/** A promise, and whether it was kept. */
export interface Promised {
  readonly words: string
  readonly kept: boolean
}

/** Promises of any script: one record a call, and nothing half done. */
export function commonPromises({ entries, script }: Evidence): readonly Promised[] {
  const known = new Set(stepsOf(script).map(({ agent, id }) => `${agent}/${id}`))
  // the id of a spawn's own call is the registry's
  const names = entries
    .filter(({ decision }) => decision.toolName !== "Agent")
    .map(({ decision }) => `${decision.agentId}/${decision.toolCallId}`)
  return [
    {
      words: "every call of the script has exactly one record",
      kept: new Set(names).size === names.length && names.length > 0
    },
    { words: "no call outside the script was made", kept: names.every((name) => known.has(name)) },
    {
      words: "every allowed call has its outcome, and no denied call has one",
      kept: entries.every(({ decision, outcome }) =>
        decision.decision === "allow" ? outcome !== undefined && outcome.outcome !== "unknown" : outcome === undefined
      )
    }
  ]
}

/** Promises of the built-in script. */
export function releasePromises(evidence: Evidence): readonly Promised[] {
  const { agents, deaths, entries, grants, stage } = evidence
  const of = (id: string) => entries.find(({ decision }) => decision.toolCallId === id)
  const ground = (id: string) => of(id)?.decision.ruleId
  const ran = (id: string) => of(id)?.outcome?.outcome === "completed"
  const chain = (id: string) =>
    (of(id)?.decision.adjudicationChain ?? [])
      .map(({ adjudicatorId, verdict }) => `${adjudicatorId} ${verdict}`)
      .join(", ")
  const requests = lines(stage.requests).map(
    (line) => JSON.parse(line) as { readonly method: string; readonly path: string }
  )
  const file = (name: string) => read(join(stage.project, name))
  const git = (...args: readonly string[]) =>
    execFileSync("git", args, { cwd: stage.project, env: environment(stage), encoding: "utf8" }).trim()
  const parentOf = (id: string) => agents.find(({ agentId }) => agentId === id)?.parentId
  const publish = of("publish")?.decision
  const detour = of("force-push-for-scribe")?.decision
  const commit = of("commit")?.decision
  return [
    {
      words: "the orchestrator spawned two children, and one of them a grandchild",
      kept:
        parentOf("fixer") === "orchestrator" &&
        parentOf("scribe") === "orchestrator" &&
        parentOf("publisher") === "scribe"
    },
    {
      words: "a policy rule allowed the fetch, and it reached the server",
      kept: ground("guide") === "rule.policy.allow" && requests.some(({ path }) => path === "/guide")
    },
    { words: "a user rule allowed the test, and it passed", kept: ground("test") === "rule.user.allow" && ran("test") },
    {
      words: "the trusted project's rule allowed the edit, and the greeting is mended",
      kept: ground("mend") === "rule.project.allow" && file("src/greet.mjs").includes("Hello, ")
    },
    {
      words: "a refused program hidden behind && was found: denied by the policy's rule, and nothing was uploaded",
      kept:
        ground("test-and-upload") === "rule.policy.deny" &&
        of("test-and-upload")?.outcome === undefined &&
        requests.filter(({ path }) => path === "/releases").length === 1
    },
    {
      words: "the child took another way",
      kept: ran("test") && (of("test")?.seq ?? 0) > (of("test-and-upload")?.seq ?? Infinity)
    },
    {
      words: "a hook's rewrite was what the person saw, and it is what ran",
      kept:
        commandOf(commit?.original) !== undefined &&
        commandOf(commit?.arguments)?.includes("--signoff") === true &&
        commit?.asked !== undefined &&
        git("log", "-1", "--format=%B").includes("Signed-off-by: Lantern agents")
    },
    {
      words: "a parent endorsed the commit, a user rule had made it an ask, and the person approved",
      kept:
        chain("commit") === "orchestrator endorse" &&
        commit?.asked?.ruleId === "rule.user.ask" &&
        commit.ruleId === "user.approved"
    },
    {
      words: "the grandchild's ask rose through two levels, nearest parent first",
      kept:
        chain("publish") === "scribe escalate, orchestrator escalate" && publish?.asked?.ruleId === "rule.project.ask"
    },
    {
      words:
        "the process was killed (SIGKILL) when one of the two parents had answered, and the ask was in the database",
      kept:
        deaths.length === 1 &&
        deaths[0]?.signal === "SIGKILL" &&
        deaths[0].waiting.length === 1 &&
        deaths[0].waiting[0]?.call.toolCallId === "publish" &&
        deaths[0].waiting[0].chain.length === 1
    },
    {
      words:
        "the ask outlived it: the first answer was kept, the next parent answered, the person decided in a new process",
      kept:
        publish?.adjudicationChain?.length === 2 &&
        publish.adjudicationChain[0]?.at === deaths[0]?.waiting[0]?.chain[0]?.at &&
        publish.ruleId === "user.approved" &&
        publish.node !== of("mend")?.decision.node
    },
    {
      words: "the grandchild's call ran once",
      kept:
        ran("publish") && requests.filter(({ method, path }) => method === "POST" && path === "/releases").length === 1
    },
    {
      words: "a parent rejected a call, nobody else was asked, and the notes are still there",
      kept:
        ground("tidy") === "adjudication.reject" &&
        of("tidy")?.decision.decidedBy === undefined &&
        existsSync(join(stage.project, "notes/1.0.md"))
    },
    {
      words: "the person refused with a reason",
      kept: ground("force-push") === "user.denied" && Boolean(of("force-push")?.decision.answerReason)
    },
    {
      words: "the parent asked for the same in the child's place, and its card said who had refused it",
      kept: detour?.ruleId === "user.denied" && JSON.stringify(detour.refusedBefore ?? null).includes(`"scribe"`)
    },
    {
      words: '"always for this agent" saved exactly the call, for the fixer alone',
      kept: grants.some(
        ({ agentId, content, exact, id }) =>
          id === of("build")?.decision.savedGrantId &&
          agentId === "fixer" &&
          exact === true &&
          content === "node scripts/build.mjs"
      )
    },
    {
      words: "the same call passed by that grant afterwards, without a card",
      kept:
        ground("build-again") === "rule.session.allow" &&
        of("build-again")?.decision.grantId === of("build")?.decision.savedGrantId &&
        lines(join(stage.project, "dist/builds.log")).length === 2
    },
    {
      words: "the push that the person approved reached origin, and nothing was forced",
      kept: ran("push") && git("rev-parse", "main") === git("ls-remote", "origin", "refs/heads/main").split("\t")[0]
    }
  ]
}

const commandOf = (args: unknown): string | undefined =>
  typeof args === "object" && args !== null && "command" in args && typeof args.command === "string"
    ? args.command
    : undefined
const read = (path: string) => (existsSync(path) ? readFileSync(path, "utf8") : "")
const lines = (path: string) =>
  read(path)
    .split("\n")
    .filter((line) => line !== "")
