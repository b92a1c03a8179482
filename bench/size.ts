/** Opening huge files through the real server: first turn, full index, memory, and a bare loop beside it. */
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { ReplayConfig } from '../core/engine/schema/replay.ts'
import type { TurnscopeContract } from '../core/wire/contract.ts'
import type { Client } from '../core/wire/rpc.ts'
import { writeClaudeSession, writeOpenAiDocument } from './made-up-sessions.ts'
import { formatRatio, median, type Section } from './measure.ts'
import { connectTo, startServer } from './server.ts'

interface Case {
  readonly name: string
  readonly file: string
  readonly bytes: number
  readonly write: (path: string, bytes: number) => void
  /** JSON values a line; a document has no bare loop over lines. */
  readonly lines: boolean
  readonly rounds: number
}

const CASES: readonly Case[] = [
  {
    name: 'Claude Code, 150 MB',
    file: 'claude.jsonl',
    bytes: 150e6,
    write: writeClaudeSession,
    lines: true,
    rounds: 3,
  },
  {
    name: 'OpenAI document, 150 MB',
    file: 'openai.json',
    bytes: 150e6,
    write: writeOpenAiDocument,
    lines: false,
    rounds: 3,
  },
  {
    name: 'Claude Code, 1 GB',
    file: 'claude-1g.jsonl',
    bytes: 1e9,
    write: writeClaudeSession,
    lines: true,
    rounds: 1,
  },
  {
    name: 'OpenAI document, 1 GB',
    file: 'openai-1g.json',
    bytes: 1e9,
    write: writeOpenAiDocument,
    lines: false,
    rounds: 1,
  },
]

const CONFIG: ReplayConfig = {
  preset: 'recommended',
  domains: 'default',
  profile: null,
  classify: null,
}

interface Opening {
  /** Milliseconds until the first rows were answered. */
  readonly first: number
  /** Milliseconds until all events were indexed. */
  readonly index: number
  readonly events: number
  readonly sessions: number
  readonly peak: number
  /** Milliseconds of processor time, all threads of the server. */
  readonly cpu: number
}

/** Opens a file as the window does: rows of the first events as soon as it says `opened`. */
async function openOnce(client: Client<TurnscopeContract>, path: string) {
  const start = performance.now()
  let first = 0
  let key = ''
  let counts = { events: 0, sessions: 0 }
  await new Promise<void>((resolve, reject) => {
    client.subscribe(
      'session.open',
      { source: { kind: 'path', path } },
      {
        next: (value) => {
          if (value.kind === 'progress' || value.kind === 'results') return
          const events = value.sessions.reduce((sum, session) => sum + session.events, 0)
          counts = { events, sessions: value.sessions.length }
          if (value.kind === 'grown') return
          ;({ key } = value)
          const asked = { key, session: 0, from: 0, to: 20, maxChars: 2000, config: CONFIG }
          void client.call('session.rows', asked).then(() => {
            first = performance.now() - start
          })
        },
        end: resolve,
        error: reject,
      },
    )
  })
  await client.call('session.index', { key, session: 0 })
  return { key, first, index: performance.now() - start, ...counts }
}

async function openFresh(path: string, workspace: string): Promise<Opening> {
  const server = await startServer(workspace, undefined, workspace)
  try {
    const { client, close } = await connectTo(server.url)
    // The window asks this first; opening a file is measured, not starting the program.
    await client.call('host.info', {})
    const before = server.cpu()
    const { key, ...opening } = await openOnce(client, path)
    const cpu = server.cpu() - before
    const peak = server.peak()
    await client.call('session.close', { key })
    close()
    return { ...opening, peak, cpu }
  } finally {
    server.stop()
  }
}

/** A server that used no processor time for so long (ms) is idle. */
const IDLE_MS = 200

/** Cancels an opening when it has shown something; milliseconds until the server does nothing any more. */
async function cancelFresh(path: string, workspace: string): Promise<number> {
  const server = await startServer(workspace, undefined, workspace)
  try {
    const { client, close } = await connectTo(server.url)
    await client.call('host.info', {})
    const cancel = await new Promise<() => void>((resolve, reject) => {
      const stop = client.subscribe(
        'session.open',
        { source: { kind: 'path', path } },
        {
          next: (value) => {
            if (value.kind === 'opened') setImmediate(() => resolve(stop))
          },
          error: reject,
        },
      )
    })
    cancel()
    const start = performance.now()
    let busy = start
    let last = server.cpu()
    while (performance.now() - busy < IDLE_MS) {
      await setTimeout(10)
      const now = server.cpu()
      if (now > last) busy = performance.now()
      last = now
    }
    close()
    return busy - start
  } finally {
    server.stop()
  }
}

interface Loop {
  readonly elapsed: number
  readonly cpu: number
}

/** JSON.parse over the lines of a file, read and split like the import does, in a separate thread. */
async function bareLoop(path: string): Promise<Loop> {
  const before = process.cpuUsage()
  const worker = new Worker(new URL('./bare-loop.ts', import.meta.url), { workerData: path })
  const elapsed = await new Promise<number>((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
  const { user, system } = process.cpuUsage(before)
  return { elapsed, cpu: (user + system) / 1000 }
}

async function measure(one: Case, folder: string): Promise<readonly string[]> {
  const path = join(folder, one.file)
  one.write(path, one.bytes)
  const size = statSync(path).size
  const openings: Opening[] = []
  const loops: Loop[] = []
  let cancelled: number
  try {
    for (let round = 0; round < one.rounds; round += 1) {
      if (one.lines) loops.push(await bareLoop(path))
      openings.push(await openFresh(path, folder))
    }
    cancelled = await cancelFresh(path, folder)
  } finally {
    rmSync(path)
  }
  const index = median(openings.map((each) => each.index))
  const peak = Math.max(...openings.map((each) => each.peak))
  const least = (values: readonly number[]) => Math.min(...values)
  const loop = least(loops.map((each) => each.elapsed))
  const fastest = least(openings.map((each) => each.index))
  const cpu = least(openings.map((each) => each.cpu)) / least(loops.map((each) => each.cpu))
  return [
    `${one.name} (${openings[0]?.events.toLocaleString('en') ?? 0} events)`,
    median(openings.map((each) => each.first)).toFixed(0),
    index.toFixed(0),
    one.lines ? loop.toFixed(0) : '',
    one.lines ? formatRatio(fastest / loop) : '',
    one.lines ? formatRatio(cpu) : '',
    (peak / 1e6).toFixed(0),
    formatRatio(peak / size),
    cancelled.toFixed(0),
  ]
}

export async function benchSize(): Promise<Section> {
  const folder = mkdtempSync(join(tmpdir(), 'turnscope-size-'))
  // The page is not drawn: any will do.
  writeFileSync(join(folder, 'index.html'), '')
  const rows: Array<readonly string[]> = []
  try {
    for (const each of CASES) rows.push(await measure(each, folder))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return {
    title: 'Opening huge files through the server',
    head: [
      '',
      'first rows, ms',
      'full index, ms',
      'bare JSON.parse loop, ms',
      'index / loop, best',
      'the same, processor time',
      'peak memory, MB',
      'memory / file',
      'cancelled, ms',
    ],
    rows,
    notes: [
      'memory: all of the server, main thread and workers, at its peak',
      'the bare loop reads and cuts lines the same way in a thread of its own, and drops what it parsed',
      'processor time is of all threads of the server: first rows, compilers and collectors too',
      'cancelled: from cancelling at the first rows until the server uses no processor time',
      'medians of three runs for 150 MB, one run for 1 GB; every run starts a server',
    ],
    failed: false,
  }
}
