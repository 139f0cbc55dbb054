/**
 * The workspace as TypeScript itself reads it: its projects, their files and every import in them. `imports.ts` and
 * `effects.ts` hold the rules over it.
 */
import { globSync, readFileSync } from "node:fs"
import { dirname, join, relative, resolve, sep } from "node:path"
import { type Node, type SourceFile, SyntaxKind } from "typescript/unstable/ast"
import { API, type Checker } from "typescript/unstable/sync"

/** A place in a file, counted from 1, with the sentence that says what is wrong there. */
export interface Finding {
  readonly file: string
  readonly line: number
  readonly column: number
  readonly rule: string
  readonly message: string
}

/** One file of the workspace; `path` is relative to its root, with `/`. */
export interface File {
  readonly path: string
  readonly source: SourceFile
  readonly checker: Checker
}

/** One import, re-export, dynamic import or import type. */
export interface Import {
  readonly from: string
  readonly line: number
  readonly column: number
  readonly specifier: string
  /** It is erased: nothing is loaded at run time. */
  readonly typeOnly: boolean
  /** The file of the workspace that it means, where it means one. */
  readonly target: string | undefined
}

/** A package of the workspace, as its `package.json` describes it. */
export interface Package {
  readonly folder: string
  readonly name: string
  /** Sub-path (`.`, `./fast`) to source file, relative to the root. */
  readonly doors: ReadonlyMap<string, string>
  readonly dependencies: readonly string[]
}

/** What there is to look at; `close` ends the compiler's process. */
export interface Workspace {
  readonly packages: readonly Package[]
  readonly files: readonly File[]
  readonly imports: readonly Import[]
  readonly close: () => void
}

/** Opens every TypeScript project below `root`. A root without one is an error: nothing would have been checked. */
export function openWorkspace(root: string): Workspace {
  const configs = globSync(["tsconfig.test.json", "{packages,examples,test}/**/tsconfig*.json"], {
    cwd: root,
    exclude: (name) => name === "node_modules" || name === "dist"
  })
  if (configs.length === 0) throw new Error(`no TypeScript project below \`${root}\``)
  const packages = globSync("packages/*/package.json", { cwd: root })
    .map((file) => readPackage(root, file))
    .sort(byName)
  const api = new API({ cwd: root })
  const files = new Map<string, File>()
  for (const project of api
    .updateSnapshot({ openProjects: configs.map((file) => resolve(root, file)) })
    .getProjects()) {
    for (const name of project.rootFiles) {
      const path = slashed(relative(root, name))
      const source = project.program.getSourceFile(name)
      if (source !== undefined && !files.has(path)) files.set(path, { path, source, checker: project.checker })
    }
  }
  const sorted = [...files.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
  return {
    packages,
    files: sorted,
    imports: sorted.flatMap((file) => file.source.imports.map((node) => readImport(file, node, packages))),
    close: () => api.close()
  }
}

/** Where a node stands, counted from 1 as editors do. */
export function placeOf(
  file: File,
  node: Node
): { readonly file: string; readonly line: number; readonly column: number } {
  const { character, line } = file.source.getLineAndCharacterOfPosition(node.getStart(file.source))
  return { file: file.path, line: line + 1, column: character + 1 }
}

/** The folder of the package that a file belongs to (`packages/kernel`), if it belongs to one. */
export function packageFolder(path: string): string | undefined {
  return /^packages\/[^/]+/.exec(path)?.[0]
}

/** `@scope/name/sub` → `@scope/name`, `effect/http` → `effect`. */
export function packageName(specifier: string): string {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/")
}

function readPackage(root: string, file: string): Package {
  const json: {
    readonly name: string
    readonly exports?: Readonly<Record<string, { readonly source?: string }>>
    readonly [kind: string]: unknown
  } = JSON.parse(readFileSync(join(root, file), "utf8"))
  const folder = slashed(dirname(file))
  const doors = Object.entries(json.exports ?? {}).flatMap(([door, { source }]) =>
    source === undefined ? [] : [[door, `${folder}/${source.replace(/^\.\//, "")}`] as const]
  )
  const kinds = ["dependencies", "peerDependencies", "optionalDependencies"]
  const dependencies = kinds.flatMap((kind) => Object.keys(json[kind] ?? {}))
  return { folder, name: json.name, doors: new Map(doors), dependencies }
}

function readImport(file: File, node: Node, packages: readonly Package[]): Import {
  const specifier = "text" in node ? String(node.text) : node.getText(file.source)
  const { column, line } = placeOf(file, node)
  const target = specifier.startsWith(".")
    ? slashed(join(dirname(file.path), specifier))
    : doorOf(
        packages.find(({ name }) => name === packageName(specifier)),
        specifier
      )
  return { from: file.path, line, column, specifier, typeOnly: erased(node), target }
}

function doorOf(found: Package | undefined, specifier: string): string | undefined {
  return found?.doors.get(`.${specifier.slice(found.name.length)}`)
}

// `import { type A } from "x"` still loads `x` (verbatimModuleSyntax): only a whole `import type` is erased
function erased({ parent }: Node): boolean {
  if (parent.kind === SyntaxKind.ImportDeclaration && "importClause" in parent) {
    const clause = parent.importClause as { readonly phaseModifier?: SyntaxKind } | undefined
    return clause?.phaseModifier === SyntaxKind.TypeKeyword
  }
  if (parent.kind === SyntaxKind.ExportDeclaration && "isTypeOnly" in parent) return parent.isTypeOnly === true
  return parent.kind === SyntaxKind.LiteralType || parent.kind === SyntaxKind.ImportType
}

const slashed = (path: string): string => path.split(sep).join("/")

const byName = (a: Package, b: Package): number => (a.name < b.name ? -1 : 1)
