import { join } from 'node:path'
import { openWorkspace } from '../workspace.ts'
import type { ProbeDesk } from './desk.ts'
import { createProbeDesk } from './desk.ts'
import { createEmbedders } from './embed/embedders.ts'
import { openStore } from './store/open.ts'

interface ProbePlaces {
  readonly workspace: string
  readonly shipped: string
  readonly stateDir: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** The probe's desk over the embedders and stores of this machine. */
export function openProbe({ workspace, shipped, stateDir, env }: ProbePlaces): ProbeDesk {
  const modelsDir = join(stateDir, 'models')
  return createProbeDesk({
    ...{ stateDir, env, openStore },
    workspace: openWorkspace(workspace, shipped),
    embedders: createEmbedders({ shipped, modelsDir, env }),
    cached: (embedder) => embedder,
    clock: () => Date.now(),
  })
}
