import type { Candidate, Query, VectorStore } from '../../../../engine/probe/ports.ts'
import { byCosine, cosine, lengthOf, linesOf } from '../candidates.ts'
import type { WeighedWords, Words } from './coverage.ts'
import type { Database } from './database.ts'
import { type Asked, type Scored, nearest } from './nearest.ts'
import type { VectorFiles } from './vector-files.ts'

interface Opened {
  readonly db: Database
  readonly files: VectorFiles
  readonly words: Words
}

type Options = Parameters<VectorStore['search']>[1]

/**
 * [D35] Of every query the `k` nearest chunks and the `k` with the best coverage, each with both
 * numbers, best cosine first. Equals are ordered by file name and index.
 */
export async function findCandidates(
  opened: Opened,
  queries: readonly Query[],
  { k, filenames, signal }: Options,
): Promise<ReadonlyArray<readonly Candidate[]>> {
  if (k < 1) return queries.map(() => [])
  const asked: Asked = {
    k,
    signal,
    only: filenames === undefined ? null : slotsOf(opened.db, filenames),
    breakTie: (slots, most) => firstByName(opened.db, slots, most),
  }
  // A query without direction is equally far from everything: no need to look.
  const directed = queries.filter(({ vector }) => lengthOf(vector) > 0)
  const found = await nearest(
    opened.files,
    directed.map(({ vector }) => vector),
    asked,
  )
  const near = new Map(directed.map((query, index) => [query, found[index] ?? []]))
  const answers: Array<readonly Candidate[]> = []
  for (const query of queries) {
    const words = opened.words.weigh(query.text)
    const slots = await covered(opened, { query, words }, asked)
    const scored = near.get(query) ?? zeros(opened.db, asked)
    answers.push(candidates(opened, { query, words }, [...scored, ...slots]))
  }
  return answers
}

/** Slots of all chunks of these files, ascending. */
function slotsOf(db: Database, filenames: readonly string[]): Uint32Array {
  const find = db.prepare('SELECT slot FROM chunks WHERE filename = ?')
  const rows = [...new Set(filenames)].flatMap((name) => find.all(name))
  return Uint32Array.from(rows, ({ slot }) => Number(slot)).sort()
}

/** The `k` best by coverage; of those that are equally good at the end, the nearest. */
async function covered(
  { words, files }: Opened,
  asked: { readonly query: Query; readonly words: WeighedWords },
  options: Asked,
): Promise<readonly Scored[]> {
  const { k, breakTie } = options
  const { vector } = asked.query
  const { above, equal } = words.best(asked.words, k, options.only)
  const score = (slots: readonly number[]) =>
    slots.map((slot) => ({ slot, similarity: cosine(vector, files.vector(slot)) }))
  const room = k - above.length
  if (equal.length <= room) return score([...above, ...equal])
  if (lengthOf(vector) === 0) return score([...above, ...breakTie([...equal], room)])
  const [near = []] = await nearest(files, [vector], { ...options, k: room, only: equal })
  return [...score(above), ...near]
}

function firstByName(db: Database, slots: readonly number[], most: number): readonly number[] {
  return db
    .prepare(
      `SELECT slot FROM chunks WHERE slot IN (SELECT value FROM json_each(?))
       ORDER BY filename, chunk_idx LIMIT ?`,
    )
    .all(JSON.stringify(slots), most)
    .map(({ slot }) => Number(slot))
}

function zeros(db: Database, { only, k }: Asked): readonly Scored[] {
  const slots =
    only === null
      ? db
          .prepare('SELECT slot FROM chunks ORDER BY filename, chunk_idx LIMIT ?')
          .all(k)
          .map(({ slot }) => Number(slot))
      : firstByName(db, [...only], k)
  return slots.map((slot) => ({ slot, similarity: 0 }))
}

function candidates(
  { db, words }: Opened,
  asked: { readonly query: Query; readonly words: WeighedWords },
  scored: readonly Scored[],
): readonly Candidate[] {
  const find = db.prepare(
    'SELECT filename, chunk_idx, text, line_from, line_to, words FROM chunks WHERE slot = ?',
  )
  const unique = new Map(scored.map((each) => [each.slot, each.similarity]))
  const rows = Array.from(unique, ([slot, similarity]) => {
    const row = find.get(slot) ?? {}
    return {
      chunk_text: String(row['text']),
      filename: String(row['filename']),
      chunk_idx: Number(row['chunk_idx']),
      lines: linesOf(row['line_from'], row['line_to']),
      similarity,
      lexical: words.coverage(asked.words, row['words']),
    }
  })
  return rows.toSorted(byCosine)
}
