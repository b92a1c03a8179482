import { join } from 'node:path'
import { openWorkspace } from '../files/workspace.ts'
import { type ProbeService, createProbeService } from './service.ts'
import { cachedEmbedder } from './embed/cached.ts'
import { createEmbedders } from './embed/embedders.ts'
import { openStore } from './store/drivers.ts'

interface ProbePlaces {
  readonly workspace: string
  readonly shipped: string
  readonly stateDir: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** The probe's service over the embedders and stores of this machine. */
export function openProbe({ workspace, shipped, stateDir, env }: ProbePlaces): ProbeService {
  const modelsDir = join(stateDir, 'models')
  const cacheFile = join(stateDir, 'vectors', 'embedded.sqlite')
  return createProbeService({
    ...{ stateDir, env, openStore },
    workspace: openWorkspace(workspace, shipped),
    embedders: createEmbedders({ shipped, modelsDir, env }),
    // A cache that cannot be kept costs time, nothing else.
    cached: (embedder) => cachedEmbedder(embedder, cacheFile).catch(() => embedder),
    clock: () => Date.now(),
  })
}
