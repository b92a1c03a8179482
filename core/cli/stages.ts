import type { StageFacts } from '../engine/lab/recorded.ts'
import type { Session } from '../engine/schema/session.ts'
import { loadO200k } from '../engine/tokens-o200k.ts'
import { readPromptSources } from '../host/files/prompt-files.ts'
import { openWorkspace } from '../host/files/workspace.ts'
import type { SessionReplay } from '../host/session/replay.ts'
import { readStages } from '../host/session/stages.ts'
import { createTimeLimit } from '../host/shared/guard.ts'
import { type ConfigOptions, HOME } from './options.ts'

/** [L51] What the stages beside the belief say of a session; `recorded`: only of what a file recorded. */
export type SessionStages = (
  session: Session,
  replay: SessionReplay,
  recorded: StageFacts | null,
) => Promise<StageFacts>

/** Reads stages with the prompts of the workspace. */
export async function openStages(
  options: Pick<ConfigOptions, 'workspace'>,
): Promise<SessionStages> {
  const { roots } = openWorkspace(options.workspace, HOME)
  const estimators = { o200k_base: await loadO200k() }
  const limit = createTimeLimit()
  const { signal } = new AbortController()
  return (session, replay, recorded) =>
    readStages(
      { session, replay, sources: readPromptSources(roots), estimators, limit },
      { roots, signal, recorded },
    )
}
