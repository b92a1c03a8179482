import type { LabelList, QueueReason } from '../../schema/queue.ts'
import type { CorpusLabels, ScoredCorpus } from '../corpus/corpus.ts'
import { type Adviser, type TurnVectors, adviserOf } from '../opinion/opinion.ts'
import { similarity } from '../opinion/softmax.ts'
import type { Progress, Work } from '../scoring/rescore.ts'
import { doubtIn, wrongShares } from './doubt.ts'
import { type Likeness, orderQueue, wordLikeness } from './order.ts'
import { type Doubt, doubtOf } from './reasons.ts'

/** One turn of a list. */
export interface Queued extends Doubt {
  readonly turn: number
  readonly doubt: number
}

/** Turns to label, what each is there for, and who gave the second opinion. */
export interface LabelQueue {
  /** Turns that have a reason, or in a random list all without a label; `items` are the first of them. */
  readonly total: number
  readonly items: readonly Queued[]
  readonly adviser: Adviser | null
}

interface Asked {
  readonly scored: ScoredCorpus
  readonly labels: CorpusLabels
  /** Empty = the rules alone. */
  readonly vectors: TurnVectors
  readonly list: LabelList
  readonly most: number
}

/** Turns between two looks at whether anybody still waits. */
const PORTION = 200

/** [L83] A place in a random order that hangs on the text alone (FNV-1a with a seed): the same texts, the same draw. */
export function drawOf(text: string, seed = 17): number {
  let hash = (0x811c9dc5 ^ seed) >>> 0
  for (let at = 0; at < text.length; at += 1)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0
  // The last characters would decide over the first bits.
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b) >>> 0
  return (hash ^ (hash >>> 13)) >>> 0
}

/** Doubts by what rules and second opinion say, kept. */
function* doubtsOf(
  { scored, labels }: Asked,
  adviser: Adviser | null,
): Work<(turn: number) => Doubt> {
  const known = new Map<number, Doubt>()
  const total = scored.corpus.turns
  for (let turn = 0; turn < total; turn += 1) {
    const doubt = doubtOf(scored, turn)
    const opinion = labels.has(turn) ? null : (adviser?.of(turn) ?? null)
    const parts = opinion !== null && opinion.domain !== doubt.decided
    const reasons: readonly QueueReason[] = parts ? [...doubt.reasons, 'opinion'] : doubt.reasons
    known.set(turn, { ...doubt, reasons })
    if (turn % PORTION === 0) yield { done: turn, total }
  }
  // Every turn has been looked at.
  return (turn) => known.get(turn) ?? doubtOf(scored, turn)
}

function likenessBy(vectors: TurnVectors, words: Likeness): Likeness {
  return (a, b) => {
    const [one, other] = [vectors.get(a), vectors.get(b)]
    return one === undefined || other === undefined ? words(a, b) : similarity(one, other)
  }
}

/** One turn of each text: who labels it has labelled the others in all but name. */
function onceEach(turns: readonly number[], textOf: (turn: number) => string): readonly number[] {
  const seen = new Set<string>()
  return turns.filter((turn) => {
    const text = textOf(turn).trim()
    if (text === '' || seen.has(text)) return false
    seen.add(text)
    return true
  })
}

/**
 * [L81] [L82] The queue: turns without a label that the rules, or the second opinion, give a reason to
 * doubt, ordered by what a label would teach. The random list is of all turns without a label.
 */
export function* labelQueue(asked: Asked): Work<LabelQueue> {
  const { scored, labels, vectors, list, most } = asked
  const { corpus } = scored
  const textOf = (turn: number): string => corpus.turn(turn).text
  const adviser = yield* adviserOf(labels, vectors)
  const doubts = yield* doubtsOf(asked, adviser)
  const shares = wrongShares(labels, doubts)
  const queued = (turn: number): Queued => {
    const doubt = doubts(turn)
    const share = adviser?.share(turn, doubt.decided) ?? null
    const opinion = { share, labels: adviser?.labels ?? 0 }
    return { ...doubt, turn, doubt: doubtIn(doubt.reasons, shares, opinion) }
  }
  const open = Array.from({ length: corpus.turns }, (_, turn) => turn)
  const unlabelled = onceEach(
    open.filter((turn) => !labels.has(turn)),
    textOf,
  )
  if (list === 'random') {
    const drawn = unlabelled.toSorted((a, b) => drawOf(textOf(a)) - drawOf(textOf(b)) || a - b)
    return { total: drawn.length, items: drawn.slice(0, most).map(queued), adviser }
  }
  const doubtful = unlabelled.filter((turn) => doubts(turn).reasons.length > 0).map(queued)
  const likeness = likenessBy(vectors, wordLikeness(textOf))
  const ordered = yield* counted(orderQueue(doubtful, most, likeness), most)
  const byTurn = new Map(doubtful.map((one) => [one.turn, one]))
  const items = ordered.flatMap(({ turn }) => byTurn.get(turn) ?? [])
  return { total: doubtful.length, items, adviser }
}

function* counted<T>(
  steps: Generator<number, T>,
  total: number,
): Generator<Progress, T, undefined> {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    if (step.value % 20 === 0) yield { done: step.value, total }
  }
}

/** [L80] Turns whose vectors a second opinion wants: labelled ones, then those without a label, most doubtful first. */
export function turnsToEmbed(
  scored: ScoredCorpus,
  labels: CorpusLabels,
  most: number,
): readonly number[] {
  const shares = wrongShares(labels, (turn) => doubtOf(scored, turn))
  const none = { share: null, labels: 0 }
  const worth = Array.from({ length: scored.corpus.turns }, (_, turn) =>
    labels.has(turn) ? 2 : doubtIn(doubtOf(scored, turn).reasons, shares, none),
  )
  return [...worth.keys()]
    .toSorted((a, b) => (worth[b] ?? 0) - (worth[a] ?? 0) || a - b)
    .slice(0, most)
}
