/**
 * Every rule of `scripts/imports.ts` and `scripts/effects.ts`, each against a small workspace that breaks it and
 * one that keeps it. The last test is the house itself.
 */
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, afterEach, assert, describe, it } from "@effect/vitest"
import { findFloatingEffects } from "../../scripts/effects.ts"
import { checkImports, render } from "../../scripts/imports.ts"
import { openWorkspace } from "../../scripts/program.ts"

const house = fileURLToPath(new URL("../..", import.meta.url))
const made: string[] = []
afterEach(() => {
  for (const root of made.splice(0)) rmSync(root, { recursive: true, force: true })
})

const names = ["kernel", "gate", "adjudicator", "cli"]
const dependencies = Object.fromEntries(["effect", "kysely", "better-sqlite3"].map((name) => [name, "1.0.0"]))
const options = {
  target: "ES2024",
  module: "NodeNext",
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  types: ["node"],
  allowImportingTsExtensions: true,
  verbatimModuleSyntax: true,
  jsx: "preserve"
}

/** A workspace of four packages that holds the given files besides. */
function workspace(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), "countersign-imports-"))
  made.push(root)
  symlinkSync(join(house, "node_modules"), join(root, "node_modules"))
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const config = JSON.stringify({ compilerOptions: options, include: ["src", "test"] })
  for (const [index, name] of names.entries()) {
    const below = names.slice(0, index).map((lower) => [`@countersign/${lower}`, "0.1.0"])
    const exports = {
      ".": { source: "./src/index.ts" },
      ...(name === "kernel" ? { "./fast": { source: "./src/fast.ts" } } : {})
    }
    const json = {
      name: `@countersign/${name}`,
      exports,
      dependencies: { ...dependencies, ...Object.fromEntries(below) }
    }
    write(`packages/${name}/package.json`, JSON.stringify(json))
    write(`packages/${name}/tsconfig.json`, config)
    write(`packages/${name}/src/index.ts`, "export const one = 1\n")
  }
  write("tsconfig.test.json", JSON.stringify({ compilerOptions: options, include: ["test", "examples"] }))
  for (const [path, text] of Object.entries(files)) write(path, text)
  return root
}

function findingsIn(files: Readonly<Record<string, string>>): readonly string[] {
  const opened = openWorkspace(workspace(files))
  const findings = [...checkImports(opened), ...findFloatingEffects(opened)].map(render)
  opened.close()
  return findings
}

/** Exactly one finding, at this place and of this rule. */
function assertOne(findings: readonly string[], start: string): void {
  assert.deepStrictEqual(
    findings.map((line) => line.slice(0, start.length)),
    [start]
  )
}

const kernel = "packages/kernel/src"
const gate = "packages/gate/src"

describe("the arrows", () => {
  it("stop the kernel from importing the gate, at file, line and column, and say what to do", () => {
    const findings = findingsIn({
      [`${kernel}/bad.ts`]: `/** Bad. */\n\nimport { one } from "@countersign/gate"\nexport const two = one\n`
    })
    assert.strictEqual(
      findings[0],
      `${kernel}/bad.ts:3:21 arrow: \`kernel\` may not import \`gate\` (kernel ← gate ← adjudicator ← cli): declare a port in \`kernel\` and fill it above`
    )
  })

  it("stop it for types, re-exports, dynamic imports, import types and tests too", () => {
    const findings = findingsIn({
      [`${kernel}/a.ts`]: `import type { one } from "@countersign/gate"\nexport type A = typeof one\n`,
      [`${kernel}/b.ts`]: `export * from "@countersign/cli"\n`,
      [`${kernel}/c.ts`]: `export const c = () => import("@countersign/adjudicator")\n`,
      [`${kernel}/d.ts`]: `export type D = typeof import("@countersign/gate")\n`,
      "packages/gate/test/e.test.ts": `import { one } from "@countersign/cli"\nexport const e = one\n`
    })
    const arrows = findings.filter((line) => line.includes(" arrow: ")).map((line) => line.replace(/:.*/, ""))
    assert.deepStrictEqual(arrows, [
      "packages/gate/test/e.test.ts",
      ...["a", "b", "c", "d"].map((name) => `${kernel}/${name}.ts`)
    ])
  })

  it("let each package import the ones below it, and words in comments and strings be words", () => {
    assert.deepStrictEqual(
      findingsIn({
        [`${gate}/good.ts`]: `// import "@countersign/cli"\nimport { one } from "@countersign/kernel"\nexport const text = one + ' import "@countersign/cli"'\n`,
        "packages/cli/src/good.ts": `export * from "@countersign/adjudicator"\nexport type { one as o } from "@countersign/gate"\n`,
        "test/good.test.ts": `export * from "@countersign/cli"\n`
      }),
      []
    )
  })
})

