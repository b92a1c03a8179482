/** A message of a conversation that is kept as a tree, because answers were edited or made again. */
export interface TreeNode {
  readonly id: string
  readonly parent: string | null
}

/** Paths of a tree: the live one first, then what is not on an earlier path of each other leaf. */
export interface Paths<Node> {
  readonly live: readonly Node[]
  readonly left: ReadonlyArray<readonly Node[]>
}

/**
 * [I45] The path to `leaf` (without one: to the last node in file order that has no children) is live;
 * what leads to other leaves are branches that were left, each node on one path only. Cycles and
 * missing parents end a path.
 */
export function pathsOf<Node extends TreeNode>(
  nodes: readonly Node[],
  leaf: string | null,
): Paths<Node> {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const parents = new Set(nodes.map((node) => node.parent))
  const used = new Set<string>()

  function pathTo(end: Node): readonly Node[] {
    const path: Node[] = []
    for (let at: Node | undefined = end; at !== undefined && !used.has(at.id);) {
      used.add(at.id)
      path.push(at)
      at = at.parent === null ? undefined : byId.get(at.parent)
    }
    return path.toReversed()
  }

  const leaves = [...byId.values()].filter((node) => !parents.has(node.id))
  const last = (leaf === null ? undefined : byId.get(leaf)) ?? leaves.at(-1) ?? nodes.at(-1)
  const live = last === undefined ? [] : pathTo(last)
  const ends = [...leaves, ...byId.values()]
  const left = ends.map((node) => pathTo(node)).filter((path) => path.length > 0)
  return { live, left }
}
