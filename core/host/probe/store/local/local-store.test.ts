import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { storeConformance, valueOf } from '../../../../../fixtures/probe/store-conformance.ts'
import { openStore } from '../drivers.ts'
import { openedGate } from '../../../../../fixtures/trust.ts'

storeConformance(
  'local store',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'turnscope-store-'))
    const entry = { name: 'campaign', paths: [] }
    return {
      open: async () => valueOf(await openStore({ entry, folder, env: {}, trust: openedGate() })),
      end: () => rm(folder, { recursive: true }),
    }
  },
  { large: 10_000, digits: 12 },
)
