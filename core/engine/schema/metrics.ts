import { z } from 'zod'
import { FigureBasis } from './basis.ts'
import type { Immutable } from './immutable.ts'
import { Ratio } from './ratio.ts'

/** [L95] One margin of the table of risk and coverage. */
export const AbstainRow = z.object({
  /** Null: every turn is answered. */
  margin: z.number().nullable(),
  answered: Ratio,
  /** Among those answered: the primary alone, its Wilson interval, and with alternatives. */
  strict: Ratio,
  interval: z.object({ low: z.number(), high: z.number() }).nullable(),
  withAlternatives: Ratio,
  /** Of `strict` over folds of whole sources. */
  folds: z.object({ mean: z.number(), deviation: z.number(), of: z.int() }).nullable(),
})
export type AbstainRow = Immutable<z.infer<typeof AbstainRow>>

/** Figures about one configuration, measured against labels. */
export const LabMetrics = z.object({
  /** Labelled turns that were found. */
  labelled: z.int(),
  strict: Ratio,
  withAlternatives: Ratio,
  /** Labelled turns whose primary or secondary is one that the label forbids. */
  forbidden: Ratio,
  /** Among turns whose label says something of the secondary. */
  secondary: Ratio,
  /** Mean F1 of the domains that have labels; `of` is their number. */
  macroF1: z.object({ value: z.number().nullable(), of: z.int() }),
  domains: z.array(
    // Right among those predicted as the domain, and among those labelled with it; null F1: neither.
    z.object({ domain: z.string(), precision: Ratio, recall: Ratio, f1: z.number().nullable() }),
  ),
  confusion: z.array(z.object({ expected: z.string(), predicted: z.string(), count: z.int() })),
  /** Baselines on the same turns and signals. */
  firstMatch: z.object({ strict: Ratio, withAlternatives: Ratio }),
  mostFrequent: z.object({ domain: z.string().nullable(), hits: z.int(), of: z.int() }),
  /** [L100] Null if label provenance was not requested. */
  basis: FigureBasis.nullable(),
  /** [L95] Absent for skills, of which any number fires together, or if label provenance was not requested. */
  abstain: z.array(AbstainRow).optional(),
})
export type LabMetrics = Immutable<z.infer<typeof LabMetrics>>

/** Sessions with an outcome on one side of a comparison. `meanScore` is over `scored` sessions. */
const OutcomeSide = z.object({
  sessions: z.int(),
  passed: Ratio,
  meanScore: z.number().nullable(),
  scored: z.int(),
})

/** [T20] Sessions with and without enrichment where outcomes are attached (L12), by domain. */
export const EnrichmentEffect = z.object({
  domain: z.string(),
  /** The domain's text was injected in at least one turn. */
  with: OutcomeSide,
  /** In no turn. */
  without: OutcomeSide,
  /** Those of `without` in which the domain was classified all the same, and its text held back. */
  heldBack: OutcomeSide,
})
export type EnrichmentEffect = Immutable<z.infer<typeof EnrichmentEffect>>
