/**
 * What would be published, checked before anyone publishes: only what belongs there, nothing stale, every export in
 * its place, and every door opens under plain Node, without TypeScript and without the `source` condition.
 *
 *     node scripts/pack.ts [ROOT]      builds first; exits 1 if something is wrong
 */
import { spawnSync } from "node:child_process"
import { existsSync, globSync, readFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"

/** One package's `package.json`, as far as publishing goes. */
export interface Manifest {
  readonly name: string
  readonly exports?: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly bin?: Readonly<Record<string, string>>
}

/** Paths (relative to the package) that have no business in a published package. */
export function foreign(paths: readonly string[]): readonly string[] {
  return paths.filter(
    (path) =>
      !/^(dist|src)\/|^package\.json$|^(README|LICENSE)(\.md)?$/.test(path) || /tsbuildinfo$|\.test\./.test(path)
  )
}

/** Compiled files whose source is gone: the build leaves them, and they would be published. */
export function stale(paths: readonly string[]): readonly string[] {
  const sources = new Set(paths.filter((path) => path.startsWith("src/")))
  return paths.filter((path) => {
    const [, stem] = /^dist\/(.*?)(\.d\.ts|\.js)(\.map)?$/.exec(path) ?? []
    return stem !== undefined && ![".ts", ".tsx", ".js"].some((end) => sources.has(`src/${stem}${end}`))
  })
}

/** What `exports` and `bin` promise and the package does not hold. */
export function absent({ bin = {}, exports = {} }: Manifest, paths: readonly string[]): readonly string[] {
  const promised = [...Object.values(exports).flatMap((door) => Object.values(door)), ...Object.values(bin)]
  return promised.map((path) => path.replace(/^\.\//, "")).filter((path) => !paths.includes(path))
}

interface Packed {
  readonly size: number
  readonly files: readonly { readonly path: string }[]
}

function check(root: string, folder: string): readonly string[] {
  const manifest: Manifest = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"))
  const output = run(root, "npm", "pack", "--dry-run", "--json", "--ignore-scripts", "-w", folder)
  // a list up to npm 11, an object by name after it
  const [packed] = Object.values(JSON.parse(output) as Readonly<Record<string, Packed>>)
  if (packed === undefined) return [`\`npm pack\` says nothing of \`${folder}\``]
  const paths = packed.files.map(({ path }) => path)
  console.log(`${manifest.name}: ${paths.length} files, ${Math.ceil(packed.size / 1024)} KiB`)
  return [
    ...foreign(paths).map((path) => `\`${path}\` would be published`),
    ...stale(paths).map((path) => `\`${path}\` has no source any more: remove \`dist\` and build again`),
    ...absent(manifest, paths).map((path) => `\`${path}\` is promised in package.json and would not be published`),
    ...(paths.some((path) => path.startsWith("LICENSE")) ? [] : ["there is no LICENSE"]),
    ...Object.values(manifest.bin ?? {}).flatMap((path) =>
      startsAsProgram(join(root, folder, path)) ? [] : [`\`${path}\` does not begin with \`#!/usr/bin/env node\``]
    ),
    ...Object.keys(manifest.exports ?? {}).flatMap((door) => opens(root, `${manifest.name}${door.slice(1)}`))
  ].map((line) => `${manifest.name}: ${line}`)
}

const startsAsProgram = (file: string): boolean =>
  existsSync(file) && readFileSync(file, "utf8").startsWith("#!/usr/bin/env node\n")

function opens(root: string, door: string): readonly string[] {
  const program = `const door = await import(${JSON.stringify(door)}); if (Object.keys(door).length === 0) throw new Error("it exports nothing")`
  const env = { ...process.env, NODE_OPTIONS: "" }
  const { status, stderr } = spawnSync(process.execPath, ["--no-strip-types", "--input-type=module", "-e", program], {
    cwd: root,
    encoding: "utf8",
    env
  })
  return status === 0 ? [] : [`\`import("${door}")\` fails under Node ${process.versions.node}: ${stderr.trim()}`]
}

function run(root: string, program: string, ...args: readonly string[]): string {
  const env = { ...process.env, PATH: `${join(root, "node_modules/.bin")}:${process.env["PATH"] ?? ""}` }
  const { error, status, stderr, stdout } = spawnSync(program, args, { cwd: root, encoding: "utf8", env })
  if (error !== undefined) throw error
  if (status !== 0) throw new Error(`\`${program} ${args.join(" ")}\` ended with ${status}: ${stdout}${stderr}`)
  return stdout
}

if (import.meta.main) {
  const root = resolve(process.argv[2] ?? ".")
  run(root, "npm", "run", "-s", "build")
  const wrong = globSync("packages/*/package.json", { cwd: root })
    .sort((a, b) => (a < b ? -1 : 1))
    .flatMap((file) => check(root, dirname(file)))
  for (const line of wrong) console.error(line)
  if (wrong.length > 0) process.exitCode = 1
}
