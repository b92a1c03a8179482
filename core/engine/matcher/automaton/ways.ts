import { branchesOf } from '../literals.ts'
import { memberRanges, smallMember } from '../python/emit-set.ts'
import { childrenOf, type CharSet, type Node, type Pattern } from '../python/python-ast.ts'
import { minWidth } from '../python/python-check.ts'
import { edgeOfItems } from './edges.ts'
import { gapOf, isExact, MOST_WIDE_STATES, type Gap } from './exact.ts'
import {
  hasGap,
  largeGaps,
  longGaps,
  NARROW,
  reachOf,
  strengthOfItems,
  wideGaps,
  type Reading,
} from './gaps.ts'
import { NO_LOOKS, partLooks, type Looks } from './looks.ts'
import { nodeSize, setWidth } from './node-size.ts'
import { beginsWide, itemsOf, spread, trimEnd, trimStart } from './spread.ts'
import { mostToEnd, NO_LIMIT } from './to-end.ts'

/**
 * A way a pattern may match (one of its outermost alternatives, as a sequence), and how an automaton finds it. A text
 * matches the pattern if it matches one of its ways.
 *
 * - `exact`: a match of the automaton is a match of the way.
 * - `begun`: the pattern may match from the position where the automaton entered.
 * - `split`: it may match if the head is found and then, within `reach` characters, the tail.
 * - `anchored`: it matches only at the beginning of a text. With `exact`, a match of the automaton is a match there;
 *   otherwise it may be one.
 * - `walked`: it matches if the head is found and the rest follows it.
 * - `weak`: neither pays, because it would begin nearly everywhere.
 * - `skipped`: characters that the pattern matches before the position where the automaton enters.
 * - `most`: see `mostToEnd`.
 * - `looks`: further conditions if it is exact, or split with a gap (C20).
 */
export type Way =
  | {
      readonly kind: 'exact' | 'begun'
      readonly items: readonly Node[]
      readonly wide: boolean
      readonly skipped: number
      readonly most: number
      readonly looks: Looks
    }
  | {
      readonly kind: 'split'
      readonly skipped: number
      readonly head: readonly Node[]
      readonly tail: readonly Node[]
      readonly reach: number
      readonly gap: Gap | null
      /** [C21] The items after the head, if they can be read from there; null if the pattern must run. */
      readonly rest: readonly Node[] | null
      readonly most: number
      readonly looks: Looks
    }
  | {
      readonly kind: 'anchored'
      readonly items: readonly Node[]
      readonly exact: boolean
      readonly most: number
      readonly looks: Looks
    }
  | {
      readonly kind: 'walked'
      readonly head: readonly Node[]
      readonly rest: readonly Node[]
      readonly looks: Looks
    }
  | { readonly kind: 'weak'; readonly items: readonly Node[] }

/** Minimum strength at which running the pattern from a begun way pays. */
const STRONG = 2
/** Least strength of a head, of a tail, and of both. */
const SPLIT = { head: 1, tail: 1.5, both: 3 } as const
/** Most ways that alternatives inside a way are spread to. */
const MOST_WAYS = 64

interface Cut {
  /** First item of the tail. */
  readonly at: number
  readonly strength: number
}

/** A tail is looked for at many places: it must not begin with a blank, nor with nearly anything. */
function opensTail(item: Node, reading: Reading): boolean {
  if (item.kind === 'position') return item.position === 'boundary'
  return (
    item.kind !== 'look' &&
    strengthOfItems([item], reading).through >= 1 &&
    !beginsWide(item, reading.ascii)
  )
}

/** The best start of the tail: its strongest position after the first gap. */
function tailOf(items: readonly Node[], gap: number, reading: Reading): Cut {
  let best: Cut = { at: items.length, strength: 0 }
  for (let at = gap + 1; at < items.length; at += 1) {
    const item = items[at]
    if (item === undefined || !opensTail(item, reading)) continue
    const { through, cut } = strengthOfItems(items.slice(at), reading)
    const strength = Math.min(through, cut, 5)
    if (strength > best.strength) best = { at, strength }
  }
  return best
}

/** The rest of a word after a character that is not of a word begins at a boundary, even without `\b`. */
function tailItems(items: readonly Node[], at: number, ascii: boolean): readonly Node[] {
  const target = { alphabet: 'skeleton', ascii, folded: true } as const
  const tail = items.slice(at)
  const before = edgeOfItems(target, items.slice(0, at), 'last')
  if (before !== 'other' || edgeOfItems(target, tail, 'first') !== 'word') return tail
  return [{ kind: 'position', position: 'boundary', at: 0 }, ...tail]
}

/**
 * [C17] Between head and tail there is nothing but a repeat of one set: a head and a tail, so far apart and
 * with characters of the set between them, are a match.
 */
const onlyGap = ([node, ...others]: readonly Node[]): Gap | null =>
  others.length > 0 ? null : gapOf(node)

interface Place {
  readonly skipped: number
  readonly most: number
}

