/** Where the demo plays: a temporary folder with a real git repository, a remote beside it and a home of its own. */
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, dirname, join } from "node:path"
import { settings } from "./settings.ts"

/** The places of one performance. */
export interface Stage {
  readonly folder: string
  /** The repository the agents work in. */
  readonly project: string
  /** The bare repository that `origin` means. */
  readonly remote: string
  readonly home: string
  readonly database: string
  /** What reached the loopback server, a line a request. */
  readonly requests: string
}

/** The stage in a folder that `buildStage` filled before. */
export const stageIn = (folder: string): Stage => ({
  folder,
  project: join(folder, "lantern"),
  remote: join(folder, "origin.git"),
  home: join(folder, "home"),
  database: join(folder, "countersign.db"),
  requests: join(folder, "requests.ndjson")
})

/** Builds a fresh stage with its repository, first commit and remote. */
export function buildStage(): Stage {
  const stage = stageIn(realpathSync(mkdtempSync(join(tmpdir(), "countersign-demo-"))))
  const { home, project, remote } = stage
  for (const folder of [home, project]) mkdirSync(folder, { recursive: true })
  writeFileSync(stage.requests, "")
  write(home, { ".config/countersign/settings.json": settings.user })
  write(stage.folder, { "policy.json": settings.policy })
  write(project, { ...repository, ".countersign/settings.json": settings.projectShared })
  const git = (...args: readonly string[]) => {
    try {
      execFileSync("git", args, { cwd: project, env: environment(stage), stdio: "pipe" })
    } catch (error) {
      throw new Error(
        `the demo needs git, and \`git ${args[0]}\` failed: ${error instanceof Error ? error.message : String(error)}`
      )
    }
  }
  git("init", "--quiet", "--initial-branch=main")
  git("config", "user.name", "Lantern agents")
  git("config", "user.email", "agents@lantern.example")
  git("add", "--all")
  git("commit", "--quiet", "--message", "Lantern 1.0")
  git("init", "--quiet", "--bare", "--initial-branch=main", remote)
  git("remote", "add", "origin", remote)
  git("push", "--quiet", "--set-upstream", "origin", "main")
  return stage
}

/** What a command of the demo sees of the machine: a path, a home of its own and nothing else. */
export const environment = ({ home }: Stage): Record<string, string> => ({
  PATH: [dirname(process.execPath), process.env["PATH"] ?? "/usr/bin:/bin"].join(delimiter),
  HOME: home,
  LANG: "C.UTF-8",
  NO_COLOR: "1",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_TERMINAL_PROMPT: "0"
})

function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
}

const repository: Readonly<Record<string, string>> = {
  "README.md": "# Lantern\n\nA small program that greets.\n",
  "CHANGELOG.md": "# Changes\n\n- Said hello for the first time.\n",
  "package.json": `${JSON.stringify({ name: "lantern", version: "1.0.0", private: true, type: "module" }, null, 2)}\n`,
  "notes/1.0.md": "The first release. Keep this for the anniversary.\n",
  "src/greet.mjs": "export const greet = (name) => `Helo, ${name}!`\n",
  "test/greet.test.mjs": [
    `import assert from "node:assert/strict"`,
    `import { test } from "node:test"`,
    `import { greet } from "../src/greet.mjs"`,
    ``,
    `test("greets by name", () => assert.equal(greet("Ada"), "Hello, Ada!"))`,
    ``
  ].join("\n"),
  "scripts/build.mjs": [
    `import { appendFileSync, copyFileSync, mkdirSync } from "node:fs"`,
    `mkdirSync("dist", { recursive: true })`,
    `copyFileSync("src/greet.mjs", "dist/greet.mjs")`,
    `appendFileSync("dist/builds.log", "built\\n")`,
    `console.log("built dist/greet.mjs")`,
    ``
  ].join("\n"),
  "scripts/publish.mjs": [
    `import { readFileSync } from "node:fs"`,
    `const answer = await fetch(process.argv[2] + "/releases", { method: "POST", body: readFileSync("CHANGELOG.md") })`,
    `console.log(answer.status, (await answer.text()).trim())`,
    ``
  ].join("\n"),
  ".gitignore": "dist/\n"
}
