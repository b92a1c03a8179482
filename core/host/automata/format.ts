import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { FrozenAutomaton } from '../../engine/matcher/automaton/readings.ts'
import { checkedBytes, checkedContent } from './checked.ts'
import { pack, unpack } from './container.ts'
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

/** [C14] Name of the file for a list of signals: of what they match, and of the matcher. */
export function automatonFileName(identities: readonly string[]): string {
  const hash = createHash('sha256').update(engineName())
  for (const one of identities) hash.update('\0').update(one)
  return `${hash.digest('hex')}.bin`
}

/** A file's content: a checksum, and what it is over, compressed. */
export const automatonBytes = (automaton: FrozenAutomaton): Uint8Array =>
  checkedBytes(pack({ engine: engineName(), automaton }))

/** [C14] The automaton of a file's content; null where it is damaged, or another matcher's. */
export function automatonOf(bytes: Uint8Array): FrozenAutomaton | null {
  const content = checkedContent(bytes, MOST_BYTES)
  if (content === null) return null
  try {
    const file = fileSchema().safeParse(unpack(content))
    return file.success && file.data.engine === engineName() ? file.data.automaton : null
  } catch {
    // The checksum was right, so that somebody wrote it who is not this program.
    return null
  }
}
