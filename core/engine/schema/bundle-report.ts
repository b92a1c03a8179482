import { z } from 'zod'
import { BundleEstimatorName } from './bundle.ts'
import type { Immutable } from './immutable.ts'
import { Span } from './trace.ts'

/** Tiers in the order in which they take their share. */
export const TierName = z.enum(['tier0', 'tier1', 'history', 'telemetry'])
export type TierName = z.infer<typeof TierName>

/** Result for one tier. Tokens are those of the bundle's estimator. */
export const TierReport = z.object({
  tier: TierName,
  /** Tier 0 has a reservation, the others a cap. */
  limitKind: z.enum(['reserved', 'cap']),
  limit: z.int(),
  used: z.int(),
  /** Size of the text before anything was left out. */
  whole: z.int(),
  state: z.enum(['empty', 'whole', 'truncated', 'dropped']),
  truncated: z.object({ tokens: z.int(), chars: z.int() }).nullable(),
  /** Items that are not in, in order. At most 50 are listed. */
  dropped: z.array(z.object({ what: z.string(), tokens: z.int() })),
  droppedCount: z.int(),
  /** Least cap (tier 0: reservation) that holds it whole. */
  fitsAtCap: z.int(),
  /** Least context in which it stays whole, given that cap. */
  fitsAtContext: z.int(),
  /** One sentence. */
  why: z.string(),
})
export type TierReport = Immutable<z.infer<typeof TierReport>>

export const BuildReport = z.object({
  estimator: BundleEstimatorName,
  context: z.int(),
  generationReserve: z.int(),
  /** Context minus reserve: the budget of a prompt. Negative if the reserve is larger. */
  available: z.int(),
  /** Tokens of the whole prompt. */
  used: z.int(),
  /** Tokens of these that the sum of the tiers' sizes does not include: blank lines between tiers and rounding. */
  framing: z.int(),
  /** Available minus used; negative only when tier 0 alone does not fit. */
  headroom: z.int(),
  /** Something was left out, or tier 0 alone does not fit. */
  overflow: z.boolean(),
  tier0OverContext: z.boolean(),
  /** Least context that holds all tiers whole (with caps raised to `fitsAtCap`). */
  fitsAtContext: z.int(),
  tiers: z.array(TierReport),
  warnings: z.array(z.string()),
})
export type BuildReport = Immutable<z.infer<typeof BuildReport>>

/** The same prompt counted otherwise. */
export const BundleMeasure = z.object({
  estimator: z.string(),
  /** Tokens of the rendered prompt. */
  total: z.int(),
  /** By tier: tokens of the included text, and of the whole text (null = too long to count). */
  tiers: z.array(z.object({ tier: TierName, used: z.int(), whole: z.int().nullable() })),
  /** Tiers whose rendered text is over its cap (tier 0: over its reservation). */
  over: z.array(TierName),
  /** The rendered prompt is over context minus reserve. */
  overContext: z.boolean(),
})
export type BundleMeasure = Immutable<z.infer<typeof BundleMeasure>>

/** A piece of the rendered prompt: its tier, its content, and its origin. */
export const PromptPart = z.object({
  id: z.string(),
  /** Null for the blank lines between tiers. */
  tier: TierName.nullable(),
  source: z.string(),
  span: Span,
})
export type PromptPart = Immutable<z.infer<typeof PromptPart>>

/** [A6] A file of this bundle against the run before. `baseline`: there was none. */
export const ProvenanceChange = z.object({
  path: z.string(),
  change: z.enum(['same', 'changed', 'new', 'gone']),
  before: z.string().nullable(),
  after: z.string().nullable(),
})
export type ProvenanceChange = Immutable<z.infer<typeof ProvenanceChange>>
