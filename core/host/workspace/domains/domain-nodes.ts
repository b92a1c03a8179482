import { type Document, type Node, isMap, isPair, isScalar, isSeq } from 'yaml'

/** A separately parsed piece of a YAML text. `base` is its offset in the whole text. */
export interface Piece {
  readonly document: Document
  readonly node: Node | null
  readonly base: number
}

/** Half-open, in UTF-16 units of the whole text. */
export interface Extent {
  readonly from: number
  readonly to: number
}

/** Extent of the node at `path` below the piece's, or of the nearest one above it that exists. */
export function extentAt({ node, base }: Piece, path: readonly PropertyKey[]): Extent {
  let at: unknown = node
  let found = rangeOf(node) ?? [0, 0]
  for (const step of path) {
    at = childOf(at, step)
    found = rangeOf(at) ?? found
    if (at === null) break
  }
  return { from: base + found[0], to: base + Math.max(found[0], found[1]) }
}

/** Extent of a key itself, for a key that should not be there. */
export function keyExtentAt(piece: Piece, path: readonly PropertyKey[], key: string): Extent {
  let at: unknown = piece.node
  for (const step of path) at = childOf(at, step)
  const pair = isMap(at) ? at.items.find((each) => keyOf(each.key) === key) : undefined
  const range = pair === undefined ? null : rangeOf(pair.key)
  if (range === null) return extentAt(piece, path)
  return { from: piece.base + range[0], to: piece.base + range[1] }
}

/** The node at `path`, or null. */
export function nodeAt({ node }: Pick<Piece, 'node'>, path: readonly PropertyKey[]): unknown {
  let at: unknown = node
  for (const step of path) at = childOf(at, step)
  return at
}

function childOf(node: unknown, step: PropertyKey): unknown {
  if (isSeq(node) && typeof step === 'number') return node.items[step] ?? null
  if (!isMap(node)) return null
  const pair = node.items.find((each) => keyOf(each.key) === step)
  return pair !== undefined && isPair(pair) ? pair.value : null
}

function keyOf(key: unknown): unknown {
  return isScalar(key) ? key.value : key
}

function rangeOf(node: unknown): readonly [number, number] | null {
  if (typeof node !== 'object' || node === null || !('range' in node)) return null
  const { range } = node
  if (!Array.isArray(range)) return null
  const [from, to] = range as readonly unknown[]
  return typeof from === 'number' && typeof to === 'number' ? [from, to] : null
}

/** Source units of each unit in a quoted value. */
const ESCAPED = /\\(?:x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8}|\r?\n[ \t]*|[^])|[^]/giu

/**
 * Source offset of unit `column` (from 1) in a scalar's value. Null if it cannot be determined (a block of several
 * lines, an alias).
 */
export function offsetInScalar(
  source: string,
  node: unknown,
  { base, column }: { readonly base: number; readonly column: number },
): number | null {
  const range = rangeOf(node)
  if (range === null || !isScalar(node)) return null
  const [from] = range
  const quoted = node.type === 'QUOTE_DOUBLE' || node.type === 'QUOTE_SINGLE'
  if (!quoted && node.type !== 'PLAIN') return null
  const start = base + from + (quoted ? 1 : 0)
  if (!quoted) return start + column - 1
  const rest = source.slice(start, base + range[1] - 1)
  const units = node.type === 'QUOTE_DOUBLE' ? rest.match(ESCAPED) : rest.match(/''|[^]/gu)
  const before = (units ?? []).slice(0, column - 1)
  return start + before.reduce((sum, unit) => sum + unit.length, 0)
}
