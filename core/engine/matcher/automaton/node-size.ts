import { keptIn } from '../../maps.ts'
import { ALL_ASCII, memberRanges, smallMember } from '../python/emit-set.ts'
import type { CharSet, Node } from '../python/python-ast.ts'

/** Lower-case half of ASCII: letter case is no difference here. */
const SMALL_ASCII = ALL_ASCII.filter((char) => !/[A-Z]/.test(char))

/** Memo of `setWidth` by the set's own writing: few sets, many times. */
const widths = new Map<string, number>()

function countMembers(set: CharSet, ascii: boolean): number {
  const target = { alphabet: 'skeleton', ascii, folded: true } as const
  const ranges = memberRanges(target, set)
  return SMALL_ASCII.filter((char) => smallMember(target, set, ranges, char)).length
}

/** Number of ASCII characters in the set. Upper and lower case of a letter count once. */
export function setWidth(set: CharSet, ascii: boolean): number {
  const [range] = set.ranges
  if (!set.negate && set.categories.length === 0 && set.ranges.length === 1)
    if (range !== undefined && range[0] === range[1]) return 1
  const key = `${set.negate}${set.ranges.join(';')}:${set.categories.join()}${ascii}`
  return keptIn(widths, key, () => countMembers(set, ascii))
}

/** States that the node takes when its repeats are written out. */
export function nodeSize(node: Node): number {
  switch (node.kind) {
    case 'sequence':
      return node.items.reduce((sum, item) => sum + nodeSize(item), 0)
    case 'alternation':
      return node.branches.reduce((sum, branch) => sum + nodeSize(branch), 1)
    case 'repeat':
      return nodeSize(node.body) * (node.max === Infinity ? node.min + 1 : node.max) + 1
    case 'group':
    case 'atomic':
      return nodeSize(node.body)
    case 'set':
    case 'position':
    case 'look':
    case 'reference':
      return 1
  }
}

/** Most characters that the node matches. */
export function maxWidth(node: Node): number {
  switch (node.kind) {
    case 'set':
      return 1
    case 'sequence':
      return node.items.reduce((sum, item) => sum + maxWidth(item), 0)
    case 'alternation':
      return Math.max(...node.branches.map(maxWidth))
    case 'repeat': {
      const width = maxWidth(node.body)
      return width === 0 || node.max === 0 ? 0 : node.max * width
    }
    case 'group':
    case 'atomic':
      return maxWidth(node.body)
    case 'look':
    case 'position':
      return 0
    case 'reference':
      return Infinity
  }
}
