import { childrenOf, type CharSet, type Node } from '../python/python-ast.ts'
import type { IsGap } from './gaps.ts'

/** True when the automaton answers for the node as the pattern does. */
export function isExact(node: Node, isGap: IsGap): boolean {
  if (node.kind === 'set') return node.set.ignoreCase
  if (node.kind === 'atomic' || node.kind === 'look' || node.kind === 'reference') return false
  if (node.kind === 'repeat' && (node.mode === 'possessive' || isGap(node))) return false
  return childrenOf(node).every((child) => isExact(child, isGap))
}

/** Largest way that is taken into the automaton of wide ways. */
export const MOST_WIDE_STATES = 600

/** So many characters of one set, and no more than so many. */
export interface Gap {
  readonly set: CharSet
  readonly min: number
  readonly max: number
}

/** The characters of a gap are looked at one by one: longer ones are left to the pattern. */
const LONGEST_GAP = 400

/** Any character at all, as `[\s\S]` is written. */
export function isAny({ negate, categories, ranges }: CharSet): boolean {
  const kinds = new Set<string>(categories)
  const halves = [...kinds].some(
    (one) => kinds.has(one.toUpperCase()) && kinds.has(one.toLowerCase()),
  )
  return !negate && ranges.length === 0 && halves
}

/** The node as characters of one set; null if it is something else, or exceeds the limit. */
export function gapOf(node: Node | undefined): Gap | null {
  if (node?.kind === 'set') return node.set.ignoreCase ? { set: node.set, min: 1, max: 1 } : null
  if (node?.kind !== 'repeat' || node.mode === 'possessive') return null
  const { body, min, max } = node
  if (body.kind !== 'set' || !body.set.ignoreCase) return null
  return max <= LONGEST_GAP || isAny(body.set) ? { set: body.set, min, max } : null
}