describe("the doors", () => {
  it("are the only way into another package", () => {
    assertOne(
      findingsIn({ [`${gate}/bad.ts`]: `export * from "../../kernel/src/index.ts"\n` }),
      `${gate}/bad.ts:1:15 door: \`../../kernel/src/index.ts\` reaches into another package: import from \`@countersign/kernel\``
    )
  })

  it("are the declared ones", () => {
    assertOne(
      findingsIn({ [`${gate}/bad.ts`]: `export * from "@countersign/kernel/src/index.ts"\n` }),
      `${gate}/bad.ts:1:15 door: \`@countersign/kernel/src/index.ts\` is no export of the package: import from \`@countersign/kernel\`, \`@countersign/kernel/fast\``
    )
  })

  it("are not used from inside", () => {
    assertOne(
      findingsIn({ [`${gate}/bad.ts`]: `export * from "@countersign/gate"\n` }),
      `${gate}/bad.ts:1:15 door: a file of`
    )
  })

  it("are what examples use", () => {
    assertOne(
      findingsIn({ "examples/bad.ts": `export * from "../packages/kernel/src/index.ts"\n` }),
      "examples/bad.ts:1:15 door:"
    )
  })
})

describe("a cycle", () => {
  it("is told once, with its way", () => {
    assertOne(
      findingsIn({
        [`${kernel}/a.ts`]: `import { b } from "./b.ts"\nexport const a = (): number => b()\n`,
        [`${kernel}/b.ts`]: `import { c } from "./c.ts"\nexport const b = (): number => c()\n`,
        [`${kernel}/c.ts`]: `import { a } from "./a.ts"\nexport const c = (): number => a()\n`
      }),
      `${kernel}/a.ts:1:19 cycle: \`${kernel}/a.ts\` → \`${kernel}/b.ts\` → \`${kernel}/c.ts\` → \`${kernel}/a.ts\``
    )
  })

  it("is none if a type closes it, unless only its names are types", () => {
    const b = `import { a } from "./a.ts"\nexport const b = a\nexport type B = number\n`
    assert.deepStrictEqual(
      findingsIn({
        [`${kernel}/a.ts`]: `import type { B } from "./b.ts"\nexport const a: B = 1\n`,
        [`${kernel}/b.ts`]: b
      }),
      []
    )
    assertOne(
      findingsIn({
        [`${kernel}/a.ts`]: `import { type B } from "./b.ts"\nexport const a: B = 1\n`,
        [`${kernel}/b.ts`]: b
      }),
      `${kernel}/a.ts:1:24 cycle:`
    )
  })
})

describe("an outside library", () => {
  const cases = [
    ["effect/http/HttpServer", `${gate}/bad.ts`, "packages/adjudicator/src/doors/http/good.ts"],
    ["effect/http-api", "packages/adjudicator/src/bad.ts", "packages/cli/src/good.ts"],
    ["effect/cli", "packages/adjudicator/src/bad.ts", "packages/cli/src/good.ts"],
    ["kysely", `${gate}/bad.ts`, `${gate}/store/sqlite/good.ts`],
    ["better-sqlite3", "packages/cli/src/bad.ts", `${gate}/store/good.ts`]
  ] as const
  for (const [library, bad, good] of cases) {
    it(`\`${library}\` is known in its place only`, () => {
      const text = `export * from "${library}"\n`
      assertOne(findingsIn({ [bad]: text, [good]: text }), `${bad}:1:15 place: \`${library}\`:`)
    })
  }

  it("has to be declared in the package that uses it", () => {
    assertOne(
      findingsIn({ [`${gate}/bad.ts`]: `export * from "redis"\nexport * from "node:fs"\n` }),
      `${gate}/bad.ts:1:15 declared:`
    )
  })
})

