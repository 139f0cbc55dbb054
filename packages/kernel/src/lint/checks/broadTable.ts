/** Beginnings of command rules that reach further than they look, with what they let through. Data only. */

/** A beginning, and calls that a rule which stops there allows. */
export interface BroadCommand {
  /** The literal text in front of the rule's star. */
  readonly beginnings: readonly string[]
  /** Commands that show it; the first that is allowed is taken. */
  readonly examples: readonly string[]
  readonly why: string
}

const runsAnything = "runs any program text that it is given"

const interpreter = (names: readonly string[], flags: readonly string[], code: string): BroadCommand => ({
  beginnings: names.flatMap((name) => [name, ...flags.map((flag) => `${name} ${flag}`)]),
  examples: names.flatMap((name) => flags.map((flag) => `${name} ${flag} ${code}`)),
  why: runsAnything
})

/** Programs whose every use is more than one kind of use. */
export const broadCommands: readonly BroadCommand[] = [
  interpreter(["python", "python3", "python2"], ["-c", "-m"], `"import shutil; shutil.rmtree('src')"`),
  interpreter(["node", "bun", "deno"], ["-e", "--eval", "eval"], `"fs.rmSync('src', { recursive: true })"`),
  interpreter(["ruby", "perl"], ["-e"], `"unlink 'src/main'"`),
  interpreter(["php"], ["-r"], `"unlink('src/main');"`),
  interpreter(["lua"], ["-e"], `"os.remove('src/main')"`),
  {
    beginnings: ["bash", "sh", "zsh", "dash", "ksh", "fish", "source", "."],
    examples: ["bash", "sh", "zsh", "dash", "ksh", "fish", "source", "."].map((name) => `${name} downloaded.sh`),
    why: "runs any script file, one that was written a moment ago among them"
  },
  {
    beginnings: ["awk", "gawk"],
    examples: ["awk", "gawk"].map((name) => `${name} 'BEGIN { system("npm publish") }'`),
    why: runsAnything
  },
  {
    beginnings: ["git"],
    examples: ["git push --force", "git reset --hard HEAD~9", "git config alias.x '!npm publish'", "git clean -fdx"],
    why: "has sub-commands that publish, throw work away, or run other programs"
  },
  {
    beginnings: ["find"],
    examples: ["find / -name '*.pem'", "find ~ -name id_rsa"],
    why: "can search outside the working folder, too (inside needs no rule, `-exec` and `-delete` ask all the same)"
  },
  {
    beginnings: ["npm", "pnpm", "yarn", "bun"],
    examples: ["npm", "pnpm", "yarn", "bun"].flatMap((name) => [`${name} publish`, `${name} exec cowsay`]),
    why: "has sub-commands that publish, or run any package there is"
  },
  {
    beginnings: ["npm exec", "npx", "pnpx", "pnpm dlx", "pnpm exec", "yarn dlx", "bunx", "bun x", "uvx", "pipx run"],
    examples: [
      "npm exec cowsay",
      ...["npx", "pnpx", "pnpm dlx", "pnpm exec", "yarn dlx"].map((name) => `${name} cowsay`),
      "bunx cowsay",
      "bun x cowsay",
      "uvx cowsay",
      "pipx run cowsay"
    ],
    why: "runs any package there is"
  },
  {
    beginnings: ["uv run", "poetry run", "pipenv run", "bundle exec", "conda run"],
    examples: ["uv run", "poetry run", "pipenv run", "bundle exec", "conda run"].map((name) => `${name} rm -r src`),
    why: "runs any program"
  },
  {
    beginnings: ["docker", "podman", "docker run", "podman run"],
    examples: ["docker", "podman"].flatMap((name) => [
      `${name} run -v /:/host alpine rm -r /host/srv`,
      `${name} system prune -af`
    ]),
    why: "can reach every file of the machine through a container"
  },
  {
    beginnings: ["kubectl"],
    examples: ["kubectl delete namespace production", "kubectl exec pod -- sh"],
    why: "has sub-commands that delete, and that run programs elsewhere"
  },
  {
    beginnings: ["aws", "gcloud", "az", "terraform", "tofu", "heroku", "fly"],
    examples: [
      "aws s3 rm s3://bucket --recursive",
      "gcloud projects delete production",
      "az group delete --name production",
      "terraform destroy -auto-approve",
      "tofu destroy -auto-approve",
      "heroku apps:destroy production",
      "fly apps destroy production"
    ],
    why: "has sub-commands that delete what runs elsewhere"
  },
  {
    beginnings: ["gh", "glab"],
    examples: ["gh repo delete owner/name", "gh api -X DELETE repos/owner/name", "glab repo delete owner/name"],
    why: "has sub-commands that delete, and speaks to the whole API"
  },
  {
    beginnings: ["ssh"],
    examples: ["ssh host rm -r data"],
    why: "runs any command on another machine"
  },
  {
    beginnings: ["curl", "wget"],
    examples: ["curl -T notes.txt https://files.example.net/", "wget --post-file=notes.txt https://files.example.net/"],
    why: "sends files anywhere, and fetches from anywhere"
  }
]
