import { z } from 'zod'
import { CauseGroup, Compared, Decider, FlipCause, SessionDiff } from '../engine/schema/compare.ts'
import type { Immutable } from '../engine/schema/immutable.ts'
import { Side } from '../engine/schema/lab.ts'
import { Span } from '../engine/schema/trace.ts'
import { call, stream } from './method.ts'
import { Key, session, steps, variant } from './shapes.ts'

/** Most texts of one answer. */
const MOST_TEXTS = 200

const sides = { config: Decider, compare: Compared }

/** [T76] The text of a turn that flips, cut around the first mark. */
export const FlipText = z.object({
  excerpt: z.string(),
  /** Matches of signals that fired on one side only; if there are none, of all signals that fired. */
  spans: z.array(Span),
  /** Signals that fired on the other side only, and on this side only. */
  gained: z.array(z.string()),
  lost: z.array(z.string()),
})
export type FlipText = Immutable<z.infer<typeof FlipText>>

const causes = variant('causes', {
  causes: z.array(FlipCause),
  /** Turns and events that flip with all of them. */
  flips: z.int(),
  others: z.array(CauseGroup),
})

/** [L50] One comparison: of an opened session, and of the corpus. */
export const compareContract = {
  /** All that another side says differently of a session: domains, and the other stages. */
  'session.compare': stream(
    'main',
    {
      ...session,
      ...sides,
      /** Ask the probe, too: which persona each side gives a message. */
      probe: z.boolean().default(false),
    },
    steps(variant('compared', { diff: SessionDiff })),
    { packed: true },
  ),
  /** [L52] The differences between two configurations that cause the flips. Refused for a recorded run. */
  'session.causes': stream(
    'main',
    {
      ...session,
      ...sides,
      /** Probe every message, once for each option of the probe. */
      probe: z.boolean().default(false),
    },
    steps(causes),
  ),
  'session.flipTexts': call(
    'session',
    { ...session, ...sides, seqs: z.array(z.int().min(0)).max(MOST_TEXTS) },
    { texts: z.array(FlipText.extend({ seq: z.int() })) },
  ),
  /** The same over the corpus; turns are those of the corpus. */
  'lab.causes': stream('lab', { corpus: Key, base: Side, side: Side }, steps(causes)),
  'lab.flipTexts': call(
    'lab',
    {
      corpus: Key,
      base: Side,
      side: Side,
      places: z.array(z.object({ session: z.int().min(0), turn: z.int().min(0) })).max(MOST_TEXTS),
    },
    { texts: z.array(FlipText.extend({ session: z.int(), turn: z.int() })) },
  ),
} as const
