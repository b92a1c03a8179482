import type { Answer } from '../../app/question.ts'
import { firstAtOrAfter } from '../../ui/sorted.ts'

export type Scores = Answer<'probe.scores'>
export type CurveRow = Answer<'probe.curve'>['rows'][number]

/** Steps of a threshold that moves: hundredths from 0 to 1. */
export const STEPS = 101

export function thresholdAt(step: number): number {
  return step / (STEPS - 1)
}

/** Columns are numbers of the wire, compared without rounding: a hit exactly when reach ≥ threshold (D16). */
function isHit(reach: number, threshold: number): boolean {
  return reach >= threshold
}

/** [D54] Hits of one collection at every step of the threshold: never rising. */
export function hitsBySteps(scores: Scores, collection: number): readonly number[] {
  const sorted = scores.reach
    .filter((_, row) => scores.collection[row] === collection)
    .toSorted((a, b) => a - b)
  return Array.from({ length: STEPS }, (_, step) => {
    return sorted.length - firstAtOrAfter(sorted, thresholdAt(step))
  })
}

/** [D54] Hits of each collection at a moved threshold against those at the thresholds in force. */
export function tallies(scores: Scores, threshold: number) {
  const all = scores.collections.map(() => ({
    now: 0,
    inForce: 0,
    added: 0,
    gone: 0,
    seqs: new Set<number>(),
  }))
  scores.reach.forEach((reach, row) => {
    const of = all[scores.collection[row] ?? -1]
    if (!of) return
    const now = isHit(reach, threshold)
    const before = isHit(reach, scores.thresholds[scores.collection[row] ?? -1] ?? Infinity)
    if (now) {
      of.now += 1
      of.seqs.add(scores.seq[row] ?? -1)
    }
    if (before) of.inForce += 1
    if (now && !before) of.added += 1
    if (before && !now) of.gone += 1
  })
  return all.map(({ seqs, ...rest }) => ({ ...rest, messages: seqs.size }))
}

/** Pairs of phrase and collection that appear and disappear, the nearest to the threshold first. */
export function movedHits(scores: Scores, threshold: number) {
  const moved = [...scores.reach].flatMap((reach, row) => {
    const collection = scores.collection[row] ?? -1
    const now = isHit(reach, threshold)
    if (now === isHit(reach, scores.thresholds[collection] ?? Infinity)) return []
    const phrase = scores.phrases[scores.phrase[row] ?? -1] ?? ''
    const kind = now ? ('new' as const) : ('gone' as const)
    return { row, collection, reach, phrase, seq: scores.seq[row] ?? 0, kind }
  })
  return moved.toSorted(
    (a, b) => Math.abs(a.reach - threshold) - Math.abs(b.reach - threshold) || a.row - b.row,
  )
}

interface StripRequest {
  readonly collection: number
  readonly threshold: number
  /** Messages in order, each once. */
  readonly seqs: readonly number[]
  /** At most so many bins. */
  readonly most: number
}

/** Hits of one stretch of messages: those that stay, those that appear, those that are gone. */
export type Bin = Readonly<ReturnType<typeof stripOf>[number]>

/** [D54] The strip of one collection: messages side by side. */
export function stripOf(scores: Scores, { collection, threshold, seqs, most }: StripRequest) {
  const size = Math.max(1, Math.ceil(seqs.length / most))
  const bins = Array.from({ length: Math.ceil(seqs.length / size) }, (_, at) => ({
    from: at * size,
    to: Math.min(seqs.length, (at + 1) * size),
    stay: 0,
    added: 0,
    gone: 0,
  }))
  const places = new Map(seqs.map((seq, at) => [seq, at]))
  scores.reach.forEach((reach, row) => {
    if (scores.collection[row] !== collection) return
    const bin = bins[Math.floor((places.get(scores.seq[row] ?? -1) ?? -1) / size)]
    if (!bin) return
    const now = isHit(reach, threshold)
    const before = isHit(reach, scores.thresholds[collection] ?? Infinity)
    if (now && before) bin.stay += 1
    else if (now) bin.added += 1
    else if (before) bin.gone += 1
  })
  return bins
}

/** An embedder's answer to a labeled query at a threshold. */
export interface Said {
  readonly collection: string | null
  readonly phrase: string
  readonly reach: number
  readonly right: boolean
}

/** [D55] The collection that reaches furthest, if it reaches the threshold; right when it is the wanted one. */
export function saidOf(row: CurveRow, threshold: number): Said {
  const best = row.best.toSorted((a, b) => b.reach - a.reach)[0]
  if (!best) return { collection: null, phrase: '', reach: 0, right: row.wanted === null }
  const collection = isHit(best.reach, threshold) ? best.collection : null
  return { collection, phrase: best.phrase, reach: best.reach, right: collection === row.wanted }
}

/** One embedder's answers, and the threshold applied to them. */
export interface Side {
  readonly rows: readonly CurveRow[]
  readonly threshold: number
}

export type Compared = ReturnType<typeof compareRows>[number]

/** Both embedders on the queries that both answered, in the order of the set. */
export function compareRows(a: Side, b: Side) {
  const there = new Map(b.rows.map((row) => [row.id, row]))
  return a.rows.flatMap((row) => {
    const other = there.get(row.id)
    if (!other) return []
    const { id, text, wanted } = row
    return [{ id, text, wanted, a: saidOf(row, a.threshold), b: saidOf(other, b.threshold) }]
  })
}
