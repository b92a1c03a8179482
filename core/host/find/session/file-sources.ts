import { basename } from 'node:path'
import type { Session } from '../../../engine/schema/session.ts'
import { createLabelStore } from '../../labels/label-store.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import type { TimeLimit } from '../../platform/guard/guard.ts'
import { valueOrRefuse } from '../../platform/threads/refusal.ts'
import { createCoachRequests } from '../../coach/session/service.ts'
import { readCoachFiles } from '../../coach/session/prompt-files.ts'
import { compareStages } from '../../compare/session/compared-stages.ts'
import type { StagesOf } from './find-handlers.ts'
import type { FindSources } from './query-facts.ts'
import { labelsOf } from '../../labels/session/turn-labels.ts'

interface OfFile {
  readonly path: string
  readonly workspace: Workspace
  readonly limit: TimeLimit
  readonly signal: AbortSignal
}

/** [F70] Additional facts about the sessions of a file on disk: its labels, and the coach's rules. */
export function fileSources({ path, workspace, limit, signal }: OfFile) {
  const coach = createCoachRequests(workspace, limit)
  const store = createLabelStore(workspace.root)
  return (index: number, session: Session): FindSources => ({
    labels: async () => {
      const files = await store.read({ path, name: basename(path), fixed: null })
      return labelsOf(files, session, { index }).bySeq
    },
    verdicts: async () => {
      const of = { session, transcript: path, task: undefined }
      return (await coach.rows(of, signal)).rows
    },
    personas: null,
  })
}

/** [F77] Stages of a session on disk under two configurations of now: nothing is probed, one coach judges both. */
export function presetStages({
  session,
  workspace,
  limit,
  signal,
}: Omit<OfFile, 'path'> & { readonly session: Session }): StagesOf {
  const coach = async () => valueOrRefuse(await readCoachFiles(workspace.roots))
  return (base, other, only) => {
    const here = { replay: base, coach }
    const there = other && { replay: other, coach }
    return compareStages(
      { workspace, limit },
      { session, here, there, personas: null, only },
      signal,
    )
  }
}
