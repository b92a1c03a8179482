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

/** [L81] [L83] A list of turns to label, with its figures. */
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

/** Input for a list. The thread that holds the corpus also receives the reason for missing vectors. */
export const queueQuestion = {
  corpus: Key,
  side: Side,
  list: z.enum(TURN_LISTS),
  most: z.int().min(1).max(500),
}

/** Input for proposals. */
export const proposeQuestion = {
  corpus: Key,
  side: Side,
  domain: z.string().nullable(),
  most: z.int().min(1).max(200),
}

/** Finding turns to label, and labeling by several readers. */
export const queueContract = {
  /** Texts are embedded first if there are enough labels for a second opinion. */
  'queue.turns': stream('main', queueQuestion, steps(variant('queue', ShownQueue.shape))),
  /** [L90] Signals suggested by labels, measured on sources that they were not made from. Nothing is applied. */
  'queue.propose': stream('main', proposeQuestion, steps(variant('propose', Proposals.shape))),
  /**
   * [L96] Weights that labels suggest for each signal, measured on sources they were not fitted on. Nothing is applied.
   */
  'queue.weights': stream(
    'main',
    { corpus: Key, side: Side },
    steps(variant('weights', FittedWeights.shape)),
  ),
  /** [L88] The codebook of the workspace; its text comes from the workspace's author. */
  'codebook.get': call('workspace', nothing, {
    /** Path in the workspace; null if none exists. */
    file: z.string().nullable(),
    text: z.string(),
    /** Searched paths, in this order. */
    places: z.array(z.string()),
  }),
} as const
