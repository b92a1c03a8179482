import { z } from 'zod'
import type { Immutable } from './immutable.ts'

/** [L81] Why a turn is in the queue. */
export const QUEUE_REASONS = ['no_signal', 'tie', 'margin', 'held', 'opinion'] as const
export type QueueReason = (typeof QUEUE_REASONS)[number]

/** [L83] Lists that turns are labelled from, to find errors and to know how many there are anyway. */
export const LABEL_LISTS = ['queue', 'random'] as const
export type LabelList = (typeof LABEL_LISTS)[number]
/** [L86] Beside them: turns that two readers see differently. */
export const TURN_LISTS = [...LABEL_LISTS, 'disagreements'] as const
export type TurnList = (typeof TURN_LISTS)[number]

/** A share that was measured on labels, with Wilson's interval; nulls of nothing. */
export const Measured = z.object({
  hits: z.int(),
  of: z.int(),
  low: z.number().nullable(),
  high: z.number().nullable(),
})
export type Measured = Immutable<z.infer<typeof Measured>>

/** A turn of a corpus by session and turn there, from 0, with the beginning of its text. */
const Evidence = z.object({
  session: z.int(),
  turn: z.int(),
  excerpt: z.string(),
  primary: z.string(),
  similarity: z.number(),
})

/** The queue's data about one turn; the turn itself is stored next to it. */
export const QueueItem = z.object({
  reasons: z.array(z.enum(QUEUE_REASONS)),
  /** Probability from 0 to 1 that the decision is wrong, estimated from its reasons and the second opinion. */
  doubt: z.number(),
  /** Domain in force, and that of the text alone. */
  decided: z.string(),
  alone: z.string(),
  /** Domains with matches, best first, at most three. */
  scores: z.array(z.object({ domain: z.string(), score: z.number() })),
  opinion: z
    .object({ domain: z.string(), share: z.number(), nearest: z.array(Evidence) })
    .nullable(),
  /** Labels of the readers; only in the list of disagreements. */
  readings: z.array(z.object({ by: z.string(), primary: z.string() })),
})
export type QueueItem = Immutable<z.infer<typeof QueueItem>>

/** The queue's second opinion, or the reason why none exists. */
export const OpinionState = z.object({
  /** Number of labels it was trained on; 0 if no second opinion exists. */
  labels: z.int(),
  /** Why no second opinion exists, or which turns it did not examine. */
  note: z.string().nullable(),
})
export type OpinionState = Immutable<z.infer<typeof OpinionState>>

/** [L83] Wrong decisions among turns labelled from a list, as decided when the label was given. */
export const QueuePrecision = z.object({
  /** Among the first 50 that were labelled from the queue, and from the random list. */
  queue: Measured,
  random: Measured,
  /** Labels given from each so far. */
  labelled: z.object({ queue: z.int(), random: z.int() }),
})
export type QueuePrecision = Immutable<z.infer<typeof QueuePrecision>>
