import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { storeConformance, valueOf } from '../conformance.ts'
import { openStore } from '../open.ts'

/** Where `npm install --no-save --prefix node_modules/.cache/lancedb @lancedb/lancedb@0.39.0` puts it. */
const PACKAGE = join(import.meta.dirname, '../../../../../node_modules/.cache/lancedb')

const entry = {
  ...{ name: 'campaign', paths: [] },
  store: { kind: 'lancedb', uri: 'lance', table: 'chunks' },
} as const

if (existsSync(join(PACKAGE, 'node_modules/@lancedb/lancedb'))) {
  storeConformance(
    'lancedb over a real folder',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'turnscope-lance-'))
      const env = { TURNSCOPE_LANCEDB: PACKAGE }
      return {
        open: async () => valueOf(await openStore({ entry, folder, env })),
        end: () => rm(folder, { recursive: true }),
      }
    },
    { large: 10_000, digits: 6 },
  )
} else {
  describe('lancedb over a real folder', () => {
    it.skip('needs @lancedb/lancedb: npm install --no-save --prefix node_modules/.cache/lancedb')
  })
}

describe('lancedb', () => {
  it('D38 a missing package is named with the command that brings it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'turnscope-lance-'))
    const result = await openStore({ entry, folder, env: {} })
    expect(result).toMatchObject({ ok: false, error: { kind: 'missing_package' } })
    if (!result.ok) expect(result.error.do).toContain('npm install @lancedb/lancedb')
    await rm(folder, { recursive: true })
  })
})
