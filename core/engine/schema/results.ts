import { z } from 'zod'
import type { Immutable } from './immutable.ts'

/** Most rows of a page of turns or flips. */
export const PAGE_ROWS = 500

const name = z.string().max(4096).nullable().default(null)

/** [F140] Which turns or flips of a batch are meant; null = any. */
export const ResultsFilter = z.object({
  /** Turns: the primary. Flips: the primary on either side. */
  domain: name,
  /** Flips: the primary on this side, and on the other one. */
  from: name,
  to: name,
  cause: z.enum(['direct', 'momentum']).nullable().default(null),
  /** Path of the source, as the batch was given it. */
  file: name,
  /** Part of the name of the session, in any case. */
  session: name,
})
export type ResultsFilter = Immutable<z.output<typeof ResultsFilter>>

/** Lets everything through. */
export const NO_RESULTS_FILTER: ResultsFilter = ResultsFilter.parse({})

/**
 * [F140] Flips against the batch's other configuration, or flips of an edit, by the number that trying it returned. A
 * folder keeps only the edit that was tried last, by any client.
 */
export const FlipsOf = z.union([z.literal('against'), z.int().min(1)])
export type FlipsOf = z.infer<typeof FlipsOf>

/** A source of a batch. */
export const ResultsFile = z.object({
  path: z.string(),
  kind: z.enum(['parquet', 'csv', 'lines', 'transcript']),
  turns: z.number(),
})

/** Contents of a results folder. */
export const ResultsAbout = z.object({
  /** The folder, and its name. */
  path: z.string(),
  name: z.string(),
  engine: z.string(),
  /** Hashes of the configurations (F110). */
  config: z.string(),
  against: z.string().nullable(),
  sessions: z.number(),
  rows: z.number(),
  unusable: z.number(),
  turns: z.number(),
  flips: z.number().nullable(),
  cutOffs: z.array(z.string()),
  /** Those with most turns; `otherFiles` are not listed. */
  files: z.array(ResultsFile),
  otherFiles: z.int(),
  /** [F166] Rows may be missing, see `MAY_LACK_ROWS`. */
  mayLackRows: z.boolean(),
  /** [F145] Matches are stored, so that an edit can be tried. */
  editable: z.boolean(),
})
export type ResultsAbout = Immutable<z.infer<typeof ResultsAbout>>

/** [F166] Warning shown wherever results of the older layout are displayed or queried. */
export const MAY_LACK_ROWS =
  'an older version of Turnscope wrote these results, and rows behind about the 20,000th of each part (64 MB of input) may be missing. Run the batch again, into another folder'

/** Flips of one pair of primaries; equal ones changed only beside it. */
export const ResultsPair = z.object({
  from: z.string(),
  to: z.string(),
  direct: z.number(),
  momentum: z.number(),
})
export type ResultsPair = Immutable<z.infer<typeof ResultsPair>>

/** One of the small multiples: a file or a domain, and how its turns or flips are spread. */
export const ResultsPanel = z.object({
  name: z.string(),
  turns: z.number(),
  flips: z.number(),
  /** By domain, the most frequent first. */
  bars: z.array(z.object({ domain: z.string(), count: z.number() })),
})
export type ResultsPanel = Immutable<z.infer<typeof ResultsPanel>>

export const PANELS_OF = ['turns', 'flips'] as const
export const PANELS_BY = ['file', 'domain'] as const

/** [F140] Counts of the rows that pass a filter. */
export const ResultsCounts = z.object({
  turns: z.number(),
  /** Turns of rows without a text, which are in no other count. */
  textless: z.number(),
  domains: z.array(z.object({ domain: z.string(), turns: z.number() })),
  /** Null: there are no flips to count. */
  flips: z.object({ total: z.number(), direct: z.number(), momentum: z.number() }).nullable(),
  pairs: z.array(ResultsPair),
  panels: z.array(ResultsPanel),
  /** Panels that are not listed. */
  otherPanels: z.number(),
})
export type ResultsCounts = Immutable<z.infer<typeof ResultsCounts>>

/** Location of a result row: its source, its 0-based row there, its session, and the 1-based turn in it. */
export const ResultsPlace = z.object({
  file: z.string().max(4096),
  row: z.number().min(0),
  session: z.string().max(100_000),
  turn: z.int().min(1),
})
export type ResultsPlace = Immutable<z.infer<typeof ResultsPlace>>

export const ResultsTurn = ResultsPlace.extend({
  kind: z.string(),
  chars: z.number(),
  primary: z.string(),
  secondary: z.string().nullable(),
  event: z.string(),
  momentum: z.number(),
  fired: z.array(z.string()),
})
export type ResultsTurn = Immutable<z.infer<typeof ResultsTurn>>

export const ResultsFlip = ResultsPlace.extend({
  fields: z.array(z.string()),
  cause: z.string(),
  since: z.number(),
  primaryWas: z.string(),
  primaryIs: z.string(),
  secondaryWas: z.string().nullable(),
  secondaryIs: z.string().nullable(),
})
export type ResultsFlip = Immutable<z.infer<typeof ResultsFlip>>
