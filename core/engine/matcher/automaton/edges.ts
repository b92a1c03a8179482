import { TOKENS, inCategory } from '../python/char-set.ts'
import { ALL_ASCII, memberRanges, smallMember, type Target } from '../python/emit-set.ts'
import { childrenOf, type CharSet, type Node } from '../python/python-ast.ts'

/** Whether all, none, or only some ways into a node begin (or end) with a word character. */
export type Edge = 'word' | 'other' | 'unknown'

const ALPHABET = [...ALL_ASCII, ...Array.from(TOKENS)]

/** Letter case never changes whether a character is a word's, so it is left out of the question. */
function setEdge(target: Target, set: CharSet): Edge {
  if (set.ranges.some(([, to]) => to > 0x7f)) return 'unknown'
  const [range] = set.ranges
  // One literal is by far the most frequent set: no need to ask the whole alphabet.
  if (range !== undefined && set.ranges.length + set.categories.length === 1 && !set.negate)
    if (range[0] === range[1]) return wordEdge(target, [String.fromCharCode(range[0])])
  const small: Target = { ...target, folded: true }
  const ranges = memberRanges(small, set)
  return wordEdge(
    target,
    ALPHABET.filter((char) => smallMember(small, set, ranges, char)),
  )
}

function wordEdge(target: Target, members: readonly string[]): Edge {
  const words = members.filter((char) => inCategory(char, 'w', target.ascii)).length
  if (members.length === 0) return 'unknown'
  return words === members.length ? 'word' : words === 0 ? 'other' : 'unknown'
}

/** The kind of the first (or last) character of any non-empty match of the node. */
function edgeOf(target: Target, node: Node, side: 'first' | 'last'): Edge {
  switch (node.kind) {
    case 'set':
      return setEdge(target, node.set)
    case 'sequence':
      return edgeOfItems(target, node.items, side)
    case 'repeat':
    case 'group':
    case 'atomic':
      return edgeOf(target, node.body, side)
    case 'alternation': {
      const edges = new Set(node.branches.map((branch) => edgeOf(target, branch, side)))
      const [edge = 'unknown'] = edges
      return edges.size === 1 ? edge : 'unknown'
    }
    case 'look':
    case 'position':
    case 'reference':
      return 'unknown'
  }
}

/** An optional item leaves the edge to its neighbour, so both must agree; nothing there = unknown. */
export function edgeOfItems(target: Target, items: readonly Node[], side: 'first' | 'last'): Edge {
  let agreed: Edge | null = null
  for (const item of side === 'first' ? items : items.toReversed()) {
    const edge = edgeOf(target, item, side)
    if (edge === 'unknown' || (agreed !== null && agreed !== edge)) return 'unknown'
    agreed = edge
    if (!canBeEmpty(item)) return agreed
  }
  return 'unknown'
}

function canBeEmpty(node: Node): boolean {
  if (node.kind === 'set') return false
  if (node.kind === 'alternation') return node.branches.some(canBeEmpty)
  if (node.kind === 'look' || (node.kind === 'repeat' && node.min === 0)) return true
  return childrenOf(node).every(canBeEmpty)
}
