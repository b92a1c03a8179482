/**
 * `npm test`: the whole gate with the cases of the gate; `npm run test:full` (`--full`): all cases and all parts.
 * `npm test -- PATH …` runs what belongs to paths (`check-changed.ts`). Two stages run at a time, cheap ones that fail
 * often first; the end-to-end tests have the machine to themselves. A failing stage does not stop the others.
 * `--fast` leaves the end-to-end tests out. The last line is `N passed, N failed`, with `, N skipped` if tests were skipped.
 */
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './build.ts'
import { changedSince, defaultBase, lastPass, presentState, recordPass } from './changes.ts'
import { coverageLine } from './coverage.ts'
import { caseCount } from '../fixtures/cases.ts'
import { memoryFolder } from './memory-folder.ts'
import { type Part, PARTS, touches } from './parts.ts'
import {
  type Counts,
  type Stage,
  type StageResult,
  addCounts,
  countStage,
  NOTHING,
  runCommand,
} from './stage.ts'
import { playwrightCounts, vitestCounts } from './test-counts.ts'

/** A test that fails on a busy machine gets a second try. The runners name the tests that needed it. */
const SECOND_TRY = 1

const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs')
const PLAYWRIGHT = join(ROOT, 'node_modules/@playwright/test/cli.js')
const REPORTS = join(ROOT, 'node_modules/.cache/check')

const [, , ...given] = process.argv
const isFast = given.includes('--fast')
const isFull = given.includes('--full')
const paths = given.filter((each) => !each.startsWith('--'))

// Before a test file is loaded: all processes of this run draw the same cases.
process.env['TEST_SEED'] ??= new Date().toISOString().slice(0, 10).replaceAll('-', '')
if (isFull) process.env['TEST_CASES'] = 'full'

/** A stage that is one command and counts as one. */
function command(name: string, script: string): Stage {
  return { name, run: async () => countStage(await runCommand('npm', ['run', '-s', script])) }
}

/** A script of this folder as a stage. A child process keeps this one free to start the next stage. */
function script(name: string, file: string, args: readonly string[] = []): Stage {
  const path = join(ROOT, 'scripts', file)
  return { name, run: async () => countStage(await runCommand(process.execPath, [path, ...args])) }
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

const COVERED = join(REPORTS, 'coverage')
/** Coverage of the engine only. V8 counts all files, but others are not reported. */
const COVERAGE = [
  '--coverage.enabled',
  '--coverage.provider=v8',
  '--coverage.include=core/engine/**/*.ts',
  '--coverage.reporter=json-summary',
  `--coverage.reportsDirectory=${COVERED}`,
]

const stateBefore = presentState()
/** Parts whose inputs did not change since they last passed here; in a fresh clone, since the base commit. */
const skippedParts: readonly Part[] = isFull
  ? []
  : PARTS.filter(({ id, inputs }) => !touches(inputs, changedSince(lastPass(id) ?? defaultBase())))
const runs = (id: Part['id']): boolean => !skippedParts.some((part) => part.id === id)

/** Two at a time, in this order: what fails often and soon first, the build before what reads it, long ones last. */
const STAGES: readonly Stage[] = [
  script('types, lint', 'check-code.ts'),
  command('format', 'check:format'),
  command('dependency rule', 'check:deps'),
  script('packages of tests', 'prepare.ts', ['packages']),
  script('build', 'prepare.ts', ['build']),
  vitest(`engine and importers${runs('coverage') ? ', with coverage' : ''}`, 'engine', [
    '--project=covered',
    ...(runs('coverage') ? COVERAGE : []),
  ]),
  vitest('unit, property, golden, contract', 'unit', ['--project=rest', '--project=window']),
  command('unused code', 'check:unused'),
  script('attack suite', 'attack/attack.ts', isFull ? [] : ['--short']),
  script('fuzz', 'fuzz.ts', [
    '--runs',
    String(caseCount('fuzz: each family')),
    '--seed',
    process.env['FUZZ_SEED'] ?? process.env['TEST_SEED'],
  ]),
  ...(runs('packaging')
    ? [vitest('packaging checks (on a stub distribution)', 'packaging', ['--project=packaging'])]
    : []),
]

const END_TO_END: readonly Stage[] = [
  script('browser', 'prepare.ts', ['browser']),
  { name: 'end-to-end, electron double', run: endToEnd },
]

async function endToEnd(): Promise<StageResult> {
  const report = join(REPORTS, 'e2e.json')
  const left = skippedParts.flatMap(({ specs }) => (specs === null ? [] : [specs]))
  const specs = readdirSync(join(ROOT, 'e2e'), { recursive: true, encoding: 'utf8' })
    .map((name) => `e2e/${name.replaceAll('\\', '/')}`)
    .filter((name) => name.endsWith('.spec.ts') && !left.some((pattern) => pattern.test(name)))
  const ran = await runCommand(
    process.execPath,
    [
      PLAYWRIGHT,
      'test',
      `--retries=${SECOND_TRY}`,
      '--reporter=list,json',
      ...(left.length > 0 ? specs : []),
    ],
    { PLAYWRIGHT_JSON_OUTPUT_NAME: report },
  )
  return { ...ran, counts: playwrightCounts(report, ran.ok) }
}

/** Maximum output lines shown of a stage that passed. The output of a failed stage is shown in full. */
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

/** Runs at most `width` stages at a time. The results are in the order of the stages. */
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

/** Runs the whole gate. Returns whether everything passed. */
async function runGate(): Promise<boolean> {
  const memory = memoryFolder()
  if (memory !== null) process.env['TMPDIR'] = memory.path
  rmSync(REPORTS, { recursive: true, force: true })
  mkdirSync(REPORTS, { recursive: true })
  const seed = process.env['TEST_SEED'] ?? ''
  say(`cases of TEST_SEED=${seed}${isFull ? ', all of them' : ''}`)
  const results = [...(await runAll(STAGES, 2)), ...(isFast ? [] : await runAll(END_TO_END, 1))]
  memory?.remove()
  const { passed, failed, skipped } = results.reduce<Counts>(addCounts, NOTHING)
  say(`\n${results.map(({ line }) => line).join('\n')}`)
  const processors = results.reduce((sum, { processor }) => sum + (processor ?? 0), 0)
  say(
    `${(performance.now() / 1000).toFixed(0)} s by the clock, ${processors.toFixed(0)} s of processors`,
  )
  if (runs('coverage')) say(coverageLine(join(COVERED, 'coverage-summary.json')))
  if (isFast) say('end-to-end tests and the electron double were left out (--fast)')
  for (const { what } of skippedParts) say(`not run, inputs unchanged: ${what} (npm run test:full)`)
  if (failed === 0 && !isFast) {
    for (const { id } of PARTS) if (runs(id)) recordPass(id, stateBefore)
    recordPass('check', stateBefore)
  }
  say(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
  return failed === 0
}

if (paths.length > 0) {
  const { checkPaths } = await import('./check-changed.ts')
  process.exitCode = (await checkPaths(paths)) ? 0 : 1
} else process.exitCode = (await runGate()) ? 0 : 1
