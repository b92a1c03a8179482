import { join } from 'node:path'
import type { Query, VectorStore } from '../core/engine/probe/ports.ts'
import { strideOf } from '../core/host/probe/store/local/kernel/segment.ts'
import { openStore } from '../core/host/probe/store/drivers.ts'
import { seeded } from './made-up-sessions.ts'
import { median, p95 } from './measure.ts'
import { must } from './probe-service.ts'
import { openedGate } from '../fixtures/trust.ts'

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

/** Fills a local store with random directions through the store's interface. Also returns the vectors on request. */
export async function fillStore(
  folder: string,
  chunks: number,
  embedder: string,
  keep?: Float32Array,
): Promise<VectorStore> {
  const store = must(
    await openStore({ entry: { name: 'bench', paths: [] }, folder, env: {}, trust: openedGate() }),
  )
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

type Best = Array<readonly [similarity: number, row: number]>

function keep(best: Best, similarity: number, row: number): void {
  if (best.length === MOST && similarity <= (best.at(-1)?.[0] ?? 0)) return
  best.push([similarity, row])
  best.sort((a, b) => b[0] - a[0])
  best.length = Math.min(best.length, MOST)
}

/** Computes the sums of five queries together: one shared pass over a row is twice as fast as five passes. */
function plainRow(
  all: Float32Array,
  from: number,
  queries: Float32Array,
  sums: Float64Array,
): void {
  let s0 = 0
  let s1 = 0
  let s2 = 0
  let s3 = 0
  let s4 = 0
  for (let at = 0, place = 0; at < DIMENSIONS; at += 1, place += QUERIES) {
    const value = all[from + at] ?? 0
    s0 += value * (queries[place] ?? 0)
    s1 += value * (queries[place + 1] ?? 0)
    s2 += value * (queries[place + 2] ?? 0)
    s3 += value * (queries[place + 3] ?? 0)
    s4 += value * (queries[place + 4] ?? 0)
  }
  sums.set([s0, s1, s2, s3, s4])
}

/** Baseline of the store's kernel, and the expected result of a search: every cosine, from plain floats in memory. */
function plain(all: Float32Array, queries: readonly Float32Array[]): readonly Best[] {
  const woven = new Float32Array(DIMENSIONS * QUERIES)
  queries.forEach((query, index) =>
    query.forEach((value, at) => (woven[at * QUERIES + index] = value)),
  )
  const sums = new Float64Array(QUERIES)
  const found = queries.map((): Best => [])
  for (let row = 0; row * DIMENSIONS < all.length; row += 1) {
    plainRow(all, row * DIMENSIONS, woven, sums)
    for (let index = 0; index < QUERIES; index += 1) {
      const best = found[index]
      const similarity = sums[index] ?? 0
      if (best !== undefined) keep(best, similarity, row)
    }
  }
  return found
}

interface Searched {
  readonly rows: ReadonlyArray<readonly string[]>
  readonly notes: readonly string[]
  readonly failed: boolean
}

/**
 * [D30] Five queries over stores of each size, beside the same search over plain floats in memory and the
 * time in which memory can be read once.
 */
export async function benchSearch(folder: string): Promise<Searched> {
  const rows: Array<readonly string[]> = []
  let isExact = true
  for (const size of SIZES) {
    const all = new Float32Array(size * DIMENSIONS)
    const store = await fillStore(join(folder, `search-${size}`), size, 'bench', all)
    const random = seeded(7)
    const times: number[] = []
    const plainTimes: number[] = []
    for (let round = -2; round < (size > 200_000 ? 5 : 20); round += 1) {
      // No word of a chunk: the vectors alone are searched.
      const queries: Query[] = Array.from({ length: QUERIES }, () => ({
        text: 'zzqx',
        vector: direction(random),
      }))
      const start = performance.now()
      const found = must(await store.search(queries, { k: MOST }))
      const middle = performance.now()
      const wanted = plain(
        all,
        queries.map(({ vector }) => vector),
      )
      if (round >= 0) {
        times.push(middle - start)
        plainTimes.push(performance.now() - middle)
      }
      isExact &&= wanted.every((best, at) => isSame(found[at] ?? [], best))
    }
    await store.close()
    const limit = bandwidth(size * DIMENSIONS * 4)
    const name = `${QUERIES} queries, ${size.toLocaleString('en')} chunks`
    const ratio = (median(plainTimes) / median(times)).toFixed(1)
    rows.push(
      [
        `search of ${name}`,
        median(times).toFixed(2),
        p95(times).toFixed(2),
        `${(median(times) / limit).toFixed(1)} × one read of the float32 rows (${limit.toFixed(2)} ms)`,
      ],
      [
        `plain Float32, ${name}`,
        median(plainTimes).toFixed(2),
        p95(plainTimes).toFixed(2),
        `${ratio} × the search; ${megabytes(size * DIMENSIONS * 4)} MB in memory, codes ${megabytes(size * strideOf(DIMENSIONS))}`,
      ],
    )
  }
  return {
    rows,
    notes: [`The ${MOST} nearest are those of a full comparison: ${isExact ? 'yes' : 'NO'}.`],
    failed: !isExact,
  }
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(0)
}

function isSame(
  found: ReadonlyArray<{ readonly filename: string; readonly chunk_idx: number }>,
  wanted: Best,
): boolean {
  return wanted.every(([, row], at) => {
    const hit = found[at]
    return hit?.filename === `file-${Math.floor(row / 100)}.md` && hit.chunk_idx === row % 100
  })
}
