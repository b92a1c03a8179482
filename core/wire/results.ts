import { z } from 'zod'
import {
  FlipsOf,
  PAGE_ROWS,
  PANELS_BY,
  PANELS_OF,
  ResultsAbout,
  ResultsCounts,
  ResultsFilter,
  ResultsFlip,
  ResultsPlace,
  ResultsTurn,
} from '../engine/schema/results.ts'
import { call } from './method.ts'
import { FilePath, ResultSource } from './shapes.ts'

/** A folder that `turnscope batch` filled. */
const results = { path: FilePath }
const asked = { ...results, filter: ResultsFilter, flips: FlipsOf }
const page = {
  ...asked,
  from: z.int().min(0).max(1_000_000_000),
  most: z.int().min(1).max(PAGE_ROWS),
}

/** Results of a batch: asked of the files by a database on the host, page by page. */
export const resultsContract = {
  /** [F141] The folder of results that a path means; null: it means something else. Nothing is opened for it. */
  'results.at': call('main', results, { path: z.string().nullable() }),
  'results.open': call('results', results, ResultsAbout),
  'results.counts': call(
    'results',
    { ...asked, by: z.enum(PANELS_BY), of: z.enum(PANELS_OF) },
    ResultsCounts,
    { packed: true },
  ),
  'results.turns': call('results', page, { rows: z.array(ResultsTurn) }, { packed: true }),
  'results.flips': call('results', page, { rows: z.array(ResultsFlip) }, { packed: true }),
  /**
   * [F142] What to open for a row: the source, or the session of a table; the session's name there, and its turn
   * (0-based) or, of a table, its event.
   */
  'results.place': call(
    'results',
    { ...results, place: ResultsPlace },
    {
      source: ResultSource,
      session: z.string().nullable(),
      turn: z.int().nullable(),
      event: z.int().nullable(),
    },
  ),
} as const
