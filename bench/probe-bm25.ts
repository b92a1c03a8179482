import { DatabaseSync } from 'node:sqlite'
import { tokensOf } from '../core/engine/probe/tokens.ts'
import type { ProbeQuery } from '../core/engine/schema/probe.ts'

export interface LexicalChunk {
  readonly collection: string
  readonly text: string
}

/** Collections of a query by the best score of a chunk in each, best first. */
type Ranking = ReadonlyArray<{ readonly collection: string; readonly score: number }>

/** Words of a query that carry meaning; grammar would only match everything. */
function contentWords(text: string): readonly string[] {
  const words = tokensOf(text).filter((token) => !token.isFunction)
  return [...new Set(words.map((token) => token.text.toLowerCase().replaceAll(/['’].*$/gu, '')))]
}

/**
 * The lexical baseline: BM25 of SQLite's FTS5 (k1 1.2, b 0.75) with Porter stems, one index over the
 * chunks of all collections, the message's content words joined by OR.
 */
export function createBm25(chunks: readonly LexicalChunk[]): (text: string) => Ranking {
  const database = new DatabaseSync(':memory:')
  database.exec(
    `create virtual table chunks using fts5(text, collection unindexed, tokenize = 'porter unicode61')`,
  )
  const insert = database.prepare('insert into chunks (text, collection) values (?, ?)')
  for (const { text, collection } of chunks) insert.run(text, collection)
  const ask = database.prepare(
    'select collection, -bm25(chunks) as score from chunks where chunks match ? order by score desc',
  )
  return (text) => {
    const words = contentWords(text).filter((word) => word !== '')
    if (words.length === 0) return []
    const rows = ask.all(words.map((word) => `"${word.replaceAll('"', '')}"`).join(' OR '))
    const best = new Map<string, number>()
    for (const { collection, score } of rows) {
      const name = String(collection)
      if (!best.has(name)) best.set(name, Number(score))
    }
    return [...best].map(([collection, score]) => ({ collection, score }))
  }
}

/** Right primaries among queries that have one, and hits among those that have none. */
export interface Quality {
  readonly primary: readonly [right: number, of: number]
  readonly falseHits: readonly [hit: number, of: number]
}

/**
 * Counts the correct answers and false hits of a classifier.
 * @param answer the classifier: returns a collection, or null for none
 */
export function qualityOf(
  queries: readonly ProbeQuery[],
  answer: (query: ProbeQuery) => string | null,
): Quality {
  const wanted = queries.filter(({ collection }) => collection !== null)
  const none = queries.filter(({ collection }) => collection === null)
  return {
    primary: [wanted.filter((query) => answer(query) === query.collection).length, wanted.length],
    falseHits: [none.filter((query) => answer(query) !== null).length, none.length],
  }
}

/** Share of correctly answered queries, including "none". Thresholds are chosen by it. */
function accuracyOf({ primary, falseHits }: Quality): number {
  const of = primary[1] + falseHits[1]
  return of === 0 ? 0 : (primary[0] + falseHits[1] - falseHits[0]) / of
}

/** The threshold on BM25 scores that answers most of these queries rightly; of equal ones the lowest. */
export function bestThreshold(
  queries: readonly ProbeQuery[],
  rank: (text: string) => Ranking,
): number {
  const scores = queries.map(({ text }) => rank(text)[0]?.score ?? 0)
  const tried = [0, ...scores.map((score) => score + 1e-9)].toSorted((a, b) => a - b)
  let best = { threshold: 0, accuracy: -1 }
  for (const threshold of tried) {
    const accuracy = accuracyOf(
      qualityOf(queries, ({ text }) => lexicalAnswer(rank(text), threshold)),
    )
    if (accuracy > best.accuracy) best = { threshold, accuracy }
  }
  return best.threshold
}

export function lexicalAnswer(ranking: Ranking, threshold: number): string | null {
  const [first] = ranking
  return first !== undefined && first.score >= threshold ? first.collection : null
}
