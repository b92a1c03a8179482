import type { Stage } from '../../engine/schema/compare.ts'
import type { Session } from '../../engine/schema/session.ts'
import { openWorkspace } from '../../host/workspace/workspace.ts'
import { readCoachFiles } from '../../host/coach/session/prompt-files.ts'
import {
  type StagePair,
  type StagedSide,
  compareStages,
} from '../../host/compare/session/compared-stages.ts'
import type { SessionReplay } from '../../host/replay/session/replay.ts'
import { createTimeLimit } from '../../host/platform/guard/guard.ts'
import { HOME } from '../../place.ts'
import type { ConfigOptions } from './options.ts'
import { valueOrFail } from './output.ts'

interface Pair {
  readonly session: Session
  readonly here: StagedSide
  /** Null: compare with the values recorded in the file. */
  readonly there: StagedSide | null
  readonly personas?: Parameters<typeof compareStages>[1]['personas']
  readonly only?: ReadonlySet<Stage>
}

export interface Stages {
  /** [L51] Compares the stages other than the belief for a session, on both sides. */
  compare(pair: Pair): Promise<StagePair>
  /** A side that the coach judges by the rules of now. */
  side(replay: SessionReplay): StagedSide
}

/** Reads stages with the prompts and the coach of the workspace. */
export function openStages(options: Pick<ConfigOptions, 'workspace'>): Stages {
  const workspace = openWorkspace(options.workspace, HOME)
  const limit = createTimeLimit()
  const { signal } = new AbortController()
  return {
    compare: ({ personas = null, ...pair }) =>
      compareStages({ workspace, limit }, { ...pair, personas }, signal),
    side: (replay) => ({
      replay,
      coach: async () => valueOrFail(await readCoachFiles(workspace.roots)),
    }),
  }
}
