import { z } from 'zod'
import { call } from '../method.ts'
import { FilePath, nothing } from '../shapes.ts'
import { LocatedFile } from './session.ts'

/** Calls from the main process to the results thread. */
export const resultsRows = {
  /** [F142] Writes the rows of one session of a table as a file in the native format into `folder`. */
  'results.session': call(
    'results',
    {
      path: FilePath,
      file: z.string(),
      session: z.string(),
      folder: FilePath,
    },
    LocatedFile,
  ),
  'results.close': call('results', nothing, nothing),
}
