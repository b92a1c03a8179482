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
        /** False where it ships with the program: saving writes a file of that name into the workspace. */
        own: z.boolean(),
        shown: z.string(),
        fingerprint: Fingerprint,
        tour: Tour,
      }),
    ),
    problems: z.array(ProblemText),
  }),
  /** [U135] Writes a tour of the workspace; null takes it away. Refused where the file is another by now. */
  'tour.save': call(
    'workspace',
    {
      id: TourId,
      tour: Tour.nullable(),
      /** Of the file as it was listed; null where the workspace has none of this name. */
      fingerprint: Fingerprint.nullable(),
    },
    { file: z.string() },
  ),
} as const
