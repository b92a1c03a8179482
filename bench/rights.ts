/** Cost of running the threads that read transcripts without rights (F24): opening and replaying, with and without. */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openWorkspace } from '../core/host/workspace/workspace.ts'
import { createRestrictedThreads } from '../core/host/threads/main/restricted-thread.ts'
import { createRightsDesk } from '../core/host/threads/main/rights.ts'
import { SESSION_LIMITS } from '../core/host/threads/main/session-limits.ts'
import { createWorkerPool, linkOf } from '../core/host/threads/main/worker-pool.ts'
import type { SessionContract } from '../core/wire/threads.ts'
import { writeLongSession } from './long-session.ts'
import { formatRatio, median, type Section } from './measure.ts'
import { ROOT } from './server.ts'

const TURNS = 50_000
const ROUNDS = 7
const CONFIG = { preset: 'recommended', domains: 'default', profile: null, classify: null }

interface Times {
  readonly start: number
  readonly open: number
  readonly replay: number
}

type Start = Parameters<typeof createWorkerPool>[0]['start']

/** Milliseconds of one thread: until it answers, until a file is read, until it is replayed. */
async function once(path: string, start: Start): Promise<Times> {
  const { root, trust } = openWorkspace(ROOT)
  const pool = createWorkerPool<SessionContract>({
    url: new URL('../core/host/entries/session.ts', import.meta.url),
    data: { workspace: root, shipped: root, trust: trust.place },
    limits: SESSION_LIMITS,
    size: 1,
    ...(start === undefined ? {} : { start }),
  })
  const link = linkOf(pool.lease(1), (why) => ({ what: why, where: path, do: 'Run it again' }))
  const { signal } = new AbortController()
  const began = performance.now()
  await link.call('session.close', { key: 'none' })
  const answered = performance.now()
  const file = { path, shown: path, name: 'long', fixed: null, map: null }
  await drained(link.stream('session.open', { key: 'bench-rights', file }, signal))
  const opened = performance.now()
  const asked = { key: 'bench-rights', session: 0, config: CONFIG, compare: null }
  await drained(link.stream('session.replay', asked, signal))
  const end = performance.now()
  await pool.close()
  return { start: answered - began, open: opened - answered, replay: end - opened }
}

async function drained(steps: AsyncGenerator): Promise<void> {
  while ((await steps.next()).done !== true);
}

export async function benchRights(): Promise<Section> {
  const folder = mkdtempSync(join(tmpdir(), 'turnscope-bench-'))
  const path = join(folder, 'long.jsonl')
  await writeLongSession(path, TURNS)
  const restricted = createRestrictedThreads(createRightsDesk(openWorkspace(ROOT)))
  const without: Times[] = []
  const all: Times[] = []
  // In turns, so that what else the machine does falls on both.
  for (let round = 0; round < ROUNDS; round += 1) {
    without.push(await once(path, restricted.start))
    all.push(await once(path, undefined))
  }
  const megabytes = (statSync(path).size / 1e6).toFixed(0)
  restricted.close()
  rmSync(folder, { recursive: true, force: true })
  const row = (title: string, name: keyof Times) => {
    const [a, b] = [without, all].map((times) => median(times.map((each) => each[name])))
    return [title, (a ?? 0).toFixed(0), (b ?? 0).toFixed(0), formatRatio((a ?? 0) / (b ?? 1))]
  }
  return {
    title: `Threads without rights, medians of ${ROUNDS}, milliseconds`,
    head: ['', 'without rights', 'with all rights', 'ratio'],
    rows: [
      row('the thread answers', 'start'),
      row(`${TURNS.toLocaleString('en')} turns (${megabytes} MB) are read`, 'open'),
      row('and replayed', 'replay'),
    ],
    notes: ['both kinds of threads take turns in one process'],
    failed: false,
  }
}
