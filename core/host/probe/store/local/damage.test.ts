import { spawn } from 'node:child_process'
import { appendFile, mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { VectorStore } from '../../../../engine/probe/ports.ts'
import {
  type Row,
  chunkOf,
  naiveSearch,
  randomFrom,
  randomVector,
  valueOf,
} from '../../../../../fixtures/probe/store-conformance.ts'
import { isDamaged } from '../problems.ts'
import { openStore } from '../drivers.ts'
import { openedGate } from '../../../../../fixtures/trust.ts'

const DIMENSIONS = 32
const random = randomFrom(4)
const rows: readonly Row[] = Array.from({ length: 50 }, (_, index) => ({
  chunk: chunkOf(`f${index % 5}.md`, index, `word${index} everywhere`),
  vector: randomVector(DIMENSIONS, random),
}))
const query = { text: 'word7', vector: rows[3]!.vector }

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'turnscope-damage-'))
})
afterEach(() => rm(folder, { recursive: true }))

async function open(): Promise<VectorStore> {
  return valueOf(
    await openStore({
      entry: { name: 'campaign', paths: [] },
      folder,
      env: {},
      trust: openedGate(),
    }),
  )
}

/** A closed store with the rows. */
async function fill(): Promise<void> {
  const store = await open()
  valueOf(await store.upsert('e', rows))
  await store.close()
}

async function flip(name: string, at: number): Promise<void> {
  const bytes = await readFile(join(folder, name))
  bytes[at] = (bytes[at] ?? 0) ^ 0x10
  await writeFile(join(folder, name), bytes)
}

const HARM: ReadonlyArray<readonly [string, () => Promise<void>]> = [
  ['a code that changed', () => flip('vectors-1.codes', 700)],
  ['codes that are cut off', () => truncate(join(folder, 'vectors-1.codes'), 900)],
  ['vectors that are cut off', () => truncate(join(folder, 'vectors-1.f32'), 900)],
  ['a file that is missing', () => rm(join(folder, 'vectors-1.f32'))],
  ['a database of zeros', () => writeFile(join(folder, 'store.db'), Buffer.alloc(9000))],
  ['a database that is text', () => writeFile(join(folder, 'store.db'), 'x'.repeat(9000))],
  ['a database page that changed', () => flip('store.db', 4096 * 3 + 8)],
  ['a database that lost its end', () => truncate(join(folder, 'store.db'), 8192)],
  [
    'a database of another program',
    async () => {
      await rm(join(folder, 'store.db'))
      const other = new DatabaseSync(join(folder, 'store.db'))
      other.exec('CREATE TABLE t (a)')
      other.close()
    },
  ],
]

