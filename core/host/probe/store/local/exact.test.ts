import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { casesOf } from '../../../../../fixtures/cases.ts'
import {
  chunkOf,
  naiveSearch,
  randomFrom,
  randomVector,
  valueOf,
  type Row,
} from '../../../../../fixtures/probe/store-conformance.ts'
import { openStore } from '../drivers.ts'
import { openedGate } from '../../../../../fixtures/trust.ts'

async function withStore<T>(
  work: (store: Awaited<ReturnType<typeof opened>>) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'turnscope-exact-'))
  const store = await opened(folder)
  try {
    return await work(store)
  } finally {
    await store.close()
    await rm(folder, { recursive: true })
  }
}

async function opened(folder: string) {
  return valueOf(
    await openStore({ entry: { name: 'x', paths: [] }, folder, env: {}, trust: openedGate() }),
  )
}

const DIMENSIONS = 12
/** Few directions and few words, so that there are ties, duplicates and zero vectors. */
const vector = fc.oneof(
  fc.array(fc.constantFrom(-1, 0, 0, 1), { minLength: DIMENSIONS, maxLength: DIMENSIONS }),
  fc.array(fc.float({ min: -2, max: 2, noNaN: true }), {
    minLength: DIMENSIONS,
    maxLength: DIMENSIONS,
  }),
)
const text = fc
  .array(fc.constantFrom('the', 'Rogue’s', 'end', 'tower', 'of', 'maid', 'x1', '塔の'), {
    maxLength: 6,
  })
  .map((words) => words.join(' '))

describe('exact search', () => {
  it('[D31] [D34] answers are those of a look at everything: ties, duplicates, zero vectors', async () => {
    const cases = fc.record({
      rows: fc.array(fc.record({ text, vector }), { minLength: 1, maxLength: 40 }),
      queries: fc.array(fc.record({ text, vector }), { minLength: 1, maxLength: 5 }),
      k: fc.integer({ min: 1, max: 8 }),
    })
    await fc.assert(
      fc.asyncProperty(cases, ({ rows, queries, k }) =>
        withStore(async (store) => {
          const stored: readonly Row[] = rows.map((row, index) => ({
            chunk: chunkOf(`f${index % 3}.md`, index, row.text),
            vector: Float32Array.from(row.vector),
          }))
          valueOf(await store.upsert('e', stored))
          const asked = queries.map((query) => ({
            text: query.text,
            vector: Float32Array.from(query.vector),
          }))
          const found = valueOf(await store.search(asked, { k }))
          asked.forEach((query, index) => {
            const wanted = naiveSearch(stored, query, k)
            expect(found[index]?.map(({ similarity }) => similarity)).toEqual(
              wanted.map(({ similarity }) => similarity),
            )
            expect(found[index]?.map(({ lexical }) => lexical?.toFixed(9))).toEqual(
              wanted.map(({ lexical }) => lexical?.toFixed(9)),
            )
            expect(found[index]?.map((one) => [one.filename, one.chunk_idx])).toEqual(
              wanted.map((one) => [one.filename, one.chunk_idx]),
            )
          })
        }),
      ),
      casesOf('probe: exact answers'),
    )
  })

  it('[D35] a chunk whose last word is exactly as rare as the k-th best is still compared by name', () =>
    withStore(async (store) => {
      const texts = [
        'of',
        'tower of',
        'of tower Rogue',
        'Rogue',
        'Rogue',
        'Rogue',
        'tower',
        'tower of',
      ]
      const vector = new Float32Array(DIMENSIONS)
      const rows = texts.map((words, index) => {
        return { chunk: chunkOf(`f${index % 3}.md`, index, words), vector }
      })
      valueOf(await store.upsert('e', rows))
      const query = { text: 'of Rogue tower', vector }
      const [found] = valueOf(await store.search([query], { k: 7 }))
      expect(found?.map(({ chunk_idx }) => chunk_idx)).toEqual([0, 3, 6, 1, 4, 7, 2])
    }))

  it('[D31] recall is 1 with near duplicates, over two segments', () =>
    withStore(async (store) => {
      const random = randomFrom(9)
      const bases = Array.from({ length: 40 }, () => randomVector(64, random))
      const rows = Array.from({ length: 66_000 }, (_, index) => {
        const base = bases[index % bases.length] ?? new Float32Array(64)
        const noise = index % 3 === 0 ? 0 : 0.02 * random()
        const vector = base.map((value, at) => value + noise * Math.sin(index + at))
        return { chunk: chunkOf('f.md', index, ''), vector }
      })
      for (let from = 0; from < rows.length; from += 10_000)
        valueOf(await store.upsert('e', rows.slice(from, from + 10_000)))
      const queries = [3, 65_999].map((at) => ({ text: '', vector: rows[at]!.vector }))
      const found = valueOf(await store.search(queries, { k: 50 }))
      queries.forEach((query, index) => expect(found[index]).toEqual(naiveSearch(rows, query, 50)))
    }))

  it('[D37] a search that is cancelled ends with words, and the next one answers', () =>
    withStore(async (store) => {
      const random = randomFrom(2)
      const vector = randomVector(8, random)
      valueOf(await store.upsert('e', [{ chunk: chunkOf('f.md', 0, 'x'), vector }]))
      const query = { text: 'x', vector }
      const ended = await store.search([query], { k: 1, signal: { aborted: true } })
      expect(ended).toMatchObject({ ok: false, error: { what: 'the search was cancelled' } })
      expect(valueOf(await store.search([query], { k: 1 }))[0]).toHaveLength(1)
    }))
})
