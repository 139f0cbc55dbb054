/**
 * The truth machine: real bash, which runs each line in an empty folder where every program is a stub, and tells
 * what ran. One long-lived driver starts a fresh `bash -c` a line and waits until nothing of it is left.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { locate, makeStubs, recordMark, wordMark } from "./stubs.ts"

/** What happened when a line ran. */
export interface Truth {
  /** The programs that ran, each with its arguments. */
  readonly ran: readonly (readonly string[])[]
  /** Bash found fault with the syntax. */
  readonly broken: boolean
  /** Files that it left behind. */
  readonly files: number
  /** It had to be killed. */
  readonly hung: boolean
}

/** Longer than any line takes, even on a busy machine. */
const patience = 20_000

// INVARIANT: the log is read to its end, which comes when the last process that the line started is gone
const driver = `
cd "$1/work" || exit 1
shopt -s nullglob dotglob
while IFS= read -r -d '' line; do
  log=$(
    exec 9>&1 </dev/null >/dev/null 2>../errors
    ulimit -t 5
    exec "$2" -c "$line"
  )
  errors=
  [[ -s ../errors ]] && IFS= read -r -d '' errors <../errors
  broken=0
  [[ $errors == *'syntax error'* || $errors == *'unexpected EOF'* || $errors == *'bad substitution'* ]] && broken=1
  files=(*)
  ((\${#files[@]} == 0)) || "$3" -rf -- "\${files[@]}"
  printf '%s\\t%s\\t%s\\0' "$broken" "\${#files[@]}" "$log"
done
`

/** One driver at work. */
export class Machine {
  readonly #root: string
  #child: ChildProcess | undefined
  #waiting: ((truth: Truth) => void)[] = []
  #lines: string[] = []
  #read = ""
  #watch: NodeJS.Timeout | undefined

  constructor() {
    this.#root = mkdtempSync(join(tmpdir(), "countersign-bash-"))
    makeStubs(this.#root)
    writeFileSync(join(this.#root, "driver"), driver)
  }

  /** Runs the line after those that were given before. */
  run(line: string): Promise<Truth> {
    return new Promise((resolve) => {
      this.#lines.push(line)
      this.#waiting.push(resolve)
      if (this.#child === undefined) this.#start()
      else this.#child.stdin!.write(`${line}\0`)
    })
  }

  /** Runs the lines one after the other. */
  all(lines: readonly string[]): Promise<readonly Truth[]> {
    return Promise.all(lines.map((line) => this.run(line)))
  }

  close(): void {
    this.#stop()
    rmSync(this.#root, { recursive: true, force: true })
  }

  #start(): void {
    const args = [join(this.#root, "driver"), this.#root, locate("bash"), locate("rm")]
    const child = spawn(locate("bash"), args, {
      detached: true,
      stdio: ["pipe", "pipe", "inherit"],
      env: { PATH: join(this.#root, "bin"), HOME: join(this.#root, "home"), HISTFILE: "/dev/null", FUNCNEST: "20" }
    })
    this.#child = child
    this.#read = ""
    child.stdout.setEncoding("utf8").on("data", (text: string) => this.#hear(text))
    // a driver that was killed takes what was written to it along; all of it is written again
    child.stdin.on("error", () => undefined)
    for (const line of this.#lines) child.stdin.write(`${line}\0`)
    this.#wind()
  }

  #hear(text: string): void {
    const answers = `${this.#read}${text}`.split("\0")
    this.#read = answers.pop()!
    for (const answer of answers) this.#answer(readTruth(answer))
    this.#wind()
  }

  #answer(truth: Truth): void {
    this.#lines.shift()
    this.#waiting.shift()?.(truth)
  }

  #wind(): void {
    clearTimeout(this.#watch)
    if (this.#lines.length > 0) this.#watch = setTimeout(() => this.#giveUp(), patience)
  }

  #giveUp(): void {
    this.#stop()
    this.#answer({ ran: [], broken: false, files: 0, hung: true })
    if (this.#lines.length > 0) this.#start()
  }

  #stop(): void {
    clearTimeout(this.#watch)
    const child = this.#child
    this.#child = undefined
    if (child?.pid === undefined) return
    child.stdout?.removeAllListeners("data")
    process.kill(-child.pid, "SIGKILL")
  }
}

function readTruth(answer: string): Truth {
  const [broken, files, ...log] = answer.split("\t")
  return {
    broken: broken === "1",
    files: Number(files),
    hung: false,
    ran: log
      .join("\t")
      .split(recordMark)
      .slice(1)
      .map((record) => record.split(wordMark))
  }
}
