import { isAny, type Gap } from './exact.ts'
import { maxWidth } from './node-size.ts'
import type { Node } from '../python/python-ast.ts'

/** Represents no limit, because numbers of events are kept in 32 bits. */
export const NO_LIMIT = 0x7fffffff

const ENDS: ReadonlySet<string> = new Set(['end', 'textEnd'])

function isBlank(node: Node): boolean {
  if (node.kind !== 'repeat' || node.body.kind !== 'set') return false
  const { negate, categories, ranges } = node.body.set
  return !negate && ranges.length === 0 && categories.every((one) => one === 's')
}

/** [C20] `\s*$` and similar: only that many blanks up to the end of the text. Null for other nodes. */
export function blanksToEnd([blanks, end, ...others]: readonly Node[]): Gap | null {
  if (blanks?.kind !== 'repeat' || !isBlank(blanks) || others.length > 0) return null
  if (end?.kind !== 'position' || !ENDS.has(end.position)) return null
  const { body, min, max } = blanks
  const isWhole = body.kind === 'set' && body.set.categories.length > 0 && max === Infinity
  return isWhole ? { set: body.set, min, max } : null
}

/** Maximum distance of a position from the end of the text at which the node holds, not counting blanks there. */
function leftAt(node: Node): number {
  if (node.kind === 'position') return ENDS.has(node.position) ? 0 : Infinity
  // No `[\s\S]{300}` may follow: fewer than 300 characters do.
  if (node.kind !== 'look' || node.behind || !node.negative || node.body.kind !== 'repeat')
    return Infinity
  const { body, min } = node.body
  return body.kind === 'set' && isAny(body.set) ? min - 1 : Infinity
}

/**
 * [C18] Maximum characters from the beginning of a match of the items to the last character of the text that is not a
 * blank. Applies to items that must end with the text, or near its end.
 */
export function mostToEnd(items: readonly Node[]): number {
  let most = Infinity
  for (const [at, item] of items.entries()) {
    const left = leftAt(item)
    if (left === Infinity) continue
    const before = items.slice(0, at)
    const last = before.at(-1)
    const filled = left === 0 && last !== undefined && isBlank(last) ? before.slice(0, -1) : before
    most = Math.min(most, left + filled.reduce((sum, node) => sum + maxWidth(node), 0))
  }
  return Math.min(most, NO_LIMIT)
}

/**
 * Characters of the text up to the last one that is certainly not a blank, counted in code points. Characters above
 * U+007E count as blanks, so more positions are examined, and none is missed.
 */
export function filledLength(text: string, count: number): number {
  let unit = text.length
  while (unit > 0) {
    const code = text.charCodeAt(unit - 1)
    if (code > 0x20 && code < 0x7f) break
    unit -= 1
  }
  return count - (text.length - unit)
}
