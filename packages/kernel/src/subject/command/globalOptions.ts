/**
 * Options that stand before a sub-command: `git -C d push` is `git push`. Bans are tried without them.
 */
import { baseName } from "../path.ts"
import type { Arg } from "./words.ts"

/** By program: its global options that take their value as the next word. All others are taken as flags. */
const programs: Readonly<Record<string, readonly string[]>> = {
  git: ["-C", "-c", "--git-dir", "--work-tree", "--namespace", "--super-prefix", "--config-env", "--attr-source"],
  docker: ["-H", "--host", "-c", "--context", "--config", "-l", "--log-level", "--tlscacert", "--tlscert", "--tlskey"],
  podman: ["--url", "-c", "--connection", "--config", "--log-level", "--root", "--runroot", "--identity"],
  "docker-compose": [
    "-f",
    "--file",
    "-p",
    "--project-name",
    "--profile",
    "--env-file",
    "--project-directory",
    "-H",
    "--host"
  ],
  kubectl: [
    "-n",
    "--namespace",
    "--context",
    "--cluster",
    "--kubeconfig",
    "-s",
    "--server",
    "--user",
    "--token",
    "--as",
    "--as-group",
    "-v",
    "--request-timeout",
    "--cache-dir",
    "--certificate-authority",
    "--client-key",
    "--password",
    "--username"
  ],
  helm: [
    "-n",
    "--namespace",
    "--kube-context",
    "--kubeconfig",
    "--kube-token",
    "--kube-apiserver",
    "--registry-config"
  ],
  npm: ["--prefix", "-C", "-w", "--workspace", "--registry", "--userconfig", "--globalconfig", "--cache", "--loglevel"],
  pnpm: ["-C", "--dir", "-F", "--filter", "--loglevel", "--reporter"],
  yarn: ["--cwd", "--registry", "--use-yarnrc"],
  bun: ["--cwd", "-c", "--config"],
  cargo: ["--color", "-C", "-Z", "--config", "--explain"],
  go: ["-C"],
  aws: [
    "--profile",
    "--region",
    "--output",
    "--endpoint-url",
    "--query",
    "--ca-bundle",
    "--cli-read-timeout",
    "--cli-connect-timeout",
    "--color"
  ],
  gcloud: ["--project", "--account", "--configuration", "--format", "--verbosity", "--billing-project"],
  az: ["--subscription", "-o", "--output", "--query"],
  gh: ["-R", "--repo"],
  glab: ["-R", "--repo"],
  terraform: [],
  tofu: [],
  systemctl: [
    "-H",
    "--host",
    "-M",
    "--machine",
    "-t",
    "--type",
    "-p",
    "--property",
    "--root",
    "-n",
    "--lines",
    "-o",
    "--output"
  ],
  apt: ["-o", "-c", "-t", "--target-release"],
  "apt-get": ["-o", "-c", "-t", "--target-release"],
  brew: [],
  pip: ["--python", "--log", "--proxy", "--timeout", "--cache-dir", "--cert"],
  pip3: ["--python", "--log", "--proxy", "--timeout", "--cache-dir", "--cert"],
  poetry: ["-C", "--directory", "-P", "--project"],
  uv: ["--directory", "--project", "--config-file", "--cache-dir"],
  hg: ["-R", "--repository", "--cwd", "--config", "--encoding"],
  svn: ["--username", "--password", "--config-dir", "--config-option"],
  conda: [],
  fly: ["-a", "--app", "-c", "--config"],
  heroku: ["-a", "--app"],
  vault: [],
  ip: ["-n", "-netns"],
  make: ["-C", "-f", "-I", "-j", "--directory", "--file"]
}

/** Index of the first word after the program and its global options: its sub-command. */
export function globalsEnd(program: string, words: readonly Arg[]): number {
  const valued = Object.hasOwn(programs, program) ? programs[program]! : undefined
  let index = 1
  if (valued === undefined) return index
  for (; index < words.length; index++) {
    const { head } = words[index]!
    // `cargo +nightly build`
    if (program === "cargo" && head.startsWith("+")) continue
    if (head.length < 2 || head[0] !== "-") break
    if (valued.includes(head)) index++
  }
  return Math.min(index, words.length)
}

/**
 * The command without its global options, if it has any. Where an unknown option may take the next word as its
 * value, both readings are given.
 */
export function withoutGlobals(words: readonly Arg[]): readonly (readonly Arg[])[] {
  const name = words[0]?.value
  if (name === undefined) return []
  return lean(baseName(name), words, 4)
}

function lean(program: string, words: readonly Arg[], budget: number): readonly (readonly Arg[])[] {
  const end = globalsEnd(program, words)
  if (end === 1 || end >= words.length) return []
  const without = [words[0]!, ...words.slice(end)]
  const last = words[end - 1]!
  if (budget === 0 || !last.head.startsWith("-") || last.head.includes("=") || end + 1 >= words.length) return [without]
  const shifted = [words[0]!, ...words.slice(end + 1)]
  return [without, shifted, ...lean(program, shifted, budget - 1)]
}
