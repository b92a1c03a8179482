import { childrenOf, type Node, type NodeOf, type PatternProblem } from './python-ast.ts'

/** Least and most characters a node can match (Infinity = no limit). */
interface Width {
  readonly min: number
  readonly max: number
}

/** State of the walk: groups that are certainly set at a position, and widths of finished groups. */
interface Walk {
  readonly widths: Map<number, Width>
  problem: PatternProblem | null
}

type Known = ReadonlySet<number>
interface Seen {
  readonly width: Width
  /** Groups surely set after the node. */
  readonly known: Known
}

const NOTHING: Width = { min: 0, max: 0 }
const ONE: Width = { min: 1, max: 1 }

function report(walk: Walk, at: number, what: string, advice: string): void {
  walk.problem ??= { what, column: at + 1, do: advice }
}

function times(count: number, width: number): number {
  return count === 0 || width === 0 ? 0 : count * width
}

/**
 * Empty iterations end a loop in Python and are undone in JavaScript. Both stop at the same place
 * when every part tries to match something before it settles for nothing; this says whether the
 * node is such a part.
 */
function prefersMore(node: Node): boolean {
  if (node.kind === 'atomic' || node.kind === 'reference') return false
  if (node.kind === 'look') return true
  if (node.kind === 'repeat' && node.mode !== 'greedy') return false
  const children = childrenOf(node)
  const settles = (child: Node): boolean =>
    node.kind === 'alternation' && child !== children.at(-1) && minWidth(child) === 0
  return children.every((child) => prefersMore(child) && !settles(child))
}

/** Least number of characters that the node matches. */
export function minWidth(node: Node): number {
  return visit({ widths: new Map(), problem: null }, node, new Set()).width.min
}

function visitSequence(walk: Walk, items: readonly Node[], known: Known): Seen {
  let min = 0
  let max = 0
  let after = known
  for (const item of items) {
    const seen = visit(walk, item, after)
    min += seen.width.min
    max += seen.width.max
    after = seen.known
  }
  return { width: { min, max }, known: after }
}

function visitAlternation(walk: Walk, branches: readonly Node[], known: Known): Seen {
  const widths = branches.map((branch) => visit(walk, branch, known).width)
  const width = {
    min: Math.min(...widths.map(({ min }) => min)),
    max: Math.max(...widths.map(({ max }) => max)),
  }
  return { width, known }
}

function visitRepeat(walk: Walk, node: NodeOf<'repeat'>, known: Known): Seen {
  const { width } = visit(walk, node.body, known)
  const empty = width.min === 0 && node.body.kind !== 'set'
  if (empty && node.min < node.max && (node.mode !== 'greedy' || !prefersMore(node.body)))
    report(
      walk,
      node.at,
      'repeats a part that can match nothing',
      'Make the repeated part match at least one character.',
    )
  const total = { min: times(node.min, width.min), max: times(node.max, width.max) }
  return { width: total, known }
}

function visitLook(walk: Walk, node: NodeOf<'look'>, known: Known): Seen {
  const seen = visit(walk, node.body, known)
  if (node.behind && seen.width.min !== seen.width.max)
    report(
      walk,
      node.at,
      'look-behind requires fixed-width pattern',
      'Give every alternative of the look-behind the same length.',
    )
  if (node.behind && holdsOrder(node.body))
    report(
      walk,
      node.at,
      'a look-behind with a reference or an atomic group cannot be translated exactly',
      'Move that part out of the look-behind.',
    )
  return { width: NOTHING, known: node.negative || node.behind ? known : seen.known }
}

/** JavaScript matches a look-behind from right to left: parts whose order matters are refused there. */
function holdsOrder(node: Node): boolean {
  if (node.kind === 'reference' || node.kind === 'atomic') return true
  if (node.kind === 'repeat' && node.mode === 'possessive') return true
  return childrenOf(node).some(holdsOrder)
}

/** An unset group fails in Python and matches nothing in JavaScript, so it must be surely set. */
function visitReference(walk: Walk, node: NodeOf<'reference'>, known: Known): Seen {
  if (!known.has(node.group))
    report(
      walk,
      node.at,
      `group ${node.group} may be unset or stem from another repetition here`,
      'Refer only to a group that is matched on every way to the reference.',
    )
  return { width: walk.widths.get(node.group) ?? { min: 0, max: Infinity }, known }
}

function visitGroup(walk: Walk, node: NodeOf<'group'>, known: Known): Seen {
  const seen = visit(walk, node.body, known)
  if (node.number === null) return seen
  walk.widths.set(node.number, seen.width)
  return { width: seen.width, known: new Set([...seen.known, node.number]) }
}

function visit(walk: Walk, node: Node, known: Known): Seen {
  switch (node.kind) {
    case 'set':
      return { width: ONE, known }
    case 'position':
      return { width: NOTHING, known }
    case 'sequence':
      return visitSequence(walk, node.items, known)
    case 'alternation':
      return visitAlternation(walk, node.branches, known)
    case 'repeat':
      return visitRepeat(walk, node, known)
    case 'group':
      return visitGroup(walk, node, known)
    case 'atomic':
      return { width: visit(walk, node.body, known).width, known }
    case 'look':
      return visitLook(walk, node, known)
    case 'reference':
      return visitReference(walk, node, known)
  }
}

/**
 * Finds what Python refuses after parsing (look-behinds of varying width) and what JavaScript's
 * matcher would answer differently. Null = the pattern can be translated exactly.
 */
export function checkPattern(root: Node): PatternProblem | null {
  const walk: Walk = { widths: new Map(), problem: null }
  visit(walk, root, new Set())
  return walk.problem
}
