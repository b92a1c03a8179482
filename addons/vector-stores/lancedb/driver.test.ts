import { execFile } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { storeConformance, valueOf } from '../../../fixtures/probe/store-conformance.ts'
import { openStore } from '../../../core/host/probe/store/drivers.ts'
import { openedGate } from '../../../fixtures/trust.ts'

const run = promisify(execFile)
const PACKAGE = join(import.meta.dirname, '../../../node_modules/.cache/lancedb')
const WANTED = '@lancedb/lancedb@0.39.0'
const INSTALLING_MS = 180_000

/**
 * The package cannot be in the lock file, so it is installed next to it, once, if a registry has it. Without it the
 * suite is skipped with a message.
 */
async function installed(): Promise<boolean> {
  const isThere = (): boolean => existsSync(join(PACKAGE, 'node_modules/@lancedb/lancedb'))
  if (isThere()) return true
  mkdirSync(PACKAGE, { recursive: true })
  const flags = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', PACKAGE]
  // Not the synchronous form: a test thread that is silent for a minute is given up.
  await run('npm', ['install', ...flags, WANTED], { timeout: INSTALLING_MS }).catch(() => null)
  return isThere()
}

const entry = {
  name: 'campaign',
  paths: [],
  store: { kind: 'lancedb', uri: 'lance', table: 'chunks' },
} as const

if (await installed()) {
  storeConformance(
    'lancedb over a real folder',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'turnscope-lance-'))
      const env = { TURNSCOPE_LANCEDB: PACKAGE }
      return {
        open: async () => valueOf(await openStore({ entry, folder, env, trust: openedGate() })),
        end: () => rm(folder, { recursive: true }),
      }
    },
    { large: 10_000, digits: 6 },
  )
} else {
  describe('lancedb over a real folder', () =>
    it.skip('the package could not be installed from this registry'))
}

describe('lancedb', () =>
  it('[D38] a missing package is named with the command that brings it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'turnscope-lance-'))
    const result = await openStore({ entry, folder, env: {}, trust: openedGate() })
    expect(result).toMatchObject({ ok: false, error: { kind: 'missing_package' } })
    if (!result.ok) expect(result.error.do).toContain('npm install @lancedb/lancedb')
    await rm(folder, { recursive: true })
  }))
