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

export default defineConfig({
  test: {
    include: ['{addons,core,electron,examples,renderer,scripts,bench,fixtures}/**/*.test.{ts,tsx}'],
    reporters: ['default'],
    testTimeout: 60_000,
    maxWorkers: 2,
  },
})
