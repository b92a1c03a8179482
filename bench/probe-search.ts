import { join } from 'node:path'
import type { Query, VectorStore } from '../core/engine/probe/ports.ts'
import { openStore } from '../core/host/probe/store/open.ts'
import { seeded } from './made-up-sessions.ts'
import { median, p95 } from './measure.ts'
import { must } from './probe-desk.ts'

const DIMENSIONS = 384
const BATCH = 5000
const QUERIES = 5
const MOST = 5
const SIZES = [1000, 10_000, 100_000, 1_000_000]
const WORDS =
  'harbour ledger raft tower faction keep lantern backup gateway schema retry index'.split(' ')

/** A random direction: the worst case for everything that hopes for structure. */
function direction(random: () => number): Float32Array {
  const vector = new Float32Array(DIMENSIONS)
  let sum = 0
  for (let at = 0; at < DIMENSIONS; at += 1) {
    const value = random() + random() + random() - 1.5
    vector[at] = value
    sum += value * value
  }
  const length = Math.sqrt(sum)
  for (let at = 0; at < DIMENSIONS; at += 1) vector[at] = (vector[at] ?? 0) / length
  return vector
}

function chunkAt(at: number, random: () => number) {
  const words = Array.from({ length: 8 }, () => WORDS[Math.floor(random() * WORDS.length)] ?? '')
  return {
    filename: `file-${Math.floor(at / 100)}.md`,
    chunk_idx: at % 100,
    text: `${words.join(' ')} n${at}`,
    heading: null,
    lines: null,
    hash: at.toString(16),
  }
}

/** A local store of random directions, through its own port; the vectors too where they are wanted. */
export async function fillStore(
  folder: string,
  chunks: number,
  embedder: string,
  keep?: Float32Array,
): Promise<VectorStore> {
  const store = must(await openStore({ entry: { name: 'bench', paths: [] }, folder, env: {} }))
  const random = seeded(chunks)
  for (let from = 0; from < chunks; from += BATCH) {
    const rows = Array.from({ length: Math.min(BATCH, chunks - from) }, (_, at) => {
      const vector = direction(random)
      keep?.set(vector, (from + at) * DIMENSIONS)
      return { chunk: chunkAt(from + at, random), vector }
    })
    must(await store.upsert(embedder, rows))
  }
  return store
}

/** Milliseconds of one streaming read of as many bytes: libc's search for a byte that is not there. */
function bandwidth(bytes: number): number {
  const memory = Buffer.alloc(bytes, 1)
  const times: number[] = []
  for (let round = 0; round < 9; round += 1) {
    const start = performance.now()
    if (memory.indexOf(2) !== -1) throw new Error('found what is not there')
    times.push(performance.now() - start)
  }
  return median(times)
}

/** The nearest by every cosine computed: what a search must answer. */
function exact(all: Float32Array, query: Float32Array): readonly number[] {
  const count = all.length / DIMENSIONS
  const best: Array<readonly [similarity: number, row: number]> = []
  for (let row = 0; row < count; row += 1) {
    let sum = 0
    for (let at = 0; at < DIMENSIONS; at += 1)
      sum += (all[row * DIMENSIONS + at] ?? 0) * (query[at] ?? 0)
    if (best.length < MOST || sum > (best.at(-1)?.[0] ?? 0)) {
      best.push([sum, row])
      best.sort((a, b) => b[0] - a[0])
      best.length = Math.min(best.length, MOST)
    }
  }
  return best.map(([, row]) => row)
}

interface Searched {
  readonly rows: ReadonlyArray<readonly string[]>
  readonly notes: readonly string[]
  readonly failed: boolean
}

/** [D30] Five queries over stores of each size, beside the time in which memory can be read once. */
export async function benchSearch(folder: string): Promise<Searched> {
  const rows: Array<readonly string[]> = []
  let isExact = true
  for (const size of SIZES) {
    const all = new Float32Array(size * DIMENSIONS)
    const store = await fillStore(join(folder, `search-${size}`), size, 'bench', all)
    const random = seeded(7)
    const times: number[] = []
    for (let round = -2; round < (size > 200_000 ? 5 : 20); round += 1) {
      // No word of a chunk: the vectors alone are searched.
      const queries: Query[] = Array.from({ length: QUERIES }, () => ({
        text: 'zzqx',
        vector: direction(random),
      }))
      const start = performance.now()
      const found = must(await store.search(queries, { k: MOST }))
      if (round >= 0) times.push(performance.now() - start)
      if (round === 0) isExact &&= queries.every((query, at) => same(found[at] ?? [], all, query))
    }
    await store.close()
    const limit = bandwidth(size * DIMENSIONS * 4)
    rows.push([
      `search of ${QUERIES} queries, ${size.toLocaleString('en')} chunks`,
      median(times).toFixed(2),
      p95(times).toFixed(2),
      `${(median(times) / limit).toFixed(1)} × one read of the float32 rows (${limit.toFixed(2)} ms)`,
    ])
  }
  return {
    rows,
    notes: [`The ${MOST} nearest are those of a full comparison: ${isExact ? 'yes' : 'NO'}.`],
    failed: !isExact,
  }
}

function same(
  found: ReadonlyArray<{ readonly filename: string; readonly chunk_idx: number }>,
  all: Float32Array,
  { vector }: Query,
): boolean {
  const wanted = exact(all, vector).map((at) => `file-${Math.floor(at / 100)}.md ${at % 100}`)
  return wanted.every((place, at) => {
    const hit = found[at]
    return hit !== undefined && `${hit.filename} ${hit.chunk_idx}` === place
  })
}
