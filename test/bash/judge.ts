/** What the kernel says of a line under the three sets of rules that the laws speak of. */
import type * as Kernel from "@countersign/kernel"

export interface Verdicts {
  /** Rules allow the harmless stubs, and launchers in general. */
  readonly allowing: Decision
  /** Everything is allowed but what is forbidden. */
  readonly denying: Decision
  /** What is forbidden is denied, in mode `yolo`. */
  readonly yolo: Decision
}

export type Decision = "allow" | "ask" | "deny"

/** Names of programs that the allowing rules allow; sub-commands of git among them. */
export const harmlessPrograms = ["ok", "fine", "fail", "node", "python", "perl", "ruby", "java", "less", "rg"]
export const harmlessGit = ["status", "log", "commit", "grep"]

/** Star rules on these say nothing of what they launch. */
const launchers = [
  "env",
  "sudo",
  "doas",
  "watch",
  "flock",
  "find",
  "xargs",
  "timeout",
  "nohup",
  "nice",
  "stdbuf",
  "setsid",
  "bash",
  "sh",
  "exec",
  "command",
  "sed",
  "tar"
]

const allow = [
  ...harmlessPrograms.map((name) => `Bash(${name}:*)`),
  ...harmlessGit.map((name) => `Bash(git ${name}:*)`),
  ...launchers.map((name) => `Bash(${name}:*)`),
  ...launchers.map((name) => `Bash(${name} *)`)
]
const deny = ["Bash(danger:*)", "Bash(git push:*)"]

const folder = "/srv/proj"
const home = "/home/u"

/** A judge that asks the given kernel: the house's own, or one with something switched off. */
export function makeJudge(kernel: typeof Kernel): (line: string) => Verdicts {
  const preset = kernel.presets.default
  const surroundings: Kernel.Surroundings = {
    folder,
    project: folder,
    home,
    additionalDirectories: [],
    ownPaths: [],
    files: { readLink: () => undefined },
    caseInsensitive: false
  }
  const compile = (permissions: object) => {
    const { settings } = kernel.parseSettings({ layer: "user", text: JSON.stringify({ permissions }) })
    const place = { project: folder, home, files: surroundings.files, caseInsensitive: false, workspace: [folder] }
    return kernel.compileRules(kernel.mergeSettings([settings]), { ...place, dialectOf: () => "native" }, preset)
  }
  const allowing = compile({ allow })
  const denying = compile({ allow: ["Bash"], deny })
  const yolo = compile({ deny })

  const say = (subject: Kernel.Subject, rules: Kernel.RuleSet, mode: Kernel.Mode): Decision =>
    kernel.evaluate(kernel.plainEvaluation(subject, rules, { mode, preset })).ruling.decision

  return (line) => {
    const call: Kernel.FrozenCall = {
      sessionId: "s",
      agentId: "main",
      toolCallId: "t",
      toolName: "Bash",
      arguments: { command: line },
      folder
    }
    const subject = kernel.readSubject(call, {}, surroundings, preset)
    return {
      allowing: say(subject, allowing, "default"),
      denying: say(subject, denying, "default"),
      yolo: say(subject, yolo, "yolo")
    }
  }
}
