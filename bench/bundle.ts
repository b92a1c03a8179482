/** Step bundles a second, and trends over a history of 1 GB. */
import { spawnSync } from 'node:child_process'
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BundleEstimatorName } from '../core/engine/schema/bundle.ts'
import { recommendedBundle } from '../core/engine/bundle/options.ts'
import { foldTrend } from '../core/engine/bundle/trend.ts'
import { buildRecord } from '../core/host/bundle/session/build-step.ts'
import { openMemoryFiles } from '../core/host/bundle/session/memory-files.ts'
import { openRootFiles } from '../core/host/bundle/session/root-files.ts'
import { loadStepLibrary } from '../core/host/bundle/session/step-library.ts'
import { loadO200k } from '../core/engine/tokens-o200k.ts'
import { formatProblem } from '../core/engine/result.ts'
import { fastest, type Section } from './measure.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const SELF = fileURLToPath(import.meta.url)
const GB = 1e9
const NEWEST = 10
/** The widest window that a preset may name. */
const WIDEST = 1_000_000

function must<T>(
  result:
    { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: Problem },
): T {
  if (result.ok) return result.value
  throw new Error(formatProblem(result.error))
}
type Problem = Parameters<typeof formatProblem>[0]

/** Results of step 3 of about that many bytes: a list of candidates, as JSON has it. */
function resultsOf(bytes: number): Readonly<Record<string, unknown>> {
  const top_candidates: unknown[] = []
  for (let size = 0; size < bytes; size += 44)
    top_candidates.push({ seed: 4099 * top_candidates.length, score: 0.5 })
  return { success: true, completion_rate: 1, mean_score: 0.6, top_candidates }
}

/** One line of every step, again and again; the mean score of step 3 rises in the last runs. */
function writeHistory(path: string, bytes: number): void {
  const file = openSync(path, 'w')
  let written = 0
  let run = 0
  while (written < bytes) {
    let block = ''
    for (let index = 0; index < 2000; index += 1, run += 1)
      block += `${JSON.stringify({
        run_id: `run-${run}`,
        step: (run % 6) + 1,
        timestamp: new Date(1.7e12 + run * 1000).toISOString(),
        metrics: { mean_score: run / 1e9, score_std: 0.1, best_r2: 0.5, completed_trials: 100 },
      })}\n`
    written += writeSync(file, block)
  }
  closeSync(file)
}

interface Scanned {
  readonly seconds: number
  readonly peakMb: number
  readonly runs: number
  readonly read: number
  readonly direction: string
}

/** In a separate process, so that the peak memory is that of the work alone. */
function scan(folder: string, window: number): Scanned {
  const child = spawnSync(process.execPath, [SELF, 'scan-history', folder, String(window)], {
    encoding: 'utf8',
  })
  if (child.status !== 0) throw new Error(child.stderr)
  return JSON.parse(child.stdout) as Scanned
}

/** Linux counts a child's `maxRSS` from its parent's; `VmHWM` begins with the program. In MB. */
function peakMemory(): number {
  const path = '/proc/self/status'
  const status = existsSync(path) ? readFileSync(path, 'utf8') : ''
  const [, kib] = /VmHWM:\s*(\d+) kB/u.exec(status) ?? []
  return (kib === undefined ? process.resourceUsage().maxRSS : Number(kib)) / 1024
}

function scanHere(folder: string, window: number): Scanned {
  const source = openRootFiles([folder]).newestLines('run_history.jsonl', null)
  if (source.kind !== 'ok') throw new Error(source.kind)
  const start = process.cpuUsage()
  const { runs, read, trends } = foldTrend(source.lines, {
    step: 3,
    names: new Map(),
    metrics: ['mean_score'],
    window,
    flatWithin: 0,
    until: null,
  })
  const { user, system } = process.cpuUsage(start)
  return {
    seconds: (user + system) / 1e6,
    peakMb: peakMemory(),
    runs,
    read,
    direction: trends[0]?.direction ?? 'none',
  }
}

export async function benchBundle(): Promise<Section> {
  const library = must(loadStepLibrary([ROOT]))
  const tokenizers = { o200k_base: await loadO200k() }
  const files = openMemoryFiles({})
  const rows: string[][] = []
  const cases: ReadonlyArray<readonly [string, number, BundleEstimatorName, number]> = [
    ['2 KB results, larger', 2000, 'larger', 500],
    ['2 KB results, words13', 2000, 'words13', 500],
    ['2 KB results, o200k_base', 2000, 'o200k_base', 100],
    ['1 MB results, larger', 1e6, 'larger', 5],
    ['1 MB results, words13', 1e6, 'words13', 5],
  ]
  let failed = false
  for (const [name, bytes, estimator, repeat] of cases) {
    const record = { step_id: 3, run_id: 'r', results: resultsOf(bytes), estimator }
    const around = { library, tokenizers, files, options: recommendedBundle, now: 0, until: null }
    let hash = ''
    const seconds = fastest(5, () => {
      for (let index = 0; index < repeat; index += 1) {
        const { prompt } = must(buildRecord(record, { ...around, budgets: null, estimator: null }))
        if (hash !== '' && hash !== prompt) failed = true
        hash = prompt
      }
    })
    rows.push([name, (repeat / seconds).toFixed(0), ((1000 * seconds) / repeat).toFixed(3), ''])
  }
  const folder = mkdtempSync(join(tmpdir(), 'turnscope-bench-'))
  try {
    const path = join(folder, 'run_history.jsonl')
    writeHistory(path, GB)
    const size = `${(statSync(path).size / 1e9).toFixed(1)} GB`
    const idle = scan(folder, 0)
    const newest = scan(folder, NEWEST)
    const all = scan(folder, WIDEST)
    failed ||= newest.runs !== NEWEST || newest.direction !== 'rising' || all.runs !== WIDEST
    const row = (name: string, { seconds, peakMb, read }: Scanned) =>
      rows.push([
        `${name}, ${read.toLocaleString('en')} lines read`,
        '',
        (1000 * seconds).toFixed(seconds < 1 ? 2 : 0),
        peakMb.toFixed(0),
      ])
    row('a process that reads next to nothing', idle)
    row(`trend of the newest ${NEWEST} runs of ${size}`, newest)
    row(`trend of ${WIDEST.toLocaleString('en')} runs of ${size}`, all)
  } finally {
    rmSync(folder, { recursive: true })
  }
  return {
    title: 'Step bundles',
    head: ['', 'bundles/s', 'ms of processor time', 'peak memory, MB'],
    rows,
    notes: [
      'a bundle is built with its prompt and report; equal inputs gave equal prompts in every run',
      'each trend is read in a process of its own; lines of six steps alternate in the history',
    ],
    failed,
  }
}

if (process.argv[2] === 'scan-history')
  process.stdout.write(JSON.stringify(scanHere(process.argv[3] ?? '', Number(process.argv[4]))))
