import { join } from 'node:path'
import type { CoachTask } from '../../engine/schema/coach.ts'
import type { HandlersOf } from '../../wire/rpc.ts'
import type { SessionContract } from '../../wire/threads.ts'
import { saveText } from '../files/atomic-file.ts'
import type { Workspace } from '../files/workspace.ts'
import type { TimeLimit } from '../shared/guard.ts'
import { type CoachFiles, COACH_FILES } from './coach/prompt-files.ts'
import { createCoachRequests } from './coach/service.ts'
import type { SessionService } from './service.ts'

interface Asked {
  readonly key: string
  readonly session: number
  readonly task?: CoachTask | undefined
}

/** The coach's part of a session thread: texts and patterns, under the time limit. */
export function createCoachHandlers(
  service: SessionService,
  workspace: Workspace,
  limit: TimeLimit,
): HandlersOf<SessionContract, 'coach'> {
  const coach = createCoachRequests(workspace, limit)
  const of = ({ task, ...address }: Asked) => ({
    session: service.session(address),
    transcript: service.file(address.key).path,
    task,
  })
  return {
    'coach.rows': (asked, { signal }) => coach.rows(of(asked), signal),
    'coach.prepare': ({ seqs, ...asked }) => coach.prepare(of(asked), seqs),
    'coach.items': ({ items, draft }) => coach.items(items, draft),
    'coach.files': async () => shown(await coach.files()),
    'coach.save': async (draft) => {
      // Refused as a whole when the rules cannot be used.
      const { promptHash } = await coach.files(draft)
      for (const name of ['system', 'rules'] as const) {
        const text = draft[name]
        if (text !== null) await saveText(join(workspace.root, COACH_FILES[name]), text)
      }
      return { promptHash }
    },
  }
}

function shown({ system, user, rules, promptHash, problem }: CoachFiles) {
  return { system, user, rules, promptHash, problem }
}
