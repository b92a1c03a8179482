/** Bytes that grow. Numbers are written seven bits at a time, the lowest first. */
export interface ByteWriter {
  readonly byte: (value: number) => void
  readonly number: (value: number) => void
  readonly append: (bytes: Uint8Array) => void
  readonly length: number
  /** A copy of the bytes written. */
  readonly done: () => Uint8Array
}

export function createByteWriter(): ByteWriter {
  let cells = new Uint8Array(1024)
  let length = 0

  function room(more: number): void {
    if (length + more <= cells.length) return
    const larger = new Uint8Array(Math.max(cells.length * 2, length + more))
    larger.set(cells)
    cells = larger
  }

  function byte(value: number): void {
    room(1)
    cells[length] = value
    length += 1
  }

  return {
    byte,
    number: (value) => {
      let rest = value
      for (; rest > 0x7f; rest >>>= 7) byte((rest & 0x7f) | 0x80)
      byte(rest)
    },
    append: (bytes) => {
      room(bytes.length)
      cells.set(bytes, length)
      length += bytes.length
    },
    get length() {
      return length
    },
    done: () => cells.slice(0, length),
  }
}

/** Reads such numbers from some bytes, from a place on. */
export interface ByteReader {
  at: number
  readonly end: number
  /** The next number, or -1: the bytes end, or it has more than 32 bits. */
  readonly number: () => number
}

/** @param at first byte; @param end behind the last one */
export function createByteReader(bytes: Uint8Array, at = 0, end = bytes.length): ByteReader {
  const reader: ByteReader = { at, end, number }
  return reader

  function number(): number {
    // Most numbers have one byte.
    const single = bytes[reader.at] ?? 0xff
    if (single < 0x80 && reader.at < end) {
      reader.at += 1
      return single
    }
    let value = 0
    for (let shift = 0; shift < 35; shift += 7) {
      if (reader.at >= end) return -1
      const byte = bytes[reader.at] ?? 0
      reader.at += 1
      value += (byte & 0x7f) * 2 ** shift
      if (byte < 0x80) return value > 0xffffffff ? -1 : value
    }
    return -1
  }
}
