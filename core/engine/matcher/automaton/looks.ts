import { gapOf, isExact, MOST_WIDE_STATES, type Gap } from './exact.ts'
import { largeGaps, type Reading } from './gaps.ts'
import { branchesOf } from '../literals.ts'
import { nodeSize } from './node-size.ts'
import { minWidth } from '../python/python-check.ts'
import type { Node, NodeOf } from '../python/python-ast.ts'
import { itemsOf, spread, trimEnd } from './spread.ts'
import { blanksToEnd } from './to-end.ts'

/** [C20] A part that must follow a position of the text, or, if negative, must not. */
export interface Look {
  readonly negative: boolean
  /** One of them is enough. */
  readonly parts: readonly LookPart[]
}

/**
 * Characters of one set, if any, followed by items that an automaton reads exactly, if any, or by the end of the text.
 */
export interface LookPart {
  readonly gap: Gap | null
  readonly items: readonly Node[]
  readonly toEnd: boolean
}

/** Looks from the beginning of the text, and from the end of a way. */
export interface Looks {
  readonly atStart: readonly Look[]
  readonly atEnd: readonly Look[]
}

export const NO_LOOKS: Looks = { atStart: [], atEnd: [] }

/** Most parts of one look: more would be a large automaton for one signal. */
const MOST_PARTS = 64

/** Parts that may be further away are left to the pattern. */
const FARTHEST = 2000

/** The part for a look that contains only characters of one set; null for other contents. */
function runOf(items: readonly Node[]): LookPart | null {
  const blanks = blanksToEnd(items)
  if (blanks !== null) return { gap: blanks, items: [], toEnd: true }
  const run = items.length === 1 ? gapOf(items[0]) : null
  if (run === null || run.min === 0) return null
  return { gap: { ...run, max: run.min }, items: [], toEnd: false }
}

function partOf(items: readonly Node[], reading: Reading): LookPart | null {
  const run = runOf(items)
  if (run !== null) return run
  const [first] = items
  const gap = first?.kind === 'repeat' && reading.isGap(first) ? gapOf(first) : null
  if (gap !== null && gap.max > FARTHEST) return null
  const rest = gap === null ? items : items.slice(1)
  const whole: Node = { kind: 'sequence', items: rest }
  if (minWidth(whole) === 0) return null
  const fits = isExact(whole, largeGaps()) && nodeSize(whole) <= MOST_WIDE_STATES
  return fits || isExact(whole, reading.isGap) ? { gap, items: rest, toEnd: false } : null
}

function lookOf({ behind, negative, body }: NodeOf<'look'>, reading: Reading): Look | null {
  if (behind) return null
  const parts: LookPart[] = []
  for (const branch of branchesOf(body))
    for (const items of spread(itemsOf(trimEnd(branch)), reading)) {
      const part = partOf(items, reading)
      if (part === null || parts.length === MOST_PARTS) return null
      parts.push(part)
    }
  return { negative, parts }
}

/** All of the nodes as looks; null if one of them is left to the pattern. */
function allLooks(nodes: readonly Node[], reading: Reading): readonly Look[] | null {
  const looks: Look[] = []
  for (const node of nodes) {
    const look = node.kind === 'look' ? lookOf(node, reading) : null
    if (look === null) return null
    looks.push(look)
  }
  return looks
}

const isLook = (node: Node | undefined): boolean => node?.kind === 'look'

/**
 * [C20] Separates the looks after `^` and after the last item from the other items. Null if there are none, or if they
 * are left to the pattern.
 */
export function partLooks(
  items: readonly Node[],
  reading: Reading,
): { readonly items: readonly Node[]; readonly looks: Looks } | null {
  const [first] = items
  const from = first?.kind === 'position' && first.position === 'start' ? 1 : 0
  let begin = from
  while (from === 1 && isLook(items[begin])) begin += 1
  let end = items.length
  while (end > begin && isLook(items[end - 1])) end -= 1
  if (begin === from && end === items.length) return null
  const atStart = allLooks(items.slice(from, begin), reading)
  const atEnd = allLooks(items.slice(end), reading)
  if (atStart === null || atEnd === null) return null
  const rest = [...items.slice(0, from), ...items.slice(begin, end)]
  return { items: rest, looks: { atStart, atEnd } }
}
