/** A field of a message of protocol buffers, encoded. */
export type Field = Uint8Array

const VARINT = 0
const BYTES = 2
const FIXED32 = 5

function varint(value: bigint): Buffer {
  const bytes: number[] = []
  // Negative numbers are written as their 64-bit two's complement.
  let rest = BigInt.asUintN(64, value)
  do {
    const low = Number(rest & 0x7fn)
    rest >>= 7n
    bytes.push(rest === 0n ? low : low | 0x80)
  } while (rest !== 0n)
  return Buffer.from(bytes)
}

const tag = (field: number, wire: number) => varint(BigInt(field * 8 + wire))

export function intField(field: number, value: number): Field {
  return Buffer.concat([tag(field, VARINT), varint(BigInt(value))])
}

export function floatField(field: number, value: number): Field {
  const bytes = Buffer.alloc(4)
  bytes.writeFloatLE(value)
  return Buffer.concat([tag(field, FIXED32), bytes])
}

/** Bytes, a text in UTF-8, or a message given by its own fields. */
export function bytesField(field: number, value: Uint8Array | string): Field {
  const bytes = typeof value === 'string' ? Buffer.from(value, 'utf8') : value
  return Buffer.concat([tag(field, BYTES), varint(BigInt(bytes.length)), bytes])
}

export function message(fields: readonly Field[]): Buffer {
  return Buffer.concat(fields)
}
