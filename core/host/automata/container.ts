/**
 * Plain data with typed arrays as bytes, and back: a JSON text in which each array is a reference, and
 * behind it the numbers of all arrays, in the order of bytes of this machine. A cache of one machine.
 */

const KINDS = {
  u8: Uint8Array,
  u16: Uint16Array,
  u32: Uint32Array,
  i32: Int32Array,
  f64: Float64Array,
} as const
type KindName = keyof typeof KINDS
type Numbers = InstanceType<(typeof KINDS)[KindName]>

/** All arrays begin at a multiple of this, which every kind can be read at. */
const ALIGN = 8
const REFERENCE = '$array'

const aligned = (length: number): number => Math.ceil(length / ALIGN) * ALIGN

function kindOf(value: unknown): KindName | null {
  const found = Object.entries(KINDS).find(([, kind]) => value instanceof kind)
  return found === undefined ? null : (found[0] as KindName)
}

/** Four bytes with the length of the JSON text, that text, then the arrays. */
export function pack(value: unknown): Uint8Array {
  const arrays: Numbers[] = []
  let end = 0
  const text = JSON.stringify(value, (_, part: unknown) => {
    const kind = kindOf(part)
    if (kind === null) return part
    const numbers = part as Numbers
    arrays.push(numbers)
    const at = end
    end += aligned(numbers.byteLength)
    return { [REFERENCE]: [kind, at, numbers.length] }
  })
  const head = new TextEncoder().encode(text)
  const start = aligned(4 + head.length)
  const bytes = new Uint8Array(start + end)
  new DataView(bytes.buffer).setUint32(0, head.length)
  bytes.set(head, 4)
  let at = start
  for (const { buffer, byteOffset, byteLength } of arrays) {
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), at)
    at += aligned(byteLength)
  }
  return bytes
}

/** What `pack` wrote. Throws where the bytes are not its. */
export function unpack(given: Uint8Array): unknown {
  // A copy, so that arrays begin where the machine can read them.
  const bytes = given.slice()
  const length = new DataView(bytes.buffer).getUint32(0)
  const start = aligned(4 + length)
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(4, 4 + length))
  return JSON.parse(text, (_, part: unknown) => {
    const reference = referenceOf(part)
    if (reference === null) return part
    const [name, at, count] = reference
    return new KINDS[name](bytes.buffer, start + at, count)
  })
}

function referenceOf(part: unknown): readonly [KindName, number, number] | null {
  if (typeof part !== 'object' || part === null || !(REFERENCE in part)) return null
  const given = part[REFERENCE]
  if (!Array.isArray(given)) return null
  const [name, at, count] = given as readonly unknown[]
  const isWhole = typeof name === 'string' && Object.hasOwn(KINDS, name)
  if (!isWhole || typeof at !== 'number' || typeof count !== 'number') return null
  return [name as KindName, at, count]
}
