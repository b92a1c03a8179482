import { z } from 'zod'
import { SignalEntry } from '../../engine/schema/domain.ts'
import { call } from '../method.ts'

/** A typed array, of which the type of an answer leaves the cells. */
const numbers = z.custom<ArrayLike<number>>((value) => value instanceof Uint32Array)

/** [L107] What a thread of the lab has another one look for. */
export const scanContract = {
  /**
   * The signals of the texts that follow, and where time that is lost on patterns is counted. Answers what
   * each of them matches by, as the asking thread tells signals apart.
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
      /** Where a signal was cut off; `chars` is the size of the text. */
      cut: z.array(
        z.object({ signal: z.int(), text: z.int(), chars: z.int(), elapsedMs: z.number() }),
      ),
    },
  ),
} as const
export type ScanContract = typeof scanContract
