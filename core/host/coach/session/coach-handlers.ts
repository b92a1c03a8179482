import { join, relative } from 'node:path'
import type { CoachTask } from '../../../engine/schema/coach.ts'
import type { HandlersOf, RpcError } from '../../../wire/rpc.ts'
import type { SessionContract } from '../../../wire/threads.ts'
import { fingerprintOf } from '../../platform/files/fingerprint.ts'
import { textIfThere } from '../../platform/files/regular-file.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { refusal, valueOrRefuse } from '../../platform/threads/refusal.ts'
import type { TimeLimit } from '../../platform/guard/guard.ts'
import { COACH_FILES } from '../../workspace/coach-files.ts'
import type { CoachFiles } from './prompt-files.ts'
import { createCoachRequests } from './service.ts'
import type { SessionService } from '../../sessions/session/service.ts'
import { refuseTextless } from '../../replay/session/textless.ts'

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
  const { root, saves } = workspace
  const coach = createCoachRequests(workspace, limit)
  const of = ({ task, ...address }: Asked) => {
    const session = service.session(address)
    refuseTextless(session, 'the coach')
    return { session, transcript: service.file(address.key).path, task }
  }
  return {
    'coach.rows': (asked, { signal }) => coach.rows(of(asked), signal),
    'coach.prepare': ({ seqs, ...asked }) => coach.prepare(of(asked), seqs),
    'coach.items': ({ items, draft }) => coach.items(items, draft),
    'coach.files': async () => shown(await coach.files()),
    'coach.save': async ({ base, ...draft }) => {
      // Refused as a whole when the rules cannot be used.
      const { promptHash } = await coach.files(draft)
      const edited = FILES.filter((name) => draft[name] !== null)
      const files = await Promise.all(
        edited.map(async (name) => {
          const path = join(root, COACH_FILES[name])
          return { path, before: await printOf(path), text: draft[name] ?? '' }
        }),
      )
      // Read after the prints: what changes in between is another print under the lock.
      const now = await coach.files()
      for (const name of edited) if (now[name] !== base[name]) throw changed(COACH_FILES[name])
      const answer = files.length === 0 ? null : await saves.save({ kind: 'coach', files })
      if (answer?.kind === 'changed') throw changed(relative(root, answer.path))
      return { promptHash }
    },
  }
}

function shown({ system, user, rules, promptHash, problem }: CoachFiles) {
  return { system, user, rules, promptHash, problem }
}

/** Fingerprint of a file's text. Null if it does not exist, in which case the shipped file is used. */
async function printOf(path: string): Promise<string | null> {
  const text = await textIfThere(path)
  return text === null ? null : fingerprintOf(valueOrRefuse(text))
}

function changed(where: string): RpcError {
  return refusal({
    what: 'the file was changed by another program meanwhile',
    where,
    do: 'Look at both; your draft is kept, and nothing was written over',
  })
}
