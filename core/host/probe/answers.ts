import type { z } from 'zod'
import type { Immutable } from '../../engine/schema/immutable.ts'
import type { ProbeScores } from './sessions/sessions.ts'
import type { Curve } from './evaluation/evaluate.ts'
import type { ProbeThreadContract } from '../../wire/threads.ts'

type ScoresOut = Extract<
  Immutable<z.input<ProbeThreadContract['probe.scores']['out']>>,
  { readonly kind: 'scores' }
>
type CurveOut = Extract<
  Immutable<z.input<ProbeThreadContract['probe.curve']['out']>>,
  { readonly kind: 'curve' }
>

/** [D16] Rows of all messages as columns; phrases and collections by number. */
export function scoresAnswer({ collections, thresholds, rows }: ProbeScores): ScoresOut {
  const numbers = new Map<string, number>()
  const numberOf = (phrase: string): number => {
    const known = numbers.get(phrase) ?? numbers.size
    numbers.set(phrase, known)
    return known
  }
  const cells = rows.flatMap(({ seq, scores }) => scores.map((score) => ({ ...score, seq })))
  return {
    kind: 'scores',
    ...{ collections, thresholds },
    phrase: cells.map((cell) => numberOf(cell.phrase)),
    phrases: [...numbers.keys()],
    seq: cells.map((cell) => cell.seq),
    collection: cells.map((cell) => collections.indexOf(cell.collection)),
    similarity: cells.map((cell) => cell.similarity),
    lexical: cells.map((cell) => cell.lexical ?? -1),
    reach: cells.map((cell) => cell.reach),
  }
}

/** [L30] */
export function curveAnswer({ points, answered }: Curve): CurveOut {
  return {
    kind: 'curve',
    points,
    queries: answered.length,
    rows: answered.map(({ query, best }) => ({
      id: query.id,
      text: query.text,
      wanted: query.collection,
      best,
    })),
  }
}
