/** `scripts/pack.ts`: what a published package may hold, and what it has to. */
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterEach, assert, describe, it } from "@effect/vitest"
import { absent, foreign, stale } from "../../scripts/pack.ts"

describe("a package", () => {
  it("holds compiled files, sources, package.json, README and LICENSE", () => {
    const paths = ["dist/index.js", "dist/a/b.d.ts.map", "src/index.ts", "package.json", "README.md", "LICENSE"]
    assert.deepStrictEqual(foreign(paths), [])
  })

  it("holds nothing else", () => {
    const paths = [
      "dist/.tsbuildinfo",
      "test/a.test.ts",
      "src/a.test.ts",
      ".env",
      "tsconfig.json",
      "notes/README.md",
      "x/dist/a.js"
    ]
    assert.deepStrictEqual(foreign(paths), paths)
  })

  it("holds nothing compiled whose source is gone", () => {
    const paths = [
      "src/a.ts",
      "dist/a.js",
      "dist/a.js.map",
      "dist/a.d.ts",
      "dist/b.js",
      "dist/b.d.ts.map",
      "src/p/q.tsx",
      "dist/p/q.js",
      "dist/p/page.html"
    ]
    assert.deepStrictEqual(stale(paths), ["dist/b.js", "dist/b.d.ts.map"])
  })

  it("holds what its exports and programs promise", () => {
    const manifest = {
      name: "x",
      exports: {
        ".": { source: "./src/index.ts", default: "./dist/index.js" },
        "./fast": { default: "./dist/fast.js" }
      },
      bin: { x: "./dist/main.js" }
    }
    assert.deepStrictEqual(absent(manifest, ["src/index.ts", "dist/index.js"]), ["dist/fast.js", "dist/main.js"])
    assert.deepStrictEqual(absent(manifest, ["src/index.ts", "dist/index.js", "dist/fast.js", "dist/main.js"]), [])
  })
})

describe("the program", () => {
  const roots: string[] = []
  afterEach(() => {
    for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true })
  })

  const sound: Readonly<Record<string, string>> = {
    "package.json": JSON.stringify({
      name: "w",
      private: true,
      workspaces: ["packages/*"],
      scripts: { build: "node -e 0" }
    }),
    "packages/a/package.json": JSON.stringify({
      name: "a",
      version: "1.0.0",
      type: "module",
      files: ["dist", "src", "more"],
      bin: { a: "./dist/main.js" },
      exports: { ".": { source: "./src/index.ts", default: "./dist/index.js" } }
    }),
    "packages/a/LICENSE": "MIT",
    "packages/a/src/index.ts": "export const a: number = 1\n",
    "packages/a/src/main.ts": "#!/usr/bin/env node\n",
    "packages/a/dist/index.js": "export const a = 1\n",
    "packages/a/dist/main.js": "#!/usr/bin/env node\n"
  }

  const run = (changes: Readonly<Record<string, string>>) => {
    const root = mkdtempSync(join(tmpdir(), "countersign-pack-"))
    roots.push(root)
    for (const [path, text] of Object.entries({ ...sound, ...changes })) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
    }
    mkdirSync(join(root, "node_modules"))
    symlinkSync(join(root, "packages/a"), join(root, "node_modules/a"))
    const script = fileURLToPath(new URL("../../scripts/pack.ts", import.meta.url))
    return spawnSync(process.execPath, [script, root], { encoding: "utf8" })
  }

  it("passes what is in order", () => {
    const { status, stderr, stdout } = run({})
    assert.strictEqual(status, 0, stderr)
    assert.match(stdout, /^a: 6 files, \d+ KiB\n$/)
  })

  it("says all that is wrong with a package", () => {
    const { status, stderr } = run({
      "packages/a/dist/main.js": "no program",
      "packages/a/dist/old.js": "",
      "packages/a/more/secret.txt": ""
    })
    assert.strictEqual(status, 1)
    assert.deepStrictEqual(stderr.trim().split("\n"), [
      "a: `more/secret.txt` would be published",
      "a: `dist/old.js` has no source any more: remove `dist` and build again",
      "a: `./dist/main.js` does not begin with `#!/usr/bin/env node`"
    ])
  })

  it("fails where a door opens only with TypeScript", () => {
    const { status, stderr } = run({ "packages/a/dist/index.js": `export * from "../src/index.ts"\n` })
    assert.strictEqual(status, 1)
    assert.include(stderr, `a: \`import("a")\` fails under Node`)
  })

  it("fails where the build fails", () => {
    const broken = { name: "w", private: true, workspaces: ["packages/*"], scripts: { build: "echo broken; exit 3" } }
    const { status, stderr } = run({ "package.json": JSON.stringify(broken) })
    assert.strictEqual(status, 1)
    assert.include(stderr, "`npm run -s build` ended with 3: broken")
  })
})
