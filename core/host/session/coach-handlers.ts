import { join } from 'node:path'
import type { HandlersOf } from '../../wire/rpc.ts'
import type { SessionContract } from '../../wire/threads.ts'
import { saveText } from '../files/atomic-file.ts'
import type { Workspace } from '../files/workspace.ts'
import type { TimeLimit } from '../shared/guard.ts'
import { type CoachFiles, COACH_FILES } from './coach/prompt-files.ts'
import { createCoachRequests } from './coach/service.ts'
import type { SessionService } from './service.ts'

/** The coach's part of a session thread: texts and patterns, under the time limit. */
export function createCoachHandlers(
  service: SessionService,
  { root, roots }: Workspace,
  limit: TimeLimit,
): HandlersOf<SessionContract, 'coach'> {
  const coach = createCoachRequests(roots, limit)
  return {
    'coach.rows': (of, { signal }) => coach.rows(service.session(of), signal),
    'coach.prepare': ({ seqs, ...of }) => coach.prepare(service.session(of), seqs),
    'coach.items': ({ items, draft }) => coach.items(items, draft),
    'coach.files': async () => shown(await coach.files()),
    'coach.save': async (draft) => {
      // Refused as a whole when the rules cannot be used.
      const { promptHash } = await coach.files(draft)
      for (const name of ['system', 'rules'] as const) {
        const text = draft[name]
        if (text !== null) await saveText(join(root, COACH_FILES[name]), text)
      }
      return { promptHash }
    },
  }
}

function shown({ system, user, rules, promptHash, problem }: CoachFiles) {
  return { system, user, rules, promptHash, problem }
}
