/**
 * `npm run check`: checks code affected by the changes since the last passing check, or since `--since REV`. It checks
 * format and lint of changed files, types of the projects that include dependents, the dependency rule, and the nearest
 * tests. It names the checks left to `npm test`. `npm test -- PATH` does the same for files at a path, with its
 * end-to-end tests.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { dependents, type Graph, readGraph, testsAmong } from './affected.ts'
import { ROOT } from './build.ts'
import { baseOf, changedSince, defaultBase, lastPass, presentState, recordPass } from './changes.ts'
import { runOxlint } from './lint/oxlint.ts'
import { type Counts, addCounts, NOTHING, runCommand } from './stage.ts'
import { vitestCounts } from './test-counts.ts'
import { checkTypes, PROJECTS } from './types.ts'

const CACHE = join(ROOT, 'node_modules/.cache/check-changed')
const DURATIONS = join(CACHE, 'durations.json')
const bin = (path: string) => join(ROOT, 'node_modules', path)

/** Seconds that the tests of one check may take, by the durations of earlier runs. The nearest tests come first. */
const TEST_SECONDS = 15
/** Seconds of a test file that has not run here yet, its start included. */
const UNKNOWN_SECONDS = 1
/** Of other folders: they pack, install or build, and belong to the whole gate. */
const SLOW_TESTS = /^scripts\/(?:packaging|package\/)/u