describe('damaged local store', () => {
  it.each(HARM)('[D33] %s: it is said to be damaged, with the way out', async (_name, harm) => {
    await fill()
    await harm()
    const result = await openStore({
      entry: { name: 'campaign', paths: [] },
      folder,
      env: {},
      trust: openedGate(),
    })
    expect(result).toMatchObject({ ok: false, error: { kind: 'damaged' } })
    if (!result.ok) expect(result.error.do).toContain('Index campaign again')
  })

  it('[D33] a vector that changed is noticed when it is scored', async () => {
    await fill()
    await flip('vectors-1.f32', 3 * DIMENSIONS * 4 + 1)
    const store = await open()
    const result = await store.search([query], { k: 1 })
    expect(!result.ok && isDamaged(result.error)).toBe(true)
    const stats = await store.stats()
    expect(!stats.ok && isDamaged(stats.error)).toBe(true)
    await store.close()
    const again = await openStore({
      entry: { name: 'campaign', paths: [] },
      folder,
      env: {},
      trust: openedGate(),
    })
    expect(again).toMatchObject({ ok: false, error: { kind: 'damaged' } })
  })

  it('[D30] what stands behind the committed rows is cut off', async () => {
    await fill()
    const size = async (name: string) => (await stat(join(folder, name))).size
    const before = [await size('vectors-1.f32'), await size('vectors-1.codes')]
    for (const name of ['vectors-1.f32', 'vectors-1.codes'])
      await appendFile(join(folder, name), Buffer.alloc(777, 7))
    const store = await open()
    expect([await size('vectors-1.f32'), await size('vectors-1.codes')]).toEqual(before)
    expect(valueOf(await store.search([query], { k: 4 }))[0]).toEqual(naiveSearch(rows, query, 4))
    await store.close()
  })

  it('[D30] a process killed in the middle of an upsert loses nothing that was committed', async () => {
    const size = 400
    const code = `
      import { openStore } from ${JSON.stringify(join(import.meta.dirname, '../drivers.ts'))}
      const { value: store } = await openStore({ entry: { name: 'campaign', paths: [] }, folder: ${JSON.stringify(folder)}, env: {}, trust: null })
      const { value } = await store.stats()
      for (let batch = value.chunks / ${size}; ; batch += 1) {
        const rows = Array.from({ length: ${size} }, (_, index) => ({
          chunk: { filename: 'f' + batch, chunk_idx: index, text: 'batch ' + batch + ' row ' + index,
            heading: null, lines: null, hash: 'h' },
          vector: Float32Array.from({ length: 256 }, (_, at) => Math.sin(batch * 7 + index * 3 + at)),
        }))
        await store.upsert('e', rows)
        console.log(batch + 1)
      }`
    for (const wait of [3, 11, 25, 40]) {
      const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
        stdio: ['ignore', 'pipe', 'ignore'],
      })
      let committed = 0
      for await (const line of createInterface({ input: child.stdout })) {
        committed = Number(line)
        if (committed % 3 !== 0 || child.killed) continue
        await setTimeout(wait)
        child.kill('SIGKILL')
      }
      expect(committed).toBeGreaterThan(0)
      const store = await open()
      const { chunks, documents } = valueOf(await store.stats())
      expect(chunks % size).toBe(0)
      expect(documents).toBe(chunks / size)
      expect(chunks).toBeGreaterThanOrEqual(committed * size)
      const last = committed - 1
      const vector = Float32Array.from({ length: 256 }, (_, at) => Math.sin(last * 7 + 5 * 3 + at))
      const asked = { text: `batch ${last} row 5`, vector }
      const filenames = [`f${last}`]
      const [found] = valueOf(await store.search([asked], { k: 1, filenames }))
      expect(
        found?.some(({ chunk_text, lexical }) => chunk_text === asked.text && lexical === 1),
      ).toBe(true)
      await store.close()
    }
  })

  it('[D30] one process sees what another one wrote, replaced, removed and compacted', async () => {
    const writer = await open()
    const reader = await open()
    valueOf(await writer.upsert('e', rows))
    expect(valueOf(await reader.search([query], { k: 4 }))[0]).toEqual(naiveSearch(rows, query, 4))
    for (let round = 0; round < 45; round += 1) valueOf(await writer.upsert('e', rows))
    valueOf(await writer.remove(['f1.md']))
    const left = rows.filter(({ chunk }) => chunk.filename !== 'f1.md')
    expect(valueOf(await reader.search([query], { k: 4 }))[0]).toEqual(naiveSearch(left, query, 4))
    expect(valueOf(await writer.search([query], { k: 4 }))[0]).toEqual(naiveSearch(left, query, 4))
    expect(valueOf(await reader.stats()).chunks).toBe(40)
    // The reader may write too, after the other.
    valueOf(await reader.upsert('e', rows))
    expect(valueOf(await writer.search([query], { k: 4 }))[0]).toEqual(naiveSearch(rows, query, 4))
    await Promise.all([writer.close(), reader.close()])
  })

  it('[D33] rows that were replaced give their space back', async () => {
    const store = await open()
    const many = Array.from({ length: 600 }, (_, index) => ({
      chunk: chunkOf('f.md', index, `word${index} everywhere`),
      vector: randomVector(DIMENSIONS, random),
    }))
    for (let round = 0; round < 12; round += 1) valueOf(await store.upsert('e', many))
    const sizes = await Promise.all(
      Array.from({ length: 12 }, (_, generation) =>
        stat(join(folder, `vectors-${generation}.f32`)).then(
          ({ size }) => size,
          () => 0,
        ),
      ),
    )
    const vectors = sizes.filter((size) => size > 0)
    expect(vectors).toHaveLength(1)
    expect(vectors[0]).toBeLessThan(4 * 600 * DIMENSIONS * 4)
    const asked = { text: 'word7 everywhere', vector: many[7]!.vector }
    expect(valueOf(await store.search([asked], { k: 9 }))[0]).toEqual(naiveSearch(many, asked, 9))
    await store.close()
    const again = await open()
    expect(valueOf(await again.search([asked], { k: 9 }))[0]).toEqual(naiveSearch(many, asked, 9))
    await again.close()
  })
})
