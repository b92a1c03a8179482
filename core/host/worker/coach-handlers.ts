import type { Handlers } from '../../rpc.ts'
import type { CoachDesk } from '../coach/desk.ts'
import { shownFiles } from '../coach/desk.ts'
import type { coachWorkerContract } from '../coach/wire.ts'
import type { Desk } from './desk.ts'

/** The coach's part of a worker: texts and patterns, under the time limit. */
export function createCoachWorkerHandlers(
  desk: Desk,
  coach: CoachDesk,
): Handlers<typeof coachWorkerContract> {
  return {
    'coach.rows': (of, { signal }) => coach.rows(desk.session(of), signal),
    'coach.prepare': ({ seqs, ...of }) => coach.prepare(desk.session(of), seqs),
    'coach.items': ({ items, draft }) => coach.items(items, draft),
    'coach.check': async ({ draft }) => shownFiles(await coach.files(draft)),
  }
}
