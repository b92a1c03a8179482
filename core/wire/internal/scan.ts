import { z } from 'zod'
import { SignalEntry } from '../../engine/schema/domain.ts'
import { call } from '../method.ts'

/** A typed array, of which the type of an answer leaves the cells. */
const numbers = z.custom<ArrayLike<number>>((value) => value instanceof Uint32Array)

/** [L107] Searches that a lab thread delegates to another thread. */
export const scanContract = {
  /**
   * Sets the signals to search in the following texts, and the counter for time lost on patterns. Returns an identity
   * per signal, by which the requesting thread distinguishes signals.
   */
  'scan.begin': call(
    'lab',
    {
      signals: z.array(SignalEntry),
      lost: z.custom<SharedArrayBuffer>((value) => value instanceof SharedArrayBuffer),
    },
    { identities: z.array(z.string()) },
  ),
  /** `off`: indexes of signals that are not run any more. */
  'scan.texts': call(
    'lab',
    { texts: z.array(z.string()), off: z.array(z.int()) },
    {
      /** Index of a signal, index of a text that it matches, and so on; ascending by signal, then by text. */
      matches: numbers,
      /** Texts on which a signal was cut off; `chars` is the size of the text. */
      cut: z.array(
        z.object({ signal: z.int(), text: z.int(), chars: z.int(), elapsedMs: z.number() }),
      ),
    },
  ),
} as const
export type ScanContract = typeof scanContract
