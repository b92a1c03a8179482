import type { CorpusLabels } from '../corpus/corpus.ts'
import { countedTo, type Work } from '../scoring/rescore.ts'
import { HEAD_STEPS, similarity, trainHead } from './softmax.ts'

/** Sentence vectors of length 1 by turn of the corpus; turns may be missing. */
export type TurnVectors = ReadonlyMap<number, Float32Array>

/** The domain that the labels predict for a turn from its words. */
export interface SecondOpinion {
  readonly domain: string
  /** Of that domain, from 0 to 1. */
  readonly share: number
}

/** A second opinion on the turns of a corpus. It decides nothing. */
export interface Adviser {
  /** Labels it was trained on. */
  readonly labels: number
  /** Null if the turn has no vector. */
  of(turn: number): SecondOpinion | null
  /** Share that it gives a domain; 0 for one that no label names. */
  share(turn: number, domain: string): number | null
  /** Labelled turns that are most like this one, nearest first: the evidence. */
  nearest(
    turn: number,
    most: number,
  ): ReadonlyArray<{
    readonly turn: number
    readonly similarity: number
  }>
}

/** Below that many labels a head says the base rates back. */
export const LEAST_LABELS = 20

/** The reason why there is no second opinion; null if one is possible. */
export function whyNoOpinion(labels: CorpusLabels): string | null {
  if (labels.size < LEAST_LABELS)
    return `${labels.size} of ${LEAST_LABELS} labels that a second opinion needs`
  const domains = new Set([...labels.values()].map(({ primary }) => primary))
  return domains.size < 2 ? 'all labels name the same domain' : null
}

/** [L80] Trains a head on the labelled turns that have a vector. Returns null if too few labelled turns have one. */
export function* adviserOf(labels: CorpusLabels, vectors: TurnVectors): Work<Adviser | null> {
  const known = [...labels]
    .toSorted(([a], [b]) => a - b)
    .flatMap(([turn, { primary }]) => {
      const vector = vectors.get(turn)
      return vector === undefined ? [] : [{ turn, primary, vector }]
    })
  const domains = [...new Set(known.map(({ primary }) => primary))].toSorted()
  if (known.length < LEAST_LABELS || domains.length < 2) return null
  const head = yield* countedTo(
    trainHead({
      vectors: known.map(({ vector }) => vector),
      classes: known.map(({ primary }) => domains.indexOf(primary)),
      size: domains.length,
    }),
    HEAD_STEPS,
  )
  const kept = new Map<number, readonly number[]>()
  const sharesOf = (turn: number): readonly number[] | null => {
    const vector = vectors.get(turn)
    if (vector === undefined) return null
    const shares = kept.get(turn) ?? head(vector)
    kept.set(turn, shares)
    return shares
  }
  return {
    labels: known.length,
    of: (turn) => {
      const shares = sharesOf(turn)
      if (shares === null) return null
      const share = Math.max(...shares)
      return { domain: domains[shares.indexOf(share)] ?? '', share }
    },
    share: (turn, domain) =>
      sharesOf(turn)?.[domains.indexOf(domain)] ?? (vectors.has(turn) ? 0 : null),
    nearest: (turn, most) => {
      const own = vectors.get(turn)
      if (own === undefined) return []
      return known
        .filter((one) => one.turn !== turn)
        .map((one) => ({ turn: one.turn, similarity: similarity(own, one.vector) }))
        .toSorted((a, b) => b.similarity - a.similarity || a.turn - b.turn)
        .slice(0, most)
    },
  }
}
