/** The peers' own installation, apart from the workspace's: made by `npm ci` in this folder when a bench asks for it. */
import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import { fileURLToPath, pathToFileURL } from "node:url"

const folder = fileURLToPath(new URL(".", import.meta.url))
const require = createRequire(import.meta.url)

/** Installs what the lock file pins, if it is not there; what went wrong, if something did. */
export function installPeers(): string | undefined {
  if (existsSync(new URL("node_modules/casbin/package.json", import.meta.url))) return undefined
  const { error, status, stderr } = spawnSync("npm", ["ci", "--ignore-scripts", "--prefix", folder], {
    encoding: "utf8"
  })
  if (error !== undefined) return error.message
  return status === 0 ? undefined : stderr.trim().split("\n").slice(-3).join("; ")
}

/** Loads a module of a peer: a package, or a file of one. */
export async function loadPeer<Module>(name: string): Promise<Module> {
  const file = name.startsWith("./") ? fileURLToPath(new URL(name, import.meta.url)) : require.resolve(name)
  return (await import(pathToFileURL(file).href)) as Module
}
