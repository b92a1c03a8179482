/** Test helper: what every vector store has to do, and data to do it with. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lexicalCoverage } from '../../../engine/probe/hits.ts'
import type { Candidate, ChunkRecord, Query, VectorStore } from '../../../engine/probe/ports.ts'
import type { Result } from '../../../engine/result.ts'
import { lexicalWords, rarity } from './lexical.ts'

export interface Row {
  readonly chunk: ChunkRecord
  readonly vector: Float32Array
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A direction, evenly drawn; of length 1 in 32-bit floats. */
export function randomVector(dimensions: number, random: () => number): Float32Array {
  const values = Float64Array.from({ length: dimensions }, () => {
    const radius = Math.sqrt(-2 * Math.log(1 - random()))
    return radius * Math.cos(2 * Math.PI * random())
  })
  const length = Math.hypot(...values)
  return Float32Array.from(values, (value) => value / length)
}

export function chunkOf(filename: string, chunk_idx: number, text: string): ChunkRecord {
  const lines = [chunk_idx * 10 + 1, chunk_idx * 10 + 10] as const
  return { filename, chunk_idx, text, heading: `Part ${chunk_idx}`, lines, hash: `h${chunk_idx}` }
}

/** The value of an answer that has to be one. */
export function valueOf<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`${result.error.what}. ${result.error.do}`)
  return result.value
}

function naiveCosine(a: Float32Array, b: Float32Array): number {
  let product = 0
  let left = 0
  let right = 0
  a.forEach((value, index) => {
    product += value * (b[index] ?? 0)
    left += value * value
    right += (b[index] ?? 0) * (b[index] ?? 0)
  })
  const cosine = left * right === 0 ? 0 : product / (Math.sqrt(left) * Math.sqrt(right))
  return Math.min(1, Math.max(-1, cosine))
}

/** What a store has to answer, found by looking at everything. */
export function naiveSearch(rows: readonly Row[], query: Query, k: number): readonly Candidate[] {
  const sets = rows.map(({ chunk }) => new Set(lexicalWords(chunk.text)))
  const words = lexicalWords(query.text)
  const weights = new Map(
    words.map((word) => [word, rarity(rows.length, sets.filter((set) => set.has(word)).length)]),
  )
  const all = rows.map(({ chunk, vector }, index) => ({
    chunk_text: chunk.text,
    filename: chunk.filename,
    chunk_idx: chunk.chunk_idx,
    lines: chunk.lines,
    similarity: naiveCosine(query.vector, vector),
    lexical: lexicalCoverage(words, sets[index] ?? new Set(), (word) => weights.get(word) ?? 0),
  }))
  const byName = (a: Candidate, b: Candidate) =>
    a.filename === b.filename ? a.chunk_idx - b.chunk_idx : a.filename < b.filename ? -1 : 1
  const byCosine = (a: Candidate, b: Candidate) => b.similarity - a.similarity || byName(a, b)
  const near = all.toSorted(byCosine).slice(0, k)
  const covered = all
    .filter(({ lexical }) => lexical > 0)
    .toSorted((a, b) => {
      const gap = b.lexical - a.lexical
      return Math.abs(gap) > 1e-9 ? gap : byCosine(a, b)
    })
  return [...new Set([...near, ...covered.slice(0, k)])].toSorted(byCosine)
}

/** Where a candidate is, for comparing lists. */
export function placeOf({ filename, chunk_idx }: Candidate): string {
  return `${filename}#${chunk_idx}`
}

interface Driver {
  /** Opens the store, again and again the same one. */
  readonly open: () => Promise<VectorStore>
  readonly end?: () => Promise<void>
}

export interface ConformanceOptions {
  /** Rows of the large test; 0 = none. */
  readonly large: number
  /** Digits to which cosines agree with double precision. */
  readonly digits: number
}

const PLACES = ['Rogue’s End', 'the Tower Faction', 'a cellar under the Jade Phoenix', '東京タワー']

/** Some rows whose texts share words, in two files and one with a name that is not ASCII. */
function sampleRows(dimensions: number, count: number): readonly Row[] {
  const random = randomFrom(7)
  const files = ['notes/places.md', 'notes/factions.md', 'über/東京 "quoted" it’s.md']
  return Array.from({ length: count }, (_, index) => {
    const place = PLACES[Math.floor(random() * PLACES.length)] ?? ''
    const number = Math.floor(random() * count)
    const text = `Entry ${index} speaks of ${place}, and of word${number}.`
    const chunk = chunkOf(files[index % files.length] ?? '', Math.floor(index / files.length), text)
    return { chunk, vector: randomVector(dimensions, random) }
  })
}

