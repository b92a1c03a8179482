import { appendFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { SessionContract } from '../../../wire/threads.ts'
import { THREADS } from '../../../../fixtures/built.ts'
import {
  makeFolder,
  makeHost,
  makeSession,
  openIn,
  REPOSITORY,
  replayIn,
  windowOf,
} from '../../../../fixtures/host.ts'
import { createPrefetch } from './prefetch.ts'
import { createPads } from './pads.ts'
import { createUploads } from '../../uploads/main/uploads.ts'
import { createWorkerPool } from '../../threads/main/worker-pool.ts'

const FILES: Readonly<Record<string, string>> = {
  'small.jsonl': makeSession(5),
  'one.jsonl': makeSession(1),
  'no-turn.jsonl': makeSession(0),
  // Shown before it is whole (I51).
  'large.jsonl': makeSession(12_000, (turn) => `Find the filings of ${turn} `.repeat(6)),
  'torn.jsonl': makeSession(4).slice(0, -20),
  'rubbish.jsonl': '{"a": 1}\nnot a line of anything\n\u0000\n',
  'empty.jsonl': '',
}
const folder = makeFolder(FILES)
const path = (name: string) => ({ kind: 'path', path: join(folder, name) }) as const
const opens = (name: string) =>
  ({ kind: 'open', source: path(name), turn: null, tab: null }) as const

/** All data that a window receives about a file, except data of a single opening. */
async function seenBy(window: ReturnType<typeof windowOf>, name: string) {
  try {
    const { key, ...facts } = await openIn(window, path(name))
    const index = await window.call('session.index', { key, session: 0 })
    const { columns, flips } = await replayIn(window, key)
    return { ...facts, generation: 0, index, columns, flips }
  } catch (error) {
    return String(error)
  }
}

async function all<T>(steps: AsyncIterable<T> | undefined): Promise<readonly T[]> {
  const seen: T[] = []
  for await (const step of steps ?? []) seen.push(step)
  return seen
}

/** Creates a prefetch with its own thread pool. */
function makePrefetch() {
  const stateDir = makeFolder()
  const trust = { workspace: REPOSITORY, own: [], file: null, pairs: [], thisRun: [] }
  const pool = createWorkerPool<SessionContract>({
    url: THREADS.sessionUrl,
    data: { workspace: REPOSITORY, shipped: REPOSITORY, trust, automata: null },
    size: 1,
  })
  const closed: string[] = []
  const places = {
    pool,
    shipped: REPOSITORY,
    base: REPOSITORY,
    uploads: createUploads(stateDir),
    pads: createPads(stateDir),
    results: {
      thread: {
        link: () => {
          throw new Error('nobody asks results')
        },
      },
      folder: stateDir,
    },
    onClosed: (key: string) => void closed.push(key),
    onLocated: () => undefined,
  }
  onTestFinished(() => pool.close())
  const prefetch = createPrefetch(places)
  return { prefetch, closed }
}

describe('[U201] a file that is named at the start', () => {
  test.each(Object.keys(FILES))('%s is what it is when a window opens it itself', async (name) => {
    const plain = makeHost()
    const expected = await seenBy(windowOf(plain), name)
    await plain.close()
    const host = makeHost()
    host.push(opens(name))
    expect(await seenBy(windowOf(host), name)).toEqual(expected)
    // Taken over once: the next window reads it itself.
    expect(await seenBy(windowOf(host), name)).toEqual(expected)
    await host.close()
  })

  test('is read, and seen whole at once, when the window comes after that', async () => {
    const { prefetch } = makePrefetch()
    prefetch.begin(opens('large.jsonl'))
    await prefetch.read()
    const begun = await prefetch.take(path('large.jsonl'))
    const steps = await all(begun?.steps(new AbortController().signal))
    expect(steps).toMatchObject([{ kind: 'opened', complete: true, turns: 12_000 }])
    // One file, for one window.
    expect(await prefetch.take(path('large.jsonl'))).toBeNull()
  })

  test('is not taken by a window that opens another one', async () => {
    const { prefetch } = makePrefetch()
    prefetch.begin(opens('large.jsonl'))
    expect(await prefetch.take(path('small.jsonl'))).toBeNull()
    expect(await prefetch.take({ ...path('large.jsonl'), map: 'mine' })).toBeNull()
    expect(await prefetch.take(path('large.jsonl'))).not.toBeNull()
  })

  test('is opened anew where it was changed or removed in between', async () => {
    const { prefetch, closed } = makePrefetch()
    const other = makeFolder({ 'a.jsonl': makeSession(3), 'b.jsonl': makeSession(3) })
    const of = (name: string) => ({ kind: 'path', path: join(other, name) }) as const
    for (const [name, change] of [
      ['a.jsonl', (at: string) => appendFileSync(at, '{"kind":"user","text":"one more"}\n')],
      ['b.jsonl', (at: string) => rmSync(at)],
    ] as const) {
      prefetch.begin({ ...opens(''), source: of(name) })
      await prefetch.read()
      change(of(name).path)
      expect(await prefetch.take(of(name))).toBeNull()
    }
    expect(closed).toHaveLength(2)
  })

  test('is let go of with the host, whether a window came or not', async () => {
    const { prefetch, closed } = makePrefetch()
    prefetch.begin(opens('large.jsonl'))
    await prefetch.close()
    expect(closed).toHaveLength(1)
    const host = makeHost()
    host.push(opens('large.jsonl'))
    await host.close()
  })

  test('is given up with the window that took it over', async () => {
    const { prefetch } = makePrefetch()
    prefetch.begin(opens('large.jsonl'))
    const begun = await prefetch.take(path('large.jsonl'))
    const leaving = new AbortController()
    leaving.abort()
    const steps = await all(begun?.steps(leaving.signal))
    expect(steps.some((step) => step.kind === 'grown' && step.complete)).toBe(false)
    await prefetch.read()
  })
})
