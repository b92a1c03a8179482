/** A typed array that grows by doubling; `done` cuts it to size. */
export interface Growing {
  readonly length: number
  readonly push: (value: number) => void
  readonly at: (index: number) => number
  readonly set: (index: number, value: number) => void
  /** The values so far, as a copy. */
  readonly done: () => Uint32Array
}

/** Unsigned 32-bit numbers, 4 bytes each, instead of 8 or more in a plain array. */
export function createGrowing(capacity = 16): Growing {
  let cells = new Uint32Array(capacity)
  let length = 0
  return {
    get length() {
      return length
    },
    push: (value) => {
      if (length === cells.length) {
        const larger = new Uint32Array(Math.max(16, cells.length * 2))
        larger.set(cells)
        cells = larger
      }
      cells[length] = value
      length += 1
    },
    at: (index) => cells[index] ?? 0,
    set: (index, value) => {
      cells[index] = value
    },
    done: () => cells.slice(0, length),
  }
}
