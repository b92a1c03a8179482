import { z } from 'zod'
import { Side } from '../engine/schema/lab.ts'
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
import { call, stream } from './method.ts'
import { FilePath, ResultSource, steps, variant } from './shapes.ts'

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
  /**
   * [F145] Decisions of a side that differ from the batch, computed from the stored matches. The flips are kept until
   * another edit is tried.
   */
  'results.edit': stream(
    'results',
    { ...results, side: Side },
    steps(
      variant('edited', {
        /** Its number, for questions about its flips. */
        edit: z.int().min(1),
        total: z.number(),
        /** Signals whose matches had to be looked for. */
        scanned: z.int(),
        elapsedMs: z.number(),
        /** Why the answer is not complete. */
        warnings: z.array(z.string()),
        /** Of what the answer is, if that is not obvious. */
        notes: z.array(z.string()),
      }),
    ),
  ),
} as const
