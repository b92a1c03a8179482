/**
 * `npm run bench -- batch`: rows of many sessions by `pipe` in one process and by `batch` with one and two threads, over
 * turns that `corpus.ts` recombines (TURNSCOPE_BENCH_TURNS for another number). The decisions are compared row by row,
 * the files of both batches byte by byte, and those of batches that are killed at random moments and started again
 * (TURNSCOPE_BENCH_KILLS kills, 10 by default).
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { openDatabase } from '../core/host/batch/duckdb.ts'
import { HOME } from '../core/place.ts'
import { FULL_CORPUS, makeCorpus } from './corpus.ts'
import { seeded } from './made-up-sessions.ts'
import { formatRatio, type Section } from './measure.ts'

const TURNS = Number(process.env['TURNSCOPE_BENCH_TURNS'] ?? FULL_CORPUS.turns)
const KILLS = Number(process.env['TURNSCOPE_BENCH_KILLS'] ?? 10)
const CLI = join(HOME, 'bin', 'turnscope.cjs')
const LOOK_MS = 20

interface Run {
  readonly clock: number
  readonly code: number | null
  /** Peak resident size of the process, MB; null if the system does not report it. */
  readonly peak: number
}

/** Largest resident size up to now, in MB. */
function peakOf(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid ?? 0}/status`, 'utf8')
    return Number(/VmHWM:\s+(\d+)/u.exec(status)?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

/** Runs a command to its end, or kills it after so many milliseconds. */
async function run(
  args: readonly string[],
  {
    input,
    output,
    killAfter = Infinity,
  }: { input?: string; output?: string; killAfter?: number } = {},
): Promise<Run> {
  const files = [
    input === undefined ? null : openSync(input, 'r'),
    output === undefined ? null : openSync(output, 'w'),
  ]
  const [stdin, stdout] = files
  const start = performance.now()
  const child = spawn(process.execPath, [CLI, ...args], {
    stdio: [stdin ?? 'ignore', stdout ?? 'ignore', 'ignore'],
  })
  const ended = once(child, 'close') as Promise<[number | null]>
  let peak = 0
  while (child.exitCode === null && child.signalCode === null) {
    peak = Math.max(peak, peakOf(child.pid))
    if (performance.now() - start > killAfter) child.kill('SIGKILL')
    await Promise.race([ended, after(LOOK_MS)])
  }
  const [code] = await ended
  for (const file of files) if (file !== null) closeSync(file)
  return { clock: (performance.now() - start) / 1000, code, peak }
}

/** Writes the corpus as rows; sessions are mixed, as an application would log them. */
async function writeRows(
  path: string,
): Promise<{ readonly bytes: number; readonly origin: string }> {
  const { sessions, origin } = await makeCorpus({ ...FULL_CORPUS, turns: TURNS })
  const file = openSync(path, 'w')
  for (let turn = 0; turn < FULL_CORPUS.turnsPerSession; turn += 1)
    for (const [session, turns] of sessions.entries()) {
      const said = turns[turn]
      if (said === undefined) continue
      const row = { session: `s${session}`, turn, kind: said.kind, message: said.text }
      writeSync(file, `${JSON.stringify(row)}\n`)
    }
  closeSync(file)
  return { bytes: statSync(path).size, origin }
}

/** Rows that `pipe` and `batch` decide differently, or that only one of them has. */
async function differences(folder: string): Promise<number> {
  const database = await openDatabase({
    threads: 2,
    memoryMb: 2000,
    scratch: join(folder, 'scratch'),
  })
  const columns = 'session, "primary", secondary, signature, momentum, event'
  const piped = `SELECT turn + 1 AS turn, ${columns} FROM read_json('${folder}/piped.jsonl')`
  const batched = `SELECT turn, ${columns} FROM read_parquet('${folder}/one/turns/*.parquet')`
  const [[count] = []] = await database.rows(
    `SELECT count(*)::INTEGER FROM ((${piped} EXCEPT ${batched}) UNION ALL (${batched} EXCEPT ${piped}))`,
  )
  database.close()
  return Number(count)
}

const manifestOf = (folder: string) => readFileSync(join(folder, 'manifest.json'), 'utf8')

export async function benchBatch(): Promise<Section> {
  const folder = mkdtempSync(join(tmpdir(), 'turnscope-bench-batch-'))
  const rows = join(folder, 'rows.jsonl')
  const { bytes, origin } = await writeRows(rows)
  const batch = (out: string, threads: number, killAfter?: number) =>
    run(['batch', rows, '--out', join(folder, out), '--threads', String(threads)], {
      ...(killAfter === undefined ? {} : { killAfter }),
    })
  const piped = await run(['pipe'], { input: rows, output: join(folder, 'piped.jsonl') })
  const runs = [
    ['pipe, one process', piped],
    ['batch, one thread', await batch('one', 1)],
    ['batch, two threads', await batch('two', 2)],
  ] as const
  const whole = manifestOf(join(folder, 'one'))
  const random = seeded(7)
  const longest = runs[2][1].clock * 1000
  let kills = 0
  let others = whole === manifestOf(join(folder, 'two')) ? 0 : 1
  while (kills < KILLS) {
    const out = `killed-${kills}`
    for (;;) {
      const { code } = await batch(out, 2, kills < KILLS ? random() * longest : undefined)
      if (code === 0) break
      kills += 1
    }
    if (manifestOf(join(folder, out)) !== whole) others += 1
    rmSync(join(folder, out), { recursive: true })
  }
  const differ = await differences(folder)
  rmSync(folder, { recursive: true })
  const one = runs[1][1].clock
  return {
    title: `Rows of many sessions: ${TURNS} turns, ${(bytes / 1e6).toFixed(0)} MB of JSON lines`,
    head: ['', 'clock, s', 'turns/s', 'batch with one thread = 1', 'peak memory, MB'],
    rows: runs.map(([name, { clock, peak }]) => [
      name,
      clock.toFixed(1),
      (TURNS / clock).toFixed(0),
      formatRatio(clock / one),
      peak.toFixed(0),
    ]),
    notes: [
      origin,
      `decisions of pipe and batch: ${differ} rows differ`,
      `${kills} kills at random moments: ${others} of the results are other bytes`,
      'clock includes the start, and for batch dividing by session and writing Parquet',
      'aims: two threads 1.8 times as fast as one, memory under 1,500 MB',
    ],
    failed: differ + others > 0 || runs.some(([, { code }]) => code !== 0),
  }
}
