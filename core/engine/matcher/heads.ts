import { roomFor } from './number-lists.ts'

/** A match of a head: where its signal may begin, and the character behind it. */
interface Head {
  readonly from: number
  readonly end: number
}

/** Heads that wait for their tails, of all slots: each names the one before it in its slot. */
export interface Heads {
  from: Int32Array
  /** The character behind the match. */
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

/** [C11] Each column is asked for room: a watchdog may have cut off the call that made room in one only. */
function makeRoom(heads: Heads, length: number): void {
  heads.from = roomFor(heads.from, length)
  heads.end = roomFor(heads.end, length)
  heads.previous = roomFor(heads.previous, length)
}

export function addHead(heads: Heads, slot: number, { from, end }: Head): void {
  const at = heads.count
  makeRoom(heads, at + 1)
  heads.count = at + 1
  heads.from[at] = from
  heads.end[at] = end
  heads.previous[at] = heads.texts[slot] === heads.text ? (heads.last[slot] ?? -1) : -1
  heads.texts[slot] = heads.text
  heads.last[slot] = at
}

/** Tails are met in the order of their ends: so many characters before this one a later one may begin at most. */
const LONGEST_TAIL = 64

/**
 * Where signals may begin whose tail begins at `at`. Every head is taken once; one that is not over yet
 * stays, and one that a later, longer tail may still reach.
 */
export function takeTail(heads: Heads, slot: number, at: number, reach: number): readonly number[] {
  if (heads.texts[slot] !== heads.text) return []
  const kept: Head[] = []
  const begins: number[] = []
  for (let head = heads.last[slot] ?? -1; head >= 0; head = heads.previous[head] ?? -1) {
    const [from, end] = [heads.from[head] ?? 0, heads.end[head] ?? 0]
    if (end <= at && at <= end + reach) begins.push(from)
    else if (end + reach + LONGEST_TAIL >= at) kept.push({ from, end })
  }
  heads.last[slot] = -1
  for (const head of kept.reverse()) addHead(heads, slot, head)
  return begins
}

/** The last end of a head at `at` or before; -1: there is none. */
export function lastEnd(heads: Heads, slot: number, at: number): number {
  if (heads.texts[slot] !== heads.text) return -1
  let last = -1
  for (let head = heads.last[slot] ?? -1; head >= 0; head = heads.previous[head] ?? -1) {
    const end = heads.end[head] ?? 0
    if (end <= at && end > last) last = end
    // They are met in the order of their ends, but that two may change places that end beside each other.
    else if (end < last) break
  }
  return last
}
