import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ProbeSettings, SHIPPED_EMBEDDER } from '../core/engine/schema/probe-settings.ts'
import type { Result } from '../core/engine/result.ts'
import { createProbeService, type ProbeService } from '../core/host/probe/service.ts'
import { createEmbedders } from '../core/host/probe/embed/embedders.ts'
import type { OpenEmbedder } from '../core/host/probe/ports.ts'
import { openStore } from '../core/host/probe/store/drivers.ts'
import { openWorkspace } from '../core/host/workspace/workspace.ts'
import { openedGate } from '../fixtures/trust.ts'

export const ROOT = fileURLToPath(new URL('..', import.meta.url))

export const SETTINGS: ProbeSettings = {
  embedder: SHIPPED_EMBEDDER,
  auto: false,
  embedders: {},
  measured: {},
}

export function must<T, E>(result: Result<T, E>): T {
  if (result.ok) return result.value
  throw new Error(JSON.stringify(result.error))
}

/** The probe of a new, empty workspace, with the shipped embedder and the shipped collections. */
export async function withService<T>(
  run: (service: ProbeService, embedder: OpenEmbedder, folder: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'turnscope-bench-'))
  const embedders = createEmbedders({
    shipped: ROOT,
    modelsDir: join(folder, 'models'),
    env: {},
    trust: openedGate(),
  })
  const service = createProbeService({
    workspace: openWorkspace(join(folder, 'workspace'), ROOT),
    stateDir: join(folder, 'state'),
    env: {},
    openStore,
    embedders,
    cached: (embedder) => Promise.resolve(embedder),
    clock: () => Date.now(),
  })
  try {
    return await run(service, must(await embedders.open(SHIPPED_EMBEDDER, SETTINGS)), folder)
  } finally {
    await service.close()
    await rm(folder, { recursive: true, force: true })
  }
}
