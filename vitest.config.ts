import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

// Worker threads and command lines that tests start load the same files again and again: Node keeps what
// it compiled, which is a third of the time of a test with a host of its own.
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(
  new URL('node_modules/.cache/compiled', import.meta.url),
)

// No test reads or writes what the person who runs them trusts.
process.env['XDG_CONFIG_HOME'] = join(tmpdir(), `turnscope-test-config-${process.pid}`)
// Nor begins with what an earlier run has learned (C14).
process.env['XDG_CACHE_HOME'] = join(tmpdir(), `turnscope-test-cache-${process.pid}`)

// Each day has other generated cases (`fixtures/cases.ts`).
const today = new Date().toISOString().slice(0, 10).replaceAll('-', '')
process.env['TEST_SEED'] ??= today
process.stderr.write(`cases of TEST_SEED=${process.env['TEST_SEED']}\n`)

/** Tests of the engine, and of the host's readers, which are what tests its importers on files. */
const COVERED = ['core/{engine,host/transcripts,host/workspace,host/platform/files}/**/*.test.ts']
/** Of those, what starts programs or saves under faults: it reaches no line of the engine that others do not. */
const APART = ['core/host/platform/files/{faults,regular-file}.test.ts']
/** Runs the packager, which nothing else may do at the same time. */
const PACKAGING = ['scripts/packaging.test.ts', 'scripts/package/*.test.ts']
const REST = ['{addons,core,electron,examples,page,scripts,bench,fixtures}/**/*.test.{ts,tsx}']
/** Its stores are those of one window: each file of tests begins with new ones. */
const WINDOW = ['renderer/**/*.test.{ts,tsx}']

/** Ends a test that hangs. A busy machine takes forty times as long as a quiet one, and fails no test. */
const HUNG_MS = 600_000
const shared = {
  testTimeout: HUNG_MS,
  hookTimeout: HUNG_MS,
  expect: { poll: { timeout: HUNG_MS } },
  maxWorkers: 2,
} as const
// One process reads the modules once for all of its files: reading hundreds of them again for each file took
// longer than most tests. A file that changes what others see (variables, mocks) puts it back.
const together = {
  ...shared,
  pool: 'forks',
  isolate: false,
  setupFiles: 'fixtures/cases-setup.ts',
} as const

/** The gate runs `covered` by itself, with coverage; what is in no other project is in `rest`. */
export default defineConfig({
  test: {
    reporters: ['default'],
    maxWorkers: 2,
    projects: [
      { test: { ...together, name: 'covered', include: COVERED, exclude: APART } },
      {
        test: {
          ...together,
          name: 'rest',
          include: [...APART, ...REST],
          exclude: [
            '**/node_modules/**',
            ...PACKAGING,
            'core/engine/**',
            'core/host/{transcripts,workspace}/**',
            'core/host/platform/files/!(faults|regular-file).test.ts',
          ],
        },
      },
      { test: { ...together, name: 'packaging', include: PACKAGING } },
      { test: { ...shared, name: 'window', include: WINDOW } },
    ],
  },
})
