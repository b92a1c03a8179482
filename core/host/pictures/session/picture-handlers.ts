import { basename } from 'node:path'
import { drawSessions } from '../../../engine/draw/sessions.ts'
import { transitionMap } from '../../../engine/draw/transition-map.ts'
import type { Answer } from '../../../wire/method.ts'
import type { HandlersOf } from '../../../wire/rpc.ts'
import type { SessionContract } from '../../../wire/threads.ts'
import { valueOrRefuse } from '../../platform/threads/refusal.ts'
import { workspaceFormats } from '../../transcripts/own-formats.ts'
import { isTranscript } from '../../transcripts/read-transcript.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import type { TimeLimit } from '../../platform/guard/guard.ts'
import { reporting, throttled } from '../../platform/threads/yielding.ts'
import { aboutOf, decidedBy } from './picture-parts.ts'
import { createPictures } from './pictures.ts'
import type { Priority } from '../../platform/threads/priority.ts'
import type { SessionService } from '../../sessions/session/service.ts'
import { stripsOfFile } from './strips.ts'

interface Around {
  readonly service: SessionService
  readonly workspace: Workspace
  readonly limit: TimeLimit
  readonly priority: Priority
}

type Step = Answer<SessionContract, 'pictures.draw'>

/** [U150] Pictures of open sessions, and the parts of a folder's picture. */
export function createPictureHandlers(around: Around): HandlersOf<SessionContract, 'pictures'> {
  const { service, workspace, limit, priority } = around
  const pictures = createPictures(service, workspace, limit)
  const formats = workspaceFormats(workspace)
  return {
    'pictures.draw': async function* (request, { signal }) {
      const picture = yield* reporting<Step, Awaited<ReturnType<typeof pictures.draw>>>((report) =>
        pictures.draw(request, {
          signal,
          onProgress: throttled((done, total) =>
            report({ kind: 'progress', phase: 'replaying', done, total }),
          ),
        }),
      )
      yield { kind: 'drawn', picture }
    },
    'pictures.transitions': async (asked, { signal }) => {
      const { columns } = await service.replay(asked, asked.config, { signal })
      return transitionMap(columns, asked.turns)
    },
    'pictures.strips': async ({ path, config, compare }, { signal }) => {
      await priority.turn(signal)
      const known = await isTranscript(path, signal, valueOrRefuse(await formats()))
      if (!known) return { strips: [], failed: false }
      const compiled = await service.compiled(config)
      const other = compare && (await service.compiled(compare))
      const under = { compiled, other, limit, signal, formats }
      const strips = await stripsOfFile({ path, name: basename(path) }, under)
      return { strips: strips ?? [], failed: strips === null }
    },
    'pictures.multiples': async ({ config, compare, strips, unread, left, ...given }) => {
      const side = decidedBy(await service.files(config))
      const against = compare && decidedBy(await service.files(compare))
      const about = aboutOf({ ...given, side, against })
      return { picture: drawSessions({ ...about, strips, unread, left }) }
    },
  }
}
