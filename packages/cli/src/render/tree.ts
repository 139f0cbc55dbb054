/** A tree in plain text: agents below the agent that spawned them. */

/** A node that knows its parent. */
export interface TreeNode {
  readonly id: string
  readonly parentId: string | undefined
  readonly label: string
}

/** The lines of a forest; a node whose parent isn't among them is a root. */
export function treeLines(nodes: readonly TreeNode[]): readonly string[] {
  const ids = new Set(nodes.map(({ id }) => id))
  const below = (id: string) => nodes.filter(({ parentId }) => parentId === id)
  const draw = (node: TreeNode, prefix: string, seen: ReadonlySet<string>): readonly string[] =>
    seen.has(node.id)
      ? []
      : below(node.id).flatMap((child, index, children) => {
          const last = index === children.length - 1
          return [
            `${prefix}${last ? "└─ " : "├─ "}${child.label}`,
            ...draw(child, `${prefix}${last ? "   " : "│  "}`, new Set([...seen, node.id]))
          ]
        })
  return nodes
    .filter(({ parentId }) => parentId === undefined || !ids.has(parentId))
    .flatMap((root) => [root.label, ...draw(root, "", new Set())])
}
