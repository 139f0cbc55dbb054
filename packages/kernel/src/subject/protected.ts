/**
 * Protected paths: files that decide what runs later without anybody's asking. Writing one asks unless an allow
 * rule names it.
 */
import { isGlob, segmentMayBe, segments } from "./pathGlob.ts"

/** Folders that are protected with all that lies in them, at any depth. */
const folders = [
  ".git",
  ".ssh",
  ".husky",
  ".claude",
  ".cursor",
  ".qwen",
  ".gemini",
  ".codex",
  ".windsurf",
  ".continue",
  ".roo",
  ".cline",
  ".opencode",
  ".kiro",
  ".amazonq",
  ".goose",
  ".augment",
  ".junie",
  ".crush",
  ".copilot",
  ".trae",
  ".countersign",
  ".circleci",
  ".buildkite",
  ".woodpecker",
  ".devcontainer",
  ".vscode",
  ".idea",
  ".zed",
  ".fleet",
  ".githooks"
]

/** Files that are protected by their name, at any depth. */
const files = [
  ".bashrc",
  ".bash_profile",
  ".bash_login",
  ".bash_logout",
  ".bash_aliases",
  ".profile",
  ".zshrc",
  ".zshenv",
  ".zprofile",
  ".zlogin",
  ".zlogout",
  ".kshrc",
  ".mkshrc",
  ".cshrc",
  ".tcshrc",
  ".login",
  ".logout",
  ".inputrc",
  ".xprofile",
  ".xinitrc",
  ".xsession",
  "config.fish",
  ".npmrc",
  ".yarnrc",
  ".yarnrc.yml",
  ".pnpmrc",
  ".pnpmfile.cjs",
  "bunfig.toml",
  "pip.conf",
  ".pypirc",
  ".gemrc",
  ".condarc",
  ".netrc",
  "nuget.config",
  ".gitconfig",
  ".gitmodules",
  ".pre-commit-config.yaml",
  "lefthook.yml",
  ".exrc",
  ".vimrc",
  ".nvimrc",
  ".emacs",
  ".dir-locals.el",
  ".mcp.json",
  ".claude.json",
  ".aider.conf.yml",
  "opencode.json",
  ".gitlab-ci.yml",
  ".travis.yml",
  ".drone.yml",
  "jenkinsfile",
  "azure-pipelines.yml",
  "bitbucket-pipelines.yml",
  "appveyor.yml",
  ".appveyor.yml",
  "authorized_keys",
  "crontab"
]

/** Folders that are protected only behind another. */
const pairs: readonly (readonly [string, string])[] = [
  [".github", "workflows"],
  [".github", "actions"],
  [".forgejo", "workflows"],
  [".gitea", "workflows"],
  [".cargo", "config"],
  [".cargo", "config.toml"],
  [".config", "fish"],
  [".config", "git"],
  [".config", "pip"],
  [".config", "autostart"],
  [".m2", "settings.xml"],
  ["etc", "profile"],
  ["etc", "profile.d"],
  ["etc", "bash.bashrc"],
  ["etc", "zsh"]
]

const folderSet: ReadonlySet<string> = new Set(folders)
const fileSet: ReadonlySet<string> = new Set(files)
const dotted = [...folders, ...files].filter((name) => name.startsWith("."))

/** Whether writing the absolute path needs a person, or a rule that names it. Upper and lower case are one. */
export function isProtected(path: string): boolean {
  const names = segments(path.toLowerCase())
  return names.some((name, index) => {
    if (folderSet.has(name)) return true
    if (index === names.length - 1 && (fileSet.has(name) || name.startsWith(".env"))) return true
    if (name.startsWith(".") && isGlob(name))
      return dotted.some((each) => segmentMayBe(name, each)) || segmentMayBe(name, ".env")
    const next = names[index + 1]
    return next !== undefined && pairs.some(([first, second]) => name === first && next === second)
  })
}
