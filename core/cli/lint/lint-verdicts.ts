import { join } from 'node:path'
import { lintVerdicts } from '../../engine/coach/lint.ts'
import { verdictOf } from '../../host/coach/main/shown.ts'
import { openVerdictStore } from '../../host/coach/main/verdict-store.ts'
import { createCoachRequests } from '../../host/coach/session/service.ts'
import type { Workspace } from '../../host/workspace/workspace.ts'
import { createTimeLimit } from '../../host/platform/guard/guard.ts'
import { readModelAnswer } from '../../engine/coach/model-answer.ts'
import { notice } from '../../host/platform/terminal.ts'
import { type Lesson, type LintedSession, lessonPlace } from './lint-sessions.ts'

/** Lint of the verdicts of one session. */
export type LintVerdicts = (of: LintedSession) => Promise<readonly Lesson[]>

/**
 * [L40] [L37] Verdicts of models that the workspace keeps, and those that the file itself recorded. The rules'
 * own verdict is no run; that it differs is no finding here.
 */
export function createVerdictLint(workspace: Workspace): LintVerdicts {
  const requests = createCoachRequests(workspace, createTimeLimit())
  const store = openVerdictStore(join(workspace.root, '.turnscope'), notice)
  const { signal } = new AbortController()

  return async (of) => {
    const { file, session } = of
    const { basis, rows } = await requests.rows(
      { session, transcript: file, task: undefined },
      signal,
    )
    const lessons: Lesson[] = []
    for (const { seq, content, recorded } of rows) {
      const kept = (await store.runs(content)).flatMap((run) => verdictOf(run, basis) ?? [])
      const own = recorded.flatMap((raw) => readModelAnswer(raw, basis, 'recorded') ?? [])
      for (const { kind, what } of lintVerdicts([...kept, ...own], null)) {
        lessons.push({ ...lessonPlace(of, seq), rule: 'verdict', text: `${kind}: ${what}` })
      }
    }
    return lessons
  }
}
