import { expect, test } from 'vitest'
import type { Reading } from '../../../wire/internal/session.ts'
import { RpcError } from '../../../wire/rpc.ts'
import type { SeenFile } from '../../files/walk.ts'
import { batchesOf, readFiles } from './read-files.ts'

const CONFIG = { preset: 'recommended', domains: 'default', profile: null, classify: null }
const ASKED = { folder: '/f', config: CONFIG, compare: null }
const seen = (path: string, bytes: number): SeenFile => ({ path, bytes, modifiedAt: 0 })
const READING: Reading = { kind: 'skipped', reason: 'not a transcript' }

/** A pool whose threads end under a file with this name. */
function poolThatDies(at: string) {
  const asked: string[][] = []
  const lease = () => {
    let why: string | null = null
    const call = (_: string, { paths }: { readonly paths: readonly string[] }) => {
      asked.push([...paths])
      if (!paths.includes(`/f/${at}`))
        return Promise.resolve({ readings: paths.map(() => READING) })
      why = 'out of memory'
      return Promise.reject(new RpcError('CLOSED', 'the port is closed'))
    }
    return { client: { call }, lost: () => why, release: () => undefined }
  }
  // A pool has more than a scan asks of it.
  return { asked, pool: { lease } as never }
}

test('[I147] each file is in one batch, in order; no batch is most of the work', () => {
  const files = Array.from({ length: 500 }, (_, at) => seen(`${at}`, (at * 7919) % 90_000))
  for (const threads of [1, 2, 8]) {
    const batches = batchesOf(files, threads)
    expect(batches.flatMap((batch) => batch.files)).toEqual(files)
    const most = files.reduce((sum, each) => sum + each.bytes, 0) / (threads * 4) + 90_000
    for (const { bytes, files: inIt } of batches) {
      expect(bytes).toBe(inIt.reduce((sum, each) => sum + each.bytes, 0))
      expect(bytes).toBeLessThan(most)
      expect(inIt.length).toBeLessThanOrEqual(32)
    }
  }
  expect(batchesOf([seen('a', 900e6), seen('b', 1)], 2)).toHaveLength(2)
  expect(batchesOf([], 2)).toEqual([])
})

test('[I147] a file that ends its thread costs no other file of its batch', async () => {
  const files = Array.from({ length: 90 }, (_, at) => seen(`${at}`, 10))
  const { pool, asked } = poolThatDies('17')
  const found = new Map<string, Reading>()
  const { signal } = new AbortController()
  for await (const { file, reading } of readFiles(files, ASKED, { pool, threads: 2, signal }))
    found.set(file.path, reading)
  expect([...found.keys()].toSorted()).toEqual(files.map(({ path }) => path).toSorted())
  const failed = [...found].filter(([, reading]) => reading.kind === 'failed')
  expect(failed.map(([path]) => path)).toEqual(['17'])
  expect(found.get('17')).toMatchObject({
    problem: { what: 'the thread that read it stopped (out of memory)', where: '17' },
  })
  expect(asked.length).toBeLessThan(60)
})