describe("layering", () => {
  it("G30 is told where GateDecision or AdjudicationChainEntry reach the rule engine, however long the way", () => {
    const findings = findingsIn({
      [`${kernel}/RuleLayer.ts`]: `export type L = "user"\n`,
      [`${kernel}/evaluate.ts`]: `export const e = 1\n`,
      [`${kernel}/between.ts`]: `export * from "./evaluate.ts"\n`,
      [`${kernel}/GateDecision.ts`]: `import type { L } from "./RuleLayer.ts"\nexport type G = L\n`,
      [`${kernel}/AdjudicationChainEntry.ts`]: `export * from "./between.ts"\n`
    })
    assert.deepStrictEqual(
      findings.map((line) => line.split(": ")[0]),
      [`${kernel}/AdjudicationChainEntry.ts:1:15 free`, `${kernel}/GateDecision.ts:1:24 free`]
    )
  })

  it("keeps the small entry from loading Effect, and lets it use its types", () => {
    const fast = `export * from "./between.ts"\nimport type { Effect } from "effect"\nexport type E = Effect.Effect<1>\n`
    assertOne(
      findingsIn({
        [`${kernel}/fast.ts`]: fast,
        [`${kernel}/between.ts`]: `import { Schema } from "effect"\nexport const s = Schema.String\n`
      }),
      `${kernel}/between.ts:1:24 fast: \`${kernel}/fast.ts\` → \`${kernel}/between.ts\` loads \`effect\``
    )
    assert.deepStrictEqual(
      findingsIn({ [`${kernel}/fast.ts`]: fast, [`${kernel}/between.ts`]: "export const s = 1\n" }),
      []
    )
  })
})

describe("a module", () => {
  for (const [name, from, whom] of [
    ["reading a call knows no rules", `${kernel}/subject/url.ts`, "../RuleSet.ts"],
    ["matching knows no steps", `${kernel}/match/path.ts`, "../evaluate.ts"],
    ["judging knows no asking", `${gate}/Judge.ts`, "./Asking.ts"]
  ] as const) {
    it(`does not know what is none of its business: ${name}`, () => {
      const one = "export type One = 1\n"
      const others = { [`${kernel}/RuleSet.ts`]: one, [`${kernel}/evaluate.ts`]: one, [`${gate}/Asking.ts`]: one }
      assertOne(
        findingsIn({ ...others, [from]: `export type { One } from "${whom}"\n` }),
        `${from}:1:26 stranger: \`${whom}\`:`
      )
    })
  }

  it("of the kernel does no IO", () => {
    const text = `export * from "node:crypto"\nexport * from "node:fs"\n`
    assertOne(findingsIn({ [`${kernel}/bad.ts`]: text, [`${gate}/good.ts`]: text }), `${kernel}/bad.ts:2:15 pure:`)
  })
})

