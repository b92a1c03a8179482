import { z } from 'zod'
import type { Immutable } from './immutable.ts'
import { Measured } from './queue.ts'

/** [L100] Data shown next to every figure about labels: the labels it was measured on, and its ceiling. */
export const FigureBasis = z.object({
  /** Number of labelled turns, and of their sources (L91). */
  labelled: z.int(),
  sources: z.int(),
  /** Share of correct turns by fold of whole sources; null if all labels come from one source. */
  byFold: z.object({ folds: z.int(), mean: z.number(), deviation: z.number() }).nullable(),
  /** Baseline: the share reached by always giving the most frequent answer. */
  mostFrequent: z.object({ domain: z.string().nullable(), share: Measured }),
  /** [L87] The two readers who share most turns; null if no turn has labels of two readers. */
  ceiling: z.object({ readers: z.tuple([z.string(), z.string()]), same: Measured }).nullable(),
  /** [L101] Labelled turns of sources that the domain file says its signals were made from. */
  madeFrom: z.object({
    turns: z.int(),
    /** Those of the labels that are named there. */
    sources: z.array(z.string()),
    /** Right on the turns of all other sources. */
    others: Measured,
  }),
})
export type FigureBasis = Immutable<z.infer<typeof FigureBasis>>
