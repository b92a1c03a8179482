import { join } from 'node:path'
import type { TrustPlace } from '../../engine/schema/trust.ts'
import { openWorkspace } from '../workspace/workspace.ts'
import { trustPlace } from '../platform/trust/place.ts'
import { type ProbeService, createProbeService } from './service.ts'
import { cachedEmbedder } from './embed/vector-cache.ts'
import { createEmbedders } from './embed/embedders.ts'
import { openStore } from './store/drivers.ts'

interface ProbePlaces {
  readonly workspace: string
  readonly shipped: string
  readonly stateDir: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** If omitted: the workspace's entry in the operator's trust file. */
  readonly trust?: TrustPlace
}

/** The probe's service over the embedders and stores of this machine. */
export function openProbe(places: ProbePlaces): ProbeService {
  const { shipped, stateDir, env, trust = trustPlace(places) } = places
  const workspace = openWorkspace(places.workspace, shipped, trust)
  const modelsDir = join(stateDir, 'models')
  const cacheFile = join(stateDir, 'vectors', 'embedded.sqlite')
  return createProbeService({
    workspace,
    stateDir,
    env,
    openStore,
    embedders: createEmbedders({ shipped, modelsDir, env, trust: workspace.trust }),
    // A cache that cannot be kept costs time, nothing else.
    cached: (embedder) => cachedEmbedder(embedder, cacheFile).catch(() => embedder),
    clock: () => Date.now(),
  })
}
