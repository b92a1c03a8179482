/** Opening huge files through the real server: first turn, full index, memory, and a bare loop beside it. */
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { ReplayConfig } from '../core/engine/schema/replay.ts'
import type { TurnscopeContract } from '../core/contract.ts'
import type { Client } from '../core/rpc.ts'
import { writeClaudeSession, writeOpenAiDocument } from './made-up-sessions.ts'
import { formatRatio, median } from './measure.ts'
import type { Section } from './measure.ts'
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
    ...{ file: 'claude.jsonl', bytes: 150e6, write: writeClaudeSession, lines: true, rounds: 3 },
  },
  {
    name: 'OpenAI document, 150 MB',
    ...{ file: 'openai.json', bytes: 150e6, write: writeOpenAiDocument, lines: false, rounds: 3 },
  },
  {
    name: 'Claude Code, 1 GB',
    ...{ file: 'claude-1g.jsonl', bytes: 1e9, write: writeClaudeSession, lines: true, rounds: 1 },
  },
  {
    name: 'OpenAI document, 1 GB',
    ...{ file: 'openai-1g.json', bytes: 1e9, write: writeOpenAiDocument, lines: false, rounds: 1 },
  },
]

const CONFIG: ReplayConfig = {
  ...{ preset: 'recommended', domains: 'default', profile: null, classify: null },
}

interface Opening {
  /** Milliseconds until the first rows were answered. */
  readonly first: number
  /** Milliseconds until all events were indexed. */
  readonly index: number
  readonly events: number
  readonly sessions: number
  readonly peak: number
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
          if (value.kind === 'progress') return
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
    const { key, ...opening } = await openOnce(client, path)
    const peak = server.peak()
    await client.call('session.close', { key })
    close()
    return { ...opening, peak }
  } finally {
    server.stop()
  }
}

/** JSON.parse over the lines of a file, read and cut as the import does, in a thread of its own. */
function bareLoop(path: string): Promise<number> {
  const worker = new Worker(new URL('./bare-loop.ts', import.meta.url), { workerData: path })
  return new Promise((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
}

async function measure(one: Case, folder: string): Promise<readonly string[]> {
  const path = join(folder, one.file)
  one.write(path, one.bytes)
  const size = statSync(path).size
  const openings: Opening[] = []
  const loops: number[] = []
  try {
    for (let round = 0; round < one.rounds; round += 1) {
      if (one.lines) loops.push(await bareLoop(path))
      openings.push(await openFresh(path, folder))
    }
  } finally {
    rmSync(path)
  }
  const index = median(openings.map((each) => each.index))
  const peak = Math.max(...openings.map((each) => each.peak))
  const loop = Math.min(...loops)
  const fastest = Math.min(...openings.map((each) => each.index))
  return [
    `${one.name} (${openings[0]?.events.toLocaleString('en') ?? 0} events)`,
    median(openings.map((each) => each.first)).toFixed(0),
    index.toFixed(0),
    one.lines ? loop.toFixed(0) : '',
    one.lines ? formatRatio(fastest / loop) : '',
    (peak / 1e6).toFixed(0),
    formatRatio(peak / size),
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
      ...['', 'first rows, ms', 'full index, ms', 'bare JSON.parse loop, ms'],
      ...['index / loop, best', 'peak memory, MB', 'memory / file'],
    ],
    rows,
    notes: [
      'memory: all of the server, main thread and workers, at its peak',
      'the bare loop reads and cuts lines the same way in a thread of its own, and drops what it parsed',
      'medians of three runs for 150 MB, one run for 1 GB; every run starts a server',
    ],
    failed: false,
  }
}
