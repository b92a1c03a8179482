import { join } from 'node:path'
import type { HandlersOf } from '../../../wire/rpc.ts'
import type { SessionContract } from '../../../wire/threads.ts'
import { MOST_TOUR_BYTES } from '../../../engine/schema/tour.ts'
import { listTours, TOURS_FOLDER, tourText } from '../../workspace/tour-folder.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { refusal } from '../../platform/threads/refusal.ts'

/** [U130] Tours of the workspace: lists them, and saves recorded ones. */
export function createTourHandlers({
  root,
  roots,
  saves,
}: Pick<Workspace, 'root' | 'roots' | 'saves'>): HandlersOf<SessionContract, 'tour'> {
  return {
    'tour.list': async () => {
      const { tours, problems } = await listTours(roots)
      return { tours: tours.map(({ text: _, ...listed }) => listed), problems }
    },
    'tour.save': async ({ id, tour, fingerprint }) => {
      const file = `${TOURS_FOLDER}/${id}.yaml`
      const text = tour === null ? null : tourText(tour)
      if (text !== null && Buffer.byteLength(text) > MOST_TOUR_BYTES) {
        throw refusal({ what: 'the tour is too long', where: file, do: 'Take some stops out' })
      }
      const path = join(root, TOURS_FOLDER, `${id}.yaml`)
      const files = [{ path, before: fingerprint, text }]
      const answer = await saves.save({ kind: 'tours', files })
      if (answer.kind === 'saved') return { file }
      const what = 'the file is another one by now; nothing was written'
      throw refusal({ what, where: file, do: 'Look at it again, then change it' })
    },
  }
}
