import { expect, test } from 'vitest'
import type { Reading } from '../../../wire/internal/session.ts'
import { RpcError } from '../../../wire/rpc.ts'
import type { SeenFile } from '../../platform/files/walk.ts'
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
    return { slot: 0, client: { call }, lost: () => why, release: () => undefined }
  }
  // The test needs only part of a pool.
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
  for await (const { file, reading } of readFiles(files, ASKED, {
    pool,
    threads: 2,
    signal,
    places: new Map(),
  }))
    found.set(file.path, reading)
  expect([...found.keys()].toSorted()).toEqual(files.map(({ path }) => path).toSorted())
  const failed = [...found].filter(([, reading]) => reading.kind === 'failed')
  expect(failed.map(([path]) => path)).toEqual(['17'])
  expect(found.get('17')).toMatchObject({
    problem: { what: 'the thread that read it stopped (out of memory)', where: '17' },
  })
  expect(asked.length).toBeLessThan(60)
})

test('[I148] a file that a thread keeps is asked of that thread again', async () => {
  const files = Array.from({ length: 50 }, (_, at) => seen(`${at}`, 10))
  const kept: Reading = {
    kind: 'read',
    format: 'native',
    label: 'Turnscope JSONL',
    title: 'a',
    startedAt: null,
    sessions: 1,
    events: 1,
    problems: 0,
    companions: [],
    kept: true,
    stats: {
      turns: 1,
      domains: [],
      flips: null,
      breaks: 0,
      held: 0,
      resisted: 0,
      signals: 0,
      errors: 0,
    },
  }
  let next = 0
  const asked = new Map<string, number>()
  const lease = (_: number, place?: number) => {
    next += 1
    const slot = place ?? next % 3
    const call = (_name: string, { paths }: { readonly paths: readonly string[] }) => {
      for (const path of paths) asked.set(path, slot)
      // Every tenth file is not worth keeping.
      const readings = paths.map((path) => ({ ...kept, kept: !path.endsWith('5') }))
      return Promise.resolve({ readings })
    }
    return { slot, client: { call }, lost: () => null, release: () => undefined }
  }
  const { signal } = new AbortController()
  const places = new Map<string, number>()
  // The test needs only part of a pool.
  const around = { pool: { lease } as never, threads: 2, signal, places }
  const rounds: Array<ReadonlyMap<string, number>> = []
  while (rounds.length < 2) {
    let count = 0
    for await (const { reading } of readFiles(files, ASKED, around))
      if (reading.kind === 'read') count += 1
    expect(count).toBe(50)
    rounds.push(new Map(asked))
  }
  expect([...places.keys()].some((path) => path.endsWith('5'))).toBe(false)
  expect(new Set(places.values()).size).toBe(3)
  for (const path of places.keys()) expect(rounds[1]?.get(path)).toBe(rounds[0]?.get(path))
})
