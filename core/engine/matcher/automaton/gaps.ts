import { maxWidth, nodeSize, setWidth } from './node-size.ts'
import { childrenOf, type Node } from '../python/python-ast.ts'
import type { Repeat } from './nfa.ts'
import { keptIn } from '../../maps.ts'

/** A set with more ASCII characters than this is wide. */
export const NARROW = 12
/** Wide repeats up to this count are written out. */
const SHORT_REPEAT = 6
/** Most states that one repeat is written out to. */
const MOST_COPIES = 400

/** Which repeats are left out of an automaton. */
export type IsGap = (node: Repeat) => boolean

function remember(decide: IsGap): IsGap {
  const known = new WeakMap<Repeat, boolean>()
  return (node) => keptIn(known, node, () => decide(node))
}

/**
 * Repeats that would create too many states. The part after "any 40 characters" can begin at 40 positions, and an
 * automaton would have to remember each.
 */
export function wideGaps(ascii: boolean): IsGap {
  return remember((node) => {
    if (nodeSize(node) > MOST_COPIES) return true
    if (node.max <= SHORT_REPEAT) return false
    return node.body.kind === 'set' && setWidth(node.body.set, ascii) > NARROW
  })
}

/** Repeats that are too large to be written out at all. */
export function largeGaps(): IsGap {
  return remember((node) => nodeSize(node) > MOST_COPIES)
}

/**
 * Maximum states for a part that is read only from the beginning of a text, and the longest repeat of a wide set in it.
 */
const MOST_FROM_START = 3000
const LONGEST_FROM_START = 120

/**
 * [C19] Repeats that are too long for an automaton that is entered only at the beginning of a text. There, each number
 * of characters is one state, independent of other matches.
 */
export function longGaps(ascii: boolean): IsGap {
  return remember((node) => {
    if (nodeSize(node) > MOST_FROM_START) return true
    if (node.max <= LONGEST_FROM_START || node.max === Infinity) return false
    return node.body.kind === 'set' && setWidth(node.body.set, ascii) > NARROW
  })
}

/** Does a way through the node meet a gap, or a reference, which is one? */
export function hasGap(node: Node, isGap: IsGap): boolean {
  if (node.kind === 'look') return false
  if (node.kind === 'reference' || (node.kind === 'repeat' && isGap(node))) return true
  return childrenOf(node).some((child) => hasGap(child, isGap))
}

/** Minimum evidence that a text must contain for a node to match, over all paths through the node. */
export interface Strength {
  readonly through: number
  /** Of ways that end at a gap. */
  readonly cut: number
}

const POSITION_STRENGTH: ReadonlyMap<string, number> = new Map([
  ['start', 3],
  ['lineStart', 1.5],
  ['end', 3],
  ['textEnd', 3],
  ['boundary', 0.3],
])

export interface Reading {
  readonly ascii: boolean
  readonly isGap: IsGap
}

export function strengthOfItems(items: readonly Node[], reading: Reading): Strength {
  let through = 0
  let cut = Infinity
  for (const item of items) {
    const one = strengthOf(item, reading)
    cut = Math.min(cut, through + one.cut)
    through += one.through
  }
  return { through, cut }
}

function strengthOfWidth(width: number): number {
  if (width <= 2) return 1
  return width <= NARROW ? 0.3 : 0
}

function strengthOf(node: Node, reading: Reading): Strength {
  const plain = (through: number): Strength => ({ through, cut: Infinity })
  switch (node.kind) {
    case 'set':
      return plain(strengthOfWidth(setWidth(node.set, reading.ascii)))
    case 'sequence':
      return strengthOfItems(node.items, reading)
    case 'alternation': {
      const all = node.branches.map((branch) => strengthOf(branch, reading))
      return {
        through: Math.min(...all.map((one) => one.through)),
        cut: Math.min(...all.map((one) => one.cut)),
      }
    }
    case 'repeat': {
      if (reading.isGap(node)) return { through: Infinity, cut: 0 }
      const { through, cut } = strengthOf(node.body, reading)
      return { through: node.min === 0 ? 0 : node.min * through, cut }
    }
    case 'group':
    case 'atomic':
      return strengthOf(node.body, reading)
    case 'position':
      return plain(POSITION_STRENGTH.get(node.position) ?? 0)
    case 'look':
      return plain(0)
    case 'reference':
      return { through: Infinity, cut: 0 }
  }
}

/** Most characters that the items match together. */
export function reachOf(items: readonly Node[]): number {
  return items.reduce((sum, item) => sum + maxWidth(item), 0)
}
