/**
 * `npm test`: the whole gate, two stages at a time up to the end-to-end tests, which have the machine to
 * themselves. A failing stage does not stop the others. `--fast` leaves the end-to-end tests out.
 * The last line is `N passed, N failed`, with `, N skipped` where tests were skipped.
 */
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBrowser } from './browser.ts'
import { buildIfStale, ROOT } from './build.ts'
import {
  type Counts,
  type Stage,
  type StageResult,
  addCounts,
  countStage,
  meter,
  NOTHING,
  runCommand,
} from './stage.ts'
import { coverageLine } from './coverage.ts'
import { memoryFolder } from './memory-folder.ts'
import { formatProblem } from '../core/engine/result.ts'
import { installPackages } from './packages.ts'
import { playwrightCounts, vitestCounts } from './test-counts.ts'

const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs')
const PLAYWRIGHT = join(ROOT, 'node_modules/@playwright/test/cli.js')
const REPORTS = join(ROOT, 'node_modules/.cache/check')

/** A stage that is one command and counts as one. */
function command(name: string, script: string): Stage {
  return { name, run: async () => countStage(await runCommand('npm', ['run', '-s', script])) }
}

function vitest(name: string, id: string, args: readonly string[]): Stage {
  const report = join(REPORTS, `${id}.json`)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const run = async () => {
    const ran = await runCommand(process.execPath, [
      VITEST,
      'run',
      `--retry=${SECOND_TRY}`,
      ...reporters,
      ...args,
    ])
    return { ...ran, counts: vitestCounts(report, ran.ok) }
  }
  return { name, run }
}

/** A test that failed on a busy machine is tried once more; the runner says which ones were. */
const SECOND_TRY = 1

const COVERED = join(REPORTS, 'coverage')
/** Of the engine only: V8 counts everything, but what is outside is not reported. */
const COVERAGE = [
  '--coverage.enabled',
  '--coverage.provider=v8',
  '--coverage.include=core/engine/**/*.ts',
  '--coverage.reporter=json-summary',
  `--coverage.reportsDirectory=${COVERED}`,
]

/** Two at a time, in this order: the longest one first, the build before what reads it. */
const STAGES: readonly Stage[] = [
  { name: 'packages of tests', run: toolPackages },
  {
    name: 'types, lint',
    run: async () =>
      countStage(await runCommand(process.execPath, [join(ROOT, 'scripts/check-code.ts')])),
  },
  { name: 'build', run: build },
  command('format', 'check:format'),
  command('dependency rule', 'check:deps'),
  command('unused code', 'check:unused'),
  { name: 'fuzz', run: fuzz },
  vitest('engine and importers, with coverage', 'engine', ['--project=covered', ...COVERAGE]),
  vitest('unit, property, golden, contract', 'unit', ['--project=rest', '--project=window']),
  vitest('packaging checks (on a stub distribution)', 'packaging', ['--project=packaging']),
]

const END_TO_END: readonly Stage[] = [
  { name: 'browser', run: browser },
  { name: 'end-to-end, electron double', run: endToEnd },
]

/** Seconds for all families together, and the seed that is the same for everybody; FUZZ_SEED is another one. */
const FUZZ_SECONDS = 60
const FUZZ_SEED = '20261122'

/** Its first line says the seed, and each failure the command that repeats it. */
async function fuzz(): Promise<StageResult> {
  const seed = process.env['FUZZ_SEED'] ?? FUZZ_SEED
  const args = ['--seconds', String(FUZZ_SECONDS), '--seed', seed]
  return countStage(await runCommand(process.execPath, [join(ROOT, 'scripts/fuzz.ts'), ...args]))
}

/** [F128] What tests and the packager load and `npm ci` does not install. */
function toolPackages(): Promise<StageResult> {
  const installed = installPackages('tool')
  const output = installed.ok
    ? installed.value
      ? 'installed'
      : 'scripts/tool-packages is current'
    : formatProblem(installed.error)
  return Promise.resolve(countStage({ ok: installed.ok, output, processor: meter() }))
}

function build(): Promise<StageResult> {
  const built = buildIfStale()
  const output = built.ok ? (built.isNew ? 'built' : 'dist/ is current') : built.log
  return Promise.resolve(countStage({ ok: built.ok, output, processor: meter() }))
}

function browser(): Promise<StageResult> {
  const lines: string[] = []
  try {
    lines.push(`using ${ensureBrowser((line) => lines.push(line))}`)
    return Promise.resolve(countStage({ ok: true, output: lines.join('\n'), processor: meter() }))
  } catch (error) {
    lines.push(error instanceof Error ? error.message : String(error))
    return Promise.resolve(countStage({ ok: false, output: lines.join('\n'), processor: meter() }))
  }
}

async function endToEnd(): Promise<StageResult> {
  const report = join(REPORTS, 'e2e.json')
  const ran = await runCommand(
    process.execPath,
    [PLAYWRIGHT, 'test', `--retries=${SECOND_TRY}`, '--reporter=list,json'],
    { PLAYWRIGHT_JSON_OUTPUT_NAME: report },
  )
  return { ...ran, counts: playwrightCounts(report, ran.ok) }
}

/** Lines of a stage that passed: enough to see what it did. A failed one is shown whole. */
const SHOWN_LINES = 12

async function runStage(
  stage: Stage,
): Promise<Counts & { readonly line: string; readonly processor: number | null }> {
  const startedAt = performance.now()
  const { ok, output, counts, processor } = await stage.run()
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  const ofProcessors = processor === null ? '' : `, ${processor.toFixed(1)} of processors`
  const line = `${ok ? 'ok    ' : 'FAILED'} ${stage.name} (${seconds} s${ofProcessors})`
  const lines = output.trim().split('\n')
  const hidden = ok ? Math.max(0, lines.length - SHOWN_LINES) : 0
  const shown = [...(hidden > 0 ? [`… ${hidden} lines`] : []), ...lines.slice(hidden)]
  say(
    [`\n== ${line}`, ...shown.filter((text) => text !== '').map((text) => `   ${text}`)].join('\n'),
  )
  return { ...counts, line, processor }
}

/** Runs stages with at most `width` at once; results in the order of the stages. */
async function runAll(stages: readonly Stage[], width: number) {
  const results = new Map<Stage, Awaited<ReturnType<typeof runStage>>>()
  const queue = [...stages]
  const worker = async () => {
    for (let stage = queue.shift(); stage; stage = queue.shift()) {
      results.set(stage, await runStage(stage))
    }
  }
  await Promise.all(Array.from({ length: width }, worker))
  return stages.flatMap((stage) => results.get(stage) ?? [])
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

const memory = memoryFolder()
if (memory !== null) process.env['TMPDIR'] = memory.path

const isFast = process.argv.includes('--fast')
rmSync(REPORTS, { recursive: true, force: true })
mkdirSync(REPORTS, { recursive: true })
const results = [...(await runAll(STAGES, 2)), ...(isFast ? [] : await runAll(END_TO_END, 1))]
memory?.remove()
const { passed, failed, skipped } = results.reduce<Counts>(addCounts, NOTHING)
say(`\n${results.map(({ line }) => line).join('\n')}`)
const processors = results.reduce((sum, { processor }) => sum + (processor ?? 0), 0)
say(
  `${(performance.now() / 1000).toFixed(0)} s by the clock, ${processors.toFixed(0)} s of processors`,
)
say(coverageLine(join(COVERED, 'coverage-summary.json')))
if (isFast) say('end-to-end tests and the electron double were left out (--fast)')
process.exitCode = failed > 0 ? 1 : 0
say(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
