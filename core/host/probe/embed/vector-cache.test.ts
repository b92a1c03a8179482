import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { err, ok } from '../../../engine/result.ts'
import type { OpenEmbedder } from '../ports.ts'
import { cachedEmbedder } from './vector-cache.ts'
import { vectorFor } from '../../../../fixtures/probe/embed-servers.ts'
import { unit } from './engine.ts'

const work = mkdtempSync(join(tmpdir(), 'turnscope-cache-'))
const LIVE = { aborted: false }
let files = 0
const newFile = () => join(work, `${(files += 1)}`, 'embedded.sqlite')
afterAll(() => rmSync(work, { recursive: true, force: true }))

/** Computes vectors from the text by arithmetic, and records the requested texts. */
function counting(id = 'model:1', size = 8) {
  const asked: string[][] = []
  const failing = { after: Number.POSITIVE_INFINITY }
  const embedder: OpenEmbedder = {
    id,
    dimensions: size,
    threshold: 0.5,
    remote: false,
    embed: (texts) => {
      if (asked.length >= failing.after) {
        return Promise.resolve(err({ what: 'cut off', where: '', do: '' }))
      }
      asked.push([...texts])
      return Promise.resolve(ok(texts.map((text) => unit(vectorFor(text, size))!)))
    },
    close: () => Promise.resolve(),
  }
  return { asked, embedder, failing }
}

async function embedOnce(
  embedder: OpenEmbedder,
  file: string,
  texts: readonly string[],
  most?: number,
) {
  const cached = await cachedEmbedder(embedder, file, most)
  const result = await cached.embed(texts, LIVE)
  await cached.close()
  return result
}

describe('the cache of vectors', () => {
  it('[D27] asks for a text once, keeps the order, and gives back the very same numbers', async () => {
    const file = newFile()
    const { asked, embedder } = counting()
    const first = await embedOnce(embedder, file, ['one', 'three', 'one'])
    expect(asked).toEqual([['one', 'three']])
    const again = await embedOnce(embedder, file, ['three', 'eleven', 'one'])
    expect(asked).toEqual([['one', 'three'], ['eleven']])
    expect(again.ok && first.ok && again.value[0]).toEqual(first.ok && first.value[1])
    expect(again.ok && first.ok && again.value[2]).toEqual(first.ok && first.value[0])
  })

  it('[D27] another embedder shares nothing', async () => {
    const file = newFile()
    const a = counting('model:1')
    const b = counting('model:2')
    await embedOnce(a.embedder, file, ['one'])
    await embedOnce(b.embedder, file, ['one'])
    expect([a.asked, b.asked]).toEqual([[['one']], [['one']]])
  })

  it('[D27] says of itself what its embedder says', async () => {
    const cached = await cachedEmbedder(counting().embedder, newFile())
    expect(cached).toMatchObject({ id: 'model:1', dimensions: 8, threshold: 0.5, remote: false })
    await cached.close()
  })

  it('[D27] what was made before a failure is kept', async () => {
    const file = newFile()
    const { asked, embedder, failing } = counting()
    failing.after = 1
    const texts = Array.from({ length: 100 }, (_, index) => 'x'.repeat(index + 1))
    expect((await embedOnce(embedder, file, texts)).ok).toBe(false)
    failing.after = Number.POSITIVE_INFINITY
    expect((await embedOnce(embedder, file, texts)).ok).toBe(true)
    expect(asked.flat()).toHaveLength(100)
  })

  it('[D27] is bounded: the longest unused go first', async () => {
    const file = newFile()
    const { asked, embedder } = counting()
    const cached = await cachedEmbedder(embedder, file, 20)
    const text = (index: number) => 'x'.repeat(index + 1)
    for (let index = 0; index < 20; index += 1) await cached.embed([text(index)], LIVE)
    await cached.embed([text(0)], LIVE)
    await cached.embed([text(20)], LIVE)
    asked.length = 0
    await cached.embed([text(0), text(1), text(2), text(3), text(20)], LIVE)
    expect(asked).toEqual([[text(1), text(2), text(3)]])
    await cached.close()
    const database = new DatabaseSync(file)
    expect(
      Number(database.prepare('SELECT count(*) AS n FROM vectors').get()?.['n']),
    ).toBeLessThanOrEqual(21)
    database.close()
  })

  it('[D27] a damaged file is made anew, a damaged row is asked again', async () => {
    const file = newFile()
    const { asked, embedder } = counting()
    await embedOnce(embedder, file, ['one', 'three'])
    const database = new DatabaseSync(file)
    database.exec(
      'UPDATE vectors SET vector = zeroblob(32) WHERE key = (SELECT key FROM vectors LIMIT 1)',
    )
    database.close()
    await embedOnce(embedder, file, ['one', 'three'])
    expect(asked[1]).toHaveLength(1)
    writeFileSync(file, 'this is no database, and was never one '.repeat(200))
    expect((await embedOnce(embedder, file, ['one'])).ok).toBe(true)
    expect((await embedOnce(embedder, file, ['one'])).ok).toBe(true)
    expect(asked.slice(2)).toEqual([['one']])
  })

  it('[D27] where no file can be written, nothing is kept and nothing fails', async () => {
    writeFileSync(join(work, 'in-the-way'), '')
    const { asked, embedder } = counting()
    const file = join(work, 'in-the-way', 'embedded.sqlite')
    expect((await embedOnce(embedder, file, ['one'])).ok).toBe(true)
    expect((await embedOnce(embedder, file, ['one'])).ok).toBe(true)
    expect(asked).toEqual([['one'], ['one']])
  })

  it('[D27] two that share a file do not disturb each other', async () => {
    const file = newFile()
    const caches = await Promise.all([1, 2].map(() => cachedEmbedder(counting().embedder, file)))
    const texts = Array.from({ length: 300 }, (_, index) => 'x'.repeat(index + 1))
    const results = await Promise.all(caches.map((cache) => cache.embed(texts, LIVE)))
    expect(results.every((result) => result.ok && result.value.length === 300)).toBe(true)
    for (const cache of caches) await cache.close()
    expect(statSync(file).size).toBeGreaterThan(300 * 32)
    expect(readdirSync(join(file, '..'))).toEqual(['embedded.sqlite'])
  })
})
