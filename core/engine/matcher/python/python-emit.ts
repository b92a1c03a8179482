import { edgeOfItems } from '../automaton/edges.ts'
import { UNICODE_CLASS, emitSet, type Alphabet, type Target } from './emit-set.ts'
import { minWidth } from './python-check.ts'
import type { Node, NodeOf, Position } from './python-ast.ts'

interface Emitter extends Target {
  /** Python group numbers that are referred to; other groups do not capture. */
  readonly references: ReadonlySet<number>
  /** Number of the next capturing group of the emitted pattern. */
  next: number
  /** Python group number → group number in the emitted pattern. */
  readonly numbers: Map<number, number>
  readonly word: string
}

const WORD_CLASS: Readonly<Record<Alphabet, string>> = {
  native: '\\w',
  skeleton: '0-9A-Z_a-z\\xe0\\xe1',
  unicode: UNICODE_CLASS.w,
}

/**
 * `\b`. Native if it means the same, else by look-around. Uses a single look-around if the adjacent part shows which
 * side the word is on (engines skip ahead over those).
 */
function emitBoundary(emitter: Emitter, before: readonly Node[], after: readonly Node[]): string {
  const w = emitter.word
  if (emitter.alphabet === 'native' || emitter.ascii) return '\\b'
  const right = edgeOfItems(emitter, after, 'first')
  if (right === 'word') return `(?<![${w}])`
  if (right === 'other') return `(?<=[${w}])`
  const left = edgeOfItems(emitter, before, 'last')
  if (left === 'word') return `(?![${w}])`
  if (left === 'other') return `(?=[${w}])`
  return `(?:(?<=[${w}])(?![${w}])|(?<![${w}])(?=[${w}]))`
}

/** Python's `\B` fails on an empty text; JavaScript's does not. */
function emitNotBoundary(emitter: Emitter): string {
  const w = emitter.word
  if (emitter.alphabet === 'native' || emitter.ascii) return '(?!^$)\\B'
  return `(?!^$)(?:(?<=[${w}])(?=[${w}])|(?<![${w}])(?![${w}]))`
}

const POSITIONS: Readonly<Record<Exclude<Position, 'boundary' | 'notBoundary'>, string>> = {
  start: '^',
  lineStart: '(?<![^\\n])',
  end: '(?=\\n?$)',
  lineEnd: '(?![^\\n])',
  textEnd: '$',
}

function emitSequence(emitter: Emitter, items: readonly Node[]): string {
  return items
    .map((item, index) => {
      if (item.kind !== 'position') return emit(emitter, item)
      if (item.position === 'boundary')
        return emitBoundary(emitter, items.slice(0, index), items.slice(index + 1))
      return emit(emitter, item)
    })
    .join('')
}

function countText(min: number, max: number): string {
  if (max === Infinity) return min === 0 ? '*' : min === 1 ? '+' : `{${min},}`
  if (min === 0 && max === 1) return '?'
  return min === max ? `{${min}}` : `{${min},${max}}`
}

function emitRepeat(emitter: Emitter, node: NodeOf<'repeat'>): string {
  if (node.mode === 'possessive') {
    // Python also makes each repetition atomic, which matters if several are required.
    const locked = node.min > 1 && node.body.kind !== 'set'
    const body: Node = locked ? { kind: 'atomic', body: node.body, at: node.at } : node.body
    return emitAtomic(emitter, { ...node, body, mode: 'greedy' })
  }
  const body = emit(emitter, node.body)
  const atom = node.body.kind === 'set' ? body : `(?:${body})`
  return atom + countText(node.min, node.max) + (node.mode === 'lazy' ? '?' : '')
}

/** A look-ahead is not re-entered on failure, and the reference repeats exactly the text that it captured. */
function emitAtomic(emitter: Emitter, body: Node): string {
  const number = emitter.next
  emitter.next += 1
  return `(?:(?=(${emit(emitter, body)}))\\${number})`
}

function emitGroup(emitter: Emitter, number: number | null, body: Node): string {
  if (number === null || !emitter.references.has(number)) return `(?:${emit(emitter, body)})`
  emitter.numbers.set(number, emitter.next)
  emitter.next += 1
  return `(${emit(emitter, body)})`
}

function emitLook(emitter: Emitter, node: NodeOf<'look'>): string {
  return `(?${node.behind ? '<' : ''}${node.negative ? '!' : '='}${emit(emitter, node.body)})`
}

function emit(emitter: Emitter, node: Node): string {
  switch (node.kind) {
    case 'set':
      return emitSet(emitter, node.set)
    case 'sequence':
      return emitSequence(emitter, node.items)
    case 'alternation':
      return `(?:${node.branches.map((branch) => emit(emitter, branch)).join('|')})`
    case 'repeat':
      return emitRepeat(emitter, node)
    case 'group':
      return emitGroup(emitter, node.number, node.body)
    case 'atomic':
      return emitAtomic(emitter, node.body)
    case 'look':
      return emitLook(emitter, node)
    case 'position':
      if (node.position === 'boundary') return emitBoundary(emitter, [], [])
      if (node.position === 'notBoundary') return emitNotBoundary(emitter)
      return POSITIONS[node.position]
    case 'reference':
      return `(?:\\${emitter.numbers.get(node.group) ?? 0})`
  }
}

/** With flag `v` an empty match could start inside a surrogate pair, where Python has no position. */
const BETWEEN_CHARACTERS = '(?:^|(?<=[^]))'

/** Writes the pattern for one target. Flags are none, or `v` for the Unicode alphabet. */
export function emitPattern(root: Node, target: Target, references: ReadonlySet<number>): string {
  const word = WORD_CLASS[target.alphabet]
  const text = emit({ ...target, references, next: 1, numbers: new Map(), word }, root)
  return target.alphabet === 'unicode' && minWidth(root) === 0 ? BETWEEN_CHARACTERS + text : text
}
