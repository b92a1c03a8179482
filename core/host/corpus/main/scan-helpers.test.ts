import { expect, test } from 'vitest'
import { Worker } from 'node:worker_threads'
import { CONFIG, makeFolder, makeSession, REPOSITORY } from '../../../../fixtures/host.ts'
import { gateWith } from '../../../../fixtures/trust.ts'
import type { LabThreadContract } from '../../../wire/threads.ts'
import { createRestrictedThreads, type StartThread } from '../../threads/main/restricted-thread.ts'
import { helpersOf, withHelpers } from './scan-helpers.ts'
import { createWorkerPool, linkOf } from '../../threads/main/worker-pool.ts'

const WORDS = ['investigate', 'ls -la', 'fix the bug', 'write a test', 'git commit', 'thanks']
const FILL =
  'What stands here is long and says little, so that looking for signals takes a while. '.repeat(11)
/** More text than one thread looks through alone. */
const folder = makeFolder({
  'long.jsonl': makeSession(
    700,
    (turn) => `${WORDS[turn % 6]} ${turn} ${FILL}${WORDS[(turn * turn) % 6]}`,
  ),
})
const workspace = makeFolder()
const { place: trust } = gateWith({}, workspace)
const data = { workspace, shipped: REPOSITORY, trust, automata: null }
const url = new URL('../../entries/lab.ts', import.meta.url)

/** The lab's first answer, and the table of where signals fired, with threads that are started so. */
async function answers(start: StartThread, helpers: number) {
  const pool = createWorkerPool<LabThreadContract>({
    url,
    data,
    size: 1,
    start: withHelpers(start, helpers, 100_000),
  })
  const link = linkOf(pool.lease(1), (what) => ({ what, where: 'lab', do: 'Try again' }))
  const { signal } = new AbortController()
  const input = { corpus: 'c', files: [], folders: [folder], samples: false, config: CONFIG }
  const steps = []
  for await (const step of link.stream('lab.open', input, signal)) steps.push(step)
  const side = { kind: 'config' as const, config: CONFIG }
  const coverage = await link.call('lab.coverage', { corpus: 'c', side })
  const matrix = await link.call('lab.matrix', { corpus: 'c', side, by: 'signals', domain: null })
  await pool.close()
  return { ready: steps.at(-1), coverage, matrix }
}

test('[L107] [F24] one thread and two threads without rights give the same answers', async () => {
  const threads = createRestrictedThreads({ serve: () => undefined })
  let started = 0
  const counted: StartThread = (...given) => {
    started += 1
    return threads.start(...given)
  }
  const alone = await answers(counted, 0)
  expect(alone.ready).toMatchObject({ kind: 'ready', turns: 700 })
  expect(alone.coverage.domains.length).toBeGreaterThan(3)
  expect(started).toBe(1)
  expect(await answers(counted, 1)).toEqual(alone)
  expect(started).toBe(3)
  threads.close()
})

test('[L107] a helper that ends, or cannot be started, only costs its help', async () => {
  const plain: StartThread = (...given) => new Worker(...given)
  const ending: StartThread = (of, how) =>
    'asked' in how.workerData ? new Worker('process.exit(3)', { eval: true }) : plain(of, how)
  const refused: StartThread = (of, how) => {
    if ('asked' in how.workerData) throw new Error('no more threads')
    return plain(of, how)
  }
  const alone = await answers(plain, 0)
  expect(await answers(ending, 1)).toEqual(alone)
  expect(await answers(refused, 1)).toEqual(alone)
})

test('[L107] every other processor helps, up to three', () => {
  expect([1, 2, 4, 64].map(helpersOf)).toEqual([0, 1, 3, 3])
})