function expectSame(found: readonly Candidate[], wanted: readonly Candidate[], digits: number) {
  expect(found.map(placeOf)).toEqual(wanted.map(placeOf))
  found.forEach((candidate, index) => {
    const one = wanted[index]
    expect(candidate.similarity).toBeCloseTo(one?.similarity ?? 9, digits)
    expect(candidate.lexical).toBeCloseTo(one?.lexical ?? 9, 6)
    expect(candidate.chunk_text).toBe(one?.chunk_text)
    expect(candidate.lines).toEqual(one?.lines)
  })
}

interface Suite extends ConformanceOptions {
  readonly dimensions: number
  readonly rows: readonly Row[]
  readonly queries: readonly Query[]
  readonly random: () => number
  readonly store: () => VectorStore
  readonly reopen: () => Promise<void>
}

/** What an empty and a filled store answer. */
function answers(suite: Suite): void {
  const { digits, queries, rows, dimensions } = suite
  it('D35 an empty store has no embedder, no answers and no chunks', async () => {
    const stats = valueOf(await suite.store().stats())
    expect(stats).toMatchObject({ chunks: 0, documents: 0, dimensions: null, embedder: null })
    expect(valueOf(await suite.store().search(queries, { k: 3 }))).toEqual(queries.map(() => []))
    expect(valueOf(await suite.store().chunks('notes/places.md', 0, 9))).toEqual([])
    expect(valueOf(await suite.store().remove(['nothing.md']))).toBeNull()
  })

  it('D35 stats count what was stored, and every change has its version', async () => {
    const before = valueOf(await suite.store().stats()).version
    valueOf(await suite.store().upsert('embedder:1', rows))
    const stats = valueOf(await suite.store().stats())
    expect(stats).toMatchObject({
      ...{ chunks: 60, documents: 3, dimensions, embedder: 'embedder:1' },
    })
    expect(stats.bytes).toBeGreaterThan(0)
    expect(stats.version).not.toBe(before)
    expect(valueOf(await suite.store().stats()).version).toBe(stats.version)
  })

  it.each([1, 3, 6, 200])(
    'D35 the %i nearest and best covered chunks, as looking at everything finds them',
    async (k) => {
      const found = valueOf(await suite.store().search(queries, { k }))
      expect(found).toHaveLength(queries.length)
      queries.forEach((query, index) =>
        expectSame(found[index] ?? [], naiveSearch(rows, query, k), digits),
      )
    },
  )

  it('D35 a filter leaves the chunks of these files, weighed as in the whole collection', async () => {
    const filenames = ['notes/factions.md', 'über/東京 "quoted" it’s.md']
    const found = valueOf(await suite.store().search(queries, { k: 4, filenames }))
    const within = rows.filter(({ chunk }) => filenames.includes(chunk.filename))
    queries.forEach((query, index) => {
      const near = within
        .map(({ chunk, vector }) => ({
          place: `${chunk.filename}#${chunk.chunk_idx}`,
          similarity: naiveCosine(query.vector, vector),
        }))
        .toSorted((a, b) => b.similarity - a.similarity)
      const places = found[index]?.map(placeOf) ?? []
      expect(places).toEqual(expect.arrayContaining(near.slice(0, 4).map(({ place }) => place)))
      expect(found[index]?.every(({ filename }) => filenames.includes(filename))).toBe(true)
    })
    expect(
      valueOf(await suite.store().search(queries, { k: 4, filenames: ['no.md'] })).flat(),
    ).toEqual([])
  })

  it('D35 chunks of a file come in order, with everything that was stored', async () => {
    const filename = 'über/東京 "quoted" it’s.md'
    const wanted = rows.map(({ chunk }) => chunk).filter((chunk) => chunk.filename === filename)
    expect(valueOf(await suite.store().chunks(filename, 2, 5))).toEqual(wanted.slice(2, 5))
  })
}

/** What no store takes. */
function refusals(suite: Suite): void {
  const { rows, dimensions } = suite
  it('D32 vectors of another embedder or length are refused, with the way out', async () => {
    const [first] = rows
    if (first === undefined) throw new Error('no rows')
    const short = { ...first, vector: first.vector.slice(1) }
    for (const refused of [
      await suite.store().upsert('embedder:2', [first]),
      await suite.store().upsert('embedder:1', [short]),
    ]) {
      expect(refused.ok).toBe(false)
      if (!refused.ok) expect(refused.error.do).toMatch(/^Index .* again/u)
    }
    const query = { text: 'x', vector: short.vector }
    expect((await suite.store().search([query], { k: 1 })).ok).toBe(false)
    expect(valueOf(await suite.store().stats()).chunks).toBe(60)
  })

  it('D32 vectors that are not finite are refused', async () => {
    const vector = new Float32Array(dimensions).fill(Number.NaN)
    const result = await suite
      .store()
      .upsert('embedder:1', [{ chunk: chunkOf('n.md', 0, 'n'), vector }])
    expect(result.ok).toBe(false)
  })
}

