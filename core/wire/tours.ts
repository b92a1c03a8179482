import { z } from 'zod'
import { ProblemText } from '../engine/schema/library.ts'
import { Tour, TourId } from '../engine/schema/tour.ts'
import { call } from './method.ts'
import { nothing } from './shapes.ts'

const Fingerprint = z.string().max(100)

/** [U130] Walks through a session, as files of a workspace. */
export const tourContract = {
  /** All that can be played, and the files that cannot be read. */
  'tour.list': call('workspace', nothing, {
    tours: z.array(
      z.object({
        id: TourId,
        /** False if the tour ships with the program. Saving then writes a file of that name into the workspace. */
        own: z.boolean(),
        shown: z.string(),
        fingerprint: Fingerprint,
        tour: Tour,
      }),
    ),
    problems: z.array(ProblemText),
  }),
  /** [U135] Writes a tour of the workspace, or removes it if null. Refused if the file has changed. */
  'tour.save': call(
    'workspace',
    {
      id: TourId,
      tour: Tour.nullable(),
      /** Fingerprint of the file when it was listed; null if the workspace has no file of this name. */
      fingerprint: Fingerprint.nullable(),
    },
    { file: z.string() },
  ),
} as const
