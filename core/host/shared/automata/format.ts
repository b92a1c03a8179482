import { createHash } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { z } from 'zod'
import type { FrozenAutomaton } from '../../../engine/matcher/readings.ts'
import { pack, unpack } from './container.ts'
import { engineName } from './stamp.ts'

/** Unpacked bytes at most: an automaton of 32,512 states with the widest alphabet takes less than half. */
const MOST_BYTES = 64 * 1024 * 1024
const SUM_BYTES = 32

const integers = z.array(z.number().int().nonnegative()).readonly()
const Member = z.object({
  set: z.object({
    negate: z.boolean(),
    ranges: z.array(z.tuple([z.number(), z.number()])).readonly(),
    categories: z.array(z.enum(['w', 'W', 'd', 'D', 's', 'S'])).readonly(),
    ignoreCase: z.boolean(),
  }),
  ascii: z.boolean(),
  ranges: z.array(z.tuple([z.number(), z.number()])).readonly(),
  open: z.boolean(),
})
const Dfa = z.object({
  columns: z.number().int().positive(),
  states: z.instanceof(Int32Array),
  root: z.instanceof(Int32Array),
  rootEvents: z.instanceof(Int32Array),
  table: z.instanceof(Uint16Array),
  eventStarts: z.instanceof(Uint32Array),
  eventList: z.instanceof(Uint32Array),
  pairStarts: z.instanceof(Int32Array),
  pairs: z.instanceof(Uint8Array),
  kernels: z.instanceof(Int32Array),
  kernelStarts: z.instanceof(Int32Array),
  contexts: z.instanceof(Uint8Array),
  starts: z.instanceof(Uint32Array),
  aside: z.instanceof(Uint32Array),
})
const SignalEvent = z.object({
  signal: z.number().int(),
  kind: z.enum(['match', 'begun', 'anywhere', 'head', 'tail']),
  slot: z.number().int(),
  skipped: z.number().int(),
})
const File = z.object({
  engine: z.string(),
  automaton: z.object({
    identities: z.array(z.string()).readonly(),
    alphabet: z.object({
      members: z.array(Member).readonly(),
      classes: z.instanceof(Uint16Array),
      beyond: z.instanceof(Uint32Array),
      inside: z.instanceof(Uint8Array),
      traits: z.instanceof(Uint8Array),
    }),
    dfas: z.array(Dfa).readonly(),
    events: z.array(SignalEvent).readonly(),
    reaches: z.instanceof(Float64Array),
    always: integers,
  }),
})

/** [C14] Name of the file for a list of signals: of what they match, and of the matcher. */
export function automatonFileName(identities: readonly string[]): string {
  const hash = createHash('sha256').update(engineName())
  for (const one of identities) hash.update('\0').update(one)
  return `${hash.digest('hex')}.bin`
}

/** A file's content: a checksum, and what it is over, compressed. */
export function automatonBytes(automaton: FrozenAutomaton): Uint8Array {
  const body = deflateRawSync(pack({ engine: engineName(), automaton }), { level: 6 })
  const sum = createHash('sha256').update(body).digest()
  return Buffer.concat([sum, body])
}

/** [C14] The automaton of a file's content; null where it is damaged, or another matcher's. */
export function automatonOf(bytes: Uint8Array): FrozenAutomaton | null {
  const body = bytes.subarray(SUM_BYTES)
  const sum = createHash('sha256').update(body).digest()
  if (!sum.equals(bytes.subarray(0, SUM_BYTES))) return null
  try {
    const file = File.safeParse(unpack(inflateRawSync(body, { maxOutputLength: MOST_BYTES })))
    return file.success && file.data.engine === engineName() ? file.data.automaton : null
  } catch {
    // The checksum was right, so that somebody wrote it who is not this program.
    return null
  }
}
