import { QUEUE_REASONS, type LabelList, type QueueReason } from '../../schema/queue.ts'
import type { CorpusLabels, Decided, ScoredCorpus } from '../corpus/corpus.ts'
import { isRight } from '../metrics/label.ts'
import { adviserOf, type Adviser, type TurnVectors } from '../opinion/opinion.ts'
import { similarity } from '../opinion/softmax.ts'
import type { Progress, Work } from '../scoring/rescore.ts'

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
    const one = vectors.get(a)
    const other = vectors.get(b)
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
 * [L81] [L82] The queue: unlabelled turns that the rules or the second opinion give a reason to doubt, ordered by the
 * expected benefit of a label. The random list draws from all unlabelled turns.
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

/**
 * Share of wrong decisions of the shipped rules for each reason, measured on 1,684 labelled messages of 54
 * repositories. Used only for a new queue; labels of the corpus soon outweigh these shares.
 */
const FIRST_SHARES: Readonly<Record<QueueReason, number>> = {
  no_signal: 0.77,
  tie: 0.58,
  margin: 0.49,
  held: 0.5,
  opinion: 0.6,
}
/** Weight of those shares, in labels. */
const FIRST_WEIGHT = 10
/** That many labels, and a second opinion counts as much as half of the reasons. */
const HALF_OPINION = 50

/** Wrong decisions among labelled turns, by reason. */
type WrongShares = Readonly<Record<QueueReason, number>>

/** [L82] Share of wrong decisions by reason, learned from labels over the first shares. */
function wrongShares(
  labels: CorpusLabels,
  doubtOf: (turn: number) => Pick<Doubt, 'reasons' | 'decided'>,
): WrongShares {
  const wrong = new Map<QueueReason, number>()
  const all = new Map<QueueReason, number>()
  for (const [turn, label] of labels) {
    const { reasons, decided } = doubtOf(turn)
    for (const reason of reasons) {
      all.set(reason, (all.get(reason) ?? 0) + 1)
      if (!isRight(label, decided)) wrong.set(reason, (wrong.get(reason) ?? 0) + 1)
    }
  }
  const shares = QUEUE_REASONS.map((reason) => {
    const hits = (wrong.get(reason) ?? 0) + FIRST_WEIGHT * FIRST_SHARES[reason]
    return [reason, hits / ((all.get(reason) ?? 0) + FIRST_WEIGHT)] as const
  })
  // One entry a reason.
  return Object.fromEntries(shares) as Record<QueueReason, number>
}

/**
 * [L82] Probability that the decision is wrong: the largest share among its reasons, averaged with the second opinion's
 * share for other domains. The second opinion's weight grows with the number of its labels.
 * @param share the second opinion's share for the domain in force; null if it has none for this turn
 */
function doubtIn(
  reasons: readonly QueueReason[],
  shares: WrongShares,
  opinion: { readonly share: number | null; readonly labels: number },
): number {
  const byReason = Math.max(0, ...reasons.map((reason) => shares[reason]))
  if (opinion.share === null) return byReason
  const weight = opinion.labels / (opinion.labels + HALF_OPINION)
  return (byReason + weight * (1 - opinion.share)) / (1 + weight)
}

/** A turn that may be asked about. */
interface Candidate {
  readonly turn: number
  /** Probability that its decision is wrong. */
  readonly doubt: number
}

/** Similarity of two turns, from 0 to 1. */
type Likeness = (a: number, b: number) => number

/** Only turns likely to be wrong are compared with each other: the pool is that many times the queue. */
const POOL = 5
/** Turns less similar than this do not reduce each other's rank. */
const APART = 0.5

/** Two turns that say the same teach once: from 1 (nothing alike) to 0 (the same text). */
function novelty(likeness: number): number {
  return Math.min(1, (1 - likeness) / (1 - APART))
}

/**
 * [L82] Orders turns by expected benefit of a label: the likelihood that it changes the decision, reduced by the
 * similarity to turns earlier in the queue. Greedy; ties keep the order of the corpus.
 */
export function* orderQueue(
  candidates: readonly Candidate[],
  most: number,
  likeness: Likeness,
): Generator<number, readonly Candidate[]> {
  const rest = candidates
    .toSorted((a, b) => b.doubt - a.doubt || a.turn - b.turn)
    .slice(0, most * POOL)
    .map((candidate) => ({ candidate, nearest: 0 }))
  const queue: Candidate[] = []
  while (queue.length < most && rest.length > 0) {
    let best = 0
    const worth = (place: number): number => {
      const one = rest[place]
      return one === undefined ? -1 : one.candidate.doubt * novelty(one.nearest)
    }
    for (let place = 1; place < rest.length; place += 1)
      if (worth(place) > worth(best)) best = place
    const [taken] = rest.splice(best, 1)
    if (taken === undefined) break
    queue.push(taken.candidate)
    for (const one of rest)
      one.nearest = Math.max(one.nearest, likeness(one.candidate.turn, taken.candidate.turn))
    yield queue.length
  }
  return queue
}

/** Words of texts as sets, computed on first use. */
export function wordLikeness(textOf: (turn: number) => string): Likeness {
  const known = new Map<number, ReadonlySet<string>>()
  const wordsOf = (turn: number): ReadonlySet<string> => {
    const words =
      known.get(turn) ??
      new Set(
        textOf(turn)
          .toLowerCase()
          .slice(0, 2000)
          .match(/[\p{L}\p{N}_]+/gu),
      )
    known.set(turn, words)
    return words
  }
  return (a, b) => {
    const one = wordsOf(a)
    const other = wordsOf(b)
    let shared = 0
    for (const word of one) if (other.has(word)) shared += 1
    const all = one.size + other.size - shared
    return all === 0 ? 1 : shared / all
  }
}

/** Doubt by the rules alone: the reasons, and the lead of the first domain. */
interface Doubt {
  /** In the order of `QUEUE_REASONS`. */
  readonly reasons: readonly QueueReason[]
  /** Domain in force after momentum. */
  readonly decided: string
  /** Domain of this text alone. */
  readonly alone: string
  /** Domains with matches, best first, at most three. */
  readonly scores: ReadonlyArray<{ readonly domain: string; readonly score: number }>
}

const MOST_SCORES = 3

/** [L81] By margin: no signal fired, the first two scores are equal, or the first leads by at most 1. */
function reasonOfMargin({ scored }: Decided): QueueReason | null {
  const [first, second] = scored.ranked
  if (first === undefined || scored.scores.length === 0) return 'no_signal'
  if (first.score === second?.score) return 'tie'
  return first.score - (second?.score ?? 0) <= 1 ? 'margin' : null
}

/** [L81] Reasons in the rules' own data why they may be wrong about a turn. */
function doubtOf(scored: ScoredCorpus, turn: number): Doubt {
  const decision = scored.decided(turn)
  const decided = scored.domains[scored.primary[turn] ?? -1] ?? ''
  const alone = decision.scored.primary.domain
  const margin = reasonOfMargin(decision)
  const scores = decision.scored.scores.slice(0, MOST_SCORES)
  return {
    reasons: [
      ...(margin === null ? [] : [margin]),
      ...(alone === decided ? [] : ['held' as const]),
    ],
    decided,
    alone,
    scores: scores.map(({ domain, score }) => ({ domain, score })),
  }
}
