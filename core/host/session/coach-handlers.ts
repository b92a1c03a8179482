import type { Handlers } from '../../wire/rpc.ts'
import { type CoachDesk, shownFiles } from './coach/service.ts'
import type { coachWorkerContract } from './coach/contract.ts'
import type { Desk } from './service.ts'

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
