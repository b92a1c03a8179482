import { z } from 'zod'
import type { Immutable } from './immutable.ts'
import { Measured } from './queue.ts'

/** [L87] Two readers over the turns that both have labelled. */
export const PairAgreement = z.object({
  readers: z.tuple([z.string(), z.string()]),
  /** The same primary. */
  same: Measured,
  /** The same primary, or one that the other one accepts. */
  accepted: Measured,
  /** Cohen's kappa of the primaries with an interval; null if chance alone would always agree. */
  kappa: z.object({ value: z.number(), low: z.number(), high: z.number() }).nullable(),
})
export type PairAgreement = Immutable<z.infer<typeof PairAgreement>>

/** [L87] Comparison of several readers of the same turns. */
export const ReaderReport = z.object({
  readers: z.array(z.object({ by: z.string(), labels: z.int() })),
  /** Pairs that share a turn, in the order of the readers. */
  pairs: z.array(PairAgreement),
  /** Turns that readers see differently: still open, and settled. */
  open: z.int(),
  settled: z.int(),
})
export type ReaderReport = Immutable<z.infer<typeof ReaderReport>>