/** What is left after changes. */
function changes(suite: Suite): void {
  const { digits, large, queries, rows, dimensions, random } = suite
  it('D35 a chunk of the same file and index is replaced; files go as a whole', async () => {
    const version = valueOf(await suite.store().stats()).version
    const vector = randomVector(dimensions, random)
    const chunk = chunkOf('notes/places.md', 0, 'A zebra stands where Rogue’s End was.')
    valueOf(await suite.store().upsert('embedder:1', [{ chunk, vector }]))
    const changed = valueOf(await suite.store().stats())
    expect(changed.chunks).toBe(60)
    expect(changed.version).not.toBe(version)
    const [found] = valueOf(await suite.store().search([{ text: 'zebra', vector }], { k: 1 }))
    expect(found?.[0]).toMatchObject({ chunk_text: chunk.text, lexical: 1 })
    expect(found?.[0]?.similarity).toBeCloseTo(1, digits)
    valueOf(await suite.store().remove(['notes/places.md']))
    const after = valueOf(await suite.store().stats())
    expect(after).toMatchObject({ chunks: 40, documents: 2 })
    expect(after.version).not.toBe(changed.version)
    const left = rows.filter((row) => row.chunk.filename !== 'notes/places.md')
    const again = valueOf(await suite.store().search(queries, { k: 5 }))
    queries.forEach((query, index) =>
      expectSame(again[index] ?? [], naiveSearch(left, query, 5), digits),
    )
  })

  it('D35 what was stored is there after closing and opening', async () => {
    const { version } = valueOf(await suite.store().stats())
    await suite.reopen()
    expect(valueOf(await suite.store().stats())).toMatchObject({ chunks: 40, version })
  })

  it('D32 an emptied store takes any embedder', async () => {
    valueOf(await suite.store().remove([...new Set(rows.map(({ chunk }) => chunk.filename))]))
    expect(valueOf(await suite.store().stats())).toMatchObject({ chunks: 0, embedder: null })
    const vector = randomVector(16, random)
    valueOf(await suite.store().upsert('other', [{ chunk: chunkOf('a.md', 0, 'one'), vector }]))
    expect(valueOf(await suite.store().stats())).toMatchObject({
      embedder: 'other',
      dimensions: 16,
    })
    valueOf(await suite.store().remove(['a.md']))
  })

  it.runIf(large > 0)(`D35 ${large} rows`, async () => {
    const many = sampleRows(dimensions, large)
    for (let from = 0; from < many.length; from += 1000)
      valueOf(await suite.store().upsert('embedder:1', many.slice(from, from + 1000)))
    expect(valueOf(await suite.store().stats()).chunks).toBe(large)
    const asked = queries.slice(0, 2)
    const found = valueOf(await suite.store().search(asked, { k: 5 }))
    asked.forEach((query, index) =>
      expectSame(found[index] ?? [], naiveSearch(many, query, 5), digits),
    )
  })
}

/** [D35] The suite. `make` gives an empty store of its own each time. */
export function storeConformance(
  title: string,
  make: () => Promise<Driver>,
  options: ConformanceOptions,
): void {
  const dimensions = 24
  const random = randomFrom(11)
  const queries = ['Rogue’s End', 'the Tower Faction of word7', '東京', '', 'zzz', 'word3'].map(
    (text) => ({ text, vector: randomVector(dimensions, random) }),
  )

  describe(title, () => {
    let opened: { readonly driver: Driver; readonly store: VectorStore } | null = null
    const now = () => {
      if (opened === null) throw new Error('the store could not be opened')
      return opened
    }
    beforeAll(async () => {
      const driver = await make()
      opened = { driver, store: await driver.open() }
    }, 120_000)
    afterAll(async () => {
      await opened?.store.close()
      await opened?.driver.end?.()
    })
    const suite: Suite = {
      ...{ ...options, dimensions, rows: sampleRows(dimensions, 60), queries, random },
      store: () => now().store,
      reopen: async () => {
        const { driver, store } = now()
        await store.close()
        opened = { driver, store: await driver.open() }
      },
    }
    answers(suite)
    refusals(suite)
    changes(suite)
  })
}
