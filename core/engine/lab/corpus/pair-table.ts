/** A map from pairs of unsigned 32-bit numbers to such a number, without an object per entry. */
export interface PairTable {
  /** The value, or -1. */
  get(a: number, b: number): number
  /** The pair must not be there yet. */
  add(a: number, b: number, value: number): void
}

function placeOf(a: number, b: number, mask: number): number {
  const mixed = Math.imul(a ^ Math.imul(b, 0x9e3779b1), 0x85ebca6b)
  return (mixed ^ (mixed >>> 15)) & mask
}

/** Open addressing with linear steps, at most half full. Values are kept plus 1, so that 0 is free. */
export function createPairTable(): PairTable {
  let mask = 1023
  let cells = new Uint32Array(3 * (mask + 1))
  let size = 0

  function free(a: number, b: number): number {
    let place = placeOf(a, b, mask)
    while (cells[place * 3] !== 0) place = (place + 1) & mask
    return place * 3
  }

  function put(a: number, b: number, kept: number): void {
    const at = free(a, b)
    cells[at] = kept
    cells[at + 1] = a
    cells[at + 2] = b
  }

  function grow(): void {
    const old = cells
    mask = mask * 2 + 1
    cells = new Uint32Array(3 * (mask + 1))
    for (let at = 0; at < old.length; at += 3) {
      const kept = old[at] ?? 0
      if (kept !== 0) put(old[at + 1] ?? 0, old[at + 2] ?? 0, kept)
    }
  }

  return {
    get: (a, b) => {
      let place = placeOf(a, b, mask)
      for (;;) {
        const at = place * 3
        const kept = cells[at] ?? 0
        if (kept === 0) return -1
        if (cells[at + 1] === a && cells[at + 2] === b) return kept - 1
        place = (place + 1) & mask
      }
    },
    add: (a, b, value) => {
      if (size * 2 > mask) grow()
      put(a, b, value + 1)
      size += 1
    },
  }
}