/** End-to-end tests of a path. A feature of the window also has the specs that begin with its name. */
const SPECS: ReadonlyArray<readonly [path: RegExp, specs: readonly string[]]> = [
  [/^electron\//u, ['electron-double/', 'updates', 'doors']],
  [/^page\//u, ['exported-page', 'page-policy', 'looks']],
  [/^renderer\/app\//u, ['workbench', 'doors', 'links', 'history']],
  [/^renderer\/timeline\//u, ['workbench', 'keyboard']],
  [/^renderer\/ui\//u, ['axe', 'looks']],
  [/^renderer\/features\/export\//u, ['export-forms', 'exported-page', 'pictures']],
  [/^renderer\/features\/(?:label|queue)\//u, ['palette-labels', 'queue', 'evidence']],
  [/^renderer\/features\/probe/u, ['probe', 'proposals']],
  [/^renderer\/features\/(?:follow|live)\//u, ['live']],
  [/^renderer\/features\/(?:prompt|budget)\//u, ['prompts']],
  [/^renderer\/features\/wrong\//u, ['wrong-turns']],
  [/^core\/host\/otlp\//u, ['receiver']],
  [/^core\/host\/hook\//u, ['hooks']],
  [/^core\/host\/results\//u, ['results', 'parquet']],
  [/^core\/host\/main\//u, ['doors', 'trust']],
]

const Durations = z.record(z.string(), z.number())
const Report = z.object({
  testResults: z.array(z.object({ name: z.string(), startTime: z.number(), endTime: z.number() })),
})

function durations(): Readonly<Record<string, number>> {
  try {
    return Durations.parse(JSON.parse(readFileSync(DURATIONS, 'utf8')))
  } catch {
    return {}
  }
}

function recordDurations(report: string): void {
  const parsed = Report.safeParse(JSON.parse(readFileSync(report, 'utf8')))
  if (!parsed.success) return
  const taken = parsed.data.testResults.map(({ name, startTime, endTime }) => [
    name.slice(ROOT.length + 1).replaceAll('\\', '/'),
    (endTime - startTime) / 1_000,
  ])
  writeFileSync(DURATIONS, JSON.stringify({ ...durations(), ...Object.fromEntries(taken) }))
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** The nearest tests that fit into the time, and those that do not. At least one is chosen. */
function chooseTests(tests: readonly string[]) {
  const known = durations()
  const chosen: string[] = []
  let seconds = 0
  for (const test of tests.filter((name) => !SLOW_TESTS.test(name))) {
    seconds += known[test] ?? UNKNOWN_SECONDS
    if (chosen.length > 0 && seconds > TEST_SECONDS) break
    chosen.push(test)
  }
  return { chosen, left: tests.filter((test) => !chosen.includes(test)) }
}

/** Projects that include one of the files. The root project includes all tests. */
function projectsOf(files: Iterable<string>): readonly string[] {
  const found = new Set<string>()
  for (const file of files) {
    if (!/\.tsx?$/u.test(file)) continue
    const isTest = /\.test\.tsx?$/u.test(file)
    const own = PROJECTS.find((project) => project !== '.' && file.startsWith(`${project}/`))
    found.add(isTest || own === undefined ? '.' : own)
  }
  return PROJECTS.filter((project) => found.has(project))
}

interface Step {
  readonly name: string
  readonly run: () => Promise<Counts>
}

const counted = (ok: boolean): Counts => ({ ...NOTHING, [ok ? 'passed' : 'failed']: 1 })

async function ran(args: readonly string[]): Promise<boolean> {
  const { ok, output } = await runCommand(process.execPath, args)
  if (!ok) say(output.trim())
  return ok
}

async function unitTests(tests: readonly string[]): Promise<Counts> {
  mkdirSync(CACHE, { recursive: true })
  const report = join(CACHE, 'report.json')
  const reporters = ['--reporter=dot', '--reporter=json', `--outputFile.json=${report}`]
  const { ok, output } = await runCommand(process.execPath, [
    bin('vitest/vitest.mjs'),
    'run',
    ...reporters,
    ...tests,
  ])
  if (!ok) say(output.trim())
  const counts = vitestCounts(report, ok)
  if (existsSync(report)) recordDurations(report)
  return counts
}

function stepsFor(files: readonly string[], reached: Iterable<string>, tests: readonly string[]) {
  const present = files.filter((name) => existsSync(join(ROOT, name)))
  const code = present.filter((name) => /\.tsx?$/u.test(name))
  const layered = code.filter((name) => /^(?:addons|core|electron|page|renderer)\//u.test(name))
  const steps: Step[] = []
  const add = (name: string, run: Step['run']) => steps.push({ name, run })
  if (present.length > 0)
    add(`format of ${present.length} files`, async () =>
      counted(
        await ran([
          bin('prettier/bin/prettier.cjs'),
          '--check',
          '--ignore-unknown',
          '--log-level',
          'warn',
          ...present,
        ]),
      ),
    )
  if (code.length > 0)
    add(`lint of ${code.length} files`, () =>
      Promise.resolve(
        counted(
          runOxlint(['--type-aware', '--quiet', ...code], { cwd: ROOT, isShown: true }).status ===
            0,
        ),
      ),
    )
  for (const project of projectsOf(reached))
    add(`types of ${project === '.' ? 'tests and scripts' : project}`, () =>
      Promise.resolve(counted(checkTypes(project))),
    )
  if (layered.length > 0)
    add(`dependency rule of ${layered.length} files`, async () =>
      counted(
        await ran([
          bin('dependency-cruiser/bin/dependency-cruiser.mjs'),
          '--config',
          '.dependency-cruiser.cjs',
          ...layered,
        ]),
      ),
    )
  if (tests.length > 0) add(`${tests.length} test files`, () => unitTests(tests))
  return steps
}

async function runSteps(steps: readonly Step[]): Promise<Counts> {
  let all = NOTHING
  for (const { name, run } of steps) {
    const start = performance.now()
    const counts = await run()
    const seconds = ((performance.now() - start) / 1_000).toFixed(1)
    say(`${counts.failed > 0 ? 'FAILED' : 'ok    '} ${name} (${seconds} s)`)
    all = addCounts(all, counts)
  }
  return all
}

function finish({ passed, failed, skipped }: Counts): boolean {
  say(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
  return failed === 0
}

/** `npm run check`. Returns whether everything passed. */
async function checkChanges(since: string | undefined): Promise<boolean> {
  const base = since === undefined ? (lastPass('check') ?? defaultBase()) : baseOf(since)
  const state = presentState()
  const changed = changedSince(base)
  if (base === null || changed === null) {
    say(`cannot compare with ${since ?? 'main'}: git does not know it. Run npm test.`)
    return false
  }
  say(`${changed.length} files changed since ${base.commit.slice(0, 8)}`)
  const distance = dependents(readGraph(), changed)
  const { chosen, left } = chooseTests(testsAmong(distance))
  const counts = await runSteps(stepsFor(changed, distance.keys(), chosen))
  say('not run: end-to-end tests, build, packaging, coverage, fuzz, unused code (npm test)')
  if (left.length > 0) say(`not run: ${left.length} test files that are further away (npm test):`)
  for (const test of left.slice(0, SHOWN)) say(`  ${test}`)
  if (left.length > SHOWN) say(`  … and ${left.length - SHOWN} more`)
  const isGood = finish(counts)
  if (isGood) recordPass('check', state)
  return isGood
}

const SHOWN = 10

/** Modules and tests at a path: a file with its own test, or all files of a folder. */
function filesAt(path: string, { modules }: Graph): readonly string[] {
  const name = path.replaceAll('\\', '/').replace(/^\.\//u, '').replace(/\/$/u, '')
  if (statSync(join(ROOT, name)).isDirectory())
    return modules.filter((each) => each.startsWith(`${name}/`))
  const own = name.replace(/(?<!\.test)\.(tsx?)$/u, '.test.$1')
  return [...new Set([name, own])].filter((each) => existsSync(join(ROOT, each)))
}

/** End-to-end tests that belong to files, as paths for Playwright. */
export function specsOf(files: readonly string[], specs: readonly string[]): readonly string[] {
  const features = files.flatMap((name) => /^renderer\/features\/([^/]+)\//u.exec(name)?.[1] ?? [])
  const starts = [
    ...features,
    ...SPECS.flatMap(([path, names]) => (files.some((name) => path.test(name)) ? names : [])),
  ]
  return specs.filter(
    (spec) =>
      files.includes(spec) ||
      starts.some((start) =>
        start.endsWith('/')
          ? spec.startsWith(`e2e/${start}`)
          : spec.startsWith(`e2e/${start}.`) || spec.startsWith(`e2e/${start}-`),
      ),
  )
}

/** `npm test -- PATH …`: all tests that belong to the paths, format, lint, types and end-to-end tests. */
export async function checkPaths(paths: readonly string[]): Promise<boolean> {
  const missing = paths.filter((path) => !existsSync(join(ROOT, path)))
  if (missing.length > 0) {
    say(
      `there is no ${missing.join(', no ')}. Name files or folders of the project, as in npm test -- core/engine/lab`,
    )
    return false
  }
  const graph = readGraph()
  const files = [...new Set(paths.flatMap((path) => filesAt(path, graph)))]
  const tests = files.filter((name) => /\.test\.tsx?$/u.test(name))
  const specs = readdirSync(join(ROOT, 'e2e'), { recursive: true, encoding: 'utf8' })
    .map((name) => `e2e/${name.replaceAll('\\', '/')}`)
    .filter((name) => name.endsWith('.spec.ts'))
  const chosen = specsOf(files, specs)
  const steps = stepsFor(files, files, tests)
  const endToEnd: Step = {
    name: `end-to-end: ${chosen.join(', ')}`,
    run: async () =>
      counted(await ran([bin('@playwright/test/cli.js'), 'test', '--reporter=list', ...chosen])),
  }
  return finish(await runSteps(chosen.length > 0 ? [...steps, endToEnd] : steps))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { since: { type: 'string' } } })
  process.exitCode = (await checkChanges(values.since)) ? 0 : 1
}
