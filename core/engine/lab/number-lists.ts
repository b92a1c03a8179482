import { createGrowing } from './growing.ts'

/** Gives equal lists of unsigned 32-bit numbers the same number, from 0, without a text or an object each. */
export interface NumberLists {
  /** Number of the list that stands in the first `length` cells; the list is copied where it is new. */
  idOf(list: ArrayLike<number>, length: number): number
  /** Where the numbers of the list stand: `at(startOf(id))` to `at(endOf(id) - 1)`. */
  startOf(id: number): number
  endOf(id: number): number
  at(place: number): number
  readonly size: number
}

/** Basis and factor of the hash of Fowler, Noll and Vo, 32 bits. */
const HASH_BASIS = 0x811c9dc5
const HASH_FACTOR = 0x01000193

function hashOf(list: ArrayLike<number>, length: number): number {
  let hash = HASH_BASIS
  for (let at = 0; at < length; at += 1) {
    hash = Math.imul(hash ^ (list[at] ?? 0), HASH_FACTOR)
    // Small numbers differ in their lowest bits, which the factor alone carries only upwards.
    hash ^= hash >>> 15
  }
  return hash >>> 0
}

/** Open addressing with linear steps, at most half full. Numbers are kept plus 1, so that 0 is free. */
export function createNumberLists(): NumberLists {
  const cells = createGrowing(1 << 12)
  const ends = createGrowing(1 << 10)
  const hashes = createGrowing(1 << 10)
  let mask = 2047
  let slots = new Uint32Array(mask + 1)

  const startOf = (id: number): number => (id === 0 ? 0 : ends.at(id - 1))

  function isEqual(id: number, list: ArrayLike<number>, length: number): boolean {
    const start = startOf(id)
    if (ends.at(id) - start !== length) return false
    for (let at = 0; at < length; at += 1) if (cells.at(start + at) !== list[at]) return false
    return true
  }

  function grow(): void {
    mask = mask * 2 + 1
    slots = new Uint32Array(mask + 1)
    for (let id = 0; id < hashes.length; id += 1) {
      let place = hashes.at(id) & mask
      while (slots[place] !== 0) place = (place + 1) & mask
      slots[place] = id + 1
    }
  }

  return {
    idOf: (list, length) => {
      const hash = hashOf(list, length)
      let place = hash & mask
      for (let kept = slots[place] ?? 0; kept !== 0; kept = slots[place] ?? 0) {
        if (hashes.at(kept - 1) === hash && isEqual(kept - 1, list, length)) return kept - 1
        place = (place + 1) & mask
      }
      const id = hashes.length
      for (let at = 0; at < length; at += 1) cells.push(list[at] ?? 0)
      ends.push(cells.length)
      hashes.push(hash)
      slots[place] = id + 1
      if (hashes.length * 2 > mask) grow()
      return id
    },
    startOf,
    endOf: ends.at,
    at: cells.at,
    get size() {
      return hashes.length
    },
  }
}
