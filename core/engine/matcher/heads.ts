import { grown } from './machine.ts'

/** A match of a head: where its signal may begin, and the character that it ends at or before. */
interface Head {
  readonly from: number
  readonly end: number
}

/** Heads that wait for their tails, of all slots: each names the one before it in its slot. */
export interface Heads {
  from: Int32Array
  /** The match of the head ends at this character or at the next. */
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
  heads.from = grown(heads.from, length)
  heads.end = grown(heads.end, length)
  heads.previous = grown(heads.previous, length)
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

/**
 * Where signals may begin whose tail begins at `at`. Every head is looked at once: it is in reach, or no
 * later tail can be; one that is not over yet stays.
 */
export function takeTail(heads: Heads, slot: number, at: number, reach: number): readonly number[] {
  if (heads.texts[slot] !== heads.text) return []
  const open: Head[] = []
  const begins: number[] = []
  for (let head = heads.last[slot] ?? -1; head >= 0; head = heads.previous[head] ?? -1) {
    const [from, end] = [heads.from[head] ?? 0, heads.end[head] ?? 0]
    if (end > at) open.push({ from, end })
    else if (at <= end + 1 + reach) begins.push(from)
  }
  heads.last[slot] = -1
  for (const head of open.reverse()) addHead(heads, slot, head)
  return begins
}
