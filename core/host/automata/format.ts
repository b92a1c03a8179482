import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { FrozenAutomaton } from '../../engine/matcher/automaton/readings.ts'
import { checkedBytes, checkedContent } from './checked.ts'
import { engineName } from './stamp.ts'

/** Unpacked bytes at most: automata of 65,535 states with 40 moves each take less than half. */
const MOST_BYTES = 64 * 1024 * 1024

/** Made when a file is read: a command that is over soon reads none. */
function fileSchema() {
  const u16 = z.instanceof(Uint16Array)
  const u32 = z.instanceof(Uint32Array)
  const i32 = z.instanceof(Int32Array)
  const Lists = z.object({ cells: u32, ends: u32 })
  const Moves = z.object({ counts: u16, kinds: u16, targets: u32 })
  const Machine = z.object({
    states: z.object({ kinds: z.instanceof(Uint8Array), first: i32, second: i32, ways: u32 }),
    root: u32,
    entries: u32,
    placing: z.instanceof(Uint8Array),
    known: Lists,
    moves: Moves,
    starts: u32,
  })
  const Stream = z.object({
    machine: Machine,
    columns: z.number().int().positive(),
    lists: Lists,
    steps: Moves,
    reportEnds: u32,
    reports: u32,
    first: z.number().int().nonnegative(),
  })
  return z.object({
    engine: z.string(),
    automaton: z.object({
      identities: z.array(z.string()).readonly(),
      alphabet: z.object({
        members: i32,
        classes: z.instanceof(Uint16Array),
        beyond: z.instanceof(Uint32Array),
        inside: z.instanceof(Uint8Array),
        traits: z.instanceof(Uint8Array),
      }),
      streams: z.tuple([Stream, Stream]).readonly(),
      looked: Stream,
      anchored: Machine,
      walks: Machine,
      events: i32,
      slots: i32,
      looks: i32,
      always: u32,
    }),
  })
}

/** [C14] Name of the file for a list of signals: a hash of their patterns and the matcher. */
export function automatonFileName(identities: readonly string[]): string {
  const hash = createHash('sha256').update(engineName())
  for (const one of identities) hash.update('\0').update(one)
  return `${hash.digest('hex')}.bin`
}

/** Content of a file: a checksum and the compressed content. */
export const automatonBytes = (automaton: FrozenAutomaton): Uint8Array =>
  checkedBytes(pack({ engine: engineName(), automaton }))

/** [C14] The automaton in a file's content. Null if the file is damaged or belongs to a different matcher. */
export function automatonOf(bytes: Uint8Array): FrozenAutomaton | null {
  const content = checkedContent(bytes, MOST_BYTES)
  if (content === null) return null
  try {
    const file = fileSchema().safeParse(unpack(content))
    return file.success && file.data.engine === engineName() ? file.data.automaton : null
  } catch {
    // The checksum is right, so another program wrote this file.
    return null
  }
}

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

/** Reads the output of `pack`. Throws if the bytes have a different format. */
export function unpack(given: Uint8Array): unknown {
  // A copy, so that arrays are aligned for typed access.
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
