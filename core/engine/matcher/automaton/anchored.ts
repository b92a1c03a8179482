import { hasGap, longGaps, NARROW } from './gaps.ts'
import { setWidth } from './node-size.ts'
import { minWidth } from '../python/python-check.ts'
import { childrenOf, type Node } from '../python/python-ast.ts'

/** A longer repeat of a wide set keeps a way open on nearly every text, where nothing was asked before it. */
const LONGEST_UNASKED = 12

/**
 * What the first characters of a node are: some that few texts have (`asked`), a long repeat of nearly any
 * (`long`), or neither yet (`open`).
 */
type Opening = 'asked' | 'long' | 'open'

function openingOfItems(items: readonly Node[], ascii: boolean): Opening {
  for (const item of items) {
    const opening = openingOf(item, ascii)
    if (opening !== 'open') return opening
  }
  return 'open'
}

function openingOf(node: Node, ascii: boolean): Opening {
  if (node.kind === 'position' || node.kind === 'look') return 'open'
  if (node.kind === 'set') return setWidth(node.set, ascii) > NARROW ? 'open' : 'asked'
  if (node.kind === 'alternation') {
    const all = node.branches.map((branch) => openingOf(branch, ascii))
    if (all.includes('long')) return 'long'
    return all.includes('open') ? 'open' : 'asked'
  }
  if (node.kind !== 'repeat') return openingOfItems(childrenOf(node), ascii)
  const opening = openingOf(node.body, ascii)
  if (opening === 'open') return node.max > LONGEST_UNASKED ? 'long' : 'open'
  return opening === 'asked' && node.min === 0 ? 'open' : opening
}

/**
 * [C19] Whether the items match at the beginning of a text only, and are left soon on most texts: each
 * number of characters that a repeat has read is a state of an automaton.
 */
export function isAnchored(items: readonly Node[], ascii: boolean): boolean {
  const [first, ...rest] = items
  if (first?.kind !== 'position' || first.position !== 'start') return false
  const whole: Node = { kind: 'sequence', items }
  if (hasGap(whole, longGaps(ascii)) || minWidth(whole) === 0) return false
  return openingOfItems(rest, ascii) !== 'long'
}
