/** Runs the real program as a child process, from source, with nothing of the machine's own settings around it. */
import { spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const main = fileURLToPath(new URL("../../packages/cli/src/main.ts", import.meta.url))

/** How a run ended. */
export interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs `countersign` with these arguments; its home is empty unless one is given. */
export async function countersign(
  args: readonly string[],
  options: {
    readonly input?: string | Buffer
    readonly cwd?: string
    readonly home?: string
    readonly env?: Record<string, string>
  } = {}
): Promise<Ran> {
  const home = options.home ?? mkdtempSync(join(tmpdir(), "countersign-home-"))
  try {
    return await new Promise((resolve, reject) => {
      const child = spawn(process.execPath, ["--conditions=source", main, ...args], {
        cwd: options.cwd ?? home,
        env: { PATH: process.env["PATH"] ?? "", HOME: home, ...options.env }
      })
      let stdout = ""
      let stderr = ""
      child.stdout.setEncoding("utf8").on("data", (piece: string) => (stdout += piece))
      child.stderr.setEncoding("utf8").on("data", (piece: string) => (stderr += piece))
      child.on("error", reject)
      child.on("close", (code) => resolve({ code, stdout, stderr }))
      // a program that ends before it has read everything closes the pipe: its exit code tells
      child.stdin.on("error", () => {})
      child.stdin.end(options.input ?? "")
    })
  } finally {
    if (options.home === undefined) rmSync(home, { recursive: true, force: true })
  }
}

/** The JSON values of an output, a line each. */
export const jsonLines = (text: string): readonly unknown[] =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line): unknown => JSON.parse(line))
