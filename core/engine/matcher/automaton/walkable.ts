import { memberRanges, smallMember } from '../python/emit-set.ts'
import { isExact } from './exact.ts'
import { longGaps } from './gaps.ts'
import { minWidth } from '../python/python-check.ts'
import { childrenOf, type CharSet, type Node } from '../python/python-ast.ts'

/** A longer repeat of what words and the blanks between them are of makes a state for each of its characters. */
const LONGEST = 12

function goesOverWords(set: CharSet, ascii: boolean): boolean {
  const target = { alphabet: 'skeleton', ascii, folded: true } as const
  const ranges = memberRanges(target, set)
  return ['a', ' '].every((char) => smallMember(target, set, ranges, char))
}

function isTooWide(node: Node, ascii: boolean): boolean {
  if (node.kind === 'repeat' && node.body.kind === 'set' && node.max > LONGEST)
    return goesOverWords(node.body.set, ascii)
  return childrenOf(node).some((child) => isTooWide(child, ascii))
}

/**
 * [C21] Whether an automaton that is entered at one place reads the items exactly, with states that other texts
 * come to again.
 */
export function isWalkable(items: readonly Node[], ascii: boolean): boolean {
  const whole: Node = { kind: 'sequence', items }
  return isExact(whole, longGaps(ascii)) && minWidth(whole) > 0 && !isTooWide(whole, ascii)
}
