import { roomFor } from './number-lists.ts'

/** Heads that wait for their tails, of all slots: each names the one before it in its slot. */
export interface Heads {
  /** Position at which the signal of each head may begin. */
  from: Int32Array
  /** The character behind its match. */
  end: Int32Array
  previous: Int32Array
  count: number
  /** The text at hand, by count. */
  text: number
  /** By slot: the last one, and the text that it is of. */
  readonly last: Int32Array
  readonly texts: Uint32Array
}

/** None yet, of so many slots. */
export function createHeads(slots: number): Heads {
  return {
    from: new Int32Array(256),
    end: new Int32Array(256),
    previous: new Int32Array(256),
    count: 0,
    text: 0,
    last: new Int32Array(slots),
    texts: new Uint32Array(slots),
  }
}

/** Forgets the heads of the text before. */
export function beginHeads(heads: Heads): void {
  heads.text += 1
  heads.count = 0
}

/** [C11] Each column is resized, because a watchdog may have cut off an earlier call that resized only one. */
function makeRoom(heads: Heads, length: number): void {
  heads.from = roomFor(heads.from, length)
  heads.end = roomFor(heads.end, length)
  heads.previous = roomFor(heads.previous, length)
}

/** A match of the slot's head before the character `end`, with which its signal may begin at `from`. */
export function addHead(heads: Heads, slot: number, from: number, end: number): void {
  const at = heads.count
  if (at >= heads.from.length || at >= heads.end.length || at >= heads.previous.length)
    makeRoom(heads, at + 1)
  heads.count = at + 1
  heads.from[at] = from
  heads.end[at] = end
  heads.previous[at] = hasHeads(heads, slot) ? (heads.last[slot] ?? -1) : -1
  heads.texts[slot] = heads.text
  heads.last[slot] = at
}

/** Whether a head of the slot was met in the text at hand. */
export function hasHeads(heads: Heads, slot: number): boolean {
  return heads.texts[slot] === heads.text
}

/** Tails are met in the order of their ends: so many characters before this one a later one may begin at most. */
const LONGEST_TAIL = 64

/**
 * Returns the possible starts of signals whose tail begins at `at`. Each head is taken once. A head stays if it has not
 * ended yet, or if a later, longer tail may still reach it.
 */
export function takeTail(heads: Heads, slot: number, at: number, reach: number): readonly number[] {
  if (!hasHeads(heads, slot)) return []
  const kept: number[] = []
  const begins: number[] = []
  for (let head = heads.last[slot] ?? -1; head >= 0; head = heads.previous[head] ?? -1) {
    const from = heads.from[head] ?? 0
    const end = heads.end[head] ?? 0
    if (end <= at && at <= end + reach) begins.push(from)
    else if (end + reach + LONGEST_TAIL >= at) kept.push(head)
  }
  heads.last[slot] = -1
  for (const head of kept.reverse())
    addHead(heads, slot, heads.from[head] ?? 0, heads.end[head] ?? 0)
  return begins
}

/** The last end of a head at or before `at`; -1 if none exists. */
export function lastEnd(heads: Heads, slot: number, at: number): number {
  if (!hasHeads(heads, slot)) return -1
  let last = -1
  for (let head = heads.last[slot] ?? -1; head >= 0; head = heads.previous[head] ?? -1) {
    const end = heads.end[head] ?? 0
    if (end <= at && end > last) last = end
    // They are met in the order of their ends, but that two may change places that end beside each other.
    else if (end < last) break
  }
  return last
}

/** A head may end up to this many characters before one that was added earlier. */
const DISORDER = 64

/**
 * [C20] The first end of a head that is at least `least`; Infinity if none exists. Searches backwards, because calls
 * concern the last ones.
 */
export function firstEnd(heads: Heads, slot: number, least: number): number {
  if (!hasHeads(heads, slot)) return Infinity
  let first = Infinity
  for (let head = heads.last[slot] ?? -1; head >= 0; head = heads.previous[head] ?? -1) {
    const end = heads.end[head] ?? 0
    if (end >= least && end < first) first = end
    else if (end < least - DISORDER) break
  }
  return first
}
