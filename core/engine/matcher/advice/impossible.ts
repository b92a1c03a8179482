import { edgeOfItems, type Edge } from '../automaton/edges.ts'
import { type Target, ALL_ASCII, memberRanges, smallMember } from '../python/emit-set.ts'
import { TOKENS } from '../python/char-set.ts'
import { minWidth } from '../python/python-check.ts'
import type { CharSet, Node, NodeOf, Pattern } from '../python/python-ast.ts'
import { branchesOf } from '../literals.ts'

/** Construct in a pattern that prevents any match. `at`: 0-based position, null if unknown. */
export interface Obstacle {
  readonly at: number | null
  readonly what: string
  readonly do: string
  /** `never`: no text matches. `branch`: one of its alternatives never matches. `rare`: matches only next to a word. */
  readonly extent: 'never' | 'branch' | 'rare'
}

type Found = Omit<Obstacle, 'extent'>
type Place = NodeOf<'position'>

interface Around {
  readonly before: readonly Node[]
  readonly after: readonly Node[]
}

const sum = (items: readonly Node[]): number =>
  items.reduce((total, item) => total + minWidth(item), 0)

const SIDE: Readonly<Record<Exclude<Edge, 'unknown'>, string>> = {
  word: 'word characters',
  other: 'characters that are no words',
}

function edgesAround(target: Target, { before, after }: Around): readonly [Edge, Edge] {
  return [edgeOfItems(target, before, 'last'), edgeOfItems(target, after, 'first')]
}

function atBoundary(target: Target, place: Place, around: Around): Found | null {
  const [left, right] = edgesAround(target, around)
  if (left === 'unknown' || right === 'unknown') return null
  if (place.position === 'boundary' ? left !== right : left === right) return null
  const what =
    place.position === 'boundary'
      ? `\\b between ${SIDE[left]}: there is never a boundary`
      : '\\B where a word begins or ends: there always is a boundary'
  return { at: place.at, what, do: 'Remove it.' }
}

function atEdge(place: Place, around: Around): Found | null {
  if (place.position === 'start' && sum(around.before) > 0)
    return { at: place.at, what: 'text stands before the start of the text', do: 'Move ^ forward.' }
  // `$` also matches before one final line feed.
  const room = place.position === 'end' ? 1 : 0
  if ((place.position === 'textEnd' || place.position === 'end') && sum(around.after) > room)
    return { at: place.at, what: 'text stands after the end of the text', do: 'Move $ to the end.' }
  return null
}

function placeProblem(target: Target, place: Place, around: Around): Found | null {
  if (place.position === 'boundary' || place.position === 'notBoundary')
    return atBoundary(target, place, around)
  return atEdge(place, around)
}

function isEmptySet(target: Target, set: CharSet): boolean {
  // Listed characters are members, so only a negated set may turn out empty.
  if (!set.negate) return set.ranges.length === 0 && set.categories.length === 0
  if (set.ranges.some(([, to]) => to > 0x7f)) return false
  const ranges = memberRanges(target, set)
  return ![...ALL_ASCII, ...Array.from(TOKENS)].some((char) =>
    smallMember(target, set, ranges, char),
  )
}

/** Why the node can never match; null = it may. Alternatives that cannot are added to `branches`. */
function obstacleOf(target: Target, node: Node, branches: Found[]): Found | null {
  switch (node.kind) {
    case 'set':
      return isEmptySet(target, node.set)
        ? { at: null, what: 'a class that holds no character', do: 'Mend the class.' }
        : null
    case 'sequence':
      return obstacleOfSequence(target, node.items, branches)
    case 'alternation':
      return obstacleOfBranches(target, node.branches, branches)
    case 'repeat':
      return node.min === 0 ? null : obstacleOf(target, node.body, branches)
    case 'group':
    case 'atomic':
      return obstacleOf(target, node.body, branches)
    case 'look':
      return node.negative ? null : obstacleOf(target, node.body, branches)
    case 'position':
    case 'reference':
      return null
  }
}

function obstacleOfBranches(
  target: Target,
  alternatives: readonly Node[],
  branches: Found[],
): Found | null {
  const found = alternatives.map((branch) => obstacleOf(target, branch, branches))
  if (found.every((one) => one !== null)) return found[0] ?? null
  branches.push(...found.filter((one) => one !== null))
  return null
}

function obstacleOfSequence(
  target: Target,
  items: readonly Node[],
  branches: Found[],
): Found | null {
  for (const [index, item] of items.entries()) {
    const around = { before: items.slice(0, index), after: items.slice(index + 1) }
    const found =
      item.kind === 'position'
        ? placeProblem(target, item, around)
        : obstacleOf(target, item, branches)
    if (found !== null) return found
  }
  return null
}

/** The ways through the outermost alternatives. */
function waysOf(root: Node): ReadonlyArray<readonly Node[]> {
  return branchesOf(root).map((node) => (node.kind === 'sequence' ? node.items : [node]))
}

/** `\b` at an end of the pattern without a word character next to it. It holds only if the text has one outside. */
function besideWord(target: Target, items: readonly Node[]): readonly Found[] {
  const found: Found[] = []
  const [first] = items
  const last = items.at(-1)
  const isBoundary = (item: Node | undefined): item is Place =>
    item?.kind === 'position' && item.position === 'boundary'
  if (isBoundary(first) && edgeOfItems(target, items.slice(1), 'first') === 'other')
    found.push({
      at: first.at,
      what: 'begins with \\b and no word character: it matches only right after a word, never after a blank',
      do: 'Remove \\b, or write (?<!\\w).',
    })
  if (isBoundary(last) && edgeOfItems(target, items.slice(0, -1), 'last') === 'other')
    found.push({
      at: last.at,
      what: 'ends with \\b and no word character: it matches only right before a word, never before a blank',
      do: 'Remove \\b, or write (?!\\w).',
    })
  return found
}

/** [C8] Reasons why a pattern, or one of its alternatives, can never match, as far as its form proves them. */
export function obstaclesOf({ root, flags }: Pattern): readonly Obstacle[] {
  const target: Target = { alphabet: 'skeleton', ascii: flags.ascii, folded: true }
  const branches: Found[] = []
  const whole = obstacleOf(target, root, branches)
  if (whole !== null) return [{ ...whole, extent: 'never' }]
  const rare = waysOf(root).flatMap((items) => besideWord(target, items))
  return [
    ...branches.map((one): Obstacle => ({ ...one, extent: 'branch' })),
    ...rare.map((one): Obstacle => ({ ...one, extent: 'rare' })),
  ]
}
