/** The demo's tools. They are real: they read, edit, search, run and fetch, in the repository of the stage. */
import { type Capability, isInside, type Json } from "@countersign/kernel"
import { spawn } from "node:child_process"
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join, relative, resolve } from "node:path"
import { environment, type Stage } from "./stage.ts"

/** A tool: what it declares of itself, and what it does. */
export interface DemoTool {
  readonly name: string
  readonly capability: Capability
  readonly execute: (args: Json, stage: Stage) => Promise<string>
}

type Args = { readonly [name: string]: Json }

/** Every tool that agents of the demo can call; `Agent` spawns and has no effect of its own. */
export const demoTools: readonly DemoTool[] = [
  {
    name: "Read",
    capability: { readOnly: true },
    execute: async (args, stage) => readFileSync(pathIn(stage, text(args, "file_path")), "utf8")
  },
  {
    name: "Grep",
    capability: { readOnly: true },
    execute: async (args, stage) => grep(stage, text(args, "pattern"), text(args, "path", "."))
  },
  {
    name: "Edit",
    capability: {},
    execute: async (args, stage) =>
      edit(pathIn(stage, text(args, "file_path")), text(args, "old_string"), text(args, "new_string"))
  },
  { name: "Bash", capability: {}, execute: (args, stage) => bash(text(args, "command"), stage) },
  {
    name: "WebFetch",
    capability: {},
    execute: async (args) => {
      const answer = await fetch(text(args, "url"), { redirect: "error", signal: AbortSignal.timeout(timeoutMs) })
      return `${answer.status} ${(await answer.text()).trim()}`
    }
  },
  { name: "Agent", capability: { readOnly: true }, execute: async () => "spawned" }
]

/** The tool of that name; undefined if there is none. */
export const demoTool = (name: string): DemoTool | undefined => demoTools.find((tool) => tool.name === name)

const timeoutMs = 20_000

function text(args: Json, name: string, otherwise?: string): string {
  const value = typeof args === "object" && args !== null && !Array.isArray(args) ? (args as Args)[name] : undefined
  if (typeof value === "string") return value
  if (otherwise !== undefined) return otherwise
  throw new Error(`the argument \`${name}\` is missing`)
}

// the gate judges paths; that a tool stays on its stage is a second wall behind it
function pathIn(stage: Stage, given: string): string {
  const path = resolve(stage.project, given)
  if (!isInside(path, stage.project)) throw new Error(`\`${given}\` lies outside the repository`)
  return path
}

function edit(path: string, before: string, after: string): string {
  const old = readFileSync(path, "utf8")
  const found = old.split(before).length - 1
  if (found !== 1) throw new Error(`\`old_string\` occurs ${found} times; it has to occur once`)
  writeFileSync(path, old.split(before).join(after))
  return "edited"
}

function grep(stage: Stage, pattern: string, below: string): string {
  const found: string[] = []
  const visit = (path: string): void => {
    if (statSync(path).isDirectory()) {
      for (const name of readdirSync(path).sort()) if (name !== ".git") visit(join(path, name))
      return
    }
    readFileSync(path, "utf8")
      .split("\n")
      .forEach((line, index) => {
        if (line.includes(pattern)) found.push(`${relative(stage.project, path)}:${index + 1}: ${line}`)
      })
  }
  visit(pathIn(stage, below))
  return found.join("\n") || "nothing found"
}

function bash(command: string, stage: Stage): Promise<string> {
  return new Promise((done, fail) => {
    const child = spawn("bash", ["-c", command], {
      cwd: stage.project,
      env: environment(stage),
      stdio: ["ignore", "pipe", "pipe"],
      timeout: timeoutMs,
      killSignal: "SIGKILL"
    })
    let said = ""
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (piece: string) => (said += piece))
    child.on("error", fail)
    child.on("close", (code, signal) => {
      if (code === 0) done(said.trim())
      else fail(new Error(`\`${command}\` ended with ${code ?? signal}: ${said.trim()}`))
    })
  })
}
