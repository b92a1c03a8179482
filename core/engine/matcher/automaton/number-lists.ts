/** Lists of numbers as plain data: list after list, and where each ends. */
export interface FrozenLists {
  readonly cells: Uint32Array
  readonly ends: Uint32Array
}

/** Gives equal lists of unsigned 32-bit numbers the same number, from 0, without a text or an object each. */
export interface NumberLists {
  /** Number of the list in the first `length` cells. The list is copied if it is new. */
  idOf(list: ArrayLike<number>, length: number): number
  /** The numbers of the list are `at(startOf(id))` to `at(endOf(id) - 1)`. */
  startOf(id: number): number
  endOf(id: number): number
  at(place: number): number
  /** The numbers from one place to before another, until a list is added. */
  cells(from: number, to: number): Uint32Array
  readonly size: number
  /** A copy of all lists, in the order of their numbers. */
  freeze(): FrozenLists
}

/** Basis and factor of the hash of Fowler, Noll and Vo, 32 bits. */
const HASH_BASIS = 0x811c9dc5
const HASH_FACTOR = 0x01000193

function hashOf(list: ArrayLike<number>, from: number, to: number): number {
  let hash = HASH_BASIS
  for (let at = from; at < to; at += 1) {
    hash = Math.imul(hash ^ (list[at] ?? 0), HASH_FACTOR)
    // Small numbers differ in their lowest bits, which the factor alone carries only upwards.
    hash ^= hash >>> 15
  }
  return hash >>> 0
}

/** The array, or a copy with room for so many cells, at least twice as large. */
export function roomFor<T extends Uint8Array | Uint16Array | Uint32Array | Int32Array>(
  array: T,
  length: number,
): T {
  if (length <= array.length) return array
  // The array's constructor creates an array of the same type.
  const larger = new (array.constructor as new (size: number) => T)(
    Math.max(length, array.length * 2),
  )
  larger.set(array)
  return larger
}

/** Do the data belong together? */
export function areLists({ cells, ends }: FrozenLists): boolean {
  return cells.length === (ends.at(-1) ?? 0) && ends.every((end, at) => end >= (ends[at - 1] ?? 0))
}

const NONE: FrozenLists = { cells: new Uint32Array(0), ends: new Uint32Array(0) }

/** Numbers of so many lists by their hashes; at most a third full, and the number of slots is a power of two. */
function slotsOf(hashes: Uint32Array, count: number): Uint32Array<ArrayBuffer> {
  let size = 128
  while (size < count * 3) size *= 2
  const slots = new Uint32Array(size)
  const mask = size - 1
  for (let id = 0; id < count; id += 1) {
    let place = (hashes[id] ?? 0) & mask
    while (slots[place] !== 0) place = (place + 1) & mask
    slots[place] = id + 1
  }
  return slots
}

/** Hashes of all lists, in the order of their numbers. */
function hashAll({ cells, ends }: FrozenLists, into: Uint32Array): void {
  for (let id = 0; id < ends.length; id += 1)
    into[id] = hashOf(cells, id === 0 ? 0 : (ends[id - 1] ?? 0), ends[id] ?? 0)
}

/** Open addressing with linear steps, at most half full. Numbers are kept plus 1, so that 0 is free. */
export function createNumberLists(frozen = NONE): NumberLists {
  let count = frozen.ends.length
  let cells = roomFor(frozen.cells.slice(), 256)
  let ends = roomFor(frozen.ends.slice(), 64)
  let hashes = new Uint32Array(ends.length)
  let slots = new Uint32Array(0)
  let mask = 0

  const startOf = (id: number): number => (id === 0 ? 0 : (ends[id - 1] ?? 0))
  const endOf = (id: number): number => ends[id] ?? 0

  function isEqual(id: number, list: ArrayLike<number>, length: number): boolean {
    const start = startOf(id)
    if (endOf(id) - start !== length) return false
    for (let at = 0; at < length; at += 1) if (cells[start + at] !== list[at]) return false
    return true
  }

  function spread(): void {
    slots = slotsOf(hashes, count)
    mask = slots.length - 1
  }

  function add(list: ArrayLike<number>, length: number, hash: number): number {
    const id = count
    const start = startOf(id)
    cells = roomFor(cells, start + length)
    ends = roomFor(ends, id + 1)
    hashes = roomFor(hashes, id + 1)
    for (let at = 0; at < length; at += 1) cells[start + at] = list[at] ?? 0
    ends[id] = start + length
    hashes[id] = hash
    count += 1
    return id
  }

  return {
    idOf: (list, length) => {
      // Frozen lists are hashed only when a list that may be new is requested.
      if (mask === 0) {
        hashAll(frozen, hashes)
        spread()
      }
      const hash = hashOf(list, 0, length)
      let place = hash & mask
      for (let kept = slots[place] ?? 0; kept !== 0; kept = slots[place] ?? 0) {
        if (hashes[kept - 1] === hash && isEqual(kept - 1, list, length)) return kept - 1
        place = (place + 1) & mask
      }
      const id = add(list, length, hash)
      slots[place] = id + 1
      if (count * 2 > mask) spread()
      return id
    },
    startOf,
    endOf,
    at: (place) => cells[place] ?? 0,
    cells: (from, to) => cells.subarray(from, to),
    get size() {
      return count
    },
    freeze: () => ({ cells: cells.slice(0, endOf(count - 1)), ends: ends.slice(0, count) }),
  }
}