describe("an effect", () => {
  const floating = (body: string) =>
    findingsIn({
      [`${gate}/bad.ts`]: `import { Effect, Fiber, Layer, Stream } from "effect"\nexport const used = [Effect, Fiber, Layer, Stream]\n${body}\n`
    })

  for (const [name, body, column] of [
    ["a bare call", "export const f = Effect.gen(function*() {\n  Effect.log(1)\n  yield* Effect.log(2)\n})", "4:3"],
    ["a pipe", "Effect.log(1).pipe(Effect.asVoid)", "3:1"],
    [
      "a service's method",
      "declare const log: { readonly append: (text: string) => Effect.Effect<void> }\nlog.append(``)",
      "4:1"
    ],
    ["`void` before it", "void Effect.log(1)", "3:6"],
    ["a condition before it", "declare const yes: boolean\nyes && Effect.log(1)", "4:8"],
    ["a branch", "declare const yes: boolean\nyes ? Effect.log(1) : undefined", "4:7"],
    ["a name", "const later = Effect.log(1)\nlater", "4:1"],
    ["a stream", "Stream.make(1)", "3:1"],
    ["a layer", "Layer.empty", "3:1"],
    ["a callback whose result is thrown away", "const list = [1]\nlist.forEach((n) => Effect.log(n))", "4:21"],
    ["a callback with a block", "setTimeout(() => { return Effect.log(1) })", "3:18"]
  ] as const) {
    it(`that nobody runs is found: ${name}`, () => {
      assertOne(floating(body), `${gate}/bad.ts:${column} floating: this `)
    })
  }

  it("in a plain `it` is found, since such a test can't fail", () => {
    const text = `import { it } from "@effect/vitest"\nimport { Effect } from "effect"\n`
    assertOne(
      findingsIn({ "test/bad.test.ts": `${text}it("x", () => Effect.log(1))\nit.effect("y", () => Effect.log(1))\n` }),
      "test/bad.test.ts:3:15 floating:"
    )
  })

  it("that somebody runs is none of its business", () => {
    assert.deepStrictEqual(
      floating(
        [
          "export const f = Effect.gen(function*() {",
          "  yield* Effect.log(1)",
          "  const fiber = yield* Effect.forkChild(Effect.log(1))",
          "  yield* Fiber.join(fiber)",
          "  let last = Effect.log(2)",
          "  last = Effect.log(3)",
          "  return yield* last",
          "})",
          "Effect.runSync(Effect.log(1))",
          "export const g = [1].map((n) => Effect.log(n))",
          "export const h = Effect.forEach([1], (n) => Effect.log(n))",
          "export const i = Effect.log(1).pipe(Effect.andThen(() => Effect.log(2)))"
        ].join("\n")
      ),
      []
    )
  })
})

describe("the program", () => {
  const run = (root: string, script: string, ...args: readonly string[]) =>
    spawnSync(process.execPath, [join(house, script), ...args], { cwd: root, encoding: "utf8" })

  it("fails where the kernel imports the gate, and `npm run check` with it", () => {
    const root = workspace({ [`${kernel}/bad.ts`]: `export * from "@countersign/gate"\n` })
    const line = `${kernel}/bad.ts:1:15 arrow: \`kernel\` may not import \`gate\``
    const alone = run(root, "scripts/imports.ts")
    assert.strictEqual(alone.status, 1)
    assert.include(alone.stderr, line)
    const checked = run(root, "scripts/check.ts", "imports")
    assert.strictEqual(checked.status, 1)
    assert.match(checked.stdout, /^FAIL imports/)
    assert.include(checked.stdout, line)
  })

  it("passes where nothing is broken, and `npm run check` with it", () => {
    const root = workspace({})
    assert.strictEqual(run(root, "scripts/imports.ts").status, 0)
    const checked = run(root, "scripts/check.ts", "imports")
    assert.strictEqual(checked.status, 0)
    assert.match(checked.stdout, /^ok {3}imports/)
  })

  it("fails where there is nothing to check, and on a step that is none", () => {
    const empty = mkdtempSync(join(tmpdir(), "countersign-imports-"))
    made.push(empty)
    assert.notStrictEqual(run(empty, "scripts/imports.ts").status, 0)
    assert.notStrictEqual(run(empty, "scripts/check.ts", "import").status, 0)
  })
})

describe("the house", () => {
  const opened = openWorkspace(house)
  afterAll(() => opened.close())

  it("keeps every rule", () => {
    assert.isAbove(opened.imports.length, 100)
    assert.deepStrictEqual([...checkImports(opened), ...findFloatingEffects(opened)].map(render), [])
  })

  it("G30 keeps GateDecision and AdjudicationChainEntry free of the rule engine", () => {
    const files = opened.files.map(({ path }) => path)
    assert.includeMembers(files, [`${kernel}/GateDecision.ts`, `${kernel}/AdjudicationChainEntry.ts`])
    assert.deepStrictEqual(
      checkImports(opened).filter(({ rule }) => rule === "free"),
      []
    )
  })
})
