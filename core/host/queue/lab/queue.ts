import {
  type LabelQueue,
  type Queued,
  labelQueue,
  turnsToEmbed,
} from '../../../engine/lab/queue/queue.ts'
import { queuePrecision } from '../../../engine/lab/queue/precision.ts'
import { type TurnVectors, whyNoOpinion } from '../../../engine/lab/opinion/opinion.ts'
import { isOpen, readerOf, readerReport } from '../../../engine/lab/readers/agreement.ts'
import type { ScoredCorpus } from '../../../engine/lab/corpus/corpus.ts'
import type { Work } from '../../../engine/lab/scoring/rescore.ts'
import type { TurnLabel } from '../../../engine/schema/label.ts'
import type { OpinionState, QueueItem, TurnList } from '../../../engine/schema/queue.ts'
import type { ShownQueue } from '../../../wire/queue.ts'
import { excerptAround } from '../../platform/excerpt.ts'
import { showTurns } from '../../corpus/lab/corpus-turns.ts'
import type { LabWatch } from '../../corpus/watch.ts'
import type { ReadCorpus } from '../../corpus/lab/read-corpus.ts'

/** Labelled turns that are named as evidence for a second opinion. */
const EVIDENCE = 3
/** Units of a text that are embedded: the model itself reads no more than some hundred words. */
const EMBEDDED_CHARS = 2000
/** Turns that are embedded for one question: a minute or so, once. */
const MOST_EMBEDDED = 6000

interface Embeddable {
  readonly turns: readonly number[]
  readonly texts: readonly string[]
}

/** [L80] Turns that still lack a second opinion, with their texts as embedded. Empty without enough labels. */
export function unembedded(
  { corpus, labels }: Pick<ReadCorpus, 'corpus' | 'labels'>,
  scored: ScoredCorpus,
  vectors: TurnVectors,
): Embeddable {
  if (whyNoOpinion(labels) !== null) return { turns: [], texts: [] }
  const turns = turnsToEmbed(scored, labels, MOST_EMBEDDED).filter((turn) => !vectors.has(turn))
  return { turns, texts: turns.map((turn) => corpus.turn(turn).text.slice(0, EMBEDDED_CHARS)) }
}

interface Asked {
  readonly read: ReadCorpus
  readonly scored: ScoredCorpus
  readonly vectors: TurnVectors
  readonly watch: LabWatch
  readonly list: TurnList
  readonly most: number
  /** Why texts could not be embedded. */
  readonly note: string | null
}

/** [L81] [L83] [L86] A list of turns to label, as window and terminal show it. */
export function* showQueue(asked: Asked): Work<ShownQueue> {
  const { read, scored, vectors, most } = asked
  const { labels, readings } = read
  const found = yield* asked.list === 'disagreements'
    ? openTurns(asked)
    : labelQueue({ scored, labels, vectors, list: asked.list, most })
  const items = found.items.map((item) => itemOf(asked, found, item))
  const { watch } = asked
  const turns = found.items.map(({ turn }) => turn)
  const shown = showTurns(turns, { scored, labels, watch, only: null })
  return {
    list: asked.list,
    total: found.total,
    turns: scored.corpus.turns,
    labelled: labels.size,
    items: shown.flatMap((turn, at) => {
      const item = items[at]
      return item === undefined ? [] : [{ turn, item }]
    }),
    opinion: opinionState(asked, found),
    precision: queuePrecision(labels.values()),
    readers: readerReport(readings.values()),
  }
}

/** [L86] Turns on which readers disagree, each with its queue entry. */
function* openTurns({ read, scored, vectors, most }: Asked): Work<LabelQueue> {
  const open = [...read.readings].filter(([, readings]) => isOpen(readings)).map(([turn]) => turn)
  const without = new Map([...read.labels].filter(([turn]) => !open.includes(turn)))
  const all = scored.corpus.turns
  const queue = yield* labelQueue({ scored, labels: without, vectors, list: 'random', most: all })
  const known = new Map(queue.items.map((item) => [item.turn, item]))
  const items = open.toSorted((a, b) => a - b).flatMap((turn) => known.get(turn) ?? [])
  return { ...queue, total: open.length, items: items.slice(0, most) }
}

function opinionState({ read, vectors, note }: Asked, { adviser }: LabelQueue): OpinionState {
  const why = whyNoOpinion(read.labels)
  if (adviser === null) return { labels: 0, note: why ?? note ?? 'no text was embedded' }
  const missing = read.corpus.turns - vectors.size
  const unread =
    missing === 0
      ? null
      : `${missing} turns were left out of the second opinion, the least doubtful`
  return { labels: adviser.labels, note: note ?? unread }
}

function itemOf(asked: Asked, { adviser }: LabelQueue, item: Queued): QueueItem {
  const { scored, read } = asked
  const { turn, ...doubt } = item
  const opinion = adviser?.of(turn) ?? null
  const nearest = opinion === null ? [] : (adviser?.nearest(turn, EVIDENCE) ?? [])
  return {
    ...doubt,
    opinion: opinion && {
      ...opinion,
      nearest: nearest.flatMap((one) => {
        const label = read.labels.get(one.turn)
        return label === undefined ? [] : [evidenceOf(scored, label, one)]
      }),
    },
    readings:
      asked.list === 'disagreements'
        ? (read.readings.get(turn) ?? []).map((one) => ({
            by: readerOf(one),
            primary: one.primary,
          }))
        : [],
  }
}

type Evidence = NonNullable<QueueItem['opinion']>['nearest'][number]

function evidenceOf(
  { corpus }: ScoredCorpus,
  { primary }: TurnLabel,
  { turn, similarity }: { readonly turn: number; readonly similarity: number },
): Evidence {
  const session = corpus.sessionOf(turn)
  const { excerpt } = excerptAround(corpus.turn(turn).text, [])
  const place = { session, turn: turn - (corpus.sessions[session]?.first ?? 0) }
  return { ...place, excerpt, primary, similarity }
}
