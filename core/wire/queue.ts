import { z } from 'zod'
import type { Immutable } from '../engine/schema/immutable.ts'
import { Side } from '../engine/schema/lab.ts'
import { OpinionState, QueueItem, QueuePrecision, TURN_LISTS } from '../engine/schema/queue.ts'
import { Proposals } from '../engine/schema/proposal.ts'
import { FittedWeights } from '../engine/schema/weights.ts'
import { ReaderReport } from '../engine/schema/readers.ts'
import { CorpusTurn } from './corpus-turn.ts'
import { call, stream } from './method.ts'
import { Key, nothing, steps, variant } from './shapes.ts'

/** [L81] [L83] A list of turns to label, with what is known of it. */
export const ShownQueue = z.object({
  list: z.enum(TURN_LISTS),
  /** Turns that belong in the list; `items` are the first of them. */
  total: z.int(),
  /** Turns of the corpus, and those with a label. */
  turns: z.int(),
  labelled: z.int(),
  items: z.array(z.object({ turn: CorpusTurn, item: QueueItem })),
  opinion: OpinionState,
  precision: QueuePrecision,
  readers: ReaderReport,
})
export type ShownQueue = Immutable<z.infer<typeof ShownQueue>>

/** What is asked of a list; the thread that holds the corpus is also told why it has no vectors. */
export const queueQuestion = {
  corpus: Key,
  side: Side,
  list: z.enum(TURN_LISTS),
  most: z.int().min(1).max(500),
}

/** What is asked of proposals. */
export const proposeQuestion = {
  corpus: Key,
  side: Side,
  domain: z.string().nullable(),
  most: z.int().min(1).max(200),
}

/** Finding turns to label, and reading them by more than one person. */
export const queueContract = {
  /** Texts are embedded first where there are labels enough for a second opinion. */
  'queue.turns': stream('main', queueQuestion, steps(variant('queue', ShownQueue.shape))),
  /** [L90] Signals that labels ask for, measured on sources that they were not made from. Nothing is applied. */
  'queue.propose': stream('main', proposeQuestion, steps(variant('propose', Proposals.shape))),
  /** [L96] What labels say that each signal should count, measured on sources that it was not fitted on. Nothing is applied. */
  'queue.weights': stream(
    'main',
    { corpus: Key, side: Side },
    steps(variant('weights', FittedWeights.shape)),
  ),
  /** [L88] The codebook of the workspace; a text of whoever made it. */
  'codebook.get': call('workspace', nothing, {
    /** Path in the workspace; null = there is none. */
    file: z.string().nullable(),
    text: z.string(),
    /** Where one is looked for, in this order. */
    places: z.array(z.string()),
  }),
} as const
