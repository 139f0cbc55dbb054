/**
 * Effects that nobody runs: a statement whose value is an `Effect` (or a `Stream`, or a `Layer`) does nothing at all,
 * and neither does one that a callback returns to somebody who throws it away.
 */
import {
  type ArrowFunction,
  type BinaryExpression,
  type ConditionalExpression,
  type ExpressionStatement,
  type FunctionExpression,
  type Node,
  type ParenthesizedExpression,
  SyntaxKind,
  type VoidExpression
} from "typescript/unstable/ast"
import { type Checker, SignatureKind, type Type, TypeFlags } from "typescript/unstable/sync"
import { type File, type Finding, placeOf, type Workspace } from "./program.ts"

type Callback = ArrowFunction | FunctionExpression

/** Every effect that is made and dropped. */
export function findFloatingEffects({ files }: Workspace): readonly Finding[] {
  return files.flatMap((file) => [...dropped(file), ...swallowed(file)])
}

/** `Effect.log("x")` as a statement, also behind `void`, `&&`, `||`, `??`, `,` and `? :`. */
function dropped(file: File): readonly Finding[] {
  const values = statements(file.source).flatMap(valuesOf)
  const types = file.checker.getTypeAtLocation(values)
  return values.flatMap((value, index) => {
    const kind = lazyKind(file.checker, types[index])
    if (kind === undefined) return []
    return [
      {
        ...placeOf(file, value),
        rule: "floating",
        message: `this ${kind} is made and never run: \`yield*\` or return it`
      }
    ]
  })
}

/** `list.forEach((x) => Effect.log(x))`, `it("…", () => Effect.gen(…))`: the one who calls back ignores what is returned. */
function swallowed(file: File): readonly Finding[] {
  const { checker } = file
  return callbacks(file.source).flatMap((callback) => {
    const signature = checker.getSignatureFromDeclaration(callback)
    const kind = lazyKind(checker, signature && checker.getReturnTypeOfSignature(signature))
    if (kind === undefined || !ignoresResult(checker, callback)) return []
    const message = `this ${kind} is returned to a caller that never runs it: use \`Effect.forEach\`, \`it.effect\` or a run function`
    return [{ ...placeOf(file, callback.body), rule: "floating", message }]
  })
}

// by assignability, never by the members of a union: that question makes the compiler of TypeScript 7.0.2 panic
function ignoresResult(checker: Checker, callback: Callback): boolean {
  const contextual = checker.getContextualType(callback)
  const wanted = contextual && checker.getNonNullableType(contextual)
  if (wanted === undefined) return false
  const results = checker
    .getSignaturesOfType(wanted, SignatureKind.Call)
    .map((each) => checker.getReturnTypeOfSignature(each))
  return (
    results.length > 0 &&
    results.every((result) => result !== undefined && checker.isTypeAssignableTo(checker.getVoidType(), result))
  )
}

const marks: readonly (readonly [property: string, kind: string])[] = [
  ["~effect/Effect", "effect"],
  ["~effect/Stream", "stream"],
  ["~effect/Layer", "layer"]
]

// a fiber can be yielded too, but it runs already
function lazyKind(checker: Checker, type: Type | undefined): string | undefined {
  if (type === undefined || (type.flags & (TypeFlags.Any | TypeFlags.Never)) !== 0) return undefined
  const present = checker.getNonNullableType(type) ?? type
  return marks.find(([property]) => checker.getPropertyOfType(present, property) !== undefined)?.[1]
}

const statements = (node: Node): readonly Node[] =>
  collect(node, (each) =>
    each.kind === SyntaxKind.ExpressionStatement ? [(each as ExpressionStatement).expression] : []
  )

const callbacks = (node: Node): readonly Callback[] =>
  collect(node, (each) =>
    each.kind === SyntaxKind.ArrowFunction || each.kind === SyntaxKind.FunctionExpression ? [each as Callback] : []
  )

/** The parts of an expression whose value is thrown away when it stands as a statement. */
function valuesOf(node: Node): readonly Node[] {
  switch (node.kind) {
    case SyntaxKind.ParenthesizedExpression:
    case SyntaxKind.VoidExpression:
      return valuesOf((node as ParenthesizedExpression | VoidExpression).expression)
    case SyntaxKind.ConditionalExpression: {
      const { whenFalse, whenTrue } = node as ConditionalExpression
      return [...valuesOf(whenTrue), ...valuesOf(whenFalse)]
    }
    case SyntaxKind.BinaryExpression: {
      const { left, operatorToken, right } = node as BinaryExpression
      if (operatorToken.kind === SyntaxKind.CommaToken) return [...valuesOf(left), ...valuesOf(right)]
      return shortCircuits.has(operatorToken.kind) ? valuesOf(right) : []
    }
    case SyntaxKind.YieldExpression:
    case SyntaxKind.AwaitExpression:
      return []
    default:
      return [node]
  }
}

const shortCircuits: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.AmpersandAmpersandToken,
  SyntaxKind.BarBarToken,
  SyntaxKind.QuestionQuestionToken
])

function collect<A>(node: Node, pick: (node: Node) => readonly A[]): readonly A[] {
  const found: A[] = []
  const visit = (each: Node): undefined => {
    found.push(...pick(each))
    each.forEachChild(visit)
    return undefined
  }
  visit(node)
  return found
}
