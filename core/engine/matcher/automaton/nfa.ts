import type { SetList } from './alphabet.ts'
import type { Node, NodeOf, Position } from '../python/python-ast.ts'

/** A condition on the place between two characters. */
export type Condition = Exclude<Position, 'boundary' | 'notBoundary'> | WordCondition
type WordCondition = 'boundary' | 'notBoundary' | 'asciiBoundary' | 'asciiNotBoundary'

/**
 * States of a nondeterministic automaton: read one character of a set, branch, continue if a condition holds, or report
 * an event.
 */
export type State =
  | { readonly kind: 'read'; readonly set: number; readonly next: number }
  | { readonly kind: 'split'; readonly next: readonly number[] }
  | { readonly kind: 'when'; readonly condition: Condition; readonly next: number }
  | { readonly kind: 'event'; readonly event: number }

/** Collects states; patterns are built from their ends to their beginnings. */
export interface Builder {
  readonly states: State[]
  readonly sets: SetList
  readonly ascii: boolean
  /** Target state if the rest of a way is left out, because running it separately is better. */
  readonly cut: number
  /** True for a repeat that is left out. */
  readonly isGap: (node: Repeat) => boolean
  /** Told of each loop: its states are those from `from` on and before `to`; `at` as in the node. */
  readonly onLoop?: (loop: Loop) => void
}

export interface Loop {
  readonly from: number
  readonly to: number
  readonly at: number
}

export type Repeat = NodeOf<'repeat'>

export function addState(states: State[], state: State): number {
  states.push(state)
  return states.length - 1
}

function condition(position: Position, ascii: boolean): Condition {
  if (position === 'boundary') return ascii ? 'asciiBoundary' : 'boundary'
  if (position === 'notBoundary') return ascii ? 'asciiNotBoundary' : 'notBoundary'
  return position
}

/** A split whose targets are filled in later: the loop's body leads back to it. */
function addLoop(builder: Builder, { body, at }: Repeat, next: number): number {
  const targets = [next]
  const from = addState(builder.states, { kind: 'split', next: targets })
  targets.push(buildNode(builder, body, from))
  builder.onLoop?.({ from, to: builder.states.length, at })
  return from
}

function buildRepeat(builder: Builder, node: Repeat, next: number): number {
  if (builder.isGap(node)) return builder.cut
  let start = node.max === Infinity ? addLoop(builder, node, next) : next
  const optional = node.max === Infinity ? 0 : node.max - node.min
  for (let count = 0; count < optional; count += 1) {
    const body = buildNode(builder, node.body, start)
    start = addState(builder.states, { kind: 'split', next: [body, next] })
  }
  for (let count = 0; count < node.min; count += 1) start = buildNode(builder, node.body, start)
  return start
}

/** Items after a gap on every way cannot be reached, so they are not built. */
function reachable(builder: Builder, items: readonly Node[]): readonly Node[] {
  const gap = items.findIndex((item) => item.kind === 'repeat' && builder.isGap(item))
  return gap < 0 ? items : items.slice(0, gap + 1)
}

/**
 * Builds a node before the state `next` and returns its entry state. Look-arounds count as holding and atomic parts as
 * ordinary ones; a reference cuts. The result may thus match more than the node.
 */
export function buildNode(builder: Builder, node: Node, next: number): number {
  switch (node.kind) {
    case 'set': {
      const set = builder.sets.add(node.set, builder.ascii)
      return addState(builder.states, { kind: 'read', set, next })
    }
    case 'sequence':
      return reachable(builder, node.items).reduceRight(
        (after, item) => buildNode(builder, item, after),
        next,
      )
    case 'alternation': {
      const targets = node.branches.map((branch) => buildNode(builder, branch, next))
      return addState(builder.states, { kind: 'split', next: targets })
    }
    case 'repeat':
      return buildRepeat(builder, node, next)
    case 'group':
    case 'atomic':
      return buildNode(builder, node.body, next)
    case 'look':
      return next
    case 'position':
      return addState(builder.states, {
        kind: 'when',
        condition: condition(node.position, builder.ascii),
        next,
      })
    case 'reference':
      return builder.cut
  }
}
