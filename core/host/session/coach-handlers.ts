import { join } from 'node:path'
import type { CoachTask } from '../../engine/schema/coach.ts'
import type { HandlersOf, RpcError } from '../../wire/rpc.ts'
import type { SessionContract } from '../../wire/threads.ts'
import { saveText } from '../files/atomic-file.ts'
import { saveAlone } from '../files/file-lock.ts'
import { refuseOutwardLink } from '../files/outward-link.ts'
import type { Workspace } from '../files/workspace.ts'
import { refusal } from '../shared/refusal.ts'
import type { TimeLimit } from '../shared/guard.ts'
import { type CoachFiles, COACH_FILES } from './coach/prompt-files.ts'
import { createCoachRequests } from './coach/service.ts'
import type { SessionService } from './service.ts'

/** In the order in which they are locked. */
const FILES = ['system', 'rules'] as const

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
  const { root } = workspace
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
    'coach.save': async ({ base, ...draft }) => {
      // Refused as a whole when the rules cannot be used.
      const { promptHash } = await coach.files(draft)
      const edited = FILES.filter((name) => draft[name] !== null)
      for (const name of edited) await refuseOutwardLink(root, join(root, COACH_FILES[name]))
      await alone(
        edited.map((name) => join(root, COACH_FILES[name])),
        async () => {
          const now = await coach.files()
          for (const name of edited) if (now[name] !== base[name]) throw changed(COACH_FILES[name])
          for (const name of edited)
            await saveText(join(root, COACH_FILES[name]), draft[name] ?? '')
        },
      )
      return { promptHash }
    },
  }
}

function shown({ system, user, rules, promptHash, problem }: CoachFiles) {
  return { system, user, rules, promptHash, problem }
}

/** [F20] Looks and writes while nobody else writes these files. */
async function alone(paths: readonly string[], work: () => Promise<void>): Promise<void> {
  const [path, ...others] = paths
  if (path === undefined) {
    await work()
    return
  }
  await saveAlone(path, 'Make the file writable; your draft is kept', () => alone(others, work))
}

function changed(where: string): RpcError {
  return refusal({
    what: 'the file was changed by somebody else meanwhile',
    where,
    do: 'Look at both; your draft is kept, and nothing was written over',
  })
}
