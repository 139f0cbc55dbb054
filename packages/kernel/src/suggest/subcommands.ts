/**
 * Programs whose sub-commands are things one may allow as a kind: `npm run build`, `git commit`, `cargo test`. What
 * would run anything at all (`npm exec`, `git config`, `docker run`) is not among them.
 */

/** The words behind the program that a kind needs; `*` stands for any one plain word. */
type Kinds = readonly string[]

const node: Kinds = ["run *", "run-script *", "test", "ci", "install", "ls", "outdated", "audit"]
const container: Kinds = [
  "build",
  "ps",
  "images",
  "logs",
  "inspect",
  "pull",
  "compose ps",
  "compose logs",
  "compose up"
]
const gitKinds: Kinds = (
  "add apply branch checkout cherry-pick clean commit diff fetch log merge mv pull push rebase reset restore revert " +
  "rm show stash status switch tag"
).split(" ")
const terraform: Kinds = ["plan", "validate", "fmt", "show", "output"]

const kinds: Readonly<Record<string, Kinds>> = {
  npm: node,
  pnpm: [...node, "build", "lint"],
  yarn: [...node, "build", "lint"],
  bun: ["run *", "test", "install"],
  git: gitKinds,
  cargo: ["bench", "build", "check", "clippy", "doc", "fetch", "fmt", "test", "tree", "update"],
  go: ["build", "fmt", "list", "mod *", "test", "vet"],
  dotnet: ["build", "format", "restore", "test"],
  mix: ["compile", "deps.get", "format", "test"],
  docker: container,
  podman: container,
  kubectl: ["describe", "get", "logs", "top"],
  helm: ["lint", "list", "status", "template"],
  terraform,
  tofu: terraform,
  gh: ["issue list", "issue view", "pr checks", "pr diff", "pr list", "pr view", "run list", "run view"],
  pip: ["check", "freeze", "list", "show"],
  pip3: ["check", "freeze", "list", "show"],
  brew: ["info", "list", "search"],
  apt: ["list", "search", "show"],
  systemctl: ["list-units", "status"]
}

const plain = /^[\w@%+=,./][\w@%+=:,./-]*$/

/** The beginning that names the kind of a command: `npm run build` of `npm run build --prod`. */
export function kindOf(words: readonly string[]): string | undefined {
  const [program = ""] = words
  const known = Object.hasOwn(kinds, program) ? kinds[program]! : []
  const fits = (kind: string) =>
    kind.split(" ").every((word, index) => {
      const given = words[index + 1]
      return given !== undefined && (word === "*" ? plain.test(given) : word === given)
    })
  const kind = known.find(fits)
  return kind && words.slice(0, kind.split(" ").length + 1).join(" ")
}
