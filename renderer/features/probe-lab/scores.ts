import type { TurnscopeContract } from '../../../core/wire/contract.ts'
import type { Output } from '../../../core/wire/rpc.ts'
import { firstAtOrAfter } from '../../ui/sorted.ts'

export type Scores = Extract<Output<TurnscopeContract, 'probe.scores'>, { kind: 'scores' }>
export type Curve = Extract<Output<TurnscopeContract, 'probe.curve'>, { kind: 'curve' }>
export type CurveRow = Curve['rows'][number]

/** Steps of a threshold that moves: hundredths from 0 to 1. */
export const STEPS = 101

export function thresholdAt(step: number): number {
  return step / (STEPS - 1)
}

/** Columns are numbers of the wire, compared as they are: a hit exactly when reach ≥ threshold (D16). */
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

/** A pair of phrase and collection at one message, seen at a moved threshold. */
export interface Moved {
  readonly row: number
  readonly seq: number
  readonly phrase: string
  readonly collection: number
  readonly reach: number
  readonly kind: 'new' | 'gone'
}

/** What the moved threshold does to one collection. */
export interface Tally {
  readonly now: number
  readonly inForce: number
  readonly messages: number
  readonly added: number
  readonly gone: number
}

/** [D54] Hits at a moved threshold against those at the thresholds in force. */
export function tallies(scores: Scores, threshold: number): readonly Tally[] {
  const all = scores.collections.map(() => ({
    ...{ now: 0, inForce: 0, added: 0, gone: 0 },
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

/** Hits that appear and disappear, the nearest to the threshold first. */
export function movedHits(scores: Scores, threshold: number): readonly Moved[] {
  const moved: Moved[] = []
  scores.reach.forEach((reach, row) => {
    const collection = scores.collection[row] ?? -1
    const now = isHit(reach, threshold)
    if (now === isHit(reach, scores.thresholds[collection] ?? Infinity)) return
    const phrase = scores.phrases[scores.phrase[row] ?? -1] ?? ''
    moved.push({
      ...{ row, collection, reach, phrase },
      seq: scores.seq[row] ?? 0,
      kind: now ? 'new' : 'gone',
    })
  })
  return moved.toSorted(
    (a, b) => Math.abs(a.reach - threshold) - Math.abs(b.reach - threshold) || a.row - b.row,
  )
}

/** Hits of one stretch of messages: those that stay, those that appear, those that are gone. */
export interface Bin {
  readonly from: number
  readonly to: number
  stay: number
  added: number
  gone: number
}

/**
 * [D54] The strip of one collection: messages side by side, at most `most` bins.
 * @param seqs messages in order, each once
 */
export function stripOf(
  scores: Scores,
  {
    collection,
    threshold,
    seqs,
    most,
  }: {
    readonly collection: number
    readonly threshold: number
    readonly seqs: readonly number[]
    readonly most: number
  },
): readonly Bin[] {
  const size = Math.max(1, Math.ceil(seqs.length / most))
  const bins = Array.from({ length: Math.ceil(seqs.length / size) }, (_, at): Bin => ({
    ...{ from: at * size, to: Math.min(seqs.length, (at + 1) * size) },
    ...{ stay: 0, added: 0, gone: 0 },
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

/** What an embedder says of a labelled query at a threshold. */
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

export interface Compared {
  readonly id: string
  readonly text: string
  readonly wanted: string | null
  readonly a: Said
  readonly b: Said
}

/** Both embedders on the queries that both answered, in the order of the set. */
export function compareRows(
  a: { readonly rows: readonly CurveRow[]; readonly threshold: number },
  b: { readonly rows: readonly CurveRow[]; readonly threshold: number },
): readonly Compared[] {
  const there = new Map(b.rows.map((row) => [row.id, row]))
  return a.rows.flatMap((row) => {
    const other = there.get(row.id)
    if (!other) return []
    const { id, text, wanted } = row
    return [{ id, text, wanted, a: saidOf(row, a.threshold), b: saidOf(other, b.threshold) }]
  })
}