function splitWay(items: readonly Node[], reading: Reading, { skipped, most }: Place): Way | null {
  const gap = items.findIndex((item) => hasGap(item, reading.isGap))
  if (gap < 0) return null
  const head = items.slice(0, gap)
  const strength = strengthOfItems(head, reading).through
  const { at, strength: ofTail } = tailOf(items, gap, reading)
  if (strength < SPLIT.head || ofTail < SPLIT.tail || strength + ofTail < SPLIT.both) return null
  const tail = tailItems(items, at, reading.ascii)
  const between = items.slice(gap, at)
  const exact = skipped === 0 && head.every((node) => isExact(node, reading.isGap))
  const isTail = exact && tail.every((node) => isExact(node, reading.isGap))
  const rest = items.slice(gap)
  return {
    kind: 'split',
    head,
    tail,
    skipped,
    most,
    reach: reachOf(between),
    gap: isTail ? onlyGap(between) : null,
    rest: exact && isWalkable(rest, reading.ascii) ? rest : null,
    looks: NO_LOOKS,
  }
}

/** Leading single characters of nearly any kind are not worth entering for. */
function leadingWide(items: readonly Node[], ascii: boolean): number {
  const at = items.findIndex((item) => item.kind !== 'set' || !beginsWide(item, ascii))
  return Math.max(at, 0)
}

/** [C21] A strong head that is read exactly, followed by a part that is read from its end. */
function walkedWay(items: readonly Node[], reading: Reading): Way | null {
  const gap = items.findIndex((item) => hasGap(item, reading.isGap))
  const head = items.slice(0, Math.max(gap, 0))
  const rest = items.slice(head.length)
  const whole: Node = { kind: 'sequence', items: head }
  if (strengthOfItems(head, reading).through < STRONG || minWidth(whole) === 0) return null
  if (!isExact(whole, reading.isGap) || !isWalkable(rest, reading.ascii)) return null
  return { kind: 'walked', head, rest, looks: NO_LOOKS }
}

function plainWayOf(items: readonly Node[], reading: Reading): Way {
  const whole: Node = { kind: 'sequence', items }
  const looks = NO_LOOKS
  if (isAnchored(items, reading.ascii)) {
    const exact = isExact(whole, longGaps(reading.ascii))
    return { kind: 'anchored', items, exact, most: mostToEnd(items), looks }
  }
  const filled = minWidth(whole) > 0
  const skipped = leadingWide(items, reading.ascii)
  const rest = items.slice(skipped)
  if (filled && skipped === 0 && isExact(whole, reading.isGap))
    return { kind: 'exact', items, wide: false, skipped, most: NO_LIMIT, looks }
  const most = mostToEnd(items)
  const split = splitWay(rest, reading, { skipped, most })
  if (split !== null) return split
  const walked = filled && skipped === 0 ? walkedWay(items, reading) : null
  if (walked !== null) return walked
  const { through, cut } = strengthOfItems(rest, reading)
  if (filled && Math.min(through, cut) >= STRONG)
    return { kind: 'begun', items: rest, wide: false, skipped, most, looks }
  if (filled && isExact(whole, largeGaps()) && nodeSize(whole) <= MOST_WIDE_STATES)
    return { kind: 'exact', items, wide: true, skipped: 0, most: NO_LIMIT, looks }
  return { kind: 'weak', items }
}

/** [C20] The way without its looks, if the automata decide both; null otherwise. */
function lookingWayOf(items: readonly Node[], reading: Reading): Way | null {
  const parted = partLooks(items, reading)
  if (parted === null) return null
  const way = plainWayOf(parted.items, reading)
  const { looks } = parted
  if (way.kind === 'exact') return { ...way, looks }
  if (way.kind === 'anchored' && way.exact) return { ...way, most: NO_LIMIT, looks }
  if (way.kind === 'walked') return { ...way, looks }
  return way.kind === 'split' && (way.gap !== null || way.rest !== null)
    ? { ...way, most: NO_LIMIT, looks }
    : null
}

const wayOf = (items: readonly Node[], reading: Reading): Way =>
  lookingWayOf(items, reading) ?? plainWayOf(items, reading)

/** The ways of a pattern. */
export function waysOf({ root, flags }: Pattern): readonly Way[] {
  const reading: Reading = { ascii: flags.ascii, isGap: wideGaps(flags.ascii) }
  const branches = branchesOf(root).map((branch) => itemsOf(trimEnd(branch)))
  const spreadOut = branches.flatMap((items) => spread(items, reading))
  const ways = spreadOut.length > MOST_WAYS ? branches : spreadOut
  return ways.map((items) => wayOf(trimStart(items), reading))
}

/** A longer repeat of a wide set keeps a way open on nearly every text, where nothing was asked before it. */
const LONGEST_UNASKED = 12

/**
 * Classifies the first characters of a node: characters that few texts have (`asked`), a long repeat of nearly any
 * character (`long`), or neither yet (`open`).
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
function isAnchored(items: readonly Node[], ascii: boolean): boolean {
  const [first, ...rest] = items
  if (first?.kind !== 'position' || first.position !== 'start') return false
  const whole: Node = { kind: 'sequence', items }
  if (hasGap(whole, longGaps(ascii)) || minWidth(whole) === 0) return false
  return openingOfItems(rest, ascii) !== 'long'
}

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

/** [C21] Whether an automaton entered at one position reads the items exactly, with states that other texts reuse. */
function isWalkable(items: readonly Node[], ascii: boolean): boolean {
  const whole: Node = { kind: 'sequence', items }
  return isExact(whole, longGaps(ascii)) && minWidth(whole) > 0 && !isTooWide(whole, ascii)
}
